"""The WebAssembly module in Node, through the command line that users have."""

from __future__ import annotations

import json
import subprocess
import tempfile
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

from scripts import StageError
from scripts.cache import repo_root


def wasm_batch(requests: list[dict[str, Any]], wheel: Path | None = None) -> dict[str, Any]:
    """Compile requests in Node; return ``{"loadSeconds", "reports"}``.

    Args:
        requests: compiled in order, in one process.
        wheel: the wheel to use; the committed one when None.

    Raises:
        StageError: the command line itself failed.
    """
    with tempfile.TemporaryDirectory() as folder:
        given, written = Path(folder) / "requests.json", Path(folder) / "reports.json"
        given.write_text(json.dumps(requests))
        argv = [
            "node", str(repo_root() / "web" / "dist-cli" / "main.js"), "batch", str(given),
            "--output", str(written), *(["--wheel", str(wheel)] if wheel else []),
        ]  # fmt: skip
        result = subprocess.run(argv, capture_output=True, text=True, check=False)
        if not written.is_file():
            raise StageError(
                "node batch", result.stderr[-2000:], "build the command line: make cli"
            )
        batch: dict[str, Any] = json.loads(written.read_text())
    return batch


def wasm_reports(
    requests: list[dict[str, Any]], jobs: int, wheel: Path | None = None
) -> list[dict[str, Any]]:
    """Compile requests in several Node processes at a time; return one report each, in order."""
    shares = [requests[start::jobs] for start in range(jobs)]
    with ThreadPoolExecutor(jobs) as pool:
        batches = list(pool.map(lambda share: wasm_batch(share, wheel)["reports"], shares))
    reports: list[dict[str, Any]] = [{}] * len(requests)
    for start, batch in enumerate(batches):
        reports[start::jobs] = batch
    return reports
