"""What the judges and the witness have in common: the texts they look at, results, tables."""

from __future__ import annotations

import json
import re
from pathlib import Path
from typing import Any

from scripts.cache import repo_root
from scripts.golden_texts import Golden, read_goldens


def judged_texts(pattern: str = "") -> dict[str, Golden]:
    """Return the goldens by ``case@target``: native Triton's texts, which the wheel's equal.

    Args:
        pattern: a regular expression; only cases that it is found in. Empty means all.
    """
    return {
        golden.name: golden for golden in read_goldens() if re.search(pattern, golden.name)
    }  # fmt: skip


def last_text(golden: Golden) -> str:
    """Return the PTX or AMDGCN text; empty when the compile did not reach it."""
    return golden.texts.get("ptx") or golden.texts.get("amdgcn") or ""


def target_of(name: str) -> str:
    """Return the target in ``case@target``."""
    return name.partition("@")[2]


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
