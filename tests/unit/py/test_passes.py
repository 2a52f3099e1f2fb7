"""Recording of passes."""

from __future__ import annotations

import json
from pathlib import Path

import jsonschema
import triton_playground

from tests.corpus_cases import corpus_cases
from tests.pyodide_host import PyodideHost

SCHEMA = json.loads(
    (Path(triton_playground.__file__).parent / "report.schema.json").read_text(encoding="utf-8")
)


def test_passes_are_recorded_and_never_change_the_text(
    pyodide: PyodideHost,
) -> None:
    case = next(case for case in corpus_cases() if case.file.stem == "softmax")
    request = {**case.request, "target": "cuda:80"}
    plain, recorded = pyodide.compile(request), pyodide.compile({**request, "passes": True})
    jsonschema.validate(recorded, SCHEMA)
    assert recorded["ok"]
    assert plain["compilation"]["passes"] == []
    texts = [
        [stage["text"] for stage in report["compilation"]["stages"]] for report in (plain, recorded)
    ]
    assert texts[0] == texts[1]
    assert recorded["diagnostics"] == []
    passes = recorded["compilation"]["passes"]
    assert {record["stage"] for record in passes} >= {"ttir", "ttgir", "llir"}
    assert {record["kind"] for record in passes} == {"mlir", "llvm"}
    assert all(("text" in record) == record["changed"] for record in passes)
    assert any(
        "TritonGPUCoalesce" in record["name"] or "coalesce" in record["name"] for record in passes
    )
