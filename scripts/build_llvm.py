"""LLVM and MLIR for wasm32 as Full-LTO bitcode: ``python -m scripts.build_llvm``.

Nothing of these archives ships; the side module is linked from them.
"""

from __future__ import annotations

import argparse
import os
import re
import shutil
import subprocess
import tempfile
from pathlib import Path

from scripts import StageError, run_main
from scripts.cache import cache_root, locked, repo_root, require_space
from scripts.fetch import fetch_source
from scripts.hashes import sha256_of
from scripts.patches import patch_files, patched_tree, tree_hash
from scripts.pins import LlvmPin, llvm_pin
from scripts.toolchain import Toolchain, toolchain

_STAGE = "build llvm"
_CONFIGURATION = "cmake-cache.txt"
_SOURCE = "source-sha256.txt"
# Objects and archives of the build tree, measured; the installed copy comes on top.
_BUILD_BYTES = 4_000_000_000
_HEADER_SUFFIXES = {".h", ".def", ".inc", ".td", ".gen", ".modulemap"}


def build_llvm(from_source: bool = False) -> Path:
    """Return the folder with LLVM's and MLIR's wasm32 archives (``lib/*.a``) and ``include/``.

    What is there already is used when its recorded configuration equals the pinned one; then a
    prebuilt archive beside the checkout under the same condition; then it is built from the pinned
    source, which goes on from where an interrupted run stopped.

    Args:
        from_source: Build from source, whatever is there.

    Raises:
        StageError: as `fetch`, `patches` and `toolchain` do, or when CMake or ninja fails.
    """
    pin = llvm_pin()
    prefix = cache_root() / "llvm" / f"llvm-wasm-{pin.version}"
    with locked("llvm"):
        if from_source or not (_is_usable(prefix, pin) or _unpack_prebuilt(pin, prefix)):
            _build(pin, prefix)
    return prefix


def archive_names() -> list[str]:
    """Return the file names of the archives that the side module may link."""
    return (repo_root() / "llvm-pin" / "archives.txt").read_text(encoding="utf-8").split()


def differences(recorded: dict[str, str], pin: LlvmPin) -> list[str]:
    """Name the pinned CMake options that a recorded configuration does not have, one line each."""
    return [
        f"{option}: pinned {wanted!r}, recorded {recorded.get(option)!r}"
        for option, wanted in pin.cmake.items()
        if recorded.get(option) != wanted
    ]


def read_configuration(file: Path) -> dict[str, str]:
    """Read the ``NAME:TYPE=VALUE`` lines of a CMake cache file."""
    lines = file.read_text(encoding="utf-8").splitlines()
    matches = (re.match(r"(\w+):\w+=(.*)", line) for line in lines)
    return {match[1]: match[2] for match in matches if match}


def _is_usable(prefix: Path, pin: LlvmPin) -> bool:
    """Tell whether an install was made from the pinned source with the pinned options; say why not."""
    if not (prefix / _CONFIGURATION).is_file():
        return False
    problems = differences(read_configuration(prefix / _CONFIGURATION), pin)
    problems += [
        f"missing: lib/{name}" for name in archive_names() if not (prefix / "lib" / name).is_file()
    ]
    source = prefix / _SOURCE
    # The prebuilt archive has no such file: it was made from the pinned source without patches.
    if source.is_file() and source.read_text().strip() != tree_hash("llvm"):
        problems.append("built from another source or with other patches")
    elif not source.is_file() and patch_files("llvm"):
        problems.append("built without patches/llvm")
    for problem in problems:
        print(f"{prefix} cannot be used: {problem}")
    return not problems


def _unpack_prebuilt(pin: LlvmPin, prefix: Path) -> bool:
    """Install the prebuilt archive if there is one that fits; tell whether it was."""
    archive = repo_root().parent / "shared" / "llvm-wasm" / pin.prebuilt.file
    if not archive.is_file():
        return False
    found = sha256_of(archive)
    if found != pin.prebuilt.sha256:
        print(f"{archive} is not used: sha256 {pin.prebuilt.sha256} is pinned, it has {found}")
        return False
    if shutil.which("zstd") is None:
        print(f"{archive} is not used: zstd is not installed to unpack it")
        return False
    prefix.parent.mkdir(parents=True, exist_ok=True)
    require_space(prefix.parent, pin.prebuilt.unpacked_bytes, f"unpack {archive.name}")
    with tempfile.TemporaryDirectory(prefix=prefix.name, dir=prefix.parent) as folder:
        command = ["tar", "--zstd", "-xf", str(archive), "-C", folder]
        if subprocess.run(command, check=False).returncode != 0:
            raise StageError(
                f"unpack {archive.name}", "tar failed, see above", "build with --from-source"
            )
        (configuration,) = Path(folder).rglob(_CONFIGURATION)
        if not _is_usable(configuration.parent, pin):
            return False
        _replace(configuration.parent, prefix)
    return True


def _build(pin: LlvmPin, prefix: Path) -> None:
    tools = toolchain()
    build = cache_root() / "build" / "llvm-wasm"
    build.mkdir(parents=True, exist_ok=True)
    require_space(build, _BUILD_BYTES, _STAGE)
    source = fetch_source(pin)
    if patch_files("llvm"):
        source = patched_tree("llvm", cache_root() / "build" / "llvm-src")
    configure(pin, tools, source, build)
    # Triton's passes.cc includes all of MLIR's generated headers, whatever it links.
    names = [name.removeprefix("lib").removesuffix(".a") for name in archive_names()]
    tools.run(["ninja", "-C", build, *names, *generated_headers(tools, build)])
    fresh = prefix.with_name(prefix.name + ".part")
    shutil.rmtree(fresh, ignore_errors=True)
    _install(source, build, fresh)
    (fresh / _SOURCE).write_text(tree_hash("llvm") + "\n")
    _replace(fresh, prefix)


def configure(pin: LlvmPin, tools: Toolchain, source: Path, build: Path) -> None:
    """Run CMake for LLVM unless ``build`` is already configured from ``source`` as pinned.

    Takes about 210 s: every check of the compiler runs emcc.

    Raises:
        StageError: when CMake fails, or ends with other options than the pinned ones.
    """
    cache = build / "CMakeCache.txt"
    if cache.is_file() and (build / "build.ninja").is_file():
        recorded = read_configuration(cache)
        if recorded.get("LLVM_SOURCE_DIR") == str(source / "llvm") and not differences(
            recorded, pin
        ):
            return
        # Options of an earlier pin would survive in the cache.
        cache.unlink()
    command: list[str | Path] = [
        "emcmake",
        "cmake",
        "-G",
        "Ninja",
        "-S",
        source / "llvm",
        "-B",
        build,
    ]
    command += [f"-D{option}={value}" for option, value in pin.cmake.items()]
    # Reaches only a library that is not linked; off, so that what the machine has plays no part.
    command.append("-DLLVM_ENABLE_LIBXML2=OFF")
    native = tools.llvm_tools
    if native:
        # Without them LLVM would first build a native copy of itself for its table generators.
        command.append(f"-DLLVM_NATIVE_TOOL_DIR={native}")
        # Named here, it serves in the place of llvm-min-tblgen too, which Debian does not have.
        command.append(f"-DLLVM_TABLEGEN={native}/llvm-tblgen")
    tools.run(command, cwd=build)
    problems = differences(read_configuration(cache), pin)
    if problems:
        raise StageError(
            "configure llvm",
            "CMake did not take the pinned options: " + "; ".join(problems),
            f"mend the [cmake] table of {pin.path}",
        )


def generated_headers(tools: Toolchain, build: Path) -> list[str]:
    """Return every header that ninja can generate, as paths in the build folder."""
    listing = tools.run(["ninja", "-C", build, "-t", "targets", "all"], stdout=subprocess.PIPE)
    pattern = r"^((?:tools/mlir/)?include/\S+\.(?:inc|h|def|td|gen)): "
    return sorted(set(re.findall(pattern, listing.stdout, re.MULTILINE)))


def _install(source: Path, build: Path, prefix: Path) -> None:
    """Copy archives, headers (source and generated, merged) and configuration to ``prefix``."""
    (prefix / "lib").mkdir(parents=True)
    for name in archive_names():
        shutil.copy2(build / "lib" / name, prefix / "lib" / name)
    roots = [
        source / "llvm/include",
        source / "mlir/include",
        build / "include",
        build / "tools/mlir/include",
    ]
    for root in roots:
        for folder, _, files in os.walk(root):
            for file in files:
                if Path(file).suffix in _HEADER_SUFFIXES:
                    target = prefix / "include" / Path(folder).relative_to(root) / file
                    target.parent.mkdir(parents=True, exist_ok=True)
                    shutil.copy2(Path(folder) / file, target)
    kept = re.compile(r"(CMAKE_(BUILD_TYPE|C_FLAGS|CXX_FLAGS|CXX_FLAGS_RELEASE)|LLVM_|MLIR_)")
    lines = (build / "CMakeCache.txt").read_text(encoding="utf-8").splitlines()
    (prefix / _CONFIGURATION).write_text(
        "".join(f"{line}\n" for line in sorted(lines) if kept.match(line))
    )


def _replace(fresh: Path, prefix: Path) -> None:
    shutil.rmtree(prefix, ignore_errors=True)
    fresh.rename(prefix)


def main() -> int:
    """Make LLVM available and print where."""
    parser = argparse.ArgumentParser(prog="python -m scripts.build_llvm", description=__doc__)
    parser.add_argument("--from-source", action="store_true", help="build it, whatever is there")
    print(build_llvm(parser.parse_args().from_source))
    return 0


if __name__ == "__main__":
    run_main(main)
