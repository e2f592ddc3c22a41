"""Stack operations: accuracy without some operations of the stack, and with other kinds of memory."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from ..study import PlannedRun, Setup, Study

VARIANTS: dict[str, tuple[str, dict[str, Any]]] = {  # name: model and settings of its cell
    "push, pop, no-op": ("tree-smu", {}),
    "push, pop": ("tree-smu", {"no_op": False}),
    "push, no-op": ("tree-smu", {"pop": False}),
    "push": ("tree-smu", {"pop": False, "no_op": False}),
    "push, pop, no-op, softmax": ("tree-smu", {"normalise": "softmax"}),
    "push, pop, softmax": ("tree-smu", {"normalise": "softmax", "no_op": False}),
    "queue": ("tree-smu", {"order": "queue"}),
    "beside the cell": ("stack-tree-rnn", {}),
    "beside the cell, push, pop": ("stack-tree-rnn", {"no_op": False}),
}


class StackOperations(Study):
    """Stack operations: which operations of the stack matter, and does it matter that it is a stack?

    Trained on equations of depth 1-7: Tree-SMU with push, pop and no-op, and without some of them (without push the stack would
    stay empty); with gates normalised by their sum, or by a softmax of the squashed gates; with a queue instead of the stack,
    in which the oldest entry is on top; and the stack-augmented Tree-RNN, whose stack is beside the cell. The measures are
    accuracy on the test equations of depth 1-7 (systematicity) and 8-19 (productivity).
    """

    name = "stack_operations"
    title = "Stack operations"

    variants: tuple[str, ...] = tuple(VARIANTS)

    def runs(self, setup: Setup) -> Iterator[PlannedRun]:
        """Yield the runs. ``variant`` is a name of VARIANTS."""
        for variant in self.variants:
            if variant not in VARIANTS:
                raise ValueError(f"study stack_operations: unknown variant {variant!r}; known: {'; '.join(VARIANTS)}")
            model, cell = VARIANTS[variant]
            yield from self.plan_runs(setup, (model,), cell=cell, variant=variant)
