"""The corpus: kernels in tests/corpus/ with the specialisations that each file states."""

from __future__ import annotations

import ast
import json
from dataclasses import dataclass
from pathlib import Path
from typing import Any

CORPUS = Path(__file__).resolve().parent / "corpus"


@dataclass(frozen=True)
class CorpusCase:
    """One specialisation of one kernel.

    Attributes:
        file: the source file.
        name: file stem and specialisation: ``matmul-fp16_three_stages``; unique.
        request: the report schema's Request, without its target.
    """

    file: Path
    name: str
    request: dict[str, Any]


def corpus_cases() -> list[CorpusCase]:
    """List all cases, by file name and then in the order of the file."""
    return [
        CorpusCase(file, f"{file.stem}-{fragment['name']}", _request(file, fragment))
        for file in sorted(CORPUS.glob("*.py"))
        for fragment in _specialisations(file)
    ]


def _request(file: Path, fragment: dict[str, Any]) -> dict[str, Any]:
    fields = {name: value for name, value in fragment.items() if name != "name"}
    return {"source": file.read_text(encoding="utf-8"), "filename": file.name, **fields}


def _specialisations(file: Path) -> list[dict[str, Any]]:
    """Read SPECIALISATIONS without importing the file, which needs Triton."""
    for statement in ast.parse(file.read_text(encoding="utf-8")).body:
        if (
            isinstance(statement, ast.Assign)
            and ast.unparse(statement.targets[0]) == "SPECIALISATIONS"
        ):
            value = ast.literal_eval(statement.value)
            if not isinstance(value, list) or not value:
                break
            return value
    raise ValueError(
        f"{file}: SPECIALISATIONS must be a literal list with at least one request fragment."
    )


if __name__ == "__main__":
    # For scripts in other languages: one JSON line a case.
    for case in corpus_cases():
        print(json.dumps({"file": str(case.file), "name": case.name, "request": case.request}))
