"""Running a heavy step, and what it cost."""

from __future__ import annotations

import json
import os
import shlex
import subprocess
import time
from dataclasses import asdict, dataclass
from pathlib import Path

from scripts import StageError
from scripts.cache import cache_root


@dataclass(frozen=True)
class Cost:
    """What one command cost.

    Attributes:
        seconds: wall time.
        cpu_seconds: user and system time of the command and its children.
        peak_bytes: largest resident set of any one process among them.
    """

    seconds: float
    cpu_seconds: float
    peak_bytes: int


def run_measured(argv: list[str], cwd: Path | None = None) -> tuple[int, str, Cost]:
    """Run a command to its end; return its status, its output with errors, and its cost."""
    started = time.monotonic()
    process = subprocess.Popen(
        argv, cwd=cwd, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.STDOUT,
        text=True, errors="replace",
    )  # fmt: skip
    assert process.stdout is not None
    output = process.stdout.read()
    _, status, usage = os.wait4(process.pid, 0)
    process.returncode = os.waitstatus_to_exitcode(status)
    cost = Cost(time.monotonic() - started, usage.ru_utime + usage.ru_stime, usage.ru_maxrss * 1024)
    return process.returncode, output, cost


def require_success(stage: str, argv: list[str], status: int, output: str) -> None:
    """Raise StageError with the end of the output when a command failed."""
    if status != 0:
        raise StageError(
            stage, f"exit status {status} from: {shlex.join(argv)[:400]}\n{output[-4000:]}",
            "read the command's own message above; when it was killed, free some memory",
        )  # fmt: skip


def costs_file() -> Path:
    """Return where `record_cost` writes: read by `scripts.bench`."""
    return cache_root() / "link" / "costs.json"


def record_cost(step: str, cost: Cost) -> None:
    """Note what a step of the link cost, replacing an earlier note on the same step."""
    file = costs_file()
    file.parent.mkdir(parents=True, exist_ok=True)
    costs = json.loads(file.read_text()) if file.is_file() else {}
    costs[step] = asdict(cost)
    file.write_text(json.dumps(costs, indent=1, sort_keys=True) + "\n")


def read_costs() -> dict[str, Cost]:
    """Return every noted cost by step; empty where nothing was linked here."""
    file = costs_file()
    if not file.is_file():
        return {}
    return {step: Cost(**cost) for step, cost in json.loads(file.read_text()).items()}
