"""Make the released wheel from an optimised module: ``python -m scripts.package [PROFILE]``."""

from __future__ import annotations

import argparse
import base64
import hashlib
import shutil
import zipfile
from pathlib import Path

from scripts import StageError, run_main
from scripts.build_module import triton_source
from scripts.cache import cache_root
from scripts.manifest import prebuilt_dir, write_manifest
from scripts.optimise import SHIPPED, optimised
from scripts.package_tree import write_dist_info, write_package_tree
from scripts.pins import toolchain_pin, triton_pin
from scripts.side_module import wasm_names
from scripts.toolchain import toolchain

# A fixed time in every archive member: the same inputs make the same bytes.
_EPOCH = (2025, 5, 11, 0, 0, 0)


def wheel_version() -> str:
    """Return the version of the `triton` distribution in the wheel: upstream's, and the commit."""
    return f"3.3.0+git{triton_pin().commit[:8]}"


def wheel_tag() -> str:
    """Return Pyodide's compatibility tag for the wheel (PEP 783's platform name)."""
    pin = toolchain_pin().pyodide
    python = "cp" + pin.python.replace(".", "")
    return f"{python}-{python}-pyemscripten_{pin.abi}_wasm32"


def module_name() -> str:
    """Return the file name under which Python finds the side module."""
    python = toolchain_pin().pyodide.python.replace(".", "")
    return f"libtriton.cpython-{python}-wasm32-emscripten.so"


def package(module: Path, profile: str) -> Path:
    """Write the wheel and its manifest into `wasm/prebuilt`; return the wheel.

    Raises:
        StageError: as `build_wheel` does.
    """
    destination = prebuilt_dir() / f"triton-{wheel_version()}-{wheel_tag()}.whl"
    prebuilt_dir().mkdir(parents=True, exist_ok=True)
    for old in prebuilt_dir().glob("*.whl"):
        old.unlink()
    build_wheel(module, destination)
    write_manifest(destination, module, profile, dict(toolchain_pin().versions))
    return destination


def build_wheel(module: Path, destination: Path) -> None:
    """Write a wheel that holds a module and the patched package.

    Raises:
        StageError: the module exports anything but what a side module of ours exports.
    """
    exports = set(wasm_names(module).exports)
    expected = {"PyInit_libtriton", "__wasm_call_ctors", "__wasm_apply_data_relocs"}
    if exports != expected:
        raise StageError(
            "package", f"the module exports {sorted(exports)}, not {sorted(expected)}",
            "look at -fvisibility and at _EXPORTS in scripts/link.py",
        )  # fmt: skip
    staging = cache_root() / "wheel"
    write_package_tree(triton_source(), staging)
    shutil.copy(module, staging / "triton" / "_C" / module_name())
    info = write_dist_info(staging, wheel_version())
    (info / "WHEEL").write_text(
        f"Wheel-Version: 1.0\nGenerator: triton-playground\nRoot-Is-Purelib: false\nTag: {wheel_tag()}\n"
    )
    shutil.copy(triton_source() / "LICENSE", info / "LICENSE")
    _compile_bytecode(staging)
    destination.parent.mkdir(parents=True, exist_ok=True)
    _zip(staging, info, destination)


def _compile_bytecode(staging: Path) -> None:
    """Compile every module where Python looks first, so that no visitor's worker has to.

    The source stays beside it: Triton reads its own source with `inspect`. Hash-based and
    unchecked, because a wheel's time stamps do not survive unpacking.
    """
    python = f"python{toolchain_pin().pyodide.python}"
    toolchain().run(
        [python, "-m", "compileall", "-q", "--invalidation-mode", "unchecked-hash",
         "-s", staging, "-p", "/lib/" + python + "/site-packages", staging / "triton"]
    )  # fmt: skip


def _zip(staging: Path, info: Path, destination: Path) -> None:
    record = info / "RECORD"
    files = sorted(file for file in staging.rglob("*") if file.is_file())
    lines = []
    for file in files:
        digest = base64.urlsafe_b64encode(hashlib.sha256(file.read_bytes()).digest())
        name = file.relative_to(staging)
        lines.append(f"{name},sha256={digest.decode().rstrip('=')},{file.stat().st_size}")
    lines.append(f"{record.relative_to(staging)},,")
    record.write_text("\n".join(lines) + "\n")
    with zipfile.ZipFile(destination, "w", zipfile.ZIP_DEFLATED, compresslevel=9) as archive:
        for file in [*files, record]:
            member = zipfile.ZipInfo(str(file.relative_to(staging)), _EPOCH)
            member.compress_type = zipfile.ZIP_DEFLATED
            member.external_attr = 0o644 << 16
            archive.writestr(member, file.read_bytes(), compresslevel=9)


def main() -> int:
    """Command line."""
    parser = argparse.ArgumentParser(prog="python -m scripts.package", description=__doc__)
    parser.add_argument("profile", nargs="?", default=SHIPPED, help="Binaryen profile")
    parser.add_argument(
        "--bench", action="store_true",
        help="make bench/PROFILE.whl in the build cache, for `make bench`, not the released wheel",
    )  # fmt: skip
    arguments = parser.parse_args()
    profile = arguments.profile
    if arguments.bench:
        build_wheel(optimised(profile), cache_root() / "bench" / f"{profile}.whl")
        return 0
    wheel = package(optimised(profile), profile)
    print(f"{wheel}: {wheel.stat().st_size:,} bytes")
    return 0


if __name__ == "__main__":
    run_main(main)
