"""CPython headers for wasm32-emscripten, made from Debian's and Pyodide's own build variables."""

from __future__ import annotations

import re
import shutil
import sys
import zipfile
from pathlib import Path
from types import ModuleType
from typing import Any

SYSCONFIG_MODULE = "_sysconfigdata__emscripten_wasm32-emscripten"

_DEFINE = re.compile(r"^\s*#\s*(?:define|undef)\s+(?P<name>\w+)")
_COMMENTED_UNDEF = re.compile(r"^/\*\s*#\s*undef\s+(?P<name>\w+)\s*\*/$")


def build_variables(stdlib_zip: Path) -> dict[str, Any]:
    """Return Pyodide's `build_time_vars`, read from its standard library.

    Args:
        stdlib_zip: `python_stdlib.zip` of the pyodide npm package.
    """
    with zipfile.ZipFile(stdlib_zip) as archive:
        source = archive.read(f"{SYSCONFIG_MODULE}.py").decode()
    module = ModuleType(SYSCONFIG_MODULE)
    exec(compile(source, SYSCONFIG_MODULE, "exec"), module.__dict__)
    variables: dict[str, Any] = module.__dict__["build_time_vars"]
    return variables


def pyconfig_for(native_pyconfig: str, variables: dict[str, Any]) -> str:
    """Return the text of `pyconfig.h` with every macro's value taken from `variables`.

    CPython's configure writes the same set of macros on every platform, so the native file names
    them all; a value of 0, "" or None means that the macro is not defined.
    """
    names: list[str] = []
    for line in native_pyconfig.splitlines():
        match = _DEFINE.match(line) or _COMMENTED_UNDEF.match(line.strip())
        if match and match["name"] not in names and match["name"] != "Py_PYCONFIG_H":
            names.append(match["name"])
    lines = ["#ifndef Py_PYCONFIG_H", "#define Py_PYCONFIG_H"]
    for name in names:
        value = variables.get(name)
        if value in (None, 0, ""):
            lines.append(f"/* #undef {name} */")
        else:
            lines.append(f"#ifndef {name}\n#define {name} {value}\n#endif")
    lines.append("#endif")
    return "\n".join(lines) + "\n"


def write_python_headers(native_include: Path, stdlib_zip: Path, destination: Path) -> Path:
    """Write a wasm32 copy of the CPython headers and return its directory.

    Args:
        native_include: Debian's `/usr/include/python3.15`.
        stdlib_zip: `python_stdlib.zip` of the pyodide npm package.
        destination: directory to replace.

    Raises:
        FileNotFoundError: the native headers or the multiarch `pyconfig.h` are missing.
    """
    version = native_include.name
    multiarch = native_include.parent / "x86_64-linux-gnu" / version / "pyconfig.h"
    native = multiarch if multiarch.exists() else native_include / "pyconfig.h"
    text = pyconfig_for(native.read_text(), build_variables(stdlib_zip))
    written = destination / "pyconfig.h"
    if written.is_file() and written.read_text() == text:
        # Untouched headers keep ninja from compiling the bindings again.
        return destination
    if destination.exists():
        shutil.rmtree(destination)
    shutil.copytree(native_include, destination)
    written.write_text(text)
    return destination


def main() -> int:
    """Command line: NATIVE_INCLUDE STDLIB_ZIP DESTINATION."""
    native, stdlib, destination = (Path(argument) for argument in sys.argv[1:4])
    print(write_python_headers(native, stdlib, destination))
    return 0


if __name__ == "__main__":
    sys.exit(main())
