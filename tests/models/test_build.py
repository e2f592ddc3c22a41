"""build makes every registered model by its name, and records all arguments that make it again."""

from __future__ import annotations

from typing import Any

import pytest
from torch import nn

from treesmu import registry
from treesmu.data import DataError, Vocab
from treesmu.models import TreeEncoder, TreeRNN, build
from treesmu.models.head import DistanceHead, DotHead
from treesmu.models.majority import MajorityEncoder, MajorityHead

VOCAB = Vocab.default()


def test_a_cell_is_put_into_a_tree_encoder_and_an_encoder_is_used_as_it_is() -> None:
    cell = build("tree-rnn", VOCAB, {"hidden": 4}, "distance", norm="unit")
    assert isinstance(cell.encoder, TreeEncoder)
    assert isinstance(cell.encoder.cell, TreeRNN)
    assert cell.encoder.norm == "unit"
    assert isinstance(cell.head, DistanceHead)
    lstm = build("lstm", VOCAB, {"hidden": 4}, norm="unit")
    assert lstm.encoder.norm == "unit"
    assert isinstance(lstm.head, DotHead)


def test_settings_that_were_not_given_are_recorded_too() -> None:
    arguments = build("lstm", VOCAB).build_arguments
    settings = {"hidden": 50, "layers": 1, "dropout": 0.0}
    assert arguments == {"name": "lstm", "settings": settings, "head": "dot", "norm": "none", "points": 0}


def test_an_encoder_can_bring_its_own_head(monkeypatch: pytest.MonkeyPatch) -> None:
    assert isinstance(build("majority", VOCAB, head="distance").head, MajorityHead)

    class Twin(MajorityEncoder):
        def make_head(self) -> Any:
            return nn.Identity()

    monkeypatch.setattr(registry, "_entries", dict(registry._entries))
    registry.register("twin", Twin)
    assert isinstance(build("twin", VOCAB).head, nn.Identity)


def test_unknown_names_are_refused_in_one_line() -> None:
    with pytest.raises(DataError, match=r"^unknown model 'tree-gru'; known: tree-smu, .*; a model of your own needs --plugin"):
        build("tree-gru", VOCAB)
    with pytest.raises(DataError, match=r"^unknown head 'cosine'; known: dot, distance$"):
        build("tree-rnn", VOCAB, head="cosine")


def test_settings_that_are_no_dictionary_are_refused() -> None:
    with pytest.raises(DataError, match=r"^settings must be a dictionary of the arguments of TreeSMU, not 3$"):
        build("tree-smu", Vocab.default(), 3)  # type: ignore[arg-type]
