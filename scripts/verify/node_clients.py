"""Long-lived clients of the WebAssembly module in Node: the command line's `batch`, watched while it works."""

from __future__ import annotations

import json
import os
import subprocess
import tempfile
import threading
import time
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

from scripts import StageError
from scripts.cache import repo_root


def run_node(requests: list[dict[str, Any]], time_limit: float) -> dict[str, Any]:
    """Compile requests on one client in Node.

    Args:
        requests: in this order.
        time_limit: seconds for each.

    Returns:
        `batch`'s reports, memoryBytes, workers and loadSeconds; and residentBytes, the process's, every ten seconds.

    Raises:
        StageError: the command line itself failed.
    """
    with tempfile.TemporaryDirectory() as folder:
        given, written = Path(folder) / "requests.json", Path(folder) / "reports.json"
        given.write_text(json.dumps(requests))
        argv = [
            "node", str(repo_root() / "web" / "dist-cli" / "main.js"), "batch", str(given),
            "--output", str(written), "--time-limit", str(time_limit),
        ]  # fmt: skip
        with subprocess.Popen(
            argv, stdin=subprocess.DEVNULL, stderr=subprocess.PIPE, text=True
        ) as process:
            resident: list[int] = []
            watcher = threading.Thread(target=_watch, args=(process, resident))
            watcher.start()
            _, errors = process.communicate()
            watcher.join()
        batch: dict[str, Any] = json.loads(written.read_text()) if written.is_file() else {}
    if len(batch.get("reports", [])) != len(requests):
        raise StageError(
            "hostile input",
            f"batch ended early: {errors[-2000:]}",
            "see docs/building.md: make cli",
        )
    return {**batch, "residentBytes": resident}


def run_clients(
    requests: list[dict[str, Any]], time_limit: float, jobs: int
) -> dict[str, list[Any]]:
    """Compile requests in several Node processes, a stretch each; return reports, memoryBytes and workers in order."""
    length = -(-len(requests) // jobs)
    stretches = [requests[start : start + length] for start in range(0, len(requests), length)]
    with ThreadPoolExecutor(jobs) as pool:
        batches = list(pool.map(lambda stretch: run_node(stretch, time_limit), stretches))
    result: dict[str, list[Any]] = {"reports": [], "memoryBytes": [], "workers": []}
    started = 0
    for batch in batches:
        result["reports"] += batch["reports"]
        result["memoryBytes"] += batch["memoryBytes"]
        result["workers"] += [started + worker for worker in batch["workers"]]
        started += len(batch["loadSeconds"])
    return result


def _watch(process: subprocess.Popen[str], resident: list[int]) -> None:
    page = os.sysconf("SC_PAGE_SIZE")
    while process.poll() is None:
        try:
            resident.append(int(Path(f"/proc/{process.pid}/statm").read_text().split()[1]) * page)
        except (OSError, IndexError):
            return
        for _ in range(10):
            if process.poll() is None:
                time.sleep(1)
