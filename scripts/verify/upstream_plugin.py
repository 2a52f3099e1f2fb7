"""A pytest plugin for upstream's Python tests where there is neither a GPU nor PyTorch.

Runs in Pyodide and natively. Imports pytest and nothing of this repository.

PyTorch, NumPy and SciPy get stand-ins that can be imported and named, no more: a test that uses one
is skipped, and the skip says what it used. Of PyTorch there are the dtypes, which `warmup` takes in
place of tensors, and what it says of the GPU: not available, of the compile-only driver's target.
"""

from __future__ import annotations

import importlib
import json
import os
import sys
import types
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any, NoReturn

import pytest

_DTYPES = (
    "bool uint8 int8 int16 int32 int64 float16 bfloat16 float32 float64 "
    "float8_e4m3fn float8_e4m3fnuz float8_e5m2 float8_e5m2fnuz"
)


class Absent:
    """Something of a package that is not here: has attributes, and skips the test that uses it."""

    def __init__(self, path: str) -> None:
        self._path = path

    def __getattr__(self, name: str) -> Absent:
        if name.startswith("__"):
            raise AttributeError(name)
        return Absent(f"{self._path}.{name}")

    def __repr__(self) -> str:
        return self._path

    def _skip(self, *arguments: Any, **named: Any) -> NoReturn:
        pytest.skip(f"needs {self._path}", allow_module_level=True)

    __call__ = __getitem__ = __iter__ = __len__ = __bool__ = __mro_entries__ = _skip
    __add__ = __sub__ = __mul__ = __truediv__ = __lt__ = __gt__ = __le__ = __ge__ = _skip


class dtype:  # noqa: N801 - Triton asks for a class of this name, in a module "torch"
    """A dtype of PyTorch: a name."""

    def __init__(self, name: str) -> None:
        self._name = name

    def __repr__(self) -> str:
        return f"torch.{self._name}"


dtype.__module__ = "torch"


def _stand_in(name: str) -> types.ModuleType:
    module = types.ModuleType(name)
    module.__path__ = []
    module.__dict__["__version__"] = "0.0"

    def absent(attribute: str) -> Absent:
        if attribute.startswith("__"):
            raise AttributeError(attribute)
        return Absent(f"{name}.{attribute}")

    module.__dict__["__getattr__"] = absent
    return module


def _install_stand_ins() -> None:
    for name in ("torch", "numpy", "numpy.random", "scipy", "scipy.stats"):
        sys.modules[name] = _stand_in(name)
    for name in _DTYPES.split():
        setattr(sys.modules["torch"], name, dtype(name))
    # isinstance() takes a class.
    sys.modules["torch"].__dict__["dtype"] = dtype
    cuda = _stand_in("torch.cuda")
    cuda.__dict__.update(is_available=lambda: False, get_device_capability=_capability)
    sys.modules["torch"].__dict__["cuda"] = sys.modules["torch.cuda"] = cuda
    _import_test_helpers()


def _import_test_helpers() -> None:
    """Import Triton's helpers for tests, which ask ptxas for its version when the target is NVIDIA's."""
    from triton.backends.compiler import GPUTarget
    from triton.runtime import driver

    active: Any = driver.active
    target = active.target
    active.target = GPUTarget("hip", "gfx942", 64)
    importlib.import_module("triton._internal_testing")
    active.target = target


def _capability(device: int = 0) -> tuple[int, int]:
    from triton.runtime import driver

    target = driver.active.get_current_target()
    if target.backend != "cuda":
        pytest.skip("needs an NVIDIA target", allow_module_level=True)
    major, minor = divmod(int(target.arch), 10)
    return major, minor


class Recorder:
    """Writes each test's outcome as a line of JSON, and tells a host which test runs.

    Args:
        path: the file to write.
        announce: called with each test's id before it runs.
    """

    def __init__(self, path: Path, announce: Callable[[str], object]) -> None:
        self._path = path
        self._announce = announce
        self._path.write_text("")

    def _write(self, **entry: Any) -> None:
        with self._path.open("a") as file:
            file.write(json.dumps(entry) + "\n")

    def pytest_collectreport(self, report: pytest.CollectReport) -> None:
        """Record a file that cannot be collected."""
        if report.outcome != "passed":
            self._write(test=report.nodeid, outcome=report.outcome, why=_why(report))

    @pytest.hookimpl(wrapper=True)
    def pytest_runtest_protocol(self, item: pytest.Item) -> Iterator[None]:
        """Say which test begins: should it kill the process, the last line names it."""
        self._write(test=item.nodeid, outcome="died", why="")
        self._announce(item.nodeid)
        return (yield)

    def pytest_runtest_logreport(self, report: pytest.TestReport) -> None:
        """Record an outcome; a later phase that does not pass overrides an earlier one."""
        if report.when == "call" or report.outcome != "passed":
            outcome = "xfailed" if hasattr(report, "wasxfail") else str(report.outcome)
            why = _why(report)
            if outcome == "failed" and "CompileOnlyError" in why:
                outcome = "compile-only"
            self._write(test=report.nodeid, outcome=outcome, why=why)


def _why(report: pytest.CollectReport | pytest.TestReport) -> str:
    if report.outcome == "skipped" and isinstance(report.longrepr, tuple):
        return str(report.longrepr[2])
    crash = getattr(report.longrepr, "reprcrash", None)
    return str(crash.message if crash else report.longrepr or "")[:2000]


def outcomes_in(path: Path) -> dict[str, dict[str, str]]:
    """Return what a `Recorder` wrote: ``{"outcome", "why"}`` by test."""
    entries = [json.loads(line) for line in path.read_text().splitlines()]
    return {entry.pop("test"): entry for entry in entries}


def run(
    root: str, file: str, deselected: list[str], log: str, announce: Callable[[str], object]
) -> dict[str, dict[str, str]]:
    """Run one test file.

    Args:
        root: upstream's test folder.
        file: the file, below root.
        deselected: ids of tests to leave out.
        log: where to write outcomes.
        announce: called with each test's id before it runs.

    Returns:
        ``{"outcome", "why"}`` by test.
    """
    _install_stand_ins()
    os.chdir(root)
    options = ["-p", "no:cacheprovider", "-p", "no:faulthandler", "--rootdir", root, "-q"]
    left_out = [word for test in deselected for word in ("--deselect", test)]
    pytest.main([*options, *left_out, file], plugins=[Recorder(Path(log), announce)])
    return outcomes_in(Path(log))


if __name__ == "__main__":
    run(sys.argv[1], sys.argv[2], sys.argv[4:], sys.argv[3], lambda test: None)
