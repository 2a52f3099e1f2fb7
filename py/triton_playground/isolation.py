"""Isolation of one request from the next, which runs in the same process."""

from __future__ import annotations

import contextlib
import os
import sys
import warnings
from collections.abc import Iterator
from typing import Any

from .targets import Target
from .upstream import triton_module


class CompileOnlyDriver:
    """What Triton's runtime asks of an active driver while a script is imported and its launches are specialised.

    Args:
        target: the target that the driver reports as its device's.
    """

    def __init__(self, target: Target) -> None:
        self._target = gpu_target(target)

    def get_current_target(self) -> Any:
        """Return Triton's GPUTarget."""
        return self._target

    def get_current_device(self) -> int:
        """Return the number of the only device."""
        return 0

    def set_current_device(self, device: int) -> None:
        """Accept any device; there is one."""

    def get_current_stream(self, device: int) -> int:
        """Return the default stream."""
        return 0

    def __getattr__(self, name: str) -> Any:
        raise RuntimeError(
            f"This build is compile-only: it has no GPU driver that could answer {name!r}."
        )


def gpu_target(target: Target) -> Any:
    """Return Triton's GPUTarget for a target."""
    return triton_module("backends.compiler").GPUTarget(
        target.backend, target.arch, target.warp_size
    )


@contextlib.contextmanager
def isolated(target: Target) -> Iterator[None]:
    """Make the target Triton's active one; afterwards undo what a script may have changed in the process.

    Restored are the environment, Triton's knobs and active driver, sys.path, sys.argv
    and warning filters. Without it, os.environ["TRITON_…"] in one script would change the next one's result.
    """
    driver = triton_module("runtime.driver").driver
    knobs = triton_module("knobs")
    environment, path, argv = dict(os.environ), list(sys.path), list(sys.argv)
    previous = driver.active
    with contextlib.ExitStack() as stack:
        stack.enter_context(warnings.catch_warnings())
        for group in vars(knobs).values():
            if isinstance(group, knobs.base_knobs):
                stack.enter_context(group.scope())
        driver.set_active(CompileOnlyDriver(target))
        try:
            yield
        finally:
            driver.active = previous
            os.environ.clear()
            os.environ.update(environment)
            sys.path[:], sys.argv[:] = path, argv
