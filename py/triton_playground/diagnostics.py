"""Diagnostics: what a report says about failures, warnings and notes."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from .bounded_text import left_out_line

# The schema's StageName.
STAGE_NAMES = (
    *("request", "source", "specialise"),
    *("ttir", "ttgir", "llir", "ptx", "amdgcn"),
    "runtime",
)

# Triton's messages can carry whole modules, a script can print for ever; a page has to stay usable with one.
MAX_DETAIL_CHARACTERS = 20_000
MAX_MESSAGE_CHARACTERS = 2_000


@dataclass(frozen=True)
class Diagnostic:
    """One message of a report.

    Attributes:
        stage: the schema's StageName at which it arose.
        message: what went wrong, in one or a few lines.
        severity: error, warning or note.
        line: line in the user's source, from 1.
        column: column in that line, from 1, in characters.
        hint: what the user can do about it.
        detail: the compiler's own longer text.
    """

    stage: str
    message: str
    severity: str = "error"
    line: int | None = None
    column: int | None = None
    hint: str | None = None
    detail: str | None = None

    def to_json(self) -> dict[str, Any]:
        """Return the object of the schema's Diagnostic."""
        result: dict[str, Any] = {
            "severity": self.severity,
            "stage": self.stage,
            "message": shorten(self.message, MAX_MESSAGE_CHARACTERS),
        }
        if self.line is not None and self.line >= 1:
            result["line"] = self.line
            if self.column is not None and self.column >= 1:
                result["column"] = self.column
        if self.hint:
            result["hint"] = shorten(self.hint, MAX_MESSAGE_CHARACTERS)
        if self.detail:
            result["detail"] = shorten(self.detail)
        return result


class RequestFailedError(Exception):
    """Ends a request with diagnostics meant for the user."""

    def __init__(self, *diagnostics: Diagnostic) -> None:
        super().__init__("; ".join(d.message for d in diagnostics))
        self.diagnostics = diagnostics


def specialise_problem(message: str, hint: str | None = None) -> Diagnostic:
    """Return an error of the stage specialise, which has no line."""
    return Diagnostic(stage="specialise", message=message, hint=hint)


def shorten(text: str, limit: int = MAX_DETAIL_CHARACTERS) -> str:
    """Return the text, its middle replaced by a count when it is longer than ``limit`` characters."""
    if len(text) <= limit:
        return text
    half = limit // 2
    return text[:half] + left_out_line(len(text) - 2 * half) + text[-half:]
