"""WebAssembly memory of workers over many compiles: a leak raises it again and again, a large kernel once."""

from __future__ import annotations

import itertools
from collections.abc import Sequence


def memory_of_workers(
    memory: Sequence[int | None], workers: Sequence[int], kept: int = 20
) -> list[dict[str, int]]:
    """Say how WebAssembly memory grew in each worker that answered some compiles.

    Args:
        memory: bytes after each compile; None where the worker died.
        workers: which worker answered each.
        kept: workers that answered fewer are left out.

    Returns:
        For each its compiles; bytes after the first ten, at half and at the end; and how many compiles raised them in its
        first and in its second half.
    """
    lives: dict[int, list[int]] = {}
    for size, worker in zip(memory, workers, strict=True):
        if size is not None:
            lives.setdefault(worker, []).append(size)
    figures = []
    for life in lives.values():
        if len(life) >= kept:
            half = len(life) // 2
            raised = [after > before for before, after in itertools.pairwise(life)]
            figures.append(
                {
                    "compiles": len(life), "warm": life[9], "half": life[half], "end": life[-1],
                    "raisedFirst": sum(raised[:half]), "raisedSecond": sum(raised[half:]),
                }
            )  # fmt: skip
    return figures


def growing(figures: list[dict[str, int]], compiles: int) -> list[str]:
    """Say which workers grew run after run, which shows in their second halves.

    Memory grows by a fifth at a time, whether a large kernel asks for it or what Triton itself leaves behind (`live_memory`)
    adds up to it.

    Args:
        figures: of `memory_of_workers`.
        compiles: one rise in so many is allowed, and always one: few where kernels of all sizes come for the first time, many
            where the same come again.
    """
    return [
        f"memory grew after {life['raisedSecond']} of the last {life['compiles'] - life['compiles'] // 2} compiles of a worker, "
        f"from {life['half']} to {life['end']} bytes"
        for life in figures
        if life["raisedSecond"] > max(1, life["compiles"] // 2 // compiles)
    ]
