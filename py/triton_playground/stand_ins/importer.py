"""Importer: gives a script the stand-ins for packages that are not installed."""

from __future__ import annotations

import contextlib
import importlib.machinery
import sys
from collections.abc import Iterator, Sequence
from types import ModuleType
from typing import Any

from .inert import Inert
from .numpy_module import numpy_modules
from .pytest_module import pytest_modules
from .session import Session
from .torch_module import module, torch_modules

# Packages that draw, print or measure: nothing of theirs has a part in a compile.
INERT = ("matplotlib", "pandas", "tabulate", "seaborn")
PACKAGES = ("torch", "numpy", "pytest", "tqdm", *INERT)


class Importer:
    """A finder for sys.meta_path, and the loader of what it finds. It comes last, so that an installed package wins.

    Args:
        session: the script's session.
    """

    def __init__(self, session: Session) -> None:
        self._session = session
        self._modules: dict[str, ModuleType] = {}
        self.used: list[str] = []

    def find_spec(
        self, name: str, path: Sequence[str] | None = None, target: ModuleType | None = None
    ) -> importlib.machinery.ModuleSpec | None:
        """Return the spec of a stand-in; None for any other module."""
        top = name.split(".")[0]
        if top not in PACKAGES or (name != top and top not in self._modules):
            return None
        if top not in self._modules:
            self._modules.update(self._make(top))
        if name not in self._modules:
            if top not in INERT:
                return None
            self._modules[name] = _inert(name)
        return importlib.machinery.ModuleSpec(name, self, is_package=True)  # type: ignore[arg-type]

    def create_module(self, spec: importlib.machinery.ModuleSpec) -> ModuleType:
        """Return the stand-in."""
        return self._modules[spec.name]

    def exec_module(self, loaded: ModuleType) -> None:
        """Remember that the script uses it."""
        top = loaded.__name__.split(".")[0]
        if top not in self.used:
            self.used.append(top)
            self._session.note(
                f"{top} is not installed: a stand-in without numbers takes its place, so that launches are recorded."
            )

    def _make(self, top: str) -> dict[str, ModuleType]:
        if top == "torch":
            return torch_modules(self._session)
        if top == "numpy":
            return numpy_modules()
        if top == "pytest":
            return pytest_modules()
        if top == "tqdm":
            return _progress_modules()
        return {top: _inert(top)}

    def owns(self, candidate: Any) -> bool:
        """Whether an object is one of the stand-ins' modules."""
        return any(candidate is one for one in self._modules.values())


def _inert(name: str) -> ModuleType:
    made = module(name, {})

    def __getattr__(wanted: str) -> Any:  # noqa: N807 - Python's name for it
        if wanted.startswith("__"):
            raise AttributeError(wanted)
        return Inert(f"{name}.{wanted}")

    vars(made)["__getattr__"] = __getattr__
    return made


def _progress_modules() -> dict[str, ModuleType]:
    def progress(iterable: Any = (), *arguments: Any, **options: Any) -> Any:
        return iterable

    content = {"tqdm": progress, "trange": range}
    return {name: module(name, dict(content)) for name in ("tqdm", "tqdm.auto")}


@contextlib.contextmanager
def importing(session: Session) -> Iterator[Importer]:
    """Have the stand-ins importable while the context lasts; afterwards no module of sys.modules is or holds one."""
    importer = Importer(session)
    finder: Any = importer
    sys.meta_path.append(finder)
    try:
        yield importer
    finally:
        with contextlib.suppress(ValueError):
            sys.meta_path.remove(finder)
        for name, loaded in list(sys.modules.items()):
            # Modules of Triton that import torch, such as triton.tools.mxfp, would keep this script's.
            holds = name.startswith("triton.") and any(
                importer.owns(value) for value in list(vars(loaded).values())
            )
            if holds or importer.owns(loaded):
                del sys.modules[name]
                parent, _, child = name.rpartition(".")
                if holds and parent in sys.modules:
                    vars(sys.modules[parent]).pop(child, None)
