"""The versions a report carries."""

from __future__ import annotations

import importlib.metadata
import platform

from .upstream import triton_module

VERSION = "0.1.0"


def versions() -> dict[str, str]:
    """Return the versions of this package, Triton, LLVM and Python; "unknown" where one cannot be told."""
    triton = llvm = "unknown"
    try:
        # The distribution's version carries the pinned commit; the package's own does not.
        triton = importlib.metadata.version("triton")
        recorder = getattr(triton_module("_C.libtriton"), "playground", None)
        llvm = str(getattr(recorder, "LLVM_VERSION", "unknown"))
    except ImportError:
        # PackageNotFoundError is one.
        pass
    return {
        "playground": VERSION,
        "triton": triton,
        "llvm": llvm,
        "python": platform.python_version(),
    }
