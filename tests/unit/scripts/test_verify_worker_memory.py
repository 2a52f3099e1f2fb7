"""What counts as memory that grows run after run."""

from __future__ import annotations

from scripts.verify.worker_memory import growing, memory_of_workers

KERNEL = 2**20


def test_a_leak_is_found_though_the_worker_was_replaced_between() -> None:
    flat = [100 * KERNEL] * 40
    leaking = [(100 + compiles // 4) * KERNEL for compiles in range(40)]
    figures = memory_of_workers([*flat, None, *leaking], [*[1] * 41, *[2] * 40])
    assert [figure["compiles"] for figure in figures] == [40, 40]
    (problem,) = growing(figures, 20)
    assert "of the last 20 compiles" in problem


def test_one_large_kernel_late_in_a_worker_is_no_leak() -> None:
    memory = [*[100 * KERNEL] * 30, *[300 * KERNEL] * 10]
    assert growing(memory_of_workers(memory, [1] * 40), 20) == []


def test_workers_that_answered_little_are_left_out() -> None:
    assert memory_of_workers([1, None, 2], [1, 1, 2]) == []
