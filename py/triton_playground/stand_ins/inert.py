"""Inert: an object that takes every call and does nothing, for what scripts draw and print."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any


class Inert:
    """Anything of a package whose work has no part in a compile.

    Args:
        name: the dotted name that it stands for.
    """

    def __init__(self, name: str) -> None:
        self._name = name

    def __getattr__(self, name: str) -> Any:
        if name.startswith("__"):
            raise AttributeError(name)
        return Inert(f"{self._name}.{name}")

    def __call__(self, *arguments: Any, **options: Any) -> Any:
        """Return another one; a function that is decorated, as it is."""
        # A decorator without arguments has to leave the function there.
        if len(arguments) == 1 and not options and type(arguments[0]).__name__ == "function":
            return arguments[0]
        return Inert(self._name)

    def __getitem__(self, index: Any) -> Inert:
        return self

    def __setitem__(self, index: Any, value: Any) -> None:
        pass

    def __enter__(self) -> Inert:
        return self

    def __exit__(self, *error: object) -> None:
        return None

    def __iter__(self) -> Iterator[Any]:
        # `figure, axes = pyplot.subplots()` is how most of them are unpacked.
        return iter((Inert(self._name), Inert(self._name)))

    def __len__(self) -> int:
        return 0

    def __bool__(self) -> bool:
        return True

    def __repr__(self) -> str:
        return f"<stand-in for {self._name}>"
