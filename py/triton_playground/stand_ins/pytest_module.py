"""The stand-in for pytest: marks are kept, so that a test can be run with the first of its parameters."""

from __future__ import annotations

import contextlib
import importlib
import inspect
from collections.abc import Iterator
from types import ModuleType
from typing import Any, NoReturn

from .torch_module import module

_CASE = "_triton_playground_case"


class Skipped(Exception):  # noqa: N818 - what pytest.skip raises is no error
    """A test, or the whole script, leaves itself out."""


class Marks:
    """Stands for pytest.mark."""

    def parametrize(self, names: Any, values: Any, **options: Any) -> Any:
        """Return a decorator that keeps the first of the values."""
        split = (
            [name.strip() for name in names.split(",")] if isinstance(names, str) else list(names)
        )
        first = next(iter(values), None)

        def decorate(function: Any) -> Any:
            chosen = dict(zip(split, (first,) if len(split) == 1 and not isinstance(first, Parameters) else first or (), strict=False))  # fmt: skip
            _keep(function, chosen)
            return function

        return decorate

    def skip(self, *arguments: Any, **options: Any) -> Any:
        """Return a decorator that has the test left out."""
        return lambda function: _keep(function, None)

    def skipif(self, condition: Any, *arguments: Any, **options: Any) -> Any:
        """Return one that does so if the condition holds."""
        return self.skip() if condition else lambda function: function

    def __getattr__(self, name: str) -> Any:
        if name.startswith("__"):
            raise AttributeError(name)

        def mark(*arguments: Any, **options: Any) -> Any:
            is_function = len(arguments) == 1 and inspect.isfunction(arguments[0])
            return arguments[0] if is_function else lambda function: function

        return mark


class Parameters(tuple[Any, ...]):
    """The values of one pytest.param."""


def _keep(function: Any, chosen: dict[str, Any] | None) -> Any:
    before = getattr(function, _CASE, {})
    both = None if chosen is None or before is None else {**before, **chosen}
    with contextlib.suppress(AttributeError, TypeError):
        setattr(function, _CASE, both)
    return function


def first_cases(script: ModuleType) -> Iterator[tuple[str, Any]]:
    """Give the script's test functions, each as a name and a call with the first of its parameters.

    A test that needs a fixture, or is to be skipped, is left out.
    """
    for name, function in list(vars(script).items()):
        if not (isinstance(name, str) and name.startswith("test") and inspect.isfunction(function)):
            continue
        chosen = getattr(function, _CASE, {})
        if chosen is None:
            continue
        needed = [
            parameter.name
            for parameter in inspect.signature(function).parameters.values()
            if parameter.default is parameter.empty
            and parameter.kind not in (parameter.VAR_POSITIONAL, parameter.VAR_KEYWORD)
        ]
        if "device" in needed:
            # The one fixture that Triton's own tests all have.
            chosen = {"device": "cuda", **chosen}
        if all(one in chosen for one in needed):
            yield name, _call(function, chosen)


def _call(function: Any, chosen: dict[str, Any]) -> Any:
    def call() -> None:
        with contextlib.suppress(Skipped):
            function(**chosen)

    return call


def _skip(reason: str = "", **options: Any) -> NoReturn:
    raise Skipped(reason)


def _fail(reason: str = "", **options: Any) -> NoReturn:
    raise AssertionError(reason)


@contextlib.contextmanager
def _raises(expected: Any, *arguments: Any, **options: Any) -> Iterator[Any]:
    # Whether it raises may hang on numbers; what matters is that the script goes on.
    information = ModuleType("information")
    with contextlib.suppress(expected):
        yield information


def _fixture(*arguments: Any, **options: Any) -> Any:
    return arguments[0] if arguments and callable(arguments[0]) else lambda function: function


def pytest_modules() -> dict[str, ModuleType]:
    """Return the modules of pytest by their dotted names."""
    content = {
        **{"mark": Marks(), "skip": _skip, "fail": _fail, "xfail": _skip, "raises": _raises},
        **{"fixture": _fixture, "param": lambda *values, **options: Parameters(values)},
        **{"approx": lambda value, **options: value, "main": lambda *arguments: 0},
        "importorskip": lambda name, *arguments, **options: importlib.import_module(name),
        "FixtureRequest": object,
    }
    return {"pytest": module("pytest", content)}
