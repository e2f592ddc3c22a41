"""The tables have the address, the size and the gradient's place of every weight, and notice when weights are replaced."""

from __future__ import annotations

import ctypes

import numpy as np
import pytest
import torch
from torch import nn

from samples import FIXED, FOREST, VARIADIC, Setting, encoder_of, few
from treesmu.data import Vocab
from treesmu.models.compiled.forest_pass import tables_of
from treesmu.models.compiled.network import ABSENT, BIAS, DBIAS, DWEIGHT, INPUTS, OUTPUTS, WEIGHT, NetworkTables


def numbers_at(address: int, count: int) -> list[float]:
    return list((ctypes.c_double * count).from_address(address))


@pytest.mark.parametrize("vocab", [FIXED, VARIADIC], ids=["fixed", "variadic"])
@few
def test_every_weight_is_found_at_its_address(setting: Setting, vocab: Vocab) -> None:
    encoder = encoder_of(setting, vocab, inputs=2)
    for number, parameter in enumerate(encoder.wiring.parameters()):
        nn.init.constant_(parameter, number)
    tables = NetworkTables(encoder.wiring)
    gradients = torch.cat([p.detach().flatten() for p in encoder.wiring.parameters()])
    network = tables.network(0, torch.float64, gradients)
    found = set()
    for layer in (network.first, network.second, network.linears):
        assert layer.starts[-1] == len(layer.maps)
        for row in layer.maps.tolist():
            for where, gradient, count in ((WEIGHT, DWEIGHT, row[INPUTS] * row[OUTPUTS]), (BIAS, DBIAS, row[OUTPUTS])):
                if row[where] != ABSENT:
                    values = numbers_at(row[where], count)
                    assert values == numbers_at(network.gradients + row[gradient], count)
                    assert len(set(values)) == 1
                    found.add(values[0])
    assert found == set(range(len(list(encoder.wiring.parameters()))))


def test_gradients_are_split_as_the_parameters_are() -> None:
    encoder = encoder_of(("smu", {"stack": 2}))
    tables = NetworkTables(encoder.wiring)
    flat = torch.arange(sum(tables.lengths), dtype=torch.float64)
    parts = tables.split(flat)
    assert [part.shape for part in parts] == [p.shape for p in encoder.wiring.parameters()]
    assert torch.equal(torch.cat([part.flatten() for part in parts]), flat)


def test_tables_are_kept_while_weights_change_and_made_again_when_they_are_replaced() -> None:
    encoder = encoder_of(("lstm", {}))
    tables = tables_of(encoder.wiring)
    with torch.no_grad():
        for parameter in encoder.parameters():
            parameter.mul_(2)
    assert tables_of(encoder.wiring) is tables
    owner = encoder.wiring.gates["1"]
    owner.weight = nn.Parameter(owner.weight.detach() + 1)
    assert tables_of(encoder.wiring) is not tables


def test_weights_that_move_are_found_again() -> None:
    encoder = encoder_of(("lstm", {}))
    tables = tables_of(encoder.wiring)
    before = tables.network(0, torch.float64).first.maps.copy()
    weight = encoder.wiring.gates["1"].weight
    weight.data = weight.data.clone()
    after = tables.network(0, torch.float64).first.maps
    assert (np.flatnonzero((before != after).any(1)) < 2).all()  # of the two functions of arity 1
    assert set(after[:2, WEIGHT]) == {weight.data_ptr(), weight[1].data_ptr()}


def test_weights_that_compiled_code_would_misread_are_refused() -> None:
    encoder = encoder_of(("lstm", {}), compiled=True)
    encoder.wiring.float()
    with pytest.raises(ValueError, match=r"a weight is torch.float32 on cpu; it must be torch.float64 on the CPU"):
        encoder(FOREST)
    encoder.wiring.double()
    weight = encoder.wiring.gates["1"].weight
    weight.data = weight.data.transpose(1, 2).contiguous().transpose(1, 2)
    with pytest.raises(ValueError, match=r"not contiguous; it must be .* pass compiled=False"):
        encoder(FOREST)
    encoder.compiled = False
    assert encoder(FOREST).isfinite().all()
