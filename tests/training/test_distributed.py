"""Under torchrun, with two processes on this machine, a step has the gradients that one process would have."""

from __future__ import annotations

import os
import re
import subprocess
import sys
from pathlib import Path

import pytest
import torch
from safetensors.torch import load_file

from paths import HELPERS
from treesmu.data import DataError
from treesmu.training.distributed import ProcessGroup
from treesmu.training.settings import TrainSettings
from treesmu.training.trainer import Trainer
from two_processes import CASES, gradients

TORCHRUN = "-m torch.distributed.run --nproc-per-node 2 --rdzv-backend c10d --rdzv-endpoint 127.0.0.1:0 --local-addr 127.0.0.1"

pytestmark = pytest.mark.usefixtures("one_thread")


def torchrun(*arguments: object) -> subprocess.CompletedProcess[str]:
    env = os.environ | {"OMP_NUM_THREADS": "1", "GLOO_SOCKET_IFNAME": "lo0" if sys.platform == "darwin" else "lo"}
    command = [sys.executable, *TORCHRUN.split(), *map(str, arguments)]
    return subprocess.run(command, capture_output=True, text=True, timeout=900, check=False, env=env)


@pytest.fixture(scope="module")
def from_two(corpus: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    out = tmp_path_factory.mktemp("two")
    done = torchrun(HELPERS / "two_processes.py", corpus, out)
    assert done.returncode == 0, done.stderr
    return out


@pytest.mark.xdist_group("two-processes")
@pytest.mark.parametrize("case", CASES)
def test_gradients_of_two_processes_are_those_of_one(case: str, corpus: Path, from_two: Path, tmp_path: Path) -> None:
    alone, loss = gradients(corpus, tmp_path, case)
    found = load_file(from_two / f"{case}.safetensors")
    assert found.pop("the loss").item() == pytest.approx(loss, abs=1e-6)
    assert found.keys() == alone.keys()  # a parameter that no process uses has no gradient
    assert any("numbers" in name for name in alone) == (case != "no-decimals")
    for name, gradient in alone.items():
        torch.testing.assert_close(found[name], gradient, rtol=0, atol=1e-6, msg=lambda said, name=name: f"{name}: {said}")


@pytest.mark.slow
@pytest.mark.xdist_group("two-processes")
def test_a_run_of_two_processes_ends_near_that_of_one(corpus: Path, tmp_path: Path) -> None:
    settings = "--recipe treesmu-1 --epochs 3 --batch 17 --hidden 5 --set clip=5 --set substitutes=200".split()
    two = torchrun("-m", "treesmu", "train", corpus, "--out", tmp_path / "two", *settings)
    assert two.returncode == 0, two.stderr
    assert re.findall("^epoch (./3) ", two.stdout, re.MULTILINE) == ["1/3", "2/3", "3/3"]  # only one process prints
    same = TrainSettings.of("treesmu-1", epochs=3, batch=17, cell={"hidden": 5}, clip=5, substitutes=200)
    Trainer(corpus, tmp_path / "one", same).run()
    one, both = (load_file(tmp_path / run / "last.safetensors") for run in ("one", "two"))
    for name, weight in one.items():
        torch.testing.assert_close(both[name], weight, rtol=0, atol=2e-4, msg=lambda said, name=name: f"{name}: {said}")


def test_a_single_process_needs_no_messages() -> None:
    alone, weight = ProcessGroup(), torch.nn.Parameter(torch.ones(2))
    assert alone.run_on_first(lambda: 3) == 3
    loss = (weight * weight).sum()
    loss.backward()
    assert alone.average(loss, [weight]) == 2
    assert weight.grad is not None
    assert weight.grad.tolist() == [2, 2]
    with ProcessGroup.join() as joined:
        assert joined == alone
    with pytest.raises(DataError, match="no"):
        alone.run_on_first(lambda: (_ for _ in ()).throw(DataError("no")))
