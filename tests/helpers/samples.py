"""Trees of every kind for the tests of models, and the settings of every cell."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from itertools import pairwise
from typing import Any

import pytest
import torch
from torch import Tensor

from nested import Tree, chain
from treesmu.data import Forest, Vocab
from treesmu.models import Cell, StackTreeRNN, TreeEncoder, TreeLSTM, TreeRNN, TreeSMU

Setting = tuple[str, dict[str, Any]]  # a cell and its arguments

FUNCTIONS = {"neg": 1, "pair": 2, "five": 5, "not": 1, "three": 3, "two": 2}
LEAVES = ("a", "b", "c", "d")
FIXED = Vocab(tuple(FUNCTIONS), tuple(FUNCTIONS.values()), LEAVES, "=", numbers=True)
VARIADIC = Vocab(("MAX", "MIN", "few"), (5, 5, 3), LEAVES, "=", numbers=True, variadic=True)


def comb(label: str, length: int, left: bool) -> Tree:
    """Return a tree that grows on one side only."""
    tree: Tree = ("a",)
    for _ in range(length):
        tree = (label, tree, ("b",)) if left else (label, ("b",), tree)
    return tree


def _with_repeats(some: list[Tree], pair: str) -> list[Tree]:
    """Add trees in which sub-trees occur twice, occur in another tree, and are trees themselves."""
    return [*some, (pair, some[0], some[0]), (pair, some[1], some[0]), some[1]]


FIXED_TREES = _with_repeats(
    [
        ("two", ("not", ("0.5",)), ("a",)),
        ("neg", ("b",)),
        chain("neg", 6, ("c",)),  # higher than any stack here
        comb("pair", 2, left=False),
        ("a",),
        ("five", ("a",), ("not", ("b",)), ("-2.25",), ("three", ("a",), ("b",), comb("two", 2, left=True)), ("a",)),
        ("pair", ("not", ("-2.25",)), ("d",)),
    ],
    "two",
)
VARIADIC_TREES = _with_repeats(
    [
        ("MAX", ("a",), ("MIN", ("b",), ("0.5",))),
        ("few", ("MIN", ("b",)), ("few", ("b",), ("MIN", ("b",), ("b",)))),
        chain("MAX", 5, ("MAX", ("a",), ("b",), ("c",), ("d",), ("0.5",))),
        ("b",),
        ("few", ("-2.25",), ("b",), ("MIN", ("c",))),
    ],
    "MIN",
)
SAMPLES = {"fixed": (FIXED, FIXED_TREES), "variadic": (VARIADIC, VARIADIC_TREES)}

TYPES: dict[str, type[Cell]] = {"smu": TreeSMU, "lstm": TreeLSTM, "rnn": TreeRNN, "stack-rnn": StackTreeRNN}
STACKS = [{"stack": p, "top": k} for p, k in ((1, 1), (2, 1), (2, 2), (5, 1), (5, 2), (5, 3))]
BOTH = (True, False)
SETTINGS: list[Setting] = [
    *(("lstm", {"child_sum": c}) for c in BOTH),
    *(("rnn", {"layers": l, "activation": a, "child_sum": c}) for l in (1, 2) for a in ("sigmoid", "tanh") for c in BOTH),
    *(("stack-rnn", {**s, "no_op": o, "child_sum": c}) for s in STACKS for o in BOTH for c in BOTH),
    *(
        ("smu", {**s, "no_op": o, "normalise": m, "child_sum": c})
        for s in STACKS
        for o in BOTH
        for m in ("sum", "softmax")
        for c in BOTH
    ),
    *(("smu", {**s, "order": "queue", "no_op": o, "child_sum": o}) for s in STACKS for o in BOTH),
    *(
        ("smu", {**s, "order": q, "pop": False, "no_op": o, "normalise": "sum" if o else "softmax"})
        for s in STACKS[2:4]
        for q in ("stack", "queue")
        for o in BOTH
    ),
    *((kind, {"depth": 2, "expansion": 2, "child_sum": c}) for kind in TYPES for c in BOTH),
]
FEW: list[Setting] = [  # one or two of each, where all would be too many
    ("smu", {"stack": 3, "top": 2}),
    ("smu", {"stack": 2, "normalise": "softmax", "no_op": False, "child_sum": True}),
    ("smu", {"stack": 3, "order": "queue"}),
    ("smu", {"stack": 2, "pop": False}),
    ("lstm", {}),
    ("lstm", {"child_sum": True}),
    ("rnn", {"layers": 2}),
    ("rnn", {"layers": 1, "activation": "tanh", "child_sum": True}),
    ("stack-rnn", {"stack": 3, "top": 2}),
    ("stack-rnn", {"stack": 2, "no_op": False, "child_sum": True}),
    ("smu", {"stack": 2, "depth": 2, "expansion": 2}),
    ("rnn", {"layers": 1, "depth": 2, "expansion": 1, "child_sum": True}),
    ("lstm", {"depth": 2, "expansion": 3, "child_sum": True}),
]


EXACT = {"rtol": 1e-12, "atol": 1e-12}
FOREST = Forest.from_trees(FIXED_TREES, FIXED)
EQUATIONS = Forest.from_trees([("=", left, right) for left, right in pairwise(FIXED_TREES)], FIXED)


def name_of(setting: Setting) -> str:
    """Return a name for pytest: the cell and its settings."""
    kind, options = setting
    return "-".join([kind, *(f"{k}={v}" if not isinstance(v, str) else v for k, v in options.items())])


few = pytest.mark.parametrize("setting", FEW, ids=name_of)

How = dict[str, bool]  # the arguments of an encoder that say how it computes
HOW: dict[str, How] = {
    "by hand": {"by_hand": True, "compiled": False},
    "autograd": {"by_hand": False, "compiled": False},
    "compiled": {"by_hand": True, "compiled": True},
}
NOT_COMPILED = ("by hand", "autograd")
compiles = pytest.mark.xdist_group("compiled")  # on tests that compile: all run in one process, so that it is done once
each_implementation = pytest.mark.parametrize(
    "how", [pytest.param(how, id=name, marks=[compiles] if how["compiled"] else []) for name, how in HOW.items()]
)
by_hand_or_compiled = pytest.mark.parametrize(
    "compiled", [pytest.param(False, id="by hand"), pytest.param(True, id="compiled", marks=compiles)]
)
compiled_or_not = pytest.mark.parametrize(
    "ways", [pytest.param(NOT_COMPILED, id="not compiled"), pytest.param(("compiled",), id="compiled", marks=compiles)]
)


def each_way(encoder: TreeEncoder, names: Iterable[str] = HOW) -> Iterator[str]:
    """Let an encoder compute in one way after the other; yield their names."""
    for name in names:
        encoder.by_hand, encoder.compiled = HOW[name]["by_hand"], HOW[name]["compiled"]
        yield name


def encoder_of(setting: Setting, vocab: Vocab = FIXED, hidden: int = 3, dropout: float = 0.0, **options: Any) -> TreeEncoder:
    """Return an encoder with weights in float64, drawn from torch's global random state."""
    kind, own = setting
    return TreeEncoder(TYPES[kind](hidden=hidden, dropout=dropout, **own), vocab, **options).double()


def gradients(of: Tensor, weight: Tensor, encoder: TreeEncoder, inputs: Tensor | None = None) -> list[Tensor]:
    """Return the gradients of (of · weight).sum() by every parameter and the inputs; zeros for what it does not depend on."""
    given = [*encoder.parameters()] if inputs is None else [*encoder.parameters(), inputs]
    return list(torch.autograd.grad((of * weight).sum(), given, allow_unused=True, materialize_grads=True))
