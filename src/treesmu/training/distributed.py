"""The processes that share the work of every batch, as torchrun starts them; a single process is the simplest case."""

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
    """This process and the number of all processes. They exchange messages over gloo, in the memory of the CPU."""

    rank: int = 0  # the number of this process; process 0 writes the files
    world: int = 1  # the number of processes

    @classmethod
    @contextmanager
    def join(cls) -> Iterator[ProcessGroup]:
        """Join the processes that torchrun has started; without torchrun this process is alone."""
        world = int(os.environ.get("WORLD_SIZE", "1"))
        if world == 1:
            yield cls()
            return
        dist.init_process_group("gloo")
        try:
            yield cls(dist.get_rank(), world)
            dist.barrier()  # no process leaves while another still expects a message
        finally:
            dist.destroy_process_group()

    def exit(self) -> None:
        """End this process at once, successfully, if it is one of several; call it at the end of the program.

        A regular shutdown of the interpreter was seen to be aborted by threads of PyTorch, in one of some twenty runs;
        torchrun would then report a run as failed that is complete.
        """
        if self.world > 1:
            sys.stdout.flush()
            sys.stderr.flush()
            os._exit(0)

    def assign_device(self, device: torch.device) -> torch.device:
        """Return the device for this process: of several CUDA cards, each process on a machine takes its own."""
        if self.world == 1 or device.type != "cuda" or device.index is not None:
            return device
        return torch.device("cuda", int(os.environ.get("LOCAL_RANK", "0")) % torch.cuda.device_count())

    def run_on_first(self, function: Callable[[], T]) -> T:
        """Call a function in the first process and return its result in all; a DataError is raised in all, too."""
        if self.world == 1:
            return function()
        message: list[Any] = [None, None]  # the result, the error
        if self.rank == 0:
            try:
                message = [function(), None]
            except DataError as error:
                message = [None, str(error)]
        dist.broadcast_object_list(message)
        if message[1] is not None:
            raise DataError(message[1])
        result: T = message[0]
        return result

    def average(self, loss: Tensor, parameters: Iterable[nn.Parameter]) -> float:
        """Replace the gradients of the parameters by their means over all processes; return the mean of the loss.

        One message per step: models are small, so nothing would be gained by sending during the computation, as PyTorch's
        DDP does. A parameter without a gradient here counts as zeros (the number encoder, if this part of the batch has no
        decimals); a parameter that no process uses keeps no gradient, as in a single process.
        """
        if self.world > 1:
            chosen = [p for p in parameters if p.requires_grad]
            used = torch.tensor([float(p.grad is not None) for p in chosen], device=loss.device)
            parts = [loss.detach().reshape(1), used, *(_gradient(p).flatten() for p in chosen)]
            message = torch.cat(parts).cpu()  # gloo sends tensors of the CPU only
            dist.all_reduce(message)
            mean = (message / self.world).to(loss.device)
            loss, used, *gradients = mean.split([len(part) for part in parts])
            for p, is_used, gradient in zip(chosen, used.tolist(), gradients, strict=True):
                p.grad = gradient.view_as(p) if is_used else None
        return loss.item()


def _gradient(p: nn.Parameter) -> Tensor:
    return torch.zeros_like(p) if p.grad is None else p.grad
