"""Texts of objects that a script made, which may refuse to be printed."""

from __future__ import annotations

from typing import Any

from .diagnostics import MAX_DETAIL_CHARACTERS, shorten


def safe_repr(value: Any) -> str:
    """Return ``repr(value)``, or what stands for it when the object's own ``__repr__`` raises; never raise.

    A text that is too long for a report is shortened.
    """
    try:
        text = repr(value)
    except BaseException:
        # A script's class may raise even KeyboardInterrupt, which must not end the report.
        text = f"<{type(value).__name__}, whose repr raises>"
    return shorten(text, MAX_DETAIL_CHARACTERS)


def safe_str(value: Any) -> str:
    """Return ``str(value)``, or "its text could not be made" when the object's own ``__str__`` raises; never raise."""
    try:
        return str(value)
    except BaseException:
        return "its text could not be made"
