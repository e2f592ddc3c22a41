"""What the authors' network computes, one node at a time, by their formulas."""

from __future__ import annotations

import torch
from torch import Tensor

from checkpoints import N, Weights
from paper_functions import PAPER_FUNCTIONS
from treesmu.expr import Expr

STACK = 5

# Where the leaves of EQUATIONS are in Symbol.weight: Symbol var_0..var_9; Integer 0..10, -2, -3; Rational 2/5, -1/2, 0;
# Float 0.7; NegativeOne, NaN, Infinity, Exp1, Pi, One, Half. One is the row of Integer 1.
LEAF_ROWS = {
    "x": 0, "y": 1, "d": 9, "0": 10, "1": 11, "2": 12, "10": 20, "-2": 21, "-3": 22, "2/5": 23, "-1/2": 24, "0.7": 26,
    "-1": 27, "e": 30, "pi": 31, "1/2": 33,
}  # fmt: skip
EQUATIONS = [
    *(f"{f.name}(x{', y' * (f.arity - 1)}) = 1" for f in PAPER_FUNCTIONS if f.name not in ("Add", "Mul", "Pow")),
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
