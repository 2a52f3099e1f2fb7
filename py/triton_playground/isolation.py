"""Isolation of one request from the next, which runs in the same process."""

from __future__ import annotations

import contextlib
import gc
import os
import sys
import warnings
from collections.abc import Iterator
from pathlib import Path
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
def isolated(target: Target) -> Iterator[list[str]]:
    """Make the target Triton's active one; afterwards undo what a script may have changed in the process.

    Restored are names that the script rebound in Triton, this package and Python's library, the environment, the working
    folder, Triton's knobs and active driver, warning filters, and of sys the paths, hooks, limits and streams. Without it, os.environ["TRITON_…"] in one script would change the next one's result.

    Yields:
        A list that holds, once the context has ended, the names of Python's library and Triton that the script rebound.
    """
    driver = triton_module("runtime.driver").driver
    knobs = triton_module("knobs")
    environment, folder = dict(os.environ), Path.cwd()
    interpreter = _Interpreter()
    previous = driver.active
    with contextlib.ExitStack() as stack:
        patched = stack.enter_context(unpatched_afterwards())
        stack.enter_context(warnings.catch_warnings())
        for group in vars(knobs).values():
            if isinstance(group, knobs.base_knobs):
                stack.enter_context(group.scope())
        stand_in = triton_module("backends.compile_only").CompileOnlyDriver()
        stand_in.target = gpu_target(target)
        driver.set_active(stand_in)
        try:
            yield patched
        finally:
            patched += interpreter.restore()
            driver.active = previous
            os.environ.clear()
            os.environ.update(environment)
            os.chdir(folder)


class _Interpreter:
    """What a script can change in the interpreter itself."""

    _LISTS = ("path", "argv", "meta_path", "path_hooks")
    _NAMES = (
        "stdin",
        "stdout",
        "stderr",
        "excepthook",
        "displayhook",
        "unraisablehook",
        "breakpointhook",
    )

    def __init__(self) -> None:
        self._everything = dict(vars(sys))
        self._lists = {name: (getattr(sys, name), list(getattr(sys, name))) for name in self._LISTS}
        self._names = {name: getattr(sys, name) for name in self._NAMES}
        self._recursion_limit = sys.getrecursionlimit()
        self._digits = sys.get_int_max_str_digits()
        self._collects = gc.isenabled()
        self._tracer, self._profiler = sys.gettrace(), sys.getprofile()

    def restore(self) -> list[str]:
        """Put it back; return what of sys was gone, as sys.modules is after the script has emptied it."""
        gone = sorted(self._everything.keys() - vars(sys).keys())
        for name in gone:
            setattr(sys, name, self._everything[name])
        sys.settrace(self._tracer)
        sys.setprofile(self._profiler)
        sys.modules = self._everything["modules"]
        for name, (original, items) in self._lists.items():
            original[:] = items
            setattr(sys, name, original)
        for name, value in self._names.items():
            setattr(sys, name, value)
        sys.setrecursionlimit(self._recursion_limit)
        sys.set_int_max_str_digits(self._digits)
        (gc.enable if self._collects else gc.disable)()
        return [f"sys.{name}" for name in gone]
