"""RUN lines of upstream's lit suite, as lit's own parsers read them."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import Any

from lit import ShCommands, ShUtil, TestRunner  # type: ignore[import-untyped]

from scripts import StageError

# As in upstream's test/lit.cfg.py.
SUFFIXES = (".mlir", ".ll")
FILECHECK_ENVIRONMENT = {"FILECHECK_OPTS": "--enable-var-scope"}

_STAGE = "read RUN lines"


@dataclass(frozen=True)
class RunLine:
    """One RUN line: tools in a pipe, and what checks their text.

    Attributes:
        name: the test's path below test/, "#" and the line's number among the test's RUN lines.
        test: the test's path below test/.
        tools: the tools' command lines, in the order of the pipe.
        merge_errors: whether the pipe carries standard error too (``2>&1``).
        file_check: FileCheck's arguments, or None when the exit status alone decides.
    """

    name: str
    test: str
    tools: list[list[str]]
    merge_errors: bool
    file_check: list[str] | None


def run_lines(source: Path) -> list[RunLine]:
    """Return every RUN line below a folder of lit tests, in the order of paths.

    Raises:
        StageError: a line uses what no line of the pinned suite uses.
    """
    lines = []
    for path in sorted(path for path in source.rglob("*") if path.suffix in SUFFIXES):
        test = path.relative_to(source).as_posix()
        for number, command in enumerate(_commands(path), start=1):
            lines.append(_run_line(test, number, command))
    return lines


def _commands(path: Path) -> list[str]:
    commands: list[str] = []
    found = TestRunner.parseIntegratedTestScriptCommands(str(path), ["RUN:"])
    for _, _, text in found:
        # %s is the only substitution that the suite uses besides tool names.
        line = text.strip().replace("%s", str(path))
        if commands and commands[-1].endswith("\\"):
            commands[-1] = commands[-1][:-1] + line
        else:
            commands.append(line)
    return commands


def _run_line(test: str, number: int, command: str) -> RunLine:
    pipeline: Any = ShUtil.ShParser(command, pipefail=True).parse()
    name = f"{test}#{number}"
    if not isinstance(pipeline, ShCommands.Pipeline):
        raise StageError(_STAGE, f"{name}: no single pipe: {command}", "teach scripts/verify/lit")
    words = [[str(word) for word in part.args] for part in pipeline.commands]
    redirects = [redirect for part in pipeline.commands for redirect in part.redirects]
    if any(redirect != ((">&", 2), "1") for redirect in redirects):
        raise StageError(_STAGE, f"{name}: redirect {redirects}", "teach scripts/verify/lit")
    file_check = words.pop()[1:] if words[-1][0] == "FileCheck" else None
    return RunLine(name, test, words, bool(redirects), file_check)
