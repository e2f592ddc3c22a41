"""Growth of cost: seconds and memory by the nodes of one forest, and memory over a thousand steps of training.

Every measurement runs in a new process, so that memory left behind by another one is not counted. Memory is what the process
uses beyond what it used before the first step (with model, Adam and equations); its peak is that of the kernel (VmHWM), so this
part needs Linux. Large forests use gigabytes that the kernel must first allocate, which can be slow on a virtual machine: the
kernel's share of the seconds has a column of its own.
"""

from __future__ import annotations

import multiprocessing
import os
import re
import statistics
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import torch

from .equations import generated
from .ours import Ours, Setting

MB = 1e6
STATUS, CLEAR = Path("/proc/self/status"), Path("/proc/self/clear_refs")


def apart(function: Callable[..., Any], *arguments: Any) -> Any:
    """Call a function in a new process and return its result."""
    with multiprocessing.get_context("spawn").Pool(1) as pool:
        return pool.apply(function, arguments)


def held(name: str = "VmRSS") -> float:
    """Return the bytes in memory now, or with VmHWM the peak since the last reset."""
    found = re.search(rf"{name}:\s+(\d+) kB", STATUS.read_text())
    assert found, f"no {name} in {STATUS}"
    return int(found[1]) * 1024


def reset_peak() -> None:
    CLEAR.write_text("5")


def point(corpus: Path, setting: Setting, nodes: int, mode: str, threads: int, repeats: int = 3) -> dict[str, Any]:
    """Measure one forest of this many nodes without sharing: its planning, and a step of training or inference."""
    torch.set_num_threads(threads)
    equations = generated(corpus)
    sizes = np.cumsum(equations.nodes[equations.order])
    count = int(np.searchsorted(sizes, nodes))
    if count >= len(equations):
        raise SystemExit(f"{corpus} has {sizes[-1]:,} nodes, not {nodes:,}; generate one with more --per-depth")
    rows = equations.order[: count + 1]
    ours = Ours(equations, setting, share=False)
    labels = equations.labels[rows]
    ours.train(rows[:8], labels[:8])  # creates the moments of Adam and warms PyTorch up
    before = held()
    reset_peak()
    took = []
    for _ in range(repeats):
        start, kernel = time.perf_counter(), os.times().system
        ours.train(rows, labels) if mode == "training" else ours.infer(rows)
        took.append((time.perf_counter() - start, os.times().system - kernel))
    seconds, kernel = map(statistics.median, zip(*took, strict=True))
    what = {"setting": str(setting), "mode": mode, "threads": threads, "nodes": int(sizes[count])}
    return {**what, "seconds": seconds, "kernel": kernel, "bytes": held("VmHWM") - before}


def curve(corpus: Path, settings: list[Setting], counts: list[int], threads: int) -> list[dict[str, Any]]:
    generated(corpus)  # made now if it does not exist
    found = []
    for setting in settings:
        for mode in ("training", "inference"):
            print(f"\n{setting}, {mode}, one forest, nothing shared, threads: {threads}")
            print(f"{'nodes':>12} {'seconds':>9} {'in kernel':>10} {'nodes/s':>10} {'MB':>8} {'bytes a node':>13}")
            rows = [apart(point, corpus, setting, nodes, mode, threads) for nodes in counts]
            for row in rows:
                nodes, seconds, bytes_ = row["nodes"], row["seconds"], row["bytes"]
                rate = f"{seconds:9.3f} {row['kernel']:10.2f} {nodes / seconds:10,.0f}"
                print(f"{nodes:12,} {rate} {bytes_ / MB:8.1f} {bytes_ / nodes:13,.0f}")
            found += rows
            large = [row for row in rows if row["nodes"] >= 30_000] or rows
            first, last = large[0], large[-1]
            own = last["seconds"] - last["kernel"], first["seconds"] - first["kernel"]
            pairs = {name: (last[name], first[name]) for name in ("seconds", "bytes")} | {"seconds outside the kernel": own}
            for name, (most, least) in pairs.items():
                ratio = most / last["nodes"] / (least / first["nodes"])
                print(f"  {name} a node at {last['nodes']:,} nodes: {ratio:.2f} times those at {first['nodes']:,} (1: linear)")
    return found


def steps(corpus: Path, setting: Setting, size: int, count: int, threads: int) -> dict[str, Any]:
    """Measure memory while training: the peak, after 100 steps, and after all steps."""
    torch.set_num_threads(threads)
    equations = generated(corpus)
    ours = Ours(equations, setting)
    rng = np.random.default_rng(1)
    ours.train(equations.order[:8], equations.labels[equations.order[:8]])
    before = held()
    reset_peak()
    after = {}
    for step in range(1, count + 1):
        rows = rng.integers(0, len(equations), size)
        ours.train(rows, equations.labels[rows])
        if step in (count // 10, count):
            after[step] = held()
    early, late = after.values()
    found = {"setting": str(setting), "batch": size, "steps": count, "before": before, "early": early, "late": late}
    return found | {"peak": held("VmHWM"), "parameters": sum(p.numel() for p in ours.model.parameters())}


def memory(corpus: Path, settings: list[Setting], size: int, count: int, threads: int) -> list[dict[str, Any]]:
    generated(corpus)
    print(f"\ntraining at batch {size}, threads: {threads}; MB of the whole process, with PyTorch and the equations")
    columns = ["before", "peak", "peak - before", f"step {count // 10}", f"step {count}", "growth"]
    print(f"{'':20}" + "".join(f"{name:>15}" for name in columns))
    found = []
    for setting in settings:
        row = apart(steps, corpus, setting, size, count, threads)
        values = [row["before"], row["peak"], row["peak"] - row["before"], row["early"], row["late"]]
        growth = row["late"] / row["early"] - 1
        print(f"{setting!s:20}" + "".join(f"{value / MB:15.1f}" for value in values) + f"{growth:15.1%}")
        found.append(row)
    return found
