"""Check or mend the layout of our C++: ``python -m scripts.clang_format [--fix]``."""

from __future__ import annotations

import argparse
import subprocess
import sys
from pathlib import Path

from scripts import StageError, run_main
from scripts.cache import repo_root

_SUFFIXES = {".cc", ".cpp", ".h"}


def sources() -> list[Path]:
    """Return our own C++ files. Patched upstream files keep upstream's layout and are not ours."""
    found = (repo_root() / "wasm" / "src").rglob("*")
    return sorted(file for file in found if file.suffix in _SUFFIXES)


def check(fix: bool = False) -> int:
    """Compare every source with clang-format's layout, or rewrite it when ``fix`` is set.

    Returns:
        The number of files looked at.

    Raises:
        StageError: when a file differs, or clang-format is missing.
    """
    files = sources()
    if not files:
        return 0
    mode = ["-i"] if fix else ["--dry-run", "--Werror"]
    # The environment that runs this script holds the pinned clang-format, on PATH or not.
    tool = Path(sys.executable).parent / "clang-format"
    try:
        command: list[str | Path] = [tool, "--style=file", "--fallback-style=LLVM", *mode, *files]
        status = subprocess.run(command, check=False).returncode
    except FileNotFoundError as error:
        raise StageError(
            "clang-format", f"{tool} is missing", "use `make lint`, or install requirements-dev.txt"
        ) from error
    if status != 0:
        raise StageError(
            "clang-format", "the files above are laid out otherwise", "run `make format`"
        )
    return len(files)


def main() -> int:
    """Check all sources, or with ``--fix`` rewrite them."""
    parser = argparse.ArgumentParser(prog="python -m scripts.clang_format", description=__doc__)
    parser.add_argument("--fix", action="store_true", help="rewrite the files")
    print(f"clang-format: {check(parser.parse_args().fix)} files")
    return 0


if __name__ == "__main__":
    run_main(main)
