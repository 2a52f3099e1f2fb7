"""Stage texts from several builds of Triton, kept in the cache: official wheels, and ours natively."""

from __future__ import annotations

import json
import os
import subprocess
import sys
import tempfile
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

from scripts import StageError
from scripts.cache import cache_root, repo_root
from scripts.hashes import sha256_of
from scripts.toolchain import toolchain
from scripts.verify.kept import Kept
from scripts.verify.official_wheels import PYTHON, official_wheels, unpacked

OURS = "ours"
OFFICIAL = ("3.3.0", "3.4.0")
# What is compared, in the order of compiling; the last is PTX or AMDGCN.
STAGES = ("ttir", "ttgir", "lowered", "llir", "last")
_SCRIPT = Path(__file__).with_name("any_triton_batch.py")
# Where scripts/native.py installs the native build in the Debian root.
_NATIVE_SITE = "/lib/python3.15/site-packages"
_CHUNK = 24

# The releases turn buffer operations off again (upstream pull request 7456), which our commit has on by
# default (5960). Left at that, no AMD text could be compared.
SETTINGS = {"AMDGCN_USE_BUFFER_OPS": "1"}


class TritonRun:
    """One build of Triton that compiles requests of any_triton_batch.py.

    Args:
        version: an official version, or `OURS`.

    Attributes:
        version: as given.
        identity: all that a report depends on besides its request.

    Raises:
        StageError: the wheel cannot be had, or this Python is not the wheel's.
    """

    def __init__(self, version: str) -> None:
        self.version = version
        if version == OURS:
            self._root = toolchain().root
            if self._root is None:
                raise StageError("witness", "native Triton needs the Debian root", "run it as root")
            library = self._root / _NATIVE_SITE.lstrip("/") / "triton/_C/libtriton.so"
            if not library.is_file():
                raise StageError("witness", "native Triton is not built", "run `make golden`")
            identity = sha256_of(library)
        else:
            if sys.version_info[:2] != PYTHON:
                wanted = ".".join(map(str, PYTHON))
                raise StageError(
                    "witness", f"the pinned wheels are for Python {wanted}", f"use Python {wanted}"
                )
            wheel = official_wheels()[version]
            self._site = unpacked(wheel)
            identity = wheel.sha256
        self.identity = f"{identity} {sha256_of(_SCRIPT)} {SETTINGS}"

    def reports(self, requests: list[dict[str, Any]], jobs: int = 1) -> list[dict[str, Any]]:
        """Compile requests; return reports of any_triton_batch.py. Earlier ones come from the cache.

        Args:
            requests: each compiled in a process of its own.
            jobs: processes at a time.
        """
        kept = Kept(self.version, self.identity)
        found = kept.read({str(i): request for i, request in enumerate(requests)})
        missing = [i for i in range(len(requests)) if str(i) not in found]
        chunks = [missing[i : i + _CHUNK] for i in range(0, len(missing), _CHUNK)]

        def compile_chunk(chunk: list[int]) -> None:
            reports = self._compile([requests[i] for i in chunk])
            for i, report in zip(chunk, reports, strict=True):
                found[str(i)] = kept.write(requests[i], report)
            print(f"witness: {self.version} compiled {len(chunk)} more", file=sys.stderr)

        with ThreadPoolExecutor(jobs) as pool:
            list(pool.map(compile_chunk, chunks))
        return [found[str(i)] for i in range(len(requests))]

    def _compile(self, requests: list[dict[str, Any]]) -> list[dict[str, Any]]:
        with tempfile.TemporaryDirectory(dir=cache_root()) as folder:
            given, written = Path(folder) / "requests.json", Path(folder) / "reports.json"
            given.write_text(json.dumps(requests))
            site = _NATIVE_SITE if self.version == OURS else str(self._site)
            environment = {
                **SETTINGS,
                "PYTHONPATH": f"{site}:{repo_root() / 'py'}",
                "PYTHONDONTWRITEBYTECODE": "1",
            }
            if self.version == OURS:
                toolchain().run(["python3.15", _SCRIPT, given, written], env=environment)
            else:
                # Nothing of this environment: TRITON_… variables change what Triton does.
                environment |= {"PATH": os.environ.get("PATH", ""), "HOME": folder}
                argv: list[str | Path] = [sys.executable, _SCRIPT, given, written]
                subprocess.run(argv, env=environment, check=True)
            reports: list[dict[str, Any]] = json.loads(written.read_text())
        return reports
