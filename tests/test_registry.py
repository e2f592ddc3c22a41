"""The registry finds built-in models, registered ones, and those of plugins and installed packages."""

from __future__ import annotations

import subprocess
import sys
from typing import Any

import pytest

import treesmu
from messages import message
from treesmu import registry
from treesmu.models.cells.base import Cell
from treesmu.models.cells.tree_lstm import TreeLSTM
from treesmu.models.sequences.lstm import LSTMEncoder
from treesmu.registry import BUILT_IN, is_tree_model, model_class, names, register


class Mine(Cell):
    pass


class Other(Cell):
    pass


class Bag:
    """Has all methods of an encoder."""

    def plan(self, texts: Any) -> Any: ...
    def plan_exprs(self, exprs: Any) -> Any: ...
    def forward(self, batch: Any) -> Any: ...
    def settings(self) -> dict[str, Any]: ...  # type: ignore[empty-body]


# -- names and classes -------------------------------------------------------------------------------------------------


def test_names_of_models_need_no_torch() -> None:
    code = "import sys; from treesmu.registry import *; print(*names(), is_tree_model('lstm'), 'torch' in sys.modules)"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.split() == [*BUILT_IN, "False", "False"]


def test_built_in_models_are_found_by_name() -> None:
    assert BUILT_IN == (
        "tree-smu", "tree-lstm", "tree-rnn", "stack-tree-rnn", "lstm", "transformer", "tree-transformer", "majority",
    )  # fmt: skip
    assert (model_class("tree-lstm"), model_class("lstm")) == (TreeLSTM, LSTMEncoder)
    for name in BUILT_IN:
        assert registry._kind_of(name, model_class(name)) == ("cell" if is_tree_model(name) else "encoder")


def test_a_registered_class_is_a_cell_or_an_encoder() -> None:
    treesmu.register("mine", Mine)
    register("bag", Bag)
    assert names() == (*BUILT_IN, "mine", "bag")
    assert (model_class("mine"), model_class("bag")) == (Mine, Bag)
    assert (is_tree_model("mine"), is_tree_model("bag")) == (True, False)


def test_a_class_can_be_registered_again_but_no_other_under_its_name() -> None:
    register("mine", Mine)
    register("mine", Mine)
    again = type("Mine", (Cell,), {"__module__": Mine.__module__})  # as when the cell of a notebook runs again
    register("mine", again)
    assert model_class("mine") is again
    said = f"the model name 'mine' is already taken by {__name__}:Mine; choose another name"
    assert message(register, "mine", Other) == said
    assert message(register, "tree-smu", Other).startswith("the model name 'tree-smu' is already taken by treesmu.models.")


def test_a_class_can_be_named_and_is_imported_only_when_needed() -> None:
    register("late", "treesmu.models.cells.tree_lstm:TreeLSTM")
    assert is_tree_model("late")
    assert model_class("late") is TreeLSTM
    register("absent", "no_such_module:Cell")
    assert message(model_class, "absent").startswith("model 'absent': no_such_module:Cell cannot be imported: No module named")
    register("nothing", "treesmu.models:NoSuchCell")
    assert message(is_tree_model, "nothing").startswith("model 'nothing': treesmu.models:NoSuchCell cannot be imported: ")
    register("function", "treesmu.models:build")
    assert message(is_tree_model, "function") == "model 'function': expected a class, not function"


def test_a_named_class_may_be_within_another() -> None:
    Bag.Inner = Mine  # type: ignore[attr-defined]
    register("inner", f"{__name__}:Bag.Inner")
    assert model_class("inner") is Mine


@pytest.mark.parametrize("name", ["", "My-Cell", "my_cell", "my cell", "-a", "a--b", "a/b", "a\n", 3, None])
def test_a_bad_name_is_refused(name: Any) -> None:
    assert message(register, name, Mine).startswith("a model's name is lower-case words joined by hyphens, such as my-cell")


@pytest.mark.parametrize("model", [3, None, Bag(), "module", ":Class", "module:"])
def test_what_is_not_a_class_is_refused(model: Any) -> None:
    assert message(register, "mine", model).startswith("model 'mine': register a class, or 'module:Class', not ")


def test_a_class_of_neither_kind_is_refused() -> None:
    class Plain:
        def step(self) -> None: ...

    said = "model 'mine': Plain is neither a subclass of treesmu.models.Cell nor an encoder with plan, plan_exprs"
    assert message(register, "mine", Plain).startswith(said)


@pytest.mark.parametrize(("model", "kind"), [("a:B", "banana"), (Mine, "banana"), ("a:B", ""), ("a:B", 3)])
def test_an_unknown_kind_is_refused(model: Any, kind: Any) -> None:
    assert message(lambda: register("mine", model, kind=kind)) == f"model 'mine': unknown kind {kind!r}; known: cell, encoder"
    assert "mine" not in names()


def test_a_kind_that_contradicts_the_class_is_refused() -> None:
    said = "model 'mine': the kind of Mine is 'cell', but it is registered with kind='encoder'"
    assert message(lambda: register("mine", Mine, kind="encoder")) == said
    register("mine", f"{__name__}:Mine", kind="encoder")
    assert message(model_class, "mine") == said
    register("bag", f"{__name__}:Bag", kind="encoder")
    assert model_class("bag") is Bag


@pytest.mark.parametrize("name", ["tree-gru", "", None, 3])
def test_an_unknown_name_lists_the_known_ones_and_the_remedy(name: Any) -> None:
    known = ", ".join(BUILT_IN)
    said = f"unknown model {name!r}; known: {known}; a model of your own needs --plugin FILE.py or treesmu.register"
    for function in (registry.check_name, model_class, is_tree_model):
        assert message(function, name) == said
