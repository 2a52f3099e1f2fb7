"""A host process: the real compiler in Pyodide under Node."""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import tempfile
import threading
from pathlib import Path
from typing import Any

ROOT = Path(__file__).resolve().parent.parent

# A compile takes seconds; a host that says nothing for this long, in seconds, hangs.
ANSWER_TIMEOUT = 300.0


class InstanceDiedError(RuntimeError):
    """The WebAssembly instance trapped; only a new host helps.

    Attributes:
        stage: the last stage that the compile announced.
        written: what the compiler wrote to standard error during it.
    """

    def __init__(self, answer: dict[str, Any]) -> None:
        super().__init__(f"{answer['error']} in stage {answer['stage']}: {answer['written']}")
        self.stage = answer["stage"]
        self.written = answer["written"]


class PyodideHost:
    """A Node process with Pyodide and the Triton wheel, which runs Python code and answers with JSON.

    Args:
        pyodide: folder of the unpacked pyodide package.
        wheel: the Triton wheel for Pyodide.
        answer_timeout: seconds after which a host that says nothing is killed.
    """

    def __init__(self, pyodide: Path, wheel: Path, answer_timeout: float = ANSWER_TIMEOUT) -> None:
        self._answer_timeout = answer_timeout
        self._log = tempfile.TemporaryFile("w+")  # noqa: SIM115 - lives as long as the process
        command = [
            "node",
            ROOT / "tests" / "pyodide_host.mjs",
            pyodide,
            wheel,
            ROOT / "py",
        ]
        self._process = subprocess.Popen(
            [str(part) for part in command],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=self._log,
            text=True,
        )
        self._count = 0
        if self._answer() != {"ready": True}:
            raise RuntimeError(f"The Pyodide host did not start: {self._tail()}")

    def run(self, code: str, **arguments: Any) -> Any:
        """Run Python code in a fresh namespace that has ``arguments``; return what it leaves in ``result``.

        Raises:
            InstanceDiedError: the WebAssembly instance trapped.
            RuntimeError: the code raised, or the process ended or hung.
        """
        assert self._process.stdin is not None
        self._count += 1
        self._process.stdin.write(
            json.dumps({"id": self._count, "code": code, "arguments": arguments}) + "\n"
        )
        self._process.stdin.flush()
        answer = self._answer()
        if answer.get("dead"):
            raise InstanceDiedError(answer)
        if answer["id"] != self._count or "error" in answer:
            raise RuntimeError(answer.get("error", "The Pyodide host answered another request."))
        return answer["value"]

    def compile(self, request: dict[str, Any]) -> dict[str, Any]:
        """Compile through triton_playground.compile_json, the entry that the page uses."""
        code = """
import host, triton_playground
report = triton_playground.compile_json(json.dumps(arguments["request"]), host.stage)
result = json.loads(report)
"""
        report = self.run(code, request=request)
        assert isinstance(report, dict)
        return report

    def close(self) -> None:
        """End the process."""
        assert self._process.stdin is not None
        self._process.stdin.close()
        try:
            self._process.wait(10)
        except subprocess.TimeoutExpired:
            self._process.kill()
        self._log.close()

    def _answer(self) -> Any:
        assert self._process.stdout is not None
        watchdog = threading.Timer(self._answer_timeout, self._process.kill)
        watchdog.start()
        try:
            line = self._process.stdout.readline()
        finally:
            watchdog.cancel()
        if not line:
            raise RuntimeError(f"The Pyodide host ended: {self._tail()}")
        return json.loads(line)

    def _tail(self) -> str:
        self._log.seek(0)
        return self._log.read()[-3000:]


def _first(paths: list[Path], what: str) -> Path:
    for path in paths:
        if path.exists():
            return path
    raise RuntimeError(f"No {what}: looked for {', '.join(map(str, paths))}.")


def start_pyodide(answer_timeout: float = ANSWER_TIMEOUT) -> PyodideHost:
    """Start a host with the released wheel, or the one that TRITON_PLAYGROUND_WHEEL names.

    Raises:
        RuntimeError: Node, Pyodide or a wheel is missing.
    """
    if shutil.which("node") is None:
        raise RuntimeError("No node on PATH: the tests that compile run Pyodide in Node.")
    pyodide = _first([ROOT / "web" / "node_modules" / "pyodide"], "pyodide package")
    released = sorted((ROOT / "wasm" / "prebuilt").glob("triton-*.whl"))
    given = os.environ.get("TRITON_PLAYGROUND_WHEEL")
    wheel = _first([Path(given)] if given else released, "Triton wheel")
    return PyodideHost(pyodide, wheel, answer_timeout)
