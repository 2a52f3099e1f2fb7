"""The native reference texts: ``python -m scripts.golden [--check [ci|all]]``.

Without an option, builds native Triton from the same patched source, compiles the corpus for every
target with it and writes `tests/golden/`. With ``--check``, compiles the corpus with the committed
wheel in Node and compares every byte; ``ci`` is the fixed subset of scripts/corpus.py.
"""

from __future__ import annotations

import argparse
import os
import time
from itertools import groupby
from pathlib import Path

from scripts import StageError, run_main
from scripts.corpus import Requests, ci_subset, corpus_requests, file_of
from scripts.golden_texts import differences, golden_dir, golden_of, read_goldens, write_goldens
from scripts.native import native_reports, native_site
from scripts.node_batch import wasm_reports

FILES_AT_A_TIME = 8


def make_goldens(requests: Requests, jobs: int) -> None:
    """Compile requests natively and write their files in tests/golden/."""
    by_file = [
        (file, dict(group))
        for file, group in groupby(requests.items(), key=lambda pair: file_of(pair[1]))
    ]
    # A few files at a time: what is made stays made when the rest is interrupted.
    for start in range(0, len(by_file), FILES_AT_A_TIME):
        chunk = by_file[start : start + FILES_AT_A_TIME]
        ordered = [request for _, group in chunk for request in group.values()]
        reports = iter(native_reports(ordered, jobs=jobs))
        for file, group in chunk:
            write_goldens(file, [golden_of(name, next(reports)) for name in group])
        print(f"golden: {start + len(chunk)} of {len(by_file)} files", flush=True)


def remove_stale(requests: Requests) -> None:
    """Remove goldens of corpus files that are gone."""
    files = {file_of(request) for request in requests.values()}
    for path in golden_dir().glob("*"):
        if path.name.partition(".")[0] not in files:
            path.unlink()


def check_goldens(requests: Requests, jobs: int, wheel: Path | None = None) -> dict[str, str]:
    """Compile requests in Node; return how those that are not equal differ, by ``case@target``.

    Raises:
        StageError: a case has no golden.
    """
    goldens = {
        golden.name: golden
        for file in sorted({file_of(request) for request in requests.values()})
        for golden in read_goldens(file)
    }
    missing = [name for name in requests if name not in goldens]
    if missing:
        raise StageError(
            "golden",
            f"{missing[0]} and {len(missing) - 1} more have no golden",
            "run `make golden`",
        )
    reports = wasm_reports(list(requests.values()), jobs, wheel)
    found = {
        name: differences(goldens[name], golden_of(name, report))
        for name, report in zip(requests, reports, strict=True)
    }
    return {name: difference for name, difference in found.items() if difference}


def main() -> int:
    """Command line."""
    parser = argparse.ArgumentParser(prog="python -m scripts.golden", description=__doc__)
    parser.formatter_class = argparse.RawDescriptionHelpFormatter
    parser.add_argument("--check", nargs="?", const="all", choices=["ci", "all"],
                        help="compare the wheel with the goldens")  # fmt: skip
    parser.add_argument("--files", nargs="*", help="stems of corpus files; default: all")
    parser.add_argument("--wheel", type=Path, help="check this wheel, not the committed one")
    parser.add_argument("--jobs", type=int, default=os.cpu_count() or 1, help="processes at a time")
    parser.add_argument("--no-build", action="store_true", help="trust the installed native build")
    arguments = parser.parse_args()
    requests = corpus_requests()
    if arguments.files:
        requests = {n: r for n, r in requests.items() if file_of(r) in arguments.files}
    if arguments.check is None:
        if not arguments.no_build:
            native_site()
        make_goldens(requests, arguments.jobs)
        if not arguments.files:
            remove_stale(requests)
        print(f"wrote {len(requests)} goldens to {golden_dir()}")
        return 0
    if arguments.check == "ci":
        requests = ci_subset(requests)
    started = time.monotonic()
    unequal = check_goldens(requests, arguments.jobs, arguments.wheel)
    for name, difference in unequal.items():
        print(f"{name}: differs from native\n{difference}")
    print(
        f"golden {arguments.check} in {time.monotonic() - started:.0f} s: "
        f"{len(requests) - len(unequal)} passed, {len(unequal)} failed"
    )
    return 1 if unequal else 0


if __name__ == "__main__":
    run_main(main)
