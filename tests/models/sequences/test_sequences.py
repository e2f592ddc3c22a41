"""The sequence baselines: batches give what a plain reading of one side gives; and the majority class counts."""

from __future__ import annotations

from dataclasses import replace
from math import cos, sin, sqrt
from pathlib import Path
from typing import Any

import numpy as np
import pytest
import torch
from torch import Tensor
from torch.nn.functional import binary_cross_entropy_with_logits, pad

from treesmu.data import CorpusPlan, DataError, SequenceBatch, Vocab
from treesmu.data.trees import sequence_batch
from treesmu.models.build import build
from treesmu.models.majority import fit
from treesmu.models.sequences.base import SequenceEncoder
from treesmu.models.sequences.lstm import LSTMEncoder
from treesmu.models.sequences.transformer import TransformerEncoder
from treesmu.models.sequences.tree_transformer import TreeTransformerEncoder
from treesmu.models.store import load, save

VOCAB = Vocab.default()
SMALL: dict[str, dict[str, Any]] = {  # and not the defaults
    "lstm": {"hidden": 6, "layers": 2, "dropout": 0.25},
    "transformer": {"hidden": 6, "layers": 2, "heads": 3, "feedforward": 7, "dropout": 0.25},
    "tree-transformer": {"hidden": 6, "layers": 2, "heads": 2, "feedforward": 7, "dropout": 0.25, "depth": 3},
}
TEXTS = [  # of several lengths, deeper than the depth above, with repeated sides and decimals
    "Equality Add x Mul y sin 0.7 Add 0.7 -0.25",
    "Equality x x",
    "Equality sin cos tan exp Pow x 1/2 x",
    "Equality Add Add Add Add x 1 2 3 y Add x Add y Add z Add w Add x 0.70",
    "Equality Mul Add x y Add x y Add x y",
    "Equality log pi e Pow sin x 2",
]
ROWS = np.arange(len(TEXTS))


def encoder_of(name: str, **other: Any) -> Any:
    return build(name, VOCAB, {**SMALL[name], "dropout": 0.0, **other}).encoder.double()


def batch_of(encoder: SequenceEncoder, texts: list[str] | None = None, share: bool = True) -> SequenceBatch:
    plan = encoder.plan(TEXTS if texts is None else texts)
    return plan.batch(range(len(plan)), share)


def gradients(encoder: SequenceEncoder, states: Tensor) -> dict[str, Tensor]:
    """Of a sum in which every entry of every state counts differently."""
    weights = torch.linspace(-1, 2, states.numel(), dtype=states.dtype).view_as(states)
    names, parameters = zip(*encoder.named_parameters(), strict=True)
    found = torch.autograd.grad((states * weights).sum(), parameters, allow_unused=True, retain_graph=True)
    return {n: torch.zeros_like(p) if g is None else g for n, p, g in zip(names, parameters, found, strict=True)}


def check_same(encoder: SequenceEncoder, found: Tensor, expected: Tensor) -> None:
    torch.testing.assert_close(found, expected, rtol=0, atol=1e-10)
    torch.testing.assert_close(gradients(encoder, found), gradients(encoder, expected), rtol=0, atol=1e-10)


# -- one side at a time, by the formulas -------------------------------------------------------------------------------


def tree_of(words: list[str]) -> tuple[tuple[Any, ...], list[str]]:
    """A nested tuple, and the words after it."""
    head, words = words[0], words[1:]
    children = []
    for _ in range(VOCAB.arity(head) if head in VOCAB.functions else 0):
        child, words = tree_of(words)
        children.append(child)
    return (head, *children), words


def in_parentheses(tree: tuple[Any, ...]) -> list[str]:
    if not tree[1:]:
        return [tree[0]]
    inside = [word for child in tree[1:] for word in [*in_parentheses(child), ","]]
    return [tree[0], "(", *inside[:-1], ")"]


def with_paths(tree: tuple[Any, ...], path: tuple[int, ...] = ()) -> list[tuple[str, tuple[int, ...]]]:
    return [(tree[0], path), *(found for k, child in enumerate(tree[1:]) for found in with_paths(child, (k, *path)))]


def vector(encoder: Any, word: str) -> Tensor:
    names = sequence_batch.token_names(VOCAB, encoder.form)
    if word in names:
        row: Tensor = encoder.embedding.weight[names.index(word)]
        return row
    state: Tensor = encoder.numbers(torch.tensor([float(word)], dtype=torch.float64))[0]
    return state


def plain_lstm(encoder: Any, tree: tuple[Any, ...]) -> Tensor:
    inputs = [vector(encoder, word) for word in in_parentheses(tree)]
    for layer in range(encoder.layers):
        w, u, b, d = (getattr(encoder.lstm, f"{kind}_l{layer}") for kind in ("weight_ih", "weight_hh", "bias_ih", "bias_hh"))
        h = c = torch.zeros(encoder.hidden, dtype=torch.float64)
        states = []
        for x in inputs:
            i, f, g, o = (w @ x + u @ h + b + d).chunk(4)
            c = f.sigmoid() * c + i.sigmoid() * g.tanh()
            h = o.sigmoid() * c.tanh()
            states.append(h)
        inputs = states
    return inputs[-1]


def plain_transformer(encoder: Any, tree: tuple[Any, ...]) -> Tensor:
    if encoder.form == "tree":
        x = torch.stack([vector(encoder, word) + tree_position(encoder, path) for word, path in with_paths(tree)])
    else:
        x = torch.stack([vector(encoder, word) + wave(encoder.hidden, i) for i, word in enumerate(in_parentheses(tree))])
    for layer in encoder.transformer.layers:
        x = layer.norm1(x + attention(layer.self_attn, x))
        x = layer.norm2(x + layer.linear2(layer.linear1(x).relu()))
    state: Tensor = x[0] / sqrt(encoder.hidden)
    return state


def attention(weights: Any, x: Tensor) -> Tensor:
    q, k, v = ((x @ w.T + b).chunk(weights.num_heads, 1) for w, b in zip(*_thirds(weights), strict=True))
    heads = [(q_ @ k_.T / sqrt(q_.shape[1])).softmax(1) @ v_ for q_, k_, v_ in zip(q, k, v, strict=True)]
    out: Tensor = weights.out_proj(torch.cat(heads, 1))
    return out


def _thirds(weights: Any) -> tuple[tuple[Tensor, ...], tuple[Tensor, ...]]:
    """Torch keeps the weights of q, k and v in one."""
    return weights.in_proj_weight.chunk(3), weights.in_proj_bias.chunk(3)


def wave(hidden: int, place: int) -> Tensor:
    angles = [place / 10_000 ** (2 * (j // 2) / hidden) for j in range(hidden)]
    return torch.tensor([cos(a) if j % 2 else sin(a) for j, a in enumerate(angles)], dtype=torch.float64)


def tree_position(encoder: Any, path: tuple[int, ...]) -> Tensor:
    p = encoder.raw_decay.tanh()
    total = torch.zeros(encoder.hidden, dtype=torch.float64)
    for k, branch in enumerate(path[: encoder.depth]):
        total = total + p**k * encoder.projection.weight[:, k * encoder.arity + branch]
    return total * (1 - p**2).sqrt() * sqrt(encoder.hidden / 2)


@pytest.mark.parametrize("name", SMALL)
def test_a_batch_equals_one_side_at_a_time_in_value_and_gradient(name: str) -> None:
    encoder = encoder_of(name)
    sides = []
    for text in TEXTS:
        left, rest = tree_of(text.split()[1:])
        sides.append([left, tree_of(rest)[0]])
    plain = plain_lstm if name == "lstm" else plain_transformer
    expected = torch.stack([torch.stack([plain(encoder, side) for side in pair]) for pair in sides])
    check_same(encoder, encoder(batch_of(encoder)), expected)


# -- what must change nothing ------------------------------------------------------------------------------------------


@pytest.mark.parametrize("name", SMALL)
def test_padding_changes_nothing(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    encoder = encoder_of(name)
    expected = encoder(batch_of(encoder))
    for cost in (0, 10**9):  # a chunk a length, then all in one
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
    encoder = encoder_of(name)  # with two heads torch has a way of its own to evaluate
    batch = batch_of(encoder)
    expected = encoder(batch).detach()
    encoder.eval()
    with torch.no_grad():
        torch.testing.assert_close(encoder(batch), expected, rtol=0, atol=1e-10)


@pytest.mark.parametrize("name", SMALL)
def test_single_precision_gives_the_same_but_for_rounding(name: str) -> None:
    encoder = encoder_of(name)  # torch has another LSTM for it
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


@pytest.mark.parametrize("name", ["transformer", "tree-transformer"])
def test_layers_start_with_weights_of_their_own(name: str) -> None:
    first, second = encoder_of(name).transformer.layers
    assert not torch.equal(first.linear1.weight, second.linear1.weight)


# -- positions ---------------------------------------------------------------------------------------------------------


def small_tree_transformer(depth: int, p: float = 0.5) -> TreeTransformerEncoder:
    encoder = TreeTransformerEncoder(VOCAB, hidden=10, depth=depth).double()
    with torch.no_grad():
        encoder.raw_decay.copy_(torch.tensor([p]).double().atanh())
    return encoder


def test_stacks_of_branches_worked_by_hand() -> None:
    paths = torch.tensor([[-1, -1, -1], [1, -1, -1], [0, 1, -1], [1, 1, 0]])
    root = sqrt(0.75)  # of 1 - p²
    wanted = [
        [0, 0, 0, 0, 0, 0],
        [0, root, 0, 0, 0, 0],
        [root, 0, 0, root / 2, 0, 0],
        [0, root, 0, root / 2, root / 4, 0],
    ]
    found = small_tree_transformer(depth=3).stacks(paths)
    torch.testing.assert_close(found, torch.tensor(wanted).double(), rtol=0, atol=1e-7)
    cut = small_tree_transformer(depth=2).stacks(paths)
    torch.testing.assert_close(cut, torch.tensor(wanted).double()[:, :4], rtol=0, atol=1e-7)
    padded = small_tree_transformer(depth=5).stacks(paths)
    torch.testing.assert_close(padded, pad(torch.tensor(wanted).double(), (0, 4)), rtol=0, atol=1e-7)


def test_a_decay_of_nothing_sees_the_own_branch_only() -> None:
    encoder = small_tree_transformer(depth=3, p=0.0)
    found = encoder.stacks(torch.tensor([[1, 0, 1]]))
    assert found.tolist() == [[0, 1, 0, 0, 0, 0]]
    found.sum().backward()
    assert encoder.raw_decay.grad is not None
    assert encoder.raw_decay.grad.item() == pytest.approx(1)  # d/dp of 1 + p + p²


def test_tree_positions_are_about_as_long_as_sinusoids() -> None:
    encoder = TreeTransformerEncoder(VOCAB, hidden=100, depth=20)
    batch = batch_of(encoder, ["sin " * 15 + "x"])
    assert encoder.positions(batch)[-1].norm().item() == pytest.approx(sqrt(50), rel=0.25)
    waves = TransformerEncoder(VOCAB, hidden=100).positions(batch)
    assert waves.norm(dim=1).tolist() == pytest.approx([sqrt(50)] * 16)


def test_an_odd_size_has_positions_too() -> None:
    encoder = build("transformer", VOCAB, {"hidden": 55}).encoder
    assert encoder(batch_of(encoder)).shape == (len(TEXTS), 2, 55)


# -- models ------------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("head", ["dot", "distance"])
@pytest.mark.parametrize("name", SMALL)
def test_models_learn_twenty_equations_by_heart(name: str, head: str) -> None:
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
    model = build(name, VOCAB, SMALL[name], unit=True)
    assert np.linalg.norm(model.embed(["x", "x + y"]), axis=1) == pytest.approx([1, 1])


@pytest.mark.parametrize("name", SMALL)
def test_everything_is_on_the_device_of_the_weights(name: str) -> None:
    encoder = encoder_of(name)
    batch = batch_of(encoder)
    states = encoder.to("meta")(batch)  # where tensors have shapes only; a mix of devices would be an error
    assert states.device.type == "meta"
    assert states.shape == (len(TEXTS), 2, 6)


@pytest.mark.parametrize("name", SMALL)
def test_stored_models_come_back(name: str, tmp_path: Path) -> None:
    model = build(name, VOCAB, SMALL[name], "distance", unit=True)
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
        ("transformer", {"hidden": 50, "heads": 4}, "50 cannot be divided among 4 heads; heads can be 1, 2, 5, 10, 25, 50"),
        ("transformer", {"heads": 0}, "cannot be divided among 0 heads"),
        ("transformer", {"layers": 0}, "layers is at least 1, not 0"),
        ("tree-transformer", {"depth": 0}, "depth is the number of levels that a position tells of, at least 1, not 0"),
        ("lstm", {"hidden": 0}, "hidden is at least 1, not 0"),
        ("lstm", {"dropout": 1.0}, "dropout is a rate from 0 to below 1"),
    ],
)
def test_wrong_settings_are_named(name: str, settings: dict[str, Any], fault: str) -> None:
    with pytest.raises(ValueError, match=fault):
        build(name, VOCAB, settings)


# -- majority ----------------------------------------------------------------------------------------------------------


def test_the_majority_counts() -> None:
    model = build("majority", VOCAB)
    assert model.verify(["x = x"]).tolist() == [0.5]
    fit(model, np.array([1, 1, 1, 0], np.int8))
    assert model.verify(["x = x", "x = y", "sin(x) = 0.5"]) == pytest.approx([0.75] * 3)
    assert {name: weight.numel() for name, weight in model.state_dict().items()} == {"head.share": 1}
    assert model.double().verify(["x = y"]).dtype == np.float64
    fit(model, torch.ones(3))
    assert model.verify(["x = y"]).tolist() == [1]


def test_the_majority_is_stored(tmp_path: Path) -> None:
    model = build("majority", VOCAB)
    fit(model, [1, 0, 0, 0, 0])
    save(model, tmp_path / "model.safetensors")
    assert load(tmp_path / "model.safetensors").verify(["x = y"]) == pytest.approx([0.2])


def test_the_majority_says_what_it_cannot() -> None:
    model = build("majority", VOCAB)
    with pytest.raises(ValueError, match="the majority class looks at no expression"):
        model.embed(["x + y"])
    with pytest.raises(ValueError, match="no majority of no labels"):
        fit(model, [])
    with pytest.raises(ValueError, match="lstm does not learn by counting"):
        fit(build("lstm", VOCAB), [1])
    with pytest.raises(DataError, match="unknown leaf or function 'what'"):
        model.encoder.plan(["Equality x what"])
    assert isinstance(model.encoder.plan(["Equality x y"]), CorpusPlan)
