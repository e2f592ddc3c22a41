"""All numbers of a pass over a forest, by which two passes are compared."""

from __future__ import annotations

import torch
from torch import Tensor

from treesmu.data import Forest
from treesmu.models import TreeEncoder
from treesmu.models.forest.layout import Layout
from treesmu.models.forest.passes import ForestPass
from treesmu.models.normalise import Norm


def numbers_of(kind: type[ForestPass], encoder: TreeEncoder, forest: Forest, norm: Norm, dropout: bool = True) -> list[Tensor]:
    """Return states, memories and all gradients of a pass, with random inputs and dropout that depend on the forest only."""
    torch.manual_seed(1)
    layout, cell = Layout(forest, torch.device("cpu")), encoder.cell
    like = encoder.leaves.embedding.weight.detach()
    inputs = torch.randn(layout.inner, encoder.inputs).to(like) if encoder.inputs else None
    mask = torch.rand(layout.inner, cell.dropped, cell.hidden).to(like) if dropout else None
    of_forest = kind(cell, encoder.wiring, layout, encoder.leaves(forest).detach(), inputs, mask, norm)
    states = of_forest.up()
    found = [states, *([of_forest.memories] if cell.memory else [])]
    gradients = of_forest.down(torch.randn_like(states))
    others = [] if gradients.inputs is None else [gradients.inputs]
    return [*(tensor.clone() for tensor in found), gradients.leaf_states, *others, *gradients.weights]
