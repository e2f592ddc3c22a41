"""Weights in the authors' format give the values of their formulas, and what is wrong with a file is said in one line."""

from __future__ import annotations

import random
import re
from collections.abc import Callable
from contextlib import suppress
from functools import partial
from pathlib import Path
from typing import Any

import numpy as np
import pytest
import torch

from authors_network import EQUATIONS, Authors
from checkpoints import KINDS, N, checkpoint, linear
from samples import How, each_implementation
from treesmu.data import DataError
from treesmu.expr import parse
from treesmu.models.released_weights import import_weights
from treesmu.models.store import load, save
from weights_files import message_of


@each_implementation
@pytest.mark.parametrize("kind", KINDS)
def test_a_file_in_the_authors_format_gives_the_values_of_their_formulas(kind: str, how: How, tmp_path: Path) -> None:
    weights = checkpoint(kind)
    torch.save(weights, tmp_path / "made.checkpoint")
    model, _ = import_weights(tmp_path / "made.checkpoint")
    model.encoder.by_hand, model.encoder.compiled = how["by_hand"], how["compiled"]
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


refusal_of = partial(message_of, read=import_weights)


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
    assert refusal_of(tmp_path / "bad.checkpoint").startswith(message)


def test_the_file_of_an_optimizer_is_recognised(tmp_path: Path) -> None:
    torch.save(
        {"state": {0: {"exp_avg": torch.zeros(2)}}, "param_groups": [{"lr": 0.001}]}, tmp_path / "exp-optim-1.checkpoint"
    )
    expected = "the state of an optimizer, not a model; use the file next to it with 'model' in its name"
    assert refusal_of(tmp_path / "exp-optim-1.checkpoint") == expected


@pytest.mark.parametrize("content", [b"", b"\x80", b"PK\x03\x04", b"some text", b"\x80\x02]q\x00."])
def test_a_file_that_is_no_checkpoint_is_refused(content: bytes, tmp_path: Path) -> None:
    (tmp_path / "bad").write_bytes(content)
    assert re.match(r"(PyTorch cannot read it as a checkpoint|not a PyTorch state dict)", refusal_of(tmp_path / "bad"))
    torch.save([1, 2], tmp_path / "bad")
    assert refusal_of(tmp_path / "bad").startswith("not a PyTorch state dict but a list; use a *-model-*.checkpoint")


def test_a_file_that_cannot_be_opened_is_named(tmp_path: Path) -> None:
    assert refusal_of(tmp_path / "missing") == "cannot be read: No such file or directory"
    assert refusal_of(tmp_path) == "cannot be read: Is a directory"


def test_no_code_in_a_file_is_run(tmp_path: Path) -> None:
    class Trap:
        def __reduce__(self) -> tuple[Any, ...]:
            return (tmp_path / "sprung").touch, ()

    for legacy in (False, True):
        torch.save({"bias": Trap()}, tmp_path / "trap", _use_new_zipfile_serialization=not legacy)
        assert refusal_of(tmp_path / "trap").startswith("PyTorch cannot read it as a checkpoint of tensors only; ")
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
