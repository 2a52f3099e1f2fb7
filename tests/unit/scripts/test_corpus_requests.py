"""The corpus on its targets, and the part of it that every CI run checks."""

from __future__ import annotations

from scripts.corpus import (
    CI_FILES_ON_EVERY_TARGET,
    CI_TARGETS,
    TARGETS,
    ci_subset,
    corpus_requests,
    file_of,
)
from scripts.golden_texts import read_goldens


def test_every_case_on_every_target_has_a_golden() -> None:
    assert {golden.name for golden in read_goldens()} == set(corpus_requests())


def test_the_subset_has_every_case_on_both_makers() -> None:
    requests = corpus_requests()
    cases = {name.partition("@")[0] for name in requests}
    subset = ci_subset(requests)
    assert {f"{case}@{target}" for case in cases for target in CI_TARGETS} <= set(subset)


def test_the_subset_has_some_files_on_every_target() -> None:
    subset = ci_subset(corpus_requests())
    for file in CI_FILES_ON_EVERY_TARGET:
        found = {request["target"] for request in subset.values() if file_of(request) == file}
        assert found == set(TARGETS), file
