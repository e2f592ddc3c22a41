"""Imported weights give the authors' logits and ranks: on files made by the tests, and on those that the authors released.

The released files are not in the repository. Where shared/reference lies beside it, every logit of its expected.json is
compared, and the ranks of every 20th blank; with TREESMU_FULL=1 those of all 835 (a few minutes).
"""

from __future__ import annotations

import json
import os
import random
import re
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
import pytest
import torch
from numpy.typing import NDArray
from torch import Tensor

from checkpoints import KINDS, N, Weights, checkpoint, linear
from paths import REFERENCE
from treesmu.data import DataError, Example, read_authors
from treesmu.expr import FUNCTIONS, Expr, parse
from treesmu.models.model import Model
from treesmu.models.released_weights import import_weights
from treesmu.models.store import load, save

RELEASED = {  # the names in expected.json
    "tree-rnn-h45": "exp_vanilla_drop0.1_hidden45_45678-model-66.checkpoint",
    "tree-lstm-h50": "exp_lstm_drop0.1_hidden50_12093-model-68.checkpoint",
    "tree-smu-h50": "exp_gatedpushpop_normalize_no_op_50_0.1_12345-model-97.checkpoint",
}
STACK = 5


# -- what the authors' network computes, one node at a time-----------------------------------------------------------------


# Where the leaves of EQUATIONS are in Symbol.weight: Symbol var_0..var_9; Integer 0..10, -2, -3; Rational 2/5, -1/2, 0;
# Float 0.7; NegativeOne, NaN, Infinity, Exp1, Pi, One, Half. One is the row of Integer 1.
LEAF_ROWS = {
    "x": 0, "y": 1, "d": 9, "0": 10, "1": 11, "2": 12, "10": 20, "-2": 21, "-3": 22, "2/5": 23, "-1/2": 24, "0.7": 26,
    "-1": 27, "e": 30, "pi": 31, "1/2": 33,
}  # fmt: skip
EQUATIONS = [
    *(f"{f.name}(x{', y' * (f.arity - 1)}) = 1" for f in FUNCTIONS if f.name not in ("Add", "Mul", "Pow")),
    "x = y",
    "0.7 = 0.25",
    "sin(0.7 + 0.125)^2 + cos(d)^2 = 1",
    "sin(sin(sin(sin(sin(sin(sin(x*10))))))) = 0 + sqrt(x)",  # deeper than the stack
    "log(x + 2/5, e) - pi = ((x^-2)^-3)*(-1/2)",
    "(x + y)*(x - y) = x^2 + -1*y*y",
]


class Authors:
    """The authors' network by their formulas, from their weights: the state and memory of a node (a stack, or c of an LSTM)."""

    def __init__(self, kind: str, weights: Weights) -> None:
        self.kind, self.weights = kind, {name: weight.double() for name, weight in weights.items()}

    def logit(self, equation: Expr) -> float:
        (left, _), (right, _) = self.node(equation.left), self.node(equation.right)
        return float(left @ right + self.weights["bias"])

    def affine(self, name: str, x: Tensor) -> Tensor:
        return self.weights[f"{name}.weight"] @ x + self.weights[f"{name}.bias"]

    def node(self, e: Expr) -> tuple[Tensor, Tensor]:
        if e.is_leaf:
            return self.leaf(e.token), torch.zeros(STACK if "smu" in self.kind else 1, N, dtype=torch.float64)
        below = [self.node(child) for child in e.children]
        i = torch.cat([h for h, _ in below])
        if self.kind == "tree-rnn":
            return self.affine(f"{e.token}.linear", i).sigmoid(), below[0][1]
        if self.kind == "tree-lstm":
            return self.lstm_unary(e.token, *below) if len(below) == 1 else self.lstm_binary(e.token, *below)
        return self.smu(e.token, i, [memory for _, memory in below])

    def leaf(self, token: str) -> Tensor:
        if token in LEAF_ROWS:
            return self.weights["Symbol.weight"][LEAF_ROWS[token]]
        assert "." in token
        hidden = self.affine("Number_enc.linear1", torch.tensor([float(token)], dtype=torch.float64)).sigmoid()
        return self.affine("Number_enc.linear2", hidden).sigmoid()

    def lstm_unary(self, f: str, child: tuple[Tensor, Tensor]) -> tuple[Tensor, Tensor]:
        h, c = child
        gates = {name: self.affine(f"{f}.{name}", h).sigmoid() for name in ("data", "forget", "output")}
        c = gates["data"] * self.affine(f"{f}.input", h).tanh() + gates["forget"] * c
        return gates["output"] * c.tanh().squeeze(0), c

    def lstm_binary(self, f: str, left: tuple[Tensor, Tensor], right: tuple[Tensor, Tensor]) -> tuple[Tensor, Tensor]:
        w = {name.partition(".")[2].removesuffix(".weight"): v for name, v in self.weights.items() if name.startswith(f"{f}.")}
        (l, c_l), (r, c_r) = left, right
        data = (w["data_left"] @ l + w["data_right"] @ r + w["data_bias"]).sigmoid()
        f_l = (w["forget_left_by_left"] @ l + w["forget_left_by_right"] @ r + w["forget_bias_left"]).sigmoid()
        f_r = (w["forget_right_by_left"] @ l + w["forget_right_by_right"] @ r + w["forget_bias_right"]).sigmoid()
        output = (w["output_left"] @ l + w["output_right"] @ r + w["output_bias"]).sigmoid()
        u = (w["input_left"] @ l + w["input_right"] @ r + w["input_bias"]).tanh()
        c = data * u + f_l * c_l + f_r * c_r
        return output * c.tanh().squeeze(0), c

    def smu(self, f: str, i: Tensor, stacks: list[Tensor]) -> tuple[Tensor, Tensor]:
        names = ("gate_linear",) if len(stacks) == 1 else ("gate_linear_l", "gate_linear_r")
        forget = [self.affine(f"{f}_stack.{name}", i).sigmoid() for name in names]
        combined = sum(gate * stack for gate, stack in zip(forget, stacks, strict=True))
        assert isinstance(combined, Tensor)
        actions = ("push", "pop", "no_op") if self.kind == "tree-smu" else ("push", "pop")
        gates = torch.stack([self.affine(f"{f}_stack.{name}_gate_linear", i).sigmoid() for name in actions]).softmax(0)
        push, pop, *no_op = gates
        u = self.affine(f"{f}_stack.input_linear", i).tanh()
        pushed = torch.cat([u[None], combined[:-1]])
        popped = torch.cat([combined[1:], torch.zeros_like(combined[:1])])
        stack = push * pushed + pop * popped
        for gate in no_op:
            stack = stack + gate * combined
        return self.affine(f"{f}.o_linear", i).sigmoid() * stack[0].tanh(), stack


@pytest.mark.parametrize("kind", KINDS)
def test_a_file_in_the_authors_format_gives_the_values_of_their_formulas(kind: str, tmp_path: Path) -> None:
    weights = checkpoint(kind)
    torch.save(weights, tmp_path / "made.checkpoint")
    model, _ = import_weights(tmp_path / "made.checkpoint")
    equations = [parse(text) for text in EQUATIONS]
    expected = [Authors(kind, weights).logit(e) for e in equations]
    np.testing.assert_allclose(model.double().logits(equations), expected, rtol=0, atol=1e-12)


@pytest.mark.parametrize("kind", KINDS)
def test_the_summary_says_what_was_found(kind: str, tmp_path: Path) -> None:
    torch.save(checkpoint(kind), tmp_path / "exp_of_ours_3_0.15_12345-model-7.checkpoint")
    model, found = import_weights(tmp_path / "exp_of_ours_3_0.15_12345-model-7.checkpoint")
    name = kind.split(maxsplit=1)[0]
    assert (found.model, found.hidden, model.name, model.training) == (name, N, name, False)
    assert (len(found.functions), len(found.leaves)) == (29, 32)
    assert found.parameters == sum(weight.numel() for weight in model.parameters())
    assert found.settings["dropout"] == 0.15
    assert [name for name in found.unused if "Number_dec" not in name] == [
        "Symbol.weight[25] (Rational 0)",
        "Symbol.weight[32] (One)",
    ]
    if "smu" in kind:
        assert found.assumed == {"stack": 5, "top": 1, "normalise": "softmax"}
        assert found.settings["no_op"] is (kind == "tree-smu")
    assert model.note["imported_from"] == "exp_of_ours_3_0.15_12345-model-7.checkpoint"


@pytest.mark.parametrize(
    ("name", "dropout"),
    [
        ("exp_vanilla_drop0.1_hidden45_45678-model-66.checkpoint", 0.1),
        ("exp_gatedpushpop_normalize_no_op_45678_60_0.2-model-74.checkpoint", 0.2),
        ("mine.checkpoint", None),
    ],
)
def test_dropout_is_taken_from_the_name_of_the_file(name: str, dropout: float | None, tmp_path: Path) -> None:
    torch.save(checkpoint("tree-rnn"), tmp_path / name)
    found = import_weights(tmp_path / name)[1]
    assert found.settings["dropout"] == (dropout or 0)
    assert ("dropout" in found.assumed) is (dropout is None)


def test_rows_of_leaves_that_are_never_looked_up_make_no_difference(tmp_path: Path) -> None:
    weights = checkpoint("tree-rnn")
    torch.save(weights, tmp_path / "one")
    weights["Symbol.weight"][[25, 32]] += 1
    torch.save(weights, tmp_path / "two")
    one, two = (import_weights(tmp_path / name)[0] for name in ("one", "two"))
    assert all(torch.equal(a, b) for a, b in zip(one.parameters(), two.parameters(), strict=True))


def test_a_model_that_was_imported_can_be_stored(tmp_path: Path) -> None:
    torch.save(checkpoint("tree-smu"), tmp_path / "made.checkpoint")
    model, _ = import_weights(tmp_path / "made.checkpoint")
    save(model, tmp_path / "model.safetensors")
    back = load(tmp_path / "model.safetensors")
    assert np.array_equal(back.logits(EQUATIONS), model.logits(EQUATIONS))
    assert (back.note, back.vocab) == (model.note, model.vocab)


def test_importing_leaves_the_random_numbers_alone(tmp_path: Path) -> None:
    torch.save(checkpoint("tree-lstm"), tmp_path / "made.checkpoint")
    before = torch.get_rng_state()
    import_weights(tmp_path / "made.checkpoint")
    assert torch.equal(torch.get_rng_state(), before)


# -- files that are not theirs -------------------------------------------------------------------------------------------


def message_of(file: Path) -> str:
    with pytest.raises(DataError) as caught:
        import_weights(file)
    text = str(caught.value)
    assert text.startswith(f"{file}: ")
    assert "\n" not in text
    return text.removeprefix(f"{file}: ")


def put(name: str, value: Any) -> Callable[[dict[str, Any]], object]:
    return lambda weights: weights.update({name: value})


def without(is_gone: Callable[[str], bool]) -> Callable[[dict[str, Any]], object]:
    return lambda weights: [weights.pop(name) for name in list(weights) if is_gone(name)]


NO_LEAVES = "it has no embedding of leaves (Symbol.weight), which the authors' files have; "
BAD: dict[str, tuple[Callable[[dict[str, Any]], object], str]] = {
    "missing": (without(lambda name: name == "sin.o_linear.bias"), "sin.o_linear.bias is missing; download the checkpoint "),
    "several": (without(lambda name: name.startswith("log")), "log_stack.input_linear.weight is missing (and 13 more); "),
    "unexpected": (lambda w: w.update(linear("sin_stack.data", N)), "unexpected 'sin_stack.data.weight' (and 1 more); only "),
    "shape": (put("Add.o_linear.weight", torch.zeros(N, N)), "Add.o_linear.weight has the shape (3, 3), not (3, 6) (n is 3, "),
    "leaves": (put("Symbol.weight", torch.zeros(35, N)), "Symbol.weight has the shape (35, 3), not (34, 3) (n is 3, from "),
    "no leaves": (without(lambda name: name == "Symbol.weight"), f"{NO_LEAVES}its weights are 'bias', 'Number_enc.linear1"),
    "n is 0": (put("Symbol.weight", torch.zeros(34, 0)), NO_LEAVES),
    "empty": (lambda w: w.clear(), f"{NO_LEAVES}it has no weights"),
    "nan": (put("bias", torch.tensor([torch.nan])), "bias has values that are not finite; download the file again"),
    "dtype": (put("bias", torch.zeros(1).double()), "bias has the type torch.float64, but Symbol.weight torch.float32"),
    "integers": (put("bias", torch.tensor([1])), "'bias' is a tensor of torch.int64, not a plain tensor of float32 or float"),
    "sparse": (put("bias", torch.ones(1).to_sparse()), "'bias' is a tensor of torch.float32, not a plain tensor of float32"),
    "spread": (put("bias", torch.zeros(1).expand(10**9)), "'bias' is a tensor of torch.float32, not a plain tensor of"),
    "no tensor": (put("bias", [0.5]), "'bias' is a list, not a plain tensor of float32 or float64"),
    "others": (without(lambda name: "linear" in name), "not a Tree-RNN, Tree-LSTM or Tree-SMU of the authors; its"),
}  # fmt: skip


@pytest.mark.parametrize(("change", "message"), BAD.values(), ids=BAD)
def test_what_is_wrong_is_named(change: Callable[[Any], object], message: str, tmp_path: Path) -> None:
    weights = checkpoint("tree-smu")
    change(weights)
    torch.save(weights, tmp_path / "bad.checkpoint")
    assert message_of(tmp_path / "bad.checkpoint").startswith(message)


def test_the_file_of_an_optimizer_is_recognised(tmp_path: Path) -> None:
    torch.save(
        {"state": {0: {"exp_avg": torch.zeros(2)}}, "param_groups": [{"lr": 0.001}]}, tmp_path / "exp-optim-1.checkpoint"
    )
    expected = "the state of an optimizer, not a model; use the file next to it with 'model' in its name"
    assert message_of(tmp_path / "exp-optim-1.checkpoint") == expected


@pytest.mark.parametrize("content", [b"", b"\x80", b"PK\x03\x04", b"some text", b"\x80\x02]q\x00."])
def test_a_file_that_is_no_checkpoint_is_refused(content: bytes, tmp_path: Path) -> None:
    (tmp_path / "bad").write_bytes(content)
    assert re.match(r"(PyTorch cannot read it as a checkpoint|not a PyTorch state dict)", message_of(tmp_path / "bad"))
    torch.save([1, 2], tmp_path / "bad")
    assert message_of(tmp_path / "bad").startswith("not a PyTorch state dict but a list; use a *-model-*.checkpoint")


def test_a_file_that_cannot_be_opened_is_named(tmp_path: Path) -> None:
    assert message_of(tmp_path / "missing") == "cannot be read: No such file or directory"
    assert message_of(tmp_path) == "cannot be read: Is a directory"


def test_no_code_in_a_file_is_run(tmp_path: Path) -> None:
    class Trap:
        def __reduce__(self) -> tuple[Any, ...]:
            return (tmp_path / "sprung").touch, ()

    for legacy in (False, True):
        torch.save({"bias": Trap()}, tmp_path / "trap", _use_new_zipfile_serialization=not legacy)
        assert message_of(tmp_path / "trap").startswith("PyTorch cannot read it as a checkpoint of tensors only; ")
    assert not (tmp_path / "sprung").exists()


@pytest.mark.parametrize("legacy", [False, True], ids=["zip", "legacy"])
def test_damaged_files_are_refused_or_harmless(legacy: bool, tmp_path: Path) -> None:
    file, rng = tmp_path / "bad.checkpoint", random.Random(1)
    torch.save(checkpoint("tree-rnn"), file, _use_new_zipfile_serialization=not legacy)
    whole = file.read_bytes()
    for _ in range(150):
        changed = bytearray(whole)
        for _ in range(rng.choice((1, 1, 5))):
            changed[rng.randrange(len(whole))] = rng.randrange(256)
        file.write_bytes(changed if rng.random() < 0.7 else changed[: rng.randrange(len(whole))])
        with suppress(DataError):
            import_weights(file)


# -- the released files ------------------------------------------------------------------------------------------------


class Released(NamedTuple):
    """The contents of shared/reference."""

    expected: dict[str, list[dict[str, Any]]]
    blanks: dict[str, list[Example]]  # by file
    candidates: list[Example]

    def filled(self, row: dict[str, Any], candidate: int) -> Expr:
        example = self.blanks[row["file"]][row["index"]]
        assert example.blank is not None
        return example.equation.replace(example.blank, self.candidates[candidate].equation)


@pytest.fixture(scope="module")
def released() -> Released:
    if not (REFERENCE / "expected.json").exists():
        pytest.skip("the authors' weights are not here (shared/reference, beside the repository)")
    expected = json.loads((REFERENCE / "expected.json").read_text())
    files = {row["file"] for row in expected["tree-rnn-h45"]}
    return Released(expected, {name: flat(name) for name in files}, flat("candidate_classes.json"))


def flat(name: str) -> list[Example]:
    return [example for group in read_authors(REFERENCE / name) for example in group]


@pytest.mark.parametrize("name", RELEASED)
def test_every_logit_of_the_released_weights(name: str, released: Released) -> None:
    rows = released.expected[name]
    equations = [released.filled(row, row[f"{which}_candidate"]) for row in rows for which in ("gold", "wrong")]
    expected = [row[f"{which}_logit"] for row in rows for which in ("gold", "wrong")]
    assert len(expected) == 2 * 835
    model, _ = import_weights(REFERENCE / RELEASED[name])
    np.testing.assert_allclose(model.logits(equations), expected, rtol=0, atol=1e-4)
    np.testing.assert_allclose(model.double().logits(equations), expected, rtol=0, atol=1e-8)


@pytest.mark.parametrize("name", RELEASED)
def test_ranks_of_the_released_weights(name: str, released: Released) -> None:
    rows = released.expected[name][:: 1 if os.environ.get("TREESMU_FULL") else 20]
    model = import_weights(REFERENCE / RELEASED[name])[0].double()
    found = [ranks(scores_of_all(model, released, row), released.candidates, row["gold_candidate"]) for row in rows]
    assert found == [(row["rank_raw"], row["rank_class"], row["rank_collapse"]) for row in rows]
    assert len(found) >= 42


def scores_of_all(model: Model, released: Released, row: dict[str, Any]) -> NDArray[np.float64]:
    """Return the logits of the equation of a blank with each candidate; identical trees are computed once."""
    before, after = " ".join(released.blanks[row["file"]][row["index"]].question.prefix()).split("_")
    fillers = [" ".join(candidate.equation.prefix()) for candidate in released.candidates]
    place = {filler: i for i, filler in enumerate(dict.fromkeys(fillers))}
    plan = model.encoder.plan([f"{before}{filler}{after}" for filler in place])
    with model.evaluation_mode():
        (scores,) = [model(batch).numpy(force=True) for batch in model.batches(plan, len(plan))]
    return scores[[place[filler] for filler in fillers]]


def ranks(scores: NDArray[np.float64], candidates: list[Example], gold: int) -> tuple[int, int, int]:
    """Return the raw, class and collapse rank of the answer, by descending score; ties keep the order of the candidates."""
    order = np.argsort(-scores, kind="stable").tolist()
    classes = [candidates[i].class_ for i in order]
    first = classes.index(candidates[gold].class_)
    return order.index(gold) + 1, first + 1, len(set(classes[: first + 1]))
