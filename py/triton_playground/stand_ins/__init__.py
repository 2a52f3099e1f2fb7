"""Stand-ins for what scripts import and a compile does not need: PyTorch, NumPy, pytest, plots and the GPU driver.

They record shapes, types, strides, alignment and device, and compute no numbers. A script made for a GPU runs up to its launches,
which are what a compile is specialised from.
"""

from __future__ import annotations

import contextlib
from collections.abc import Callable, Iterator

from ..targets import Target
from ..upstream import triton_module
from .benchmarks import replaced_benchmarks
from .driver import script_driver
from .errors import StandInError
from .importer import PACKAGES, importing
from .pytest_module import first_cases
from .session import Session, running
from .torch_module import torch_modules

__all__ = ["PACKAGES", "StandInError", "first_cases", "stand_ins"]


@contextlib.contextmanager
def stand_ins(target: Target, say: Callable[[str], None]) -> Iterator[None]:
    """Give a script the stand-ins while the context lasts.

    Args:
        target: the GPU that the script shall see.
        say: takes each note for the report.
    """
    runtime = triton_module("runtime.driver").driver
    session = Session(target, say)
    previous = runtime.active
    with running(session), importing(session), replaced_benchmarks():
        runtime.set_active(script_driver(target, torch_modules(session)["torch.cuda"]))
        try:
            yield
        finally:
            runtime.set_active(previous)
