"""Compile requests with the native reference build; runs under the Debian root's own Python.

``python3.15 native_batch.py REQUESTS REPORTS [TIMES]``: each request in a process of its own, forked
from one that has imported nothing, so that no state of one compile can reach another and an abort of
the compiler costs one request. With TIMES, compiles it that often and reports the last.
"""

from __future__ import annotations

import json
import os
import sys
import tempfile
from pathlib import Path
from typing import Any


def compile_apart(request: dict[str, Any], times: int = 1) -> dict[str, Any]:
    """Compile one request ``times`` times in a forked process; return the last report.

    A process that dies gives a report with one diagnostic that holds what it wrote last.
    """
    with tempfile.TemporaryDirectory() as folder:
        report, errors, stage = (Path(folder) / name for name in ("report", "errors", "stage"))
        child = os.fork()
        if child == 0:
            descriptor = os.open(errors, os.O_CREAT | os.O_WRONLY)
            os.dup2(descriptor, 2)
            from triton_playground import compile as compile_request

            def note_stage(name: str) -> None:
                stage.write_text(name)

            for _ in range(times):
                result = compile_request(request, on_stage=note_stage)
            report.write_text(json.dumps(result))
            os._exit(0)
        _, status = os.waitpid(child, 0)
        if report.is_file():
            finished: dict[str, Any] = json.loads(report.read_text())
            return finished
        return {
            "ok": False,
            "compilation": None,
            "died": os.waitstatus_to_exitcode(status),
            "diagnostics": [
                {
                    "severity": "error",
                    "stage": stage.read_text() if stage.is_file() else "runtime",
                    "message": errors.read_text(errors="replace"),
                }
            ],
        }


def main() -> int:
    """Command line."""
    requests, reports = Path(sys.argv[1]), Path(sys.argv[2])
    times = int(sys.argv[3]) if len(sys.argv) > 3 else 1
    given = json.loads(requests.read_text())
    reports.write_text(json.dumps([compile_apart(request, times) for request in given]))
    return 0


if __name__ == "__main__":
    sys.exit(main())
