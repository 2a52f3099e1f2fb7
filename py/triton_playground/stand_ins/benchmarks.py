"""Benchmarks: each measured function runs once, so that its launches are recorded, and takes a made-up millisecond."""

from __future__ import annotations

import contextlib
from collections.abc import Iterator
from typing import Any

from ..upstream import triton_module
from .inert import Inert
from .session import session

_MILLISECONDS = 1.0


def do_bench(
    fn: Any,
    *arguments: Any,
    quantiles: Any = None,
    return_mode: str = "mean",
    **options: Any,
) -> Any:
    """Stand for triton.testing.do_bench and do_bench_cudagraph: run the function once and answer 1 ms for it."""
    session().note("Nothing is measured: a benchmark runs once, and its time is given as 1 ms.")
    fn()
    if quantiles is not None:
        times = [_MILLISECONDS for _ in quantiles]
        return times if len(times) > 1 else times[0]
    return [_MILLISECONDS] if return_mode == "all" else _MILLISECONDS


def _run(self: Any, *arguments: Any, return_df: bool = False, **options: Any) -> Any:
    """Stand for the run of triton.testing.perf_report: each line of the plot, at its first value."""
    for name in ("show_plots", "print_data", "save_path"):
        options.pop(name, None)
    benchmarks = self.benchmarks if isinstance(self.benchmarks, list | tuple) else [self.benchmarks]
    for benchmark in benchmarks:
        values = list(benchmark.x_vals)
        names = list(benchmark.x_names)
        if len(values) > 1:
            session().note(
                f"A benchmark runs for the first of its values only, {', '.join(names)} = {values[0]}."
            )
        for value in values[:1]:
            several = value if isinstance(value, list | tuple) else [value] * len(names)
            chosen = dict(zip(names, several, strict=True))
            for line in benchmark.line_vals:
                self.fn(**chosen, **{benchmark.line_arg: line}, **benchmark.args, **options)
    frames = [Inert("pandas.DataFrame") for _ in benchmarks]
    return (frames if self.benchmarks is benchmarks else frames[0]) if return_df else None


@contextlib.contextmanager
def replaced_benchmarks() -> Iterator[None]:
    """Put the stand-ins into triton.testing while the context lasts."""
    testing = triton_module("testing")
    replacements: list[tuple[Any, str, Any]] = [
        (testing, "do_bench", do_bench),
        (testing, "do_bench_cudagraph", do_bench),
        (testing, "assert_close", lambda *arguments, **options: None),
        (testing.Mark, "run", _run),
    ]
    originals = [(owner, name, getattr(owner, name)) for owner, name, _ in replacements]
    for owner, name, replacement in replacements:
        setattr(owner, name, replacement)
    try:
        yield
    finally:
        for owner, name, original in originals:
            setattr(owner, name, original)
