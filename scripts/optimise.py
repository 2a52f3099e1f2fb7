"""Run Binaryen over the linked side module: ``python -m scripts.optimise [PROFILE…]``.

Profiles (each a file ``libtriton.PROFILE.wasm`` in ``link/`` of the build cache):

O3         the passes that emcc itself runs over a side module at -O3: the baseline
O4         the same at -O4: flattens, then re-optimises
Os, Oz     the same for size
"""

from __future__ import annotations

import argparse
from pathlib import Path

from scripts import run_main
from scripts.cache import locked
from scripts.link import link_dir
from scripts.measured import record_cost, require_success, run_measured
from scripts.side_module import check_imports
from scripts.toolchain import toolchain

# What `em++ -v -O3 -sSIDE_MODULE=2` passes to wasm-opt.
_FEATURES = (
    "--mvp-features", "--enable-bulk-memory", "--enable-bulk-memory-opt",
    "--enable-call-indirect-overlong", "--enable-exception-handling", "--enable-multivalue",
    "--enable-mutable-globals", "--enable-nontrapping-float-to-int", "--enable-reference-types",
    "--enable-sign-ext",
)  # fmt: skip
_BEFORE = (
    "--strip-target-features", "--strip-debug", "--strip-producers", "--post-emscripten",
    "--pass-arg=post-emscripten-side-module",
)  # fmt: skip
_AFTER = ("--low-memory-unused", "--pass-arg=directize-initial-contents-immutable", "--no-stack-ir")

PROFILES: dict[str, tuple[str, ...]] = {
    "O3": ("-O3",),
    "O4": ("-O4",),
    "Os": ("-Os",),
    "Oz": ("-Oz",),
}

# -O4 compiles the corpus perhaps 4 % faster than the others, while two runs of one module differ by up to
# 5 %; it is 2.6 MB larger than -Oz and over the size goal of 55 MB. docs/benchmarks.md has the rows.
SHIPPED = "Oz"


def optimise(profile: str) -> Path:
    """Write the linked module optimised by a profile; return its path.

    Raises:
        StageError: wasm-opt failed (its exit status 137 means that memory ran out), or the result
            needs a symbol that Pyodide does not have.
    """
    source = link_dir() / "libtriton.wasm"
    destination = link_dir() / f"libtriton.{profile}.wasm"
    tools = toolchain()
    argv = [
        "wasm-opt", *_BEFORE, *PROFILES[profile], *_AFTER, str(source), "-o", str(destination),
        *_FEATURES,
    ]  # fmt: skip
    with locked(f"optimise-{profile}"):
        status, output, cost = run_measured(tools.command(argv, link_dir()))
        require_success(f"optimise {profile}", argv, status, output)
        record_cost(f"wasm-opt {profile}", cost)
    check_imports(destination)
    return destination


def optimised(profile: str) -> Path:
    """Return the module of a profile, running wasm-opt only when the link is newer."""
    source = link_dir() / "libtriton.wasm"
    destination = link_dir() / f"libtriton.{profile}.wasm"
    if destination.is_file() and destination.stat().st_mtime > source.stat().st_mtime:
        return destination
    return optimise(profile)


def main() -> int:
    """Command line."""
    parser = argparse.ArgumentParser(prog="python -m scripts.optimise", description=__doc__)
    parser.formatter_class = argparse.RawDescriptionHelpFormatter
    parser.add_argument("profile", nargs="*", choices=[*PROFILES, []], default=[])
    for profile in parser.parse_args().profile or [SHIPPED]:
        module = optimise(profile)
        print(f"{module}: {module.stat().st_size:,} bytes")
    return 0


if __name__ == "__main__":
    run_main(main)
