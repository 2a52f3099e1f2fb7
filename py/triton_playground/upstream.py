"""Access to Triton's own Python modules."""

from __future__ import annotations

import importlib
from typing import Any


def triton_module(name: str) -> Any:
    """Import a module of the installed Triton when it is first needed.

    This package must import where Triton is not installed, so nothing imports Triton at module level.

    Args:
        name: dotted name below ``triton``, such as ``runtime.jit``; empty for ``triton`` itself.

    Raises:
        ImportError: Triton, or that module of it, is not installed.
    """
    return importlib.import_module(f"triton.{name}" if name else "triton")
