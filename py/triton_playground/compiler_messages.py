"""Messages that MLIR and LLVM write to standard error, as diagnostics."""

from __future__ import annotations

import re
from dataclasses import replace

from .diagnostics import Diagnostic

_SEVERITIES = {"error": "error", "warning": "warning", "remark": "note", "note": "note"}

# MLIR's SourceMgrDiagnosticHandler prints file:line:column: severity: text, or loc(…): where it has no file to show.
_HEADER = re.compile(
    r"""^(?:(?P<file>[^\s:][^:\n]*):(?P<line>\d+):(?P<column>\d+):\s
        |loc\((?P<location>.*?)\):\s
        |<unknown>:\d+:\s)?
        (?P<severity>error|warning|remark|note):\s(?P<message>.*)$""",
    re.VERBOSE,
)
# What the pass manager adds to a pass's own error: nothing but the pass's name is new in it.
_PIPELINE_FAILED = re.compile(r"Pipeline failed while executing \[`(?P<pass>[^`]+)`")
_PIPELINE_ERROR = "Failures have been detected while processing an MLIR pass pipeline"
_NAMED_LOCATION = re.compile(r'"(?P<file>[^"]+)":(?P<line>\d+):(?P<column>\d+)')


def parse_messages(text: str, stage: str, path: str) -> tuple[list[Diagnostic], str]:
    """Split what the compiler wrote to standard error.

    Args:
        text: the text.
        stage: the stage that ran.
        path: path of the user's source; only locations in it give a line.

    Returns:
        The diagnostics, and the lines that belong to none of them: dumps of modules, other libraries' messages.
    """
    diagnostics: list[Diagnostic] = []
    rest: list[str] = []
    lines = text.splitlines()
    position = 0
    while position < len(lines):
        match = _HEADER.match(lines[position])
        if match is None:
            rest.append(lines[position])
            position += 1
            continue
        position += 1
        # A source line and a caret may follow a location; the page shows its own source.
        if (
            match["file"]
            and position + 1 < len(lines)
            and re.fullmatch(r"\s*\^[\s~]*", lines[position + 1])
        ):
            position += 2
        if failed := _PIPELINE_FAILED.match(match["message"]):
            hint = f"Found by the pass {failed['pass']}."
            diagnostics = [
                replace(d, hint=hint) if d.severity == "error" else d for d in diagnostics
            ]
            continue
        if match["message"].strip() == _PIPELINE_ERROR and diagnostics:
            continue
        line, column = _place(match, path)
        diagnostics.append(
            Diagnostic(
                stage=stage,
                severity=_SEVERITIES[match["severity"]],
                message=match["message"].strip(),
                line=line,
                column=column,
            )
        )
    return list(dict.fromkeys(diagnostics)), "\n".join(rest).strip()


def _place(match: re.Match[str], path: str) -> tuple[int | None, int | None]:
    place: re.Match[str] | None = match
    if match["location"] is not None:
        places = [
            found for found in _NAMED_LOCATION.finditer(match["location"]) if found["file"] == path
        ]
        place = places[0] if places else None
    if place is None or place["file"] != path:
        return None, None
    return int(place["line"]), int(place["column"])
