"""Capture of what the compiler writes to the process's standard output and error."""

from __future__ import annotations

import contextlib
import os
import sys
import tempfile
from collections.abc import Iterator
from dataclasses import dataclass


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
    with contextlib.ExitStack() as stack:
        files = [stack.enter_context(tempfile.TemporaryFile()) for _ in range(2)]
        _flush()
        saved = [os.dup(1), os.dup(2)]
        try:
            for number, file in zip((1, 2), files, strict=True):
                os.dup2(file.fileno(), number)
            yield captured
        finally:
            _flush()
            for number, descriptor in zip((1, 2), saved, strict=True):
                os.dup2(descriptor, number)
                os.close(descriptor)
            texts = []
            for file in files:
                file.seek(0)
                texts.append(file.read().decode("utf-8", "replace"))
            captured.output, captured.errors = texts


def _flush() -> None:
    for stream in (sys.__stdout__, sys.__stderr__):
        if stream is not None:
            stream.flush()
