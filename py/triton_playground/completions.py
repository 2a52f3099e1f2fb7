"""Completions: what Triton's own modules offer, for an editor."""

from __future__ import annotations

import inspect
from typing import Any

from .upstream import triton_module

# Modules as a script names them, by the name that Triton's package gives them.
_MODULES = {
    "triton": "",
    "triton.language": "language",
    "triton.language.math": "language.math",
    "triton.language.extra.libdevice": "language.extra.libdevice",
}

_SUMMARY_CHARACTERS = 200


def completions() -> dict[str, list[dict[str, str]]]:
    """Return the public names of Triton's modules.

    Returns:
        By module, as imported, its names in alphabetical order: ``name``, ``kind`` (function,
        class, type, constant or namespace), ``detail`` (the parameters, as Python prints them, or
        empty) and ``summary`` (the first sentence of the docstring, or empty).
    """
    return {
        shown: [_completion(name, value) for name, value in _public(triton_module(module))]
        for shown, module in _MODULES.items()
    }


def _public(module: Any) -> list[tuple[str, Any]]:
    listed = getattr(module, "__all__", None)
    names = listed if listed is not None else [n for n in vars(module) if not n.startswith("_")]
    return [(name, getattr(module, name)) for name in sorted(names) if hasattr(module, name)]


def _completion(name: str, value: Any) -> dict[str, str]:
    return {
        "name": name,
        "kind": _kind(value),
        "detail": _parameters(value),
        "summary": _summary(value),
    }


def _kind(value: Any) -> str:
    if inspect.ismodule(value):
        return "namespace"
    if isinstance(value, triton_module("language").dtype):
        return "type"
    if inspect.isclass(value):
        return "class"
    return "function" if callable(value) else "constant"


def _parameters(value: Any) -> str:
    """Return ``(x, axis, …)``; what Triton fills in itself is left out."""
    # A JIT function keeps the Python function in fn.
    function = getattr(value, "fn", value)
    if inspect.isclass(function) or not callable(function):
        return ""
    try:
        signature = inspect.signature(function)
    except (TypeError, ValueError):
        return ""
    kept = [
        parameter.replace(annotation=inspect.Parameter.empty)
        for name, parameter in signature.parameters.items()
        if not name.startswith("_")
    ]
    return str(inspect.Signature(kept))


def _summary(value: Any) -> str:
    text = inspect.getdoc(getattr(value, "fn", value)) if callable(value) else None
    if not text or isinstance(value, triton_module("language").dtype):
        return ""
    paragraph = " ".join(text.split("\n\n")[0].split())
    sentence, dot, _ = paragraph.partition(". ")
    return (sentence + dot).strip()[:_SUMMARY_CHARACTERS]
