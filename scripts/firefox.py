"""The Firefox that the browser tests drive: ``python -m scripts.firefox``."""

from __future__ import annotations

from pathlib import Path

from scripts import run_main
from scripts.debian_browser import DebianBrowser

_FIREFOX = DebianBrowser("Firefox", "FIREFOX", ("firefox-esr", "firefox"), "firefox-esr")


def firefox() -> Path:
    """Return Firefox's program, installing Debian's package if it is missing and this is root.

    ``$FIREFOX`` names another one.

    Raises:
        StageError: when there is none and it may not or cannot be installed.
    """
    return _FIREFOX.program()


def main() -> int:
    """Print Firefox's program."""
    print(firefox())
    return 0


if __name__ == "__main__":
    run_main(main)
