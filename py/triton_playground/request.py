"""Requests: what a compile is asked for."""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any

from .diagnostics import Diagnostic, RequestFailedError

DEFAULT_FILENAME = "kernel.py"


@dataclass(frozen=True)
class Request:
    """A checked request; the fields are those of the schema's Request."""

    source: str
    target: str
    filename: str = DEFAULT_FILENAME
    kernel: str | None = None
    signature: str | dict[str, str] | None = None
    constexprs: dict[str, Any] = field(default_factory=dict)
    options: dict[str, Any] = field(default_factory=dict)
    launch: int | None = None
    config: int | None = None
    stop: str | None = None
    passes: bool = False
    guess: bool = False


def _is_text(value: object) -> bool:
    return isinstance(value, str)


def _is_flag(value: object) -> bool:
    return isinstance(value, bool)


def _is_index(value: object) -> bool:
    return isinstance(value, int) and not isinstance(value, bool) and value >= 0


def _is_object(value: object) -> bool:
    return isinstance(value, dict) and all(isinstance(key, str) for key in value)


def _is_signature(value: object) -> bool:
    if isinstance(value, dict):
        return _is_object(value) and all(isinstance(text, str) for text in value.values())
    return isinstance(value, str)


def _is_filename(value: object) -> bool:
    return isinstance(value, str) and re.fullmatch(r"[\w][\w.+ -]*\.py", value) is not None


_FIELDS: dict[str, tuple[Callable[[object], bool], str]] = {
    "source": (_is_text, "a string"),
    "target": (_is_text, "a string such as cuda:80 or hip:gfx942"),
    "filename": (_is_filename, "a plain file name that ends in .py"),
    "kernel": (_is_text, "the name of a kernel"),
    "signature": (
        _is_signature,
        "a comma-separated string, or an object of parameter name to type",
    ),
    "constexprs": (_is_object, "an object of parameter name to value"),
    "options": (_is_object, "an object of option name to value"),
    "launch": (_is_index, "an integer from 0"),
    "config": (_is_index, "an integer from 0"),
    "stop": (_is_text, "the name of a stage"),
    "passes": (_is_flag, "true or false"),
    "guess": (_is_flag, "true or false"),
}


def parse_request(request: object) -> Request:
    """Check an object against the schema's Request.

    Whether the target, the kernel and the parameters exist is found out later, where they are needed.

    Raises:
        RequestFailedError: one diagnostic for each field that is missing, unknown or of the wrong type.
    """
    if not isinstance(request, dict):
        raise RequestFailedError(_problem("The request is not a JSON object."))
    problems = [
        _problem(f"The request lacks {name!r}.")
        for name in ("source", "target")
        if name not in request
    ]
    for name, value in request.items():
        if name not in _FIELDS:
            problems.append(
                _problem(
                    f"The request has an unknown field {name!r}.", f"Fields: {', '.join(_FIELDS)}."
                )
            )
            continue
        accepts, description = _FIELDS[name]
        if not accepts(value):
            problems.append(_problem(f"{name!r} must be {description}, not {value!r:.200}."))
    if problems:
        raise RequestFailedError(*problems)
    return Request(**request)


def _problem(message: str, hint: str | None = None) -> Diagnostic:
    return Diagnostic(stage="request", message=message, hint=hint)
