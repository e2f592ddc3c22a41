"""Small random weights in the format of the paper's authors, made without the code under test."""

from __future__ import annotations

import torch
from torch import Tensor

from paper_functions import PAPER_FUNCTIONS

KINDS = ("tree-rnn", "tree-lstm", "tree-smu", "tree-smu without no-op")
N = 3  # the size of a state

Weights = dict[str, Tensor]


def linear(name: str, inputs: int, outputs: int = N) -> Weights:
    """Return the weight and the bias of a linear layer."""
    return {f"{name}.weight": torch.randn(outputs, inputs), f"{name}.bias": torch.randn(outputs)}


def function(kind: str, name: str, arity: int) -> Weights:
    """Return the weights of a function in a model of this kind."""
    if kind == "tree-rnn":
        return linear(f"{name}.linear", arity * N)
    if kind == "tree-lstm" and arity == 1:
        return {k: v for gate in ("data", "forget", "output", "input") for k, v in linear(f"{name}.{gate}", N).items()}
    if kind == "tree-lstm":
        sides = ("left", "right")
        maps = [f"{gate}_{side}" for gate in ("data", "output", "input") for side in sides]
        maps += [f"forget_{side}_by_{other}" for side in sides for other in sides]
        biases = ("data_bias", "forget_bias_left", "forget_bias_right", "output_bias", "input_bias")
        found = {f"{name}.{part}.weight": torch.randn(N, N) for part in maps}
        return found | {f"{name}.{bias}": torch.randn(N) for bias in biases}
    gates = ["push_gate_linear", "pop_gate_linear", "input_linear"]
    gates += ["gate_linear_l", "gate_linear_r"] if arity == 2 else ["gate_linear"]
    gates += ["no_op_gate_linear"] if kind == "tree-smu" else []
    found = linear(f"{name}.o_linear", arity * N)
    return found | {k: v for gate in gates for k, v in linear(f"{name}_stack.{gate}", arity * N).items()}


def checkpoint(kind: str) -> Weights:
    """Return the weights of a model of this kind, one of KINDS."""
    found = {"bias": torch.randn(1), "Symbol.weight": torch.randn(34, N)}
    for part, (inputs, outputs) in {"Number_enc": (1, N), "Number_dec": (N, 1)}.items():
        found |= linear(f"{part}.linear1", inputs) | linear(f"{part}.linear2", N, outputs)
    for f in PAPER_FUNCTIONS:
        found |= function(kind, f.name, f.arity)
    return found
