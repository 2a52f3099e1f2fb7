"""A browser for the tests: one that is installed, or Debian's package."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from dataclasses import dataclass
from pathlib import Path

from scripts import StageError


@dataclass(frozen=True)
class DebianBrowser:
    """A browser that Debian packages.

    Attributes:
        title: What people call it.
        variable: The environment variable that names another program to use.
        programs: Names of its program, the preferred first.
        package: Debian's package.
    """

    title: str
    variable: str
    programs: tuple[str, ...]
    package: str

    def program(self) -> Path:
        """Return its program, installing Debian's package if it is missing and this is root.

        Raises:
            StageError: when there is none and it may not or cannot be installed.
        """
        stage = f"find {self.title}"
        chosen = os.environ.get(self.variable)
        if chosen:
            if not Path(chosen).is_file():
                raise StageError(
                    stage, f"${self.variable} names {chosen}, which is no file", "unset or mend it"
                )
            return Path(chosen)
        found = self._on_path()
        if found is None:
            if os.geteuid() != 0 or shutil.which("apt-get") is None:
                raise StageError(
                    stage,
                    f"{self.title} is not installed, and only root on Debian may install it here",
                    f"install it (Debian: apt install {self.package}), or set {self.variable} to its program",
                )
            self._install()
            found = self._on_path()
        if found is None:
            raise StageError(
                stage,
                f"apt could not install {self.package} (its message is above)",
                f"check the network and apt's sources, or set {self.variable} to a program you have",
            )
        return found

    def _on_path(self) -> Path | None:
        return next((Path(found) for name in self.programs if (found := shutil.which(name))), None)

    def _install(self) -> None:
        environment = {**os.environ, "DEBIAN_FRONTEND": "noninteractive"}
        for words in (
            ["update", "-qq"],
            ["install", "-y", "-qq", "--no-install-recommends", self.package],
        ):
            subprocess.run(
                ["apt-get", *words], env=environment, stdin=subprocess.DEVNULL, stdout=sys.stderr, check=False
            )  # fmt: skip
