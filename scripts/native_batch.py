"""Compile requests with the native reference build; runs under the Debian root's own Python.

``python3.15 native_batch.py REQUESTS REPORTS [TIMES [JOBS]]``: each request in a process of its own,
forked from one that has imported Triton and compiled nothing, so that no state of one compile can
reach another and an abort of the compiler costs one request. With TIMES, compiles it that often and
reports the last; with JOBS, that many processes at a time.
"""

from __future__ import annotations

import json
import os
import shutil
import sys
import tempfile
from pathlib import Path
from typing import Any

# Where the text of a process that died ends: LLVM's own report about itself follows.
_STACK_DUMP = "PLEASE submit a bug report"


def compile_apart(request: dict[str, Any], times: int = 1) -> dict[str, Any]:
    """Compile one request ``times`` times in a forked process; return the last report.

    A process that dies gives the report of the stages before the one that killed it, with
    ``died`` (``{"status", "stage", "text"}``: exit status or minus the signal, the stage that ran,
    what it wrote to standard error) added.
    """
    report, death = _fork(request, times)
    if death is None:
        return report
    before = _stage_before(death["stage"], request["target"])
    if before is None:
        report = {"ok": False, "compilation": None, "diagnostics": [], "output": ""}
    else:
        report, _ = _fork({**request, "stop": before}, 1)
        report["ok"] = False
    return {**report, "died": death}


def _fork(request: dict[str, Any], times: int) -> tuple[dict[str, Any], dict[str, Any] | None]:
    with tempfile.TemporaryDirectory() as folder:
        report, stage = Path(folder) / "report", Path(folder) / "stage"
        child = os.fork()
        if child == 0:
            _compile_and_exit(request, times, report, stage)
        _, status = os.waitpid(child, 0)
        # Where triton_playground.capture keeps what the compiler wrote last.
        captured = Path(tempfile.gettempdir()) / f"triton-playground-{child}"
        errors = captured / "errors.txt"
        text = errors.read_text(errors="replace") if errors.is_file() else ""
        shutil.rmtree(captured, ignore_errors=True)
        if report.is_file():
            return json.loads(report.read_text()), None
        return {}, {
            "status": os.waitstatus_to_exitcode(status),
            "stage": stage.read_text() if stage.is_file() else "runtime",
            "text": text.partition(_STACK_DUMP)[0],
        }


def _compile_and_exit(request: dict[str, Any], times: int, report: Path, stage: Path) -> None:
    """Compile in this process, write the report and end; never returns."""
    status = 1
    try:
        from triton_playground import compile as compile_request

        def note_stage(name: str) -> None:
            stage.write_text(name)

        result: dict[str, Any] = {}
        for _ in range(times):
            result = compile_request(request, on_stage=note_stage)
        report.write_text(json.dumps(result))
        status = 0
    finally:
        os._exit(status)


def _stage_before(stage: str, target: str) -> str | None:
    names = ("ttir", "ttgir", "llir", "amdgcn" if target.startswith("hip") else "ptx")
    place = names.index(stage) if stage in names else 0
    return names[place - 1] if place > 0 else None


def main() -> int:
    """Command line."""
    requests, reports = Path(sys.argv[1]), Path(sys.argv[2])
    times, jobs = (int(word) for word in [*sys.argv[3:], "1", "1"][:2])
    # Imported once: the children inherit modules, and no state that a compile makes.
    import triton.compiler.compiler  # noqa: F401

    given = json.loads(requests.read_text())
    with tempfile.TemporaryDirectory() as folder:
        shares = [Path(folder) / str(number) for number in range(jobs)]
        workers = []
        for number, share in enumerate(shares):
            worker = os.fork()
            if worker == 0:
                mine = [compile_apart(request, times) for request in given[number::jobs]]
                share.write_text(json.dumps(mine))
                os._exit(0)
            workers.append(worker)
        for worker in workers:
            os.waitpid(worker, 0)
        found = [None] * len(given)
        for number, share in enumerate(shares):
            found[number::jobs] = json.loads(share.read_text())
    reports.write_text(json.dumps(found))
    return 0


if __name__ == "__main__":
    sys.exit(main())
