"""Capture of what the compiler writes to the process's standard output and error."""

from __future__ import annotations

import contextlib
import os
import sys
import tempfile
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from .bounded_text import read_bounded

# Named files rather than anonymous ones: when the compiler kills its WebAssembly instance, the host can still read from
# Emscripten's file system what it wrote last.
_DIRECTORY = Path(tempfile.gettempdir()) / f"triton-playground-{os.getpid()}"
OUTPUT_PATH = _DIRECTORY / "output.txt"
ERRORS_PATH = _DIRECTORY / "errors.txt"

# The compiler may write a whole module with each error; beyond this, in bytes, nobody reads on.
_MAX_BYTES = 2_000_000


@dataclass
class Captured:
    """Texts written to file descriptors 1 and 2; filled in when the capture ends."""

    output: str = ""
    errors: str = ""


@contextlib.contextmanager
def captured_descriptors() -> Iterator[Captured]:
    """Capture what is written to file descriptors 1 and 2 while the context lasts.

    MLIR and LLVM write their diagnostics to descriptor 2 directly, so replacing sys.stderr does not see them. Emscripten's
    file system implements dup2, so this works in Pyodide too.
    """
    captured = Captured()
    ERRORS_PATH.parent.mkdir(exist_ok=True)
    with OUTPUT_PATH.open("w+b") as output, ERRORS_PATH.open("w+b") as errors:
        _flush()
        saved = [os.dup(1), os.dup(2)]
        try:
            os.dup2(output.fileno(), 1)
            os.dup2(errors.fileno(), 2)
            yield captured
        finally:
            _flush()
            for number, descriptor in zip((1, 2), saved, strict=True):
                os.dup2(descriptor, number)
                os.close(descriptor)
            captured.output = read_bounded(output, _MAX_BYTES)
            captured.errors = read_bounded(errors, _MAX_BYTES)


def _flush() -> None:
    for stream in (sys.__stdout__, sys.__stderr__):
        if stream is not None:
            stream.flush()
