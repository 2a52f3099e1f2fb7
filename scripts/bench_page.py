"""docs/benchmarks.md as text, from the measurements in docs/benchmarks.json."""

from __future__ import annotations

import statistics
from typing import Any

_PROFILE_NAMES = {
    "linked": "Full LTO, before Binaryen",
    "O3": "Full LTO + `wasm-opt -O3` (baseline)",
    "O4": "Full LTO + `wasm-opt -O4`",
    "Os": "Full LTO + `wasm-opt -Os`",
    "Oz": "Full LTO + `wasm-opt -Oz`",
    "wheel": "**the committed wheel's module**",
}


def render(data: dict[str, Any]) -> str:
    """Return the page.

    Args:
        data: section name to ``{"machine": …, "data": …}``, as `scripts.bench` measures them.
    """
    parts = [_HEAD]
    if "sizes" in data:
        parts += ["## Module size", _machine(data["sizes"]), _sizes(data["sizes"]["data"])]
    if "build" in data:
        parts += ["## What the link costs", _machine(data["build"]), _build(data["build"]["data"])]
    if "page" in data:
        parts += ["## The page", _machine(data["page"]), _page(data["page"]["data"])]
    if "compile" in data:
        section = data["compile"]
        parts += [
            "## Compile time", _machine(section), _compile_intro(section["data"]),
            _summary(section["data"]), _cases(section["data"]),
        ]  # fmt: skip
    return "\n\n".join(parts) + "\n"


_HEAD = """# Benchmarks

Every number here was written by `make bench`; none is typed in. Times drift with the machine and
what else it does: compare only columns of one table, which were measured in turns in one run."""


def _machine(section: dict[str, Any]) -> str:
    machine = section["machine"]
    return (
        f"Measured on {machine['cpu']}, {machine['cores']} cores, {machine['memory_gib']} GiB, "
        f"{machine['system']}, Node {machine['node']}."
    )


def _table(head: list[str], rows: list[list[str]]) -> str:
    lines = [head, ["---"] + ["---:"] * (len(head) - 1), *rows]
    return "\n".join("| " + " | ".join(line) + " |" for line in lines)


def _sizes(sizes: dict[str, Any]) -> str:
    rows = [
        [
            _PROFILE_NAMES.get(name, name),
            f"{size['raw']:,}",
            f"{size['gzip']:,}",
            f"{size['brotli']:,}",
            f"{size['brotli11']:,}" if "brotli11" in size else "",
        ]
        for name, size in sizes.items()
    ]
    rows.append(["reference figure for -O3 (from the issue)", "92,972,220", "", "", ""])
    rows.append(["reference figure for -O4 (from the issue)", "96,531,399", "", "", ""])
    return _table(["module", "bytes", "gzip -9", "brotli -q 9", "brotli -q 11"], rows)


def _build(steps: dict[str, Any]) -> str:
    rows = [
        [
            step,
            f"{cost['seconds']:.0f}",
            f"{cost['cpu_seconds']:.0f}",
            f"{cost['peak_bytes'] / 1e9:.1f}",
        ]
        for step, cost in steps.items()
    ]
    return _table(["step", "wall s", "CPU s", "peak GB"], rows)


def _page(page: dict[str, Any]) -> str:
    line = f"{page['network']['megabits']} Mbit/s and {page['network']['latency']} ms"
    times = {
        "from navigation to an editor that takes text": "editorSeconds",
        "from navigation to a ready compiler": "loadSeconds",
        "first compile of the default kernel, cuda:80, at once": "firstCompileSeconds",
        "second compile, at once": "secondCompileSeconds",
        "first compile when the page had 8 s before it": "restedCompileSeconds",
        "second visit: from reload to a ready compiler": "warmLoadSeconds",
        "the same without a network": "offlineLoadSeconds",
        f"through a line of {line}: to an editor that takes text": "slowEditorSeconds",
        f"through a line of {line}: to a ready compiler": "slowLoadSeconds",
        "the same on a second visit": "slowWarmLoadSeconds",
    }
    memory = {
        "compiler ready": "readyBytes",
        "after the first compile": "firstCompileBytes",
        "after two compiles, with the spare compiler loaded": "spareBytes",
    }
    intro = (
        f"Debian's Chromium, headless, the site served from localhost; median of {page['rounds']} rounds, each with fresh "
        "profiles, so nothing is cached at first."
    )
    note = "Memory of the page's renderer process (proportional set size):"
    return "\n\n".join(
        [
            intro,
            _table(["step", "s"], [[name, f"{page[key]:.2f}"] for name, key in times.items()]),
            note,
            _table(
                ["when", "MB"],
                [[name, f"{page[key] / 1e6:.0f}"] for name, key in memory.items()],
            ),
        ]
    )


def _compile_intro(data: dict[str, Any]) -> str:
    loads = ", ".join(f"{build} {value:.2f} s" for build, value in data["load_seconds"].items())
    return (
        "Sum of Triton's stages, in milliseconds, without Python's start. `first` is the first compile of that "
        "case in a process, `second` the next compile of the same case after all others. "
        f"Median of {data['rounds']} rounds. Loading Pyodide, the module and the package in Node: {loads}."
    )


def _summary(data: dict[str, Any]) -> str:
    cases = data["cases"].values()
    builds = list(next(iter(cases)))
    reference = "native" if "native" in builds else builds[0]
    rows = []
    for build in builds:
        row = [build]
        for use in ("first", "second"):
            total = sum(case[build][use] for case in cases)
            ratio = statistics.median(case[build][use] / case[reference][use] for case in cases)
            row += [f"{total:.2f}", f"{ratio:.2f}"]
        rows.append(row)
    return _table(
        ["build", "first, sum s", f"÷ {reference}", "second, sum s", f"÷ {reference}"], rows
    )


def _cases(data: dict[str, Any]) -> str:
    builds = list(next(iter(data["cases"].values())))
    head = ["case"] + [f"{build} {use}" for build in builds for use in ("first", "second")]
    rows = [
        [name]
        + [f"{case[build][use] * 1000:.0f}" for build in builds for use in ("first", "second")]
        for name, case in data["cases"].items()
    ]
    return _table(head, rows)
