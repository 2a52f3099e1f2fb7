"""No compile changes what the next one gives, whatever it tried; the long version is scripts/verify/determinism.py."""

from __future__ import annotations

from typing import Any

import pytest

from scripts.verify.polluters import POLLUTERS
from tests.corpus_cases import corpus_cases
from tests.pyodide_host import PyodideHost

PROBES = [
    {**case.request, "target": target}
    for case in corpus_cases()
    if case.name in ("vector_add-fp32", "softmax-fp32")
    for target in ("cuda:80", "hip:gfx942")
]


def texts(pyodide: PyodideHost) -> list[list[str]]:
    reports = [pyodide.compile(probe) for probe in PROBES]
    assert [report["diagnostics"] for report in reports] == [[]] * len(PROBES)
    return [[stage["text"] for stage in report["compilation"]["stages"]] for report in reports]


@pytest.fixture(scope="module")
def expected(pyodide: PyodideHost) -> list[list[str]]:
    assert len(PROBES) == 4
    return texts(pyodide)


@pytest.mark.parametrize("requests", POLLUTERS.values(), ids=POLLUTERS.keys())
def test_a_compile_leaves_nothing_behind(
    pyodide: PyodideHost, expected: list[list[str]], requests: list[dict[str, Any]]
) -> None:
    for request in requests:
        report = pyodide.compile(request)
        assert "Internal error" not in str(report["diagnostics"])
    assert texts(pyodide) == expected


def test_the_order_of_compiles_does_not_matter(
    pyodide: PyodideHost, fresh_pyodide: PyodideHost, expected: list[list[str]]
) -> None:
    backwards = [fresh_pyodide.compile(probe) for probe in reversed(PROBES)]
    found = [[stage["text"] for stage in report["compilation"]["stages"]] for report in backwards]
    assert found[::-1] == expected
    assert texts(pyodide) == expected
