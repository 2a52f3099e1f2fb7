"""Options: the backend's own, such as num_warps, checked and with their defaults."""

from __future__ import annotations

import dataclasses
from typing import Any

from .diagnostics import Diagnostic, specialise_problem
from .jsonable import jsonable


def option_defaults(backend: Any) -> dict[str, Any]:
    """Return every option of a backend with its value when nobody gives one, as JSON."""
    parsed = backend.parse_options({})
    return {
        field.name: jsonable(getattr(parsed, field.name)) for field in dataclasses.fields(parsed)
    }


def option_problems(options: dict[str, Any], backend: Any) -> list[Diagnostic]:
    """Check what Triton's parse_options would ignore (unknown names) or trip over later (wrong types).

    A value that is only odd is left to Triton, which compiles many: 1024 warps, a negative num_stages.
    """
    parsed = backend.parse_options({})
    defaults = {field.name: field.default for field in dataclasses.fields(parsed)}
    annotations = {field.name: str(field.type) for field in dataclasses.fields(parsed)}
    problems = []
    for name, value in options.items():
        if name not in defaults:
            message = f"{backend.target.backend} has no option {name!r}."
            problems.append(
                specialise_problem(message, f"Its options: {', '.join(sorted(defaults))}.")
            )
            continue
        expected = type(defaults[name])
        if defaults[name] is None and value is not None and "int" in annotations[name]:
            expected = int
        word = _OPTION_WORDS.get(expected)
        if word is not None and type(value) is not expected:
            problems.append(
                specialise_problem(f"The option {name} must be {word}, not {value!r:.200}.")
            )
        elif name in _PASSED_AS_INT32 and type(value) is int and not -(2**31) <= value < 2**31:
            problems.append(
                specialise_problem(f"The option {name} must fit into 32 bits; {value} does not.")
            )
        elif name == "cluster_dims" and backend.target.backend == "cuda" and not _is_cluster(value):
            problems.append(
                specialise_problem(
                    f"The option {name} must be a list of three integers, not {value!r:.200}."
                )
            )
    return problems


_OPTION_WORDS: dict[type, str] = {bool: "true or false", int: "an integer", str: "a string"}
# Options that Triton's Python hands to its C++ as an int.
_PASSED_AS_INT32 = ("num_warps", "num_stages", "num_ctas", "maxnreg", "ptx_version")


def _is_cluster(value: Any) -> bool:
    return (
        isinstance(value, list | tuple)
        and len(value) == 3
        and all(type(size) is int for size in value)
    )
