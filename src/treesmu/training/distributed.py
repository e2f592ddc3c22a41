"""Several processes that share the work of every batch, as torchrun starts them; one process alone is the simplest case."""

from __future__ import annotations

import os
import sys
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Any, TypeVar

import torch
import torch.distributed as dist
from torch import Tensor, nn

from treesmu.data import DataError

T = TypeVar("T")


@dataclass(frozen=True)
class ProcessGroup:
    """This process among all."""

    rank: int = 0  # its number; the first one is the one that writes files
    world: int = 1  # how many there are

    @classmethod
    @contextmanager
    def join(cls) -> Iterator[ProcessGroup]:
        """All the processes that torchrun has started, or this one alone."""
        world = int(os.environ.get("WORLD_SIZE", "1"))
        if world == 1:
            yield cls()
            return
        dist.init_process_group("gloo")
        try:
            yield cls(dist.get_rank(), world)
            dist.barrier()  # nobody hangs up while another still listens
        finally:
            dist.destroy_process_group()

    def exit(self) -> None:
        """The end of a program: if there are several processes this one ends here, at once and successfully.

        An interpreter that shuts down in its own time was seen to be aborted by threads of PyTorch's, in one of some twenty
        runs; torchrun would then call a run failed that is complete.
        """
        if self.world > 1:
            sys.stdout.flush()
            sys.stderr.flush()
            os._exit(0)

    def run_on_first(self, function: Callable[[], T]) -> T:
        """What a function returns in the first process, for all of them; a DataError there is one everywhere."""
        if self.world == 1:
            return function()
        found: list[Any] = [None, None]
        if self.rank == 0:
            try:
                found = [function(), None]
            except DataError as error:
                found = [None, str(error)]
        dist.broadcast_object_list(found)
        if found[1] is not None:
            raise DataError(found[1])
        value: T = found[0]
        return value

    def average(self, loss: Tensor, parameters: Iterable[nn.Parameter]) -> float:
        """Make the gradients of the parameters their means over all processes, and give the mean of the loss.

        One message a step: models are small, so nothing would be gained by sending while still computing, as PyTorch's DDP
        does. A parameter without a gradient here counts as zeros (the number encoder, where this part of the batch has no
        decimals); what no process uses keeps none, as in one process alone.
        """
        if self.world > 1:
            chosen = [p for p in parameters if p.requires_grad]
            used = torch.tensor([float(p.grad is not None) for p in chosen])
            parts = [loss.detach().reshape(1), used, *(_gradient(p).flatten() for p in chosen)]
            message = torch.cat(parts)
            dist.all_reduce(message)
            loss, used, *gradients = (message / self.world).split([len(part) for part in parts])
            for p, is_used, gradient in zip(chosen, used.tolist(), gradients, strict=True):
                p.grad = gradient.view_as(p) if is_used else None
        return loss.item()


def _gradient(p: nn.Parameter) -> Tensor:
    return torch.zeros_like(p) if p.grad is None else p.grad
