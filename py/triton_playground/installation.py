"""The installed files that every compile reads, which a script could change."""

from __future__ import annotations

from pathlib import Path

from .upstream import triton_module


class Installation:
    """Triton's and this package's files, as they were when this was made."""

    def __init__(self) -> None:
        folders = [Path(triton_module("").__file__).parent, Path(__file__).parent]
        self._files = {path: _state(path) for folder in folders for path in folder.rglob("*")}

    def is_intact(self) -> bool:
        """Return whether all of them are still there, of the same size and untouched."""
        return all(_state(path) == state for path, state in self._files.items())


def _state(path: Path) -> tuple[int, int] | None:
    """Return what a change of the file would change; None for what is no file, such as a cache of bytecode."""
    try:
        status = path.stat()
    except OSError:
        return None
    return (status.st_size, status.st_mtime_ns) if path.is_file() else None
