"""The LSTM computes its formulas."""

from __future__ import annotations

from sequence_encoders import batch_of, check_same, encoder_of
from sequence_reference import plain_lstm, states_of


def test_a_batch_equals_one_side_at_a_time_in_value_and_gradient() -> None:
    encoder = encoder_of("lstm")
    check_same(encoder, encoder(batch_of(encoder)), states_of(encoder, plain_lstm))
