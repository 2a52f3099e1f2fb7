"""The texts that the judges and the witness look at: native Triton's, which the wheel's equal."""

from __future__ import annotations

import json
import re
from pathlib import Path
from typing import Any

from scripts import golden
from scripts.cache import repo_root

# All that the playground offers, as py/triton_playground/targets.py lists them.
TARGETS = (
    "cuda:75", "cuda:80", "cuda:86", "cuda:89", "cuda:90", "cuda:100", "cuda:120",
    "hip:gfx90a", "hip:gfx942", "hip:gfx950", "hip:gfx1100", "hip:gfx1201",
)  # fmt: skip


def case_reports(pattern: str = "") -> dict[str, tuple[dict[str, Any], dict[str, Any]]]:
    """Return request and report of every case of the corpus, by ``case@target``.

    Args:
        pattern: a regular expression; only cases that it is found in. Empty means all.
    """
    requests = {
        name: request
        for name, request in golden.corpus_requests(TARGETS).items()
        if re.search(pattern, name)
    }
    reports = golden.native_reports(list(requests.values()))
    return {
        name: (request, report)
        for (name, request), report in zip(requests.items(), reports, strict=True)
    }


def stage_texts(report: dict[str, Any]) -> dict[str, str]:
    """Return a report's texts by stage, in the order of the stages."""
    compilation = report["compilation"] or {"stages": []}
    return {stage["name"]: stage["text"] for stage in compilation["stages"]}


def write_result(name: str, result: dict[str, Any]) -> Path:
    """Write a script's whole result to ``build/verify/NAME.json`` and return that path."""
    path = repo_root() / "build" / "verify" / f"{name}.json"
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(json.dumps(result, indent=1) + "\n", encoding="utf-8")
    return path


def table(headings: list[str], rows: list[list[Any]]) -> str:
    """Return a Markdown table; a vertical bar in a cell is escaped."""
    lines = [headings, ["---"] * len(headings), *rows]
    cells = [[str(cell).replace("|", "\\|").replace("\n", " ") for cell in line] for line in lines]
    return "\n".join(f"| {' | '.join(line)} |" for line in cells)
