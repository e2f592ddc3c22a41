"""For all encoders of sequences, neither padding nor order nor sharing changes a state."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest
import torch
from torch import Tensor
from torch.nn.functional import binary_cross_entropy_with_logits

from sequence_encoders import SMALL, TEXTS, VOCAB, batch_of, check_same, encoder_of, gradients
from treesmu.data import DataError
from treesmu.data.trees import sequence_batch
from treesmu.models.build import build
from treesmu.models.sequences.lstm import LSTMEncoder
from treesmu.models.store import load, save


@pytest.mark.parametrize("name", SMALL)
def test_padding_changes_nothing(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    encoder = encoder_of(name)
    expected = encoder(batch_of(encoder))
    for cost in (0, 10**9):  # one chunk per length, then all in one chunk
        monkeypatch.setattr(sequence_batch, "CHUNK_COST", cost)
        batch = batch_of(encoder)
        assert (len(batch.chunks) == 1) == (cost > 0)
        check_same(encoder, encoder(batch), expected)
    batch.tokens[~batch.is_token] = 5
    if batch.positions is not None:
        batch.positions[~batch.is_token] = 1
    check_same(encoder, encoder(batch), expected)


@pytest.mark.parametrize("name", SMALL)
def test_order_and_sharing_change_nothing(name: str) -> None:
    encoder = encoder_of(name)
    expected = encoder(batch_of(encoder))
    check_same(encoder, encoder(batch_of(encoder, share=False)), expected)
    order = [3, 0, 5, 5, 1, 2, 4]
    found = encoder(encoder.plan(TEXTS).batch(order))
    torch.testing.assert_close(found, expected[order], rtol=0, atol=1e-10)
    check_same(encoder, encoder(batch_of(encoder, TEXTS[::-1])).flip(0), expected)


@pytest.mark.parametrize("name", SMALL)
def test_evaluation_equals_training_without_dropout(name: str) -> None:
    encoder = encoder_of(name)  # with two heads PyTorch has another implementation for inference
    batch = batch_of(encoder)
    expected = encoder(batch).detach()
    encoder.eval()
    with torch.no_grad():
        torch.testing.assert_close(encoder(batch), expected, rtol=0, atol=1e-10)


@pytest.mark.parametrize("name", SMALL)
def test_single_precision_gives_the_same_but_for_rounding(name: str) -> None:
    encoder = encoder_of(name)  # PyTorch has another LSTM for it
    expected = encoder(batch_of(encoder))
    wanted = {key: value.float() for key, value in gradients(encoder, expected).items()}
    found = encoder.float()(batch_of(encoder))
    torch.testing.assert_close(found, expected.float(), rtol=1e-4, atol=1e-5)
    torch.testing.assert_close(gradients(encoder, found), wanted, rtol=1e-3, atol=1e-4)


@pytest.mark.parametrize("name", SMALL)
def test_dropout_is_for_training_only_and_drawn_from_the_seed(name: str) -> None:
    encoder = encoder_of(name, dropout=0.5)
    batch = batch_of(encoder)

    def run(seed: int, train: bool = True) -> Tensor:
        encoder.train(train)
        torch.manual_seed(seed)
        states: Tensor = encoder(batch)
        return states

    assert torch.equal(run(1), run(1))
    assert not torch.allclose(run(1), run(2))
    assert torch.equal(run(1, train=False), run(2, train=False))


@pytest.mark.parametrize("name", SMALL)
def test_the_seed_gives_the_weights(name: str) -> None:
    def weights(seed: int) -> dict[str, Tensor]:
        torch.manual_seed(seed)
        return build(name, VOCAB, SMALL[name]).state_dict()

    assert all(torch.equal(a, b) for a, b in zip(weights(3).values(), weights(3).values(), strict=True))
    assert not torch.equal(weights(3)["encoder.embedding.weight"], weights(4)["encoder.embedding.weight"])


@pytest.mark.parametrize("head", ["dot", "distance"])
@pytest.mark.parametrize("name", SMALL)
def test_models_can_memorise_twenty_equations(name: str, head: str) -> None:
    sides = ["x", "sin x", "Add x 1", "Add 1 x", "Mul 2 x", "Add x x", "cos Add x y", "Pow x 0.5", "sin cos x", "exp y"]
    texts = [f"Equality {sides[i]} {sides[(i + d) % 10]}" for i in range(10) for d in (1, 3)]
    labels = torch.tensor([(7 * i) % 5 < 2 for i in range(20)]).float()
    model = build(name, VOCAB, {"hidden": 20, "layers": 1}, head)
    batch = model.encoder.plan(texts).batch(range(20))
    optimizer = torch.optim.Adam(model.parameters(), 0.01)
    for _ in range(300):
        optimizer.zero_grad()
        binary_cross_entropy_with_logits(model(batch), labels).backward()
        optimizer.step()
    assert ((model(batch) > 0).float() == labels).all()


@pytest.mark.parametrize("name", SMALL)
def test_verify_and_embed(name: str) -> None:
    model = build(name, VOCAB, SMALL[name])
    equations = ["sin(x)^2 + cos(x)^2 = 1", "x = 0.7", "x = 0.71"]
    p = model.verify(equations)
    assert p.shape == (3,)
    assert p.dtype == np.float32
    assert ((p > 0) & (p < 1)).all()
    assert p[1] != p[2]  # decimals are not all the same
    states = model.embed(["sin(x)^2 + cos(x)^2", "1"])
    assert states.shape == (2, 6)
    assert float(states[0] @ states[1]) == pytest.approx(float(model.logits(equations)[0]), abs=1e-5)
    assert model.double().verify(equations).dtype == np.float64


@pytest.mark.parametrize("name", SMALL)
def test_unit_states_have_length_one(name: str) -> None:
    model = build(name, VOCAB, SMALL[name], norm="unit")
    assert np.linalg.norm(model.embed(["x", "x + y"]), axis=1) == pytest.approx([1, 1])


@pytest.mark.parametrize("name", SMALL)
def test_stored_models_come_back(name: str, tmp_path: Path) -> None:
    model = build(name, VOCAB, SMALL[name], "distance", norm="unit")
    assert model.encoder.settings() == SMALL[name]
    save(model, tmp_path / "model.safetensors")
    back = load(tmp_path / "model.safetensors")
    assert back.build_arguments == model.build_arguments
    equations = ["x + 0.5 = sin(y)", "x = y"]
    assert np.array_equal(back.logits(equations), model.logits(equations))


@pytest.mark.parametrize("name", SMALL)
def test_an_empty_batch_has_no_states(name: str) -> None:
    encoder = encoder_of(name)
    assert encoder(encoder.plan(TEXTS).batch([])).shape == (0, 2, 6)


@pytest.mark.parametrize("name", SMALL)
def test_a_vocabulary_without_decimals(name: str) -> None:
    vocab = replace(VOCAB, numbers=False)
    encoder = build(name, vocab, SMALL[name]).encoder
    assert encoder.numbers is None
    assert encoder(batch_of(encoder, ["sin x"])).shape == (1, 6)
    with pytest.raises(DataError, match=r"row 0: unknown leaf or function '0\.5'"):
        encoder.plan(["sin 0.5"])


def test_batches_of_another_encoder_are_refused() -> None:
    encoder, other = encoder_of("lstm"), encoder_of("tree-transformer")
    with pytest.raises(ValueError, match=r"make it with encoder\.plan"):
        encoder(batch_of(other))
    stranger = LSTMEncoder(replace(VOCAB, numbers=False))
    with pytest.raises(ValueError, match=r"make it with encoder\.plan"):
        encoder(batch_of(stranger, ["x"]))


@pytest.mark.parametrize(
    ("name", "settings", "fault"),
    [
        ("transformer", {"layers": 0}, "layers must be at least 1, not 0"),
        ("lstm", {"hidden": 0}, "hidden must be at least 1, not 0"),
        ("lstm", {"dropout": 1.0}, "dropout must be at least 0 and below 1, not 1.0"),
    ],
)
def test_wrong_settings_are_named(name: str, settings: dict[str, Any], fault: str) -> None:
    with pytest.raises(ValueError, match=fault):
        build(name, VOCAB, settings)
