"""Link the side module with Full LTO: ``python -m scripts.link [--from STEP]``.

The steps, each leaving a file that the next one reads (in ``link/`` of the build cache):

lto      wasm-ld resolves symbols, merges all bitcode and optimises it     libtriton.lto.bc
slim     opt cuts what no compile can reach (wasm/slim/stubs.txt)          libtriton.slim.bc
split    llvm-split makes parts, so that code generation fits in memory    part.N
codegen  llc makes one object a part, two at a time                        part.N.o
link     wasm-ld makes the side module                                     libtriton.wasm
"""

from __future__ import annotations

import argparse
import shutil
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

from scripts import StageError, run_main
from scripts.build_llvm import build_llvm
from scripts.build_module import build_objects
from scripts.cache import cache_root, locked, repo_root
from scripts.measured import Cost, record_cost, require_success, run_measured
from scripts.side_module import check_imports
from scripts.toolchain import Toolchain, toolchain

STEPS = ("lto", "slim", "split", "codegen", "link")

# Code generation of the whole module in one process peaks at 17 GB; in parts, at a fraction.
PARTS = 12
CODEGEN_JOBS = 2

# What `em++ -v` prints for a side module with wasm exceptions: the object code must match the
# exception handling that Pyodide's main module was built with.
_BACKEND_FLAGS = (
    "-combiner-global-alias-analysis=false",
    "-wasm-enable-sjlj",
    "-wasm-use-legacy-eh",
    "-disable-lsr",
    "-wasm-enable-eh",
    "-exception-model=wasm",
)

# The objects were inlined once when they were compiled. Across objects, only what makes code
# smaller or nearly so: the default threshold of 225 costs megabytes and gains no time.
_LTO_FLAGS = ("-inline-threshold=50",)

_NO_SUCH_PASS = "triton-playground-stops-here"

_EXPORTS = ("PyInit_libtriton", "__wasm_call_ctors")


def link_dir() -> Path:
    """Return the folder of the link's intermediate files, made if missing."""
    folder = cache_root() / "link"
    folder.mkdir(exist_ok=True)
    return folder


def link(first_step: str = "lto") -> Path:
    """Link the side module, starting at ``first_step``; return the unoptimised module's path.

    Raises:
        StageError: a tool failed, or the module needs a symbol that Pyodide does not have.
    """
    tools = toolchain()
    steps = {
        "lto": _lto,
        "slim": _slim,
        "split": _split,
        "codegen": _codegen,
        "link": _link,
    }
    with locked("link"):
        for step in STEPS[STEPS.index(first_step) :]:
            print(f"link: {step}", flush=True)
            steps[step](tools, link_dir())
        module = link_dir() / "libtriton.wasm"
        check_imports(module)
    return module


def _tool(tools: Toolchain, name: str) -> str:
    return str(tools.llvm_tools / name) if tools.llvm_tools else name


def _run(tools: Toolchain, step: str, argv: list[str], folder: Path) -> Cost:
    status, output, cost = run_measured(tools.command(argv, folder))
    require_success(f"link: {step}", argv, status, output)
    return cost


def _llvm_flags(flags: tuple[str, ...]) -> list[str]:
    return [word for flag in flags for word in ("-mllvm", flag)]


def _lto(tools: Toolchain, folder: Path) -> None:
    objects = (build_objects() / "objects.txt").read_text().split()
    archives = sorted(str(path) for path in (build_llvm() / "lib").glob("*.a"))
    response = folder / "inputs.rsp"
    response.write_text("\n".join([*objects, *archives]) + "\n")
    output = folder / "lto.wasm"
    argv = [
        _tool(tools, "wasm-ld"), "-o", str(output), "-shared", "-Bdynamic", "--strip-debug",
        "--no-export-dynamic", "--unresolved-symbols=import-dynamic", "--gc-sections",
        "--lto-O2", "--save-temps", *(f"--export={name}" for name in _EXPORTS),
        *_llvm_flags(_BACKEND_FLAGS + _LTO_FLAGS),
        # wasm-ld cannot be told to stop before code generation: a pass name that does not exist
        # ends it there, after the optimised bitcode is written.
        *_llvm_flags((f"-start-before={_NO_SUCH_PASS}",)),
        f"@{response}",
    ]  # fmt: skip
    status, text, cost = run_measured(tools.command(argv, folder))
    candidates = sorted(folder.glob("lto.wasm*.5.precodegen.bc"))
    if status == 0 or _NO_SUCH_PASS not in text or not candidates:
        require_success("link: lto", argv, status or 1, text)
    candidates[0].rename(folder / "libtriton.lto.bc")
    for leftover in folder.glob("lto.wasm*"):
        leftover.unlink()
    record_cost("lto", cost)


def _slim(tools: Toolchain, folder: Path) -> None:
    slim = repo_root() / "wasm" / "slim"
    plugin = folder / "StubFunctions.so"
    _run(
        tools, "slim",
        ["clang++-21", "-std=c++17", "-O1", "-fPIC", "-shared", "-Wall", "-Wextra", "-Werror",
         "-Wno-unused-parameter", "-isystem", "/usr/lib/llvm-21/include",
         str(slim / "StubFunctions.cpp"), "-o", str(plugin)],
        folder,
    )  # fmt: skip
    argv = [
        _tool(tools, "opt"), f"-load-pass-plugin={plugin}", f"-stub-list={slim / 'stubs.txt'}",
        "-passes=stub-functions,globaldce,globalopt,globaldce,constmerge,mergefunc,globaldce",
        str(folder / "libtriton.lto.bc"), "-o", str(folder / "libtriton.slim.bc"),
    ]  # fmt: skip
    status, output, cost = run_measured(tools.command(argv, folder))
    print(output.strip())
    require_success("link: slim", argv, status, output)
    record_cost("slim", cost)


def _split(tools: Toolchain, folder: Path) -> None:
    for old in folder.glob("part.*"):
        old.unlink()
    cost = _run(
        tools, "split",
        [_tool(tools, "llvm-split"), f"-j{PARTS}", str(folder / "libtriton.slim.bc"), "-o",
         str(folder / "part.")],
        folder,
    )  # fmt: skip
    record_cost("split", cost)


def _codegen(tools: Toolchain, folder: Path) -> None:
    parts = sorted(path for path in folder.glob("part.*") if path.suffix != ".o")

    def compile_part(part: Path) -> Cost:
        argv = [
            _tool(tools, "llc"), "-O3", "-filetype=obj", "-relocation-model=pic",
            "-function-sections", "-data-sections", *_BACKEND_FLAGS,
            str(part), "-o", str(part) + ".o",
        ]  # fmt: skip
        return _run(tools, "codegen", argv, folder)

    with ThreadPoolExecutor(CODEGEN_JOBS) as pool:
        costs = list(pool.map(compile_part, parts))
    peaks = sorted((cost.peak_bytes for cost in costs), reverse=True)[:CODEGEN_JOBS]
    cpu = sum(cost.cpu_seconds for cost in costs)
    wall = sum(cost.seconds for cost in costs) / CODEGEN_JOBS
    record_cost("codegen", Cost(wall, cpu, sum(peaks)))


def _link(tools: Toolchain, folder: Path) -> None:
    objects = sorted(str(path) for path in folder.glob("part.*.o"))
    if not objects:
        raise StageError("link", "there are no objects", "run it again with --from split")
    module = folder / "libtriton.wasm"
    cost = _run(
        tools, "link",
        [_tool(tools, "wasm-ld"), "-o", str(module), "-shared", "-Bdynamic", "--strip-debug",
         "--no-export-dynamic", "--unresolved-symbols=import-dynamic", "--gc-sections", "-O2",
         *(f"--export={name}" for name in _EXPORTS), *objects],
        folder,
    )  # fmt: skip
    record_cost("link", cost)


def main() -> int:
    """Command line."""
    parser = argparse.ArgumentParser(prog="python -m scripts.link", description=__doc__)
    parser.formatter_class = argparse.RawDescriptionHelpFormatter
    parser.add_argument(
        "--from", dest="first_step", choices=STEPS, default="lto",
        help="start here, on the files that the steps before left",
    )  # fmt: skip
    parser.add_argument("--keep", type=Path, help="also copy the module there")
    arguments = parser.parse_args()
    module = link(arguments.first_step)
    if arguments.keep:
        shutil.copy(module, arguments.keep)
    print(f"{module}: {module.stat().st_size:,} bytes")
    return 0


if __name__ == "__main__":
    run_main(main)
