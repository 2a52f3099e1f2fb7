"""Native Triton, built from the same patched source: what the WebAssembly module is compared with."""

from __future__ import annotations

import json
import shutil
import tempfile
from pathlib import Path
from typing import Any

from scripts import StageError
from scripts.build_module import build_native, triton_source
from scripts.cache import cache_root, repo_root
from scripts.package_tree import write_dist_info, write_package_tree
from scripts.toolchain import toolchain

# Locations in every text name Triton's own files: natively they have to lie where Pyodide has them.
SITE = "/lib/python3.15/site-packages"


def native_site() -> Path:
    """Build native Triton and install it in the Debian root; return the folder inside it."""
    build = build_native()
    tools = toolchain()
    if tools.root is None:
        raise StageError("native", "native Triton needs the Debian root", "run it as root")
    staging = write_package_tree(triton_source(), cache_root() / "native-package")
    write_dist_info(staging, "3.3.0")
    shutil.copy(build / "libtriton.so", staging / "triton" / "_C" / "libtriton.so")
    installed = tools.root / SITE.lstrip("/")
    shutil.rmtree(installed, ignore_errors=True)
    shutil.copytree(staging, installed)
    return installed


def native_reports(
    requests: list[dict[str, Any]], times: int = 1, jobs: int = 1
) -> list[dict[str, Any]]:
    """Compile requests with the installed native build; return one report each.

    Args:
        requests: each compiled in a process of its own.
        times: how often; the last report counts.
        jobs: processes at a time; more than one spoils the reports' times.
    """
    with tempfile.TemporaryDirectory(dir=cache_root()) as folder:
        given, written = Path(folder) / "requests.json", Path(folder) / "reports.json"
        given.write_text(json.dumps(requests))
        script = repo_root() / "scripts" / "native_batch.py"
        toolchain().run(
            ["python3.15", script, given, written, str(times), str(jobs)],
            env={"PYTHONPATH": f"{SITE}:{repo_root() / 'py'}", "PYTHONDONTWRITEBYTECODE": "1"},
        )
        reports: list[dict[str, Any]] = json.loads(written.read_text())
    return reports
