from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
import triton_playground
from triton_playground import request as requests
from triton_playground.diagnostics import STAGE_NAMES, RequestFailedError
from triton_playground.request import parse_request

SCHEMA = json.loads(
    (Path(triton_playground.__file__).parent / "report.schema.json").read_text(encoding="utf-8")
)


def test_fields_are_those_of_the_schema() -> None:
    assert set(requests._FIELDS) == set(SCHEMA["$defs"]["Request"]["properties"])


def test_stage_names_are_those_of_the_schema() -> None:
    assert list(STAGE_NAMES) == SCHEMA["$defs"]["StageName"]["enum"]


def test_a_full_request_is_taken() -> None:
    given: dict[str, Any] = {
        "source": "x = 1",
        "target": "cuda:80",
        "filename": "a-b.py",
        "kernel": "k",
        "signature": {"x": "i32"},
        "constexprs": {"B": 1},
        "options": {"num_warps": 4},
        "launch": 0,
        "config": 1,
        "stop": "ttir",
        "passes": True,
        "guess": True,
    }
    assert vars(parse_request(given)) == given


@pytest.mark.parametrize(
    ("field", "value"),
    [
        ("source", 1),
        ("target", None),
        ("filename", "../x.py"),
        ("filename", "/tmp/x.py"),
        ("filename", "x.txt"),
        ("kernel", 3),
        ("signature", ["i32"]),
        ("signature", {"x": 1}),
        ("constexprs", [1]),
        ("options", "num_warps=4"),
        ("launch", -1),
        ("launch", True),
        ("config", 1.5),
        ("stop", 4),
        ("passes", "yes"),
        ("guess", 1),
        ("colour", "red"),
    ],
)
def test_a_bad_field_is_named(field: str, value: object) -> None:
    with pytest.raises(RequestFailedError) as caught:
        parse_request({"source": "", "target": "cuda:80", field: value})
    (diagnostic,) = caught.value.diagnostics
    assert diagnostic.stage == "request"
    assert repr(field) in diagnostic.message


@pytest.mark.parametrize("request_object", [None, [], "source", 3])
def test_what_is_no_object_is_refused(request_object: object) -> None:
    with pytest.raises(RequestFailedError, match="not a JSON object"):
        parse_request(request_object)


def test_all_problems_are_reported_at_once() -> None:
    with pytest.raises(RequestFailedError) as caught:
        parse_request({"passes": 1})
    assert len(caught.value.diagnostics) == 3
