"""An encoder without autograd gives the states and the gradients that it gives with it."""

from __future__ import annotations

import pytest
import torch

from samples import EQUATIONS, EXACT, FOREST, Setting, compiles, encoder_of
from treesmu.models.compiled.encoder_gradients import EncoderGradients

pytestmark = compiles
SMU: Setting = ("smu", {"stack": 2})


def test_states_and_gradients_are_those_of_autograd() -> None:
    torch.manual_seed(3)
    encoder = encoder_of(SMU, norm="unit", compiled=True)
    direct = EncoderGradients(encoder)
    for forest in (FOREST, EQUATIONS, FOREST):
        grad = torch.randn(forest.size, 3, dtype=torch.float64)
        encoder.zero_grad()
        states = encoder.nodes(forest)
        states.backward(grad)
        wanted = [p.grad.clone() for p in encoder.parameters() if p.grad is not None]
        found = direct.up(forest)
        torch.testing.assert_close(found[:-1], states.detach(), **EXACT)
        assert not found[-1].any()
        direct.down(torch.cat([grad, torch.zeros(1, 3, dtype=torch.float64)]))
        for parameter, gradient in zip(encoder.parameters(), wanted, strict=True):
            torch.testing.assert_close(parameter.grad, gradient, **EXACT)


def test_dropout_is_that_of_the_encoder() -> None:
    encoder = encoder_of(SMU, dropout=0.5, compiled=True).train()
    torch.manual_seed(5)
    wanted = encoder.nodes(FOREST).detach()
    torch.manual_seed(5)
    torch.testing.assert_close(EncoderGradients(encoder).up(FOREST)[:-1], wanted, **EXACT)
    with pytest.raises(AssertionError):
        torch.testing.assert_close(EncoderGradients(encoder).up(FOREST)[:-1], wanted, **EXACT)
    encoder.eval()
    torch.testing.assert_close(EncoderGradients(encoder).up(FOREST)[:-1], encoder.nodes(FOREST).detach(), **EXACT)
