"""What a side module asks of Pyodide's main module, checked before anything loads it."""

from __future__ import annotations

import re
import sys
from dataclasses import dataclass
from pathlib import Path

from auditwheel_emscripten.emscripten_tools.webassembly import Module, SecType

from scripts import StageError, run_main
from scripts.build_module import pyodide_package

# Offered to every side module by the dynamic loader itself.
_LOADER_NAMES = {
    "memory", "__indirect_function_table", "__memory_base", "__table_base", "__stack_pointer",
    "__cpp_exception", "__c_longjmp",
}  # fmt: skip


@dataclass(frozen=True)
class WasmNames:
    """Names of imports and exports of one WebAssembly module, with its section sizes in bytes."""

    imports: list[str]
    exports: list[str]
    section_bytes: dict[str, int]


def wasm_names(module: Path) -> WasmNames:
    """Read a module's imports, exports and section sizes.

    Raises:
        StageError: the file is not a WebAssembly module.
    """
    with module.open("rb") as stream:
        if stream.read(4) != b"\0asm":
            raise StageError("check module", f"{module} is not WebAssembly", "link it again")
    with Module(module) as wasm:  # type: ignore[no-untyped-call]
        sizes: dict[str, int] = {}
        for section in wasm.sections():
            name = section.name or SecType(section.type).name.lower()
            sizes[name] = sizes.get(name, 0) + section.size
        return WasmNames(
            [entry.field for entry in wasm.get_imports()],
            [entry.name for entry in wasm.get_exports()],
            sizes,
        )


def missing_imports(module: Path, pyodide: Path) -> list[str]:
    """Return the symbols that the module imports and Pyodide's main module does not offer.

    Args:
        module: the side module.
        pyodide: the unpacked pyodide npm package.
    """
    main = wasm_names(pyodide / "pyodide.asm.wasm")
    glue = (pyodide / "pyodide.asm.mjs").read_text(encoding="utf-8")
    names = wasm_names(module)
    offered = set(main.exports) | _LOADER_NAMES | set(names.exports)
    wanted = sorted(set(names.imports) - offered)
    # Functions of the JavaScript library appear as keys of its import object.
    return [name for name in wanted if not re.search(rf"\b_?{re.escape(name)}\b", glue)]


def check_imports(module: Path) -> None:
    """Fail when loading the module would fail for a symbol that nobody defines.

    Raises:
        StageError: naming every such symbol, demangled where possible.
    """
    missing = missing_imports(module, pyodide_package())
    if missing:
        raise StageError(
            "check module", "undefined symbols that Pyodide does not have: " + ", ".join(missing),
            "define them in wasm/src, or patch away what needs them",
        )  # fmt: skip


def main() -> int:
    """Print what the modules named on the command line hold, and what they miss."""
    for argument in sys.argv[1:]:
        names = wasm_names(Path(argument))
        print(argument)
        for section, size in sorted(names.section_bytes.items(), key=lambda item: -item[1]):
            print(f"  {section:10} {size:>12,} bytes")
        print(f"  {len(names.imports)} imports; exports: {', '.join(names.exports)}")
        check_imports(Path(argument))
    return 0


if __name__ == "__main__":
    run_main(main)
