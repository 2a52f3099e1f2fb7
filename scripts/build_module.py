"""Compile patched Triton and our own C++: ``python -m scripts.build_module [--native]``.

Without an option: Full-LTO bitcode objects for wasm32, which `scripts.link` links. With
``--native``: the reference build for this machine's own Debian Python, whose text is the golden.
"""

from __future__ import annotations

import argparse
import shutil
import subprocess
import tarfile
from pathlib import Path

from scripts import StageError, run_main
from scripts.build_llvm import build_llvm
from scripts.cache import cache_root, downloads_dir, locked, repo_root
from scripts.patches import patched_tree
from scripts.pins import toolchain_pin
from scripts.python_headers import write_python_headers
from scripts.toolchain import Toolchain, toolchain

_STAGE = "build module"


def triton_source() -> Path:
    """Return the patched Triton tree, made or refreshed."""
    return patched_tree("triton", cache_root() / "triton-src")


def pyodide_package() -> Path:
    """Return the unpacked pyodide npm package: the one of `web/`, or one fetched through npm.

    Raises:
        StageError: npm is missing or cannot fetch it.
    """
    installed = repo_root() / "web" / "node_modules" / "pyodide"
    if (installed / "python_stdlib.zip").is_file():
        return installed
    version = toolchain_pin().pyodide.npm
    unpacked = cache_root() / f"pyodide-{version}"
    if not (unpacked / "python_stdlib.zip").is_file():
        archive = _npm_pack(version)
        with tarfile.open(archive) as tar:
            tar.extractall(unpacked.parent / "pyodide.part", filter="data")
        (unpacked.parent / "pyodide.part" / "package").rename(unpacked)
        shutil.rmtree(unpacked.parent / "pyodide.part")
    return unpacked


def _npm_pack(version: str) -> Path:
    result = subprocess.run(
        ["npm", "pack", f"pyodide@{version}", "--silent"],
        cwd=downloads_dir(), capture_output=True, text=True, check=False,
    )  # fmt: skip
    if result.returncode != 0:
        raise StageError(
            "fetch pyodide", result.stderr.strip() or "npm pack failed",
            "check npm's registry settings, or run `npm ci` in web/",
        )  # fmt: skip
    return downloads_dir() / result.stdout.strip().splitlines()[-1]


def build_objects() -> Path:
    """Compile every object of the side module; return the build folder with `objects.txt`.

    Raises:
        StageError: as the steps before it do, or when a file does not compile.
    """
    tools = toolchain()
    llvm = build_llvm()
    build = cache_root() / "build-wasm"
    with locked("build-wasm"):
        native_headers = _debian_root(tools) / "usr/include/python3.15"
        headers = write_python_headers(
            native_headers, pyodide_package() / "python_stdlib.zip",
            cache_root() / "python-include-wasm",
        )  # fmt: skip
        _configure(
            tools, build, ["emcmake"],
            [f"-DPLAYGROUND_LLVM_INCLUDE={llvm / 'include'}", f"-DPLAYGROUND_PYTHON_INCLUDE={headers}"],
        )  # fmt: skip
        tools.run(["ninja", "-C", build, "playground-objects"])
    return build


def build_native() -> Path:
    """Build the native reference libtriton against Debian's LLVM; return its build folder."""
    tools = toolchain()
    _debian_root(tools)
    build = cache_root() / "build-native"
    with locked("build-native"):
        _configure(
            tools, build, [],
            ["-DPLAYGROUND_PYTHON_INCLUDE=/usr/include/python3.15",
             "-DCMAKE_C_COMPILER=clang-21", "-DCMAKE_CXX_COMPILER=clang++-21"],
        )  # fmt: skip
        tools.run(["ninja", "-C", build, "triton"])
    return build


def _configure(tools: Toolchain, build: Path, prefix: list[str], options: list[str]) -> None:
    build.mkdir(parents=True, exist_ok=True)
    cmake = f"/usr/lib/llvm-{toolchain_pin().versions['llvm'].split('.')[0]}/lib/cmake"
    tools.run(
        [*prefix, "cmake", "-G", "Ninja", "-S", repo_root() / "wasm", "-B", build,
         f"-DTRITON_SOURCE_DIR={triton_source()}", f"-DMLIR_DIR={cmake}/mlir",
         f"-DLLVM_DIR={cmake}/llvm", f"-DPLAYGROUND_PYBIND11_INCLUDE={_pybind11(tools)}",
         "-DCMAKE_BUILD_TYPE=Release", *options],
    )  # fmt: skip


def _pybind11(tools: Toolchain) -> Path:
    """Copy pybind11's headers out of /usr/include, whose other headers must not be seen by emcc."""
    destination = cache_root() / "pybind11-include"
    source = _debian_root(tools) / "usr/include/pybind11"
    if not destination.is_dir():
        shutil.copytree(source, destination / "pybind11")
    return destination


def _debian_root(tools: Toolchain) -> Path:
    if tools.root is None:
        raise StageError(
            _STAGE, "an emsdk has no CPython and pybind11 headers, nor MLIR's table generators",
            "take emcc off PATH and let scripts.toolchain make the Debian root",
        )  # fmt: skip
    return tools.root


def main() -> int:
    """Command line."""
    parser = argparse.ArgumentParser(prog="python -m scripts.build_module", description=__doc__)
    parser.add_argument("--native", action="store_true", help="build the native reference")
    print(build_native() if parser.parse_args().native else build_objects())
    return 0


if __name__ == "__main__":
    run_main(main)
