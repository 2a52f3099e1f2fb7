"""Every check of the repository: ``python -m scripts.check all|lint|NAME…``."""

from __future__ import annotations

import argparse
import os
import subprocess
import sys
import time
from dataclasses import dataclass
from pathlib import Path
from typing import Literal

from scripts import StageError, run_main
from scripts.cache import repo_root
from scripts.chromium import chromium
from scripts.firefox import firefox

_BIN = Path(sys.executable).parent
_VITEST = ("npx", "--no-install", "vitest", "run", "--project")


@dataclass(frozen=True)
class Check:
    """One check: a name and the command that carries it out.

    Attributes:
        name: What `make test` prints and ``make check-NAME`` takes.
        command: The command line.
        folder: Where it runs, relative to the checkout.
        needs: What has to be made first: make's name for it, or empty.
        needs_browser: Whether Chromium has to be installed, and Firefox if it can be.
        reads_source_only: Whether it is part of ``make lint``.
    """

    name: str
    command: tuple[str | Path, ...]
    folder: str = "."
    needs: Literal["", "web", "cli"] = ""
    needs_browser: bool = False
    reads_source_only: bool = False


def _module(name: str, *arguments: str) -> tuple[str | Path, ...]:
    return (sys.executable, "-m", f"scripts.{name}", *arguments)


CHECKS = (
    Check("ruff", (_BIN / "ruff", "check", "."), reads_source_only=True),
    Check("ruff-format", (_BIN / "ruff", "format", "--check", "."), reads_source_only=True),
    Check("mypy", (_BIN / "mypy",), reads_source_only=True),
    Check("clang-format", _module("clang_format"), reads_source_only=True),
    Check("web", ("npm", "run", "--silent", "check"), "web", "web", reads_source_only=True),
    Check("vitest", (*_VITEST, "unit"), "web", "web"),
    Check("patches", _module("patches")),
    Check("manifest", _module("manifest")),
    Check("cli", ("npm", "run", "--silent", "test:cli"), "web", "web"),
    # The fixed subset of scripts/corpus.py; `make verify` compares the whole corpus.
    Check("golden", _module("golden", "--check", "ci"), needs="cli"),
    # Tests of the command line and of the wheel run Node, with Pyodide from web/'s packages.
    Check("pytest", (_BIN / "pytest", "tests"), needs="cli"),
    Check("browser", ("npm", "run", "--silent", "test:browser"), "web", "cli", needs_browser=True),
)


def run(checks: list[Check]) -> int:
    """Run checks in order, going on after a failure, and print how many passed.

    Returns:
        The number of checks that failed.
    """
    failed = []
    for check in checks:
        print(f"=== {check.name}", flush=True)
        start = time.monotonic()
        try:
            environment = _prepare(check)
            status = subprocess.run(
                check.command, cwd=repo_root() / check.folder, env=environment,
                stdin=subprocess.DEVNULL, check=False,
            ).returncode  # fmt: skip
        except (StageError, OSError) as error:
            print(f"error: {error}", flush=True)
            status = 1
        word = "passed" if status == 0 else f"FAILED (exit status {status})"
        print(f"=== {check.name} {word} in {time.monotonic() - start:.0f} s", flush=True)
        if status != 0:
            failed.append(check.name)
    if failed:
        print(f"failed: {', '.join(failed)}; one alone: make check-NAME")
    print(f"checks: {len(checks) - len(failed)} passed, {len(failed)} failed", flush=True)
    return len(failed)


def _prepare(check: Check) -> dict[str, str]:
    """Install what a check needs and return the environment it runs in."""
    environment = {**os.environ, "CI": os.environ.get("CI", "true")}
    # Checks find the tools of this virtual environment and Chromium without activation.
    environment["PATH"] = f"{_BIN}{os.pathsep}{environment.get('PATH', '')}"
    if check.needs:
        command = ["make", check.needs]
        if subprocess.run(command, cwd=repo_root(), stdin=subprocess.DEVNULL).returncode != 0:
            raise StageError(
                f"prepare {check.name}", f"`make {check.needs}` failed", "see npm's message above"
            )
    if check.needs_browser:
        environment["CHROMIUM"] = str(chromium())
        try:
            environment["FIREFOX"] = str(firefox())
        except StageError as error:
            # Its tests are skipped, and say so; Chromium's are what every machine has to run.
            print(f"note: no Firefox: {error}", flush=True)
    return environment


def main() -> int:
    """Run the checks named on the command line."""
    names = [check.name for check in CHECKS]
    parser = argparse.ArgumentParser(prog="python -m scripts.check", description=__doc__)
    parser.add_argument("name", nargs="+", choices=["all", "lint", *names])
    wanted = set(parser.parse_args().name)
    chosen = [
        check
        for check in CHECKS
        if wanted & {"all", check.name} or (check.reads_source_only and "lint" in wanted)
    ]
    return 1 if run(chosen) else 0


if __name__ == "__main__":
    run_main(main)
