"""The Python package of Triton as the wheel and the native reference both hold it."""

from __future__ import annotations

import shutil
from pathlib import Path

from scripts.cache import repo_root

_BACKENDS = {"nvidia": "cuda", "amd": "hip"}

# C sources of launchers, CUDA's and HIP's headers, and the profiler: all of them need a GPU.
_LEFT_OUT = (
    "cupti",
    "__pycache__",
    "*.so",
    "metal",
    "profiler",
    "driver.c",
    "include",
    "bin",
    "instrumentation",
)


def write_package_tree(triton_source: Path, destination: Path) -> Path:
    """Write the `triton` package, without its module, into `destination`; return `destination`.

    Args:
        triton_source: patched Triton tree.
        destination: folder to replace; `destination/triton` is the package.
    """
    if destination.exists():
        shutil.rmtree(destination)
    package = destination / "triton"
    ignore = shutil.ignore_patterns(*_LEFT_OUT)
    shutil.copytree(triton_source / "python" / "triton", package, ignore=ignore)
    for backend, language in _BACKENDS.items():
        third_party = triton_source / "third_party" / backend
        _replace(third_party / "backend", package / "backends" / backend, ignore)
        _replace(
            third_party / "language" / language, package / "language" / "extra" / language, ignore
        )
    (package / "_C").mkdir(exist_ok=True)
    (package / "_C" / "__init__.py").touch()
    shutil.copytree(
        repo_root() / "py" / "overlay", destination,
        dirs_exist_ok=True, ignore=shutil.ignore_patterns("__pycache__"),
    )  # fmt: skip
    return destination


def write_dist_info(destination: Path, version: str) -> Path:
    """Write the metadata that backend discovery needs; return the dist-info folder."""
    info = destination / f"triton-{version}.dist-info"
    info.mkdir()
    (info / "METADATA").write_text(
        f"Metadata-Version: 2.1\nName: triton\nVersion: {version}\n"
        "Summary: Triton's compiler for WebAssembly: to PTX and AMDGCN text, compile-only\n"
        "License: MIT\n"
    )
    lines = [f"{backend} = triton.backends.{backend}" for backend in sorted(_BACKENDS)]
    (info / "entry_points.txt").write_text("[triton.backends]\n" + "\n".join(lines) + "\n")
    return info


def _replace(source: Path, destination: Path, ignore: object) -> None:
    if destination.exists():
        shutil.rmtree(destination)
    shutil.copytree(source, destination, ignore=ignore)  # type: ignore[arg-type]
