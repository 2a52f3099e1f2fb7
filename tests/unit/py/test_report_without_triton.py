"""What the host's Python, which has no Triton, can say about a request."""

from __future__ import annotations

import importlib.util
import json
from pathlib import Path
from typing import Any

import jsonschema
import pytest
import triton_playground

SCHEMA = json.loads(
    (Path(triton_playground.__file__).parent / "report.schema.json").read_text(encoding="utf-8")
)


def compile_checked(request: Any) -> dict[str, Any]:
    report = json.loads(triton_playground.compile_json(json.dumps(request)))
    jsonschema.validate(report, SCHEMA)
    assert isinstance(report, dict)
    return report


def test_the_schema_is_valid() -> None:
    jsonschema.Draft202012Validator.check_schema(SCHEMA)


@pytest.mark.parametrize("text", ["", "{", "nope", "[1]", "null"])
def test_a_request_that_is_no_json_object_gives_a_report(text: str) -> None:
    report = json.loads(triton_playground.compile_json(text))
    jsonschema.validate(report, SCHEMA)
    assert report["ok"] is False
    assert report["diagnostics"][0]["stage"] == "request"


def test_a_bad_field_is_not_echoed() -> None:
    report = compile_checked({"source": "", "target": "cuda:80", "stop": "cubin", "launch": -1})
    assert report["request"] == {"source": "", "target": "cuda:80"}
    assert "'launch'" in report["diagnostics"][0]["message"]


def test_a_syntax_error_needs_no_triton() -> None:
    report = compile_checked({"source": "x = 1\ndef f(:\n", "target": "cuda:80"})
    (diagnostic,) = report["diagnostics"]
    assert (diagnostic["stage"], diagnostic["line"], diagnostic["column"]) == ("source", 2, 7)


def test_stages_are_announced_before_they_start() -> None:
    announced: list[str] = []
    triton_playground.compile({"source": "x =", "target": "cuda:80"}, announced.append)
    assert announced == ["request", "source"]


@pytest.mark.skipif(
    importlib.util.find_spec("triton") is not None, reason="Triton is installed on this host"
)
def test_a_missing_triton_is_said_plainly() -> None:
    report = compile_checked({"source": "x = 1", "target": "cuda:80"})
    (diagnostic,) = report["diagnostics"]
    assert diagnostic["stage"] == "runtime"
    assert "Triton cannot be imported" in diagnostic["message"]
