"""Isolation of one request from the next, which runs in the same process."""

from __future__ import annotations

import contextlib
import os
import sys
import warnings
from collections.abc import Iterator
from typing import Any

from .module_state import unpatched_afterwards
from .targets import Target
from .upstream import triton_module


def gpu_target(target: Target) -> Any:
    """Return Triton's GPUTarget for a target."""
    return triton_module("backends.compiler").GPUTarget(
        target.backend, target.arch, target.warp_size
    )


@contextlib.contextmanager
def isolated(target: Target) -> Iterator[None]:
    """Make the target Triton's active one; afterwards undo what a script may have changed in the process.

    Restored are names that the script rebound in Triton, this package and builtins, the environment, Triton's knobs and active driver, sys.path, sys.argv
    and warning filters. Without it, os.environ["TRITON_…"] in one script would change the next one's result.
    """
    driver = triton_module("runtime.driver").driver
    knobs = triton_module("knobs")
    environment, path, argv = dict(os.environ), list(sys.path), list(sys.argv)
    previous = driver.active
    with contextlib.ExitStack() as stack:
        stack.enter_context(unpatched_afterwards())
        stack.enter_context(warnings.catch_warnings())
        for group in vars(knobs).values():
            if isinstance(group, knobs.base_knobs):
                stack.enter_context(group.scope())
        stand_in = triton_module("backends.compile_only").CompileOnlyDriver()
        stand_in.target = gpu_target(target)
        driver.set_active(stand_in)
        try:
            yield
        finally:
            driver.active = previous
            os.environ.clear()
            os.environ.update(environment)
            sys.path[:], sys.argv[:] = path, argv
