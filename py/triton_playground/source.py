"""Source: the user's text as a file and as an imported module."""

from __future__ import annotations

import ast
import contextlib
import io
import linecache
import os
import re
import sys
import tempfile
import types
from collections.abc import Iterator
from pathlib import Path

_MAIN_GUARDS = ("__name__ == '__main__'", "'__main__' == __name__")

DIRECTORY_VARIABLE = "TRITON_PLAYGROUND_SOURCES"


def source_path(filename: str) -> Path:
    """Return where a source of that name is written.

    The path enters the compiler's output through line information, so it depends on nothing but the file name and, if set,
    the environment variable TRITON_PLAYGROUND_SOURCES.
    """
    default = Path(tempfile.gettempdir()) / "triton-playground"
    return Path(os.environ.get(DIRECTORY_VARIABLE) or default) / filename


def module_name(filename: str) -> str:
    """Return the name of the module for a file: its stem, as triton.tools.compile names it, made safe.

    A name that starts with "triton" would make Triton take the script's functions for its own builtins, and the name of an
    imported module would hide that module.
    """
    stem = re.sub(r"\W", "_", Path(filename).stem)
    if (
        stem.startswith("triton")
        or stem in sys.modules
        or stem in sys.stdlib_module_names
        or not stem.isidentifier()
    ):
        return f"script_{stem}"
    return stem


class Source:
    """A user's source text, written to its file.

    Args:
        text: the source.
        filename: plain file name ending in .py.
    """

    def __init__(self, text: str, filename: str) -> None:
        # Editors of some systems begin a file with a byte order mark, which Python takes from a file but not from a string.
        self.text = text.removeprefix("\ufeff")
        self.path = source_path(filename)
        self.module = types.ModuleType(module_name(filename))
        self.module.__file__ = str(self.path)
        self.path.parent.mkdir(parents=True, exist_ok=True)
        self.path.write_bytes(self.text.encode())
        # Triton reads kernels with inspect, and that with linecache. Told the text, it does not ask the file, which has a
        # coding of its own if a comment says so, may be changed by the script, and looks unchanged after a quick edit.
        self._lines = io.StringIO(self.text, newline=None).readlines()
        linecache.cache[str(self.path)] = (len(self.text), None, self._lines, str(self.path))

    def line(self, number: int) -> str:
        """Return a line of the source, counted from 1; empty outside it."""
        return self._lines[number - 1].rstrip("\n") if 1 <= number <= len(self._lines) else ""

    def compile(self) -> types.CodeType:
        """Compile the text to Python bytecode.

        Raises:
            SyntaxError, ValueError: it is not Python.
        """
        return compile(self.text, str(self.path), "exec", dont_inherit=True)

    @contextlib.contextmanager
    def importable(self) -> Iterator[types.ModuleType]:
        """Have the module in sys.modules while the context lasts.

        inspect, dataclasses and pickling look a class's module up there.
        """
        name = self.module.__name__
        sys.modules[name] = self.module
        try:
            yield self.module
        finally:
            sys.modules.pop(name, None)

    def main_guard(self) -> tuple[int, types.CodeType] | None:
        """Return line and code of what stands under ``if __name__ == "__main__"``, which an import does not run."""
        for statement in ast.parse(self.text).body:
            if isinstance(statement, ast.If) and ast.unparse(statement.test) in _MAIN_GUARDS:
                body = ast.Module(statement.body, type_ignores=[])
                return statement.lineno, compile(body, str(self.path), "exec", dont_inherit=True)
        return None
