"""The Chromium that the browser tests drive: ``python -m scripts.chromium``."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from pathlib import Path

from scripts import StageError, run_main

_STAGE = "find Chromium"


def chromium() -> Path:
    """Return Chromium's program, installing Debian's package if it is missing and this is root.

    ``$CHROMIUM`` names another one.

    Raises:
        StageError: when there is none and it may not or cannot be installed.
    """
    chosen = os.environ.get("CHROMIUM")
    if chosen:
        if not Path(chosen).is_file():
            raise StageError(
                _STAGE, f"$CHROMIUM names {chosen}, which is no file", "unset or mend it"
            )
        return Path(chosen)
    found = _on_path()
    if found is None:
        if os.geteuid() != 0 or shutil.which("apt-get") is None:
            raise StageError(
                _STAGE,
                "Chromium is not installed, and only root on Debian may install it here",
                "install it (Debian: apt install chromium), or set CHROMIUM to its program",
            )
        _install()
        found = _on_path()
    if found is None:
        raise StageError(
            _STAGE,
            "apt could not install chromium (its message is above)",
            "check the network and apt's sources, or set CHROMIUM to a program you have",
        )
    return found


def _on_path() -> Path | None:
    names = ("chromium", "chromium-browser", "google-chrome")
    return next((Path(found) for name in names if (found := shutil.which(name))), None)


def _install() -> None:
    environment = {**os.environ, "DEBIAN_FRONTEND": "noninteractive"}
    for words in (
        ["update", "-qq"],
        ["install", "-y", "-qq", "--no-install-recommends", "chromium"],
    ):
        subprocess.run(
            ["apt-get", *words], env=environment, stdin=subprocess.DEVNULL, stdout=sys.stderr, check=False
        )  # fmt: skip


def main() -> int:
    """Print Chromium's program."""
    print(chromium())
    return 0


if __name__ == "__main__":
    run_main(main)
