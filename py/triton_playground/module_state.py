"""Module state: what a script may patch in Triton, in this package or in Python's library, put back afterwards."""

from __future__ import annotations

import contextlib
import sys
import types
from collections.abc import Iterator
from typing import Any

# What every later request goes through. A script that replaces one of these would decide the next one's result.
_OURS = ("triton", "triton_playground")
# sys holds what Python itself rebinds all the time; what matters of it is restored one by one (isolation).
_UNPROTECTED = ("sys", "__main__")
# Packages of the host, which it imports when it first needs them.
_HOST = ("js", "pyodide", "_pyodide", "pyodide_js", "_pyodide_core")


@contextlib.contextmanager
def unpatched_afterwards() -> Iterator[list[str]]:
    """Undo, when the context ends, every rebinding in protected modules, in their classes and in Triton's own objects.

    Python's and Triton's modules that were imported meanwhile stay; others that stand in sys.modules, such as a script's own
    stand-in for torch, go.

    Yields:
        A list that holds, once the context has ended, the names that were bound to something else.
    """
    patched: list[str] = []
    imported = dict(sys.modules)
    saved = [(module, dict(vars(module))) for module in _protected_modules()]
    classes = {
        id(value): (value, dict(vars(value)))
        for _, names in saved
        for value in names.values()
        if isinstance(value, type) and _is_protected(value.__module__)
    }
    objects = _Objects(saved)
    try:
        yield patched
    finally:
        # First: an object of Triton's may be sys.modules itself, which restoring it would fill without a word.
        if _restore_imports(imported):
            patched.append("sys.modules")
        objects.restore()
        for module, names in saved:
            patched += _restore_module(module, names)
        for cls, names in classes.values():
            patched += _restore_class(cls, names)


class _Objects:
    """What module-level objects of Triton hold: JIT functions of its library, element types, tables."""

    def __init__(self, modules: list[tuple[types.ModuleType, dict[str, Any]]]) -> None:
        values = {
            id(value): value
            for module, names in modules
            if _is_ours(module.__name__)
            for name, value in names.items()
            if not name.startswith("__")
        }
        self._tables = [
            (value, value.copy()) for value in values.values() if type(value) in (dict, list, set)
        ]
        self._attributes = [
            (vars(value), dict(vars(value)))
            for value in values.values()
            if _is_ours(type(value).__module__)
            and isinstance(getattr(value, "__dict__", None), dict)
        ]

    def restore(self) -> None:
        """Put it back."""
        for attributes, before in self._attributes:
            # Compared by identity: Triton's objects make tensors of ==.
            if attributes.keys() != before.keys() or any(
                attributes[name] is not before[name] for name in before
            ):
                attributes.clear()
                attributes.update(before)
        for table, before in self._tables:
            table.clear()
            (table.extend if isinstance(table, list) else table.update)(before)


def _protected_modules() -> list[types.ModuleType]:
    return [
        module
        for name, module in list(sys.modules.items())
        if isinstance(module, types.ModuleType) and _is_protected(name)
    ]


def _is_protected(name: str) -> bool:
    top = name.partition(".")[0]
    return _is_ours(name) or (top in sys.stdlib_module_names and top not in _UNPROTECTED)


def _is_ours(name: str) -> bool:
    return name.partition(".")[0] in _OURS


def _restore_imports(imported: dict[str, types.ModuleType]) -> bool:
    """Put back what was imported, and take away what the script put in; return whether a module was gone or another one."""
    for name, module in list(sys.modules.items()):
        top = name.partition(".")[0]
        is_library = top in _OURS or top in _HOST or top in sys.stdlib_module_names
        # A module made by hand has no spec.
        if name not in imported and (not is_library or getattr(module, "__spec__", None) is None):
            del sys.modules[name]
    replaced = [name for name in imported if sys.modules.get(name) is not imported[name]]
    for name in replaced:
        sys.modules[name] = imported[name]
    return bool(replaced)


def _restore_module(module: types.ModuleType, names: dict[str, Any]) -> list[str]:
    """Put back what a module's names were bound to; return those that were bound to something else."""
    patched = []
    current = vars(module)
    for name in list(current):
        if name not in names and not isinstance(current[name], types.ModuleType):
            del current[name]
    for name, value in names.items():
        if current.get(name, module) is not value:
            current[name] = value
            patched.append(f"{names.get('__name__', '?')}.{name}")
    return patched


def _restore_class(cls: type, names: dict[str, Any]) -> list[str]:
    patched = []
    for name in [name for name in vars(cls) if name not in names]:
        with contextlib.suppress(AttributeError, TypeError):
            delattr(cls, name)
    for name, value in names.items():
        if vars(cls).get(name, cls) is not value:
            # Built-in classes refuse, and cannot have been patched.
            with contextlib.suppress(AttributeError, TypeError):
                setattr(cls, name, value)
                patched.append(f"{cls.__name__}.{name}")
    return patched
