"""The Chromium that the browser tests drive: ``python -m scripts.chromium``."""

from __future__ import annotations

from pathlib import Path

from scripts import run_main
from scripts.debian_browser import DebianBrowser

_CHROMIUM = DebianBrowser(
    "Chromium", "CHROMIUM", ("chromium", "chromium-browser", "google-chrome"), "chromium"
)


def chromium() -> Path:
    """Return Chromium's program, installing Debian's package if it is missing and this is root.

    ``$CHROMIUM`` names another one.

    Raises:
        StageError: when there is none and it may not or cannot be installed.
    """
    return _CHROMIUM.program()


def main() -> int:
    """Print Chromium's program."""
    print(chromium())
    return 0


if __name__ == "__main__":
    run_main(main)
