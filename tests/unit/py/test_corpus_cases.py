from __future__ import annotations

from triton_playground.request import parse_request

from tests.corpus_cases import corpus_cases


def test_the_corpus_has_what_the_issue_names() -> None:
    stems = {case.file.stem for case in corpus_cases()}
    names = (
        "vector_add",
        "softmax",
        "layer_norm",
        "matmul",
        "attention",
        "int8_dot",
        "atomics",
        "libdevice",
    )
    assert stems >= set(names)


def test_case_names_are_unique_and_requests_are_valid() -> None:
    cases = corpus_cases()
    assert len({case.name for case in cases}) == len(cases)
    for case in cases:
        assert parse_request({**case.request, "target": "cuda:80"}).kernel is not None
