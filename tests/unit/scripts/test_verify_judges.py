from __future__ import annotations

from pathlib import Path

import pytest

from scripts import StageError
from scripts.verify.assemblers import amdgcn_resources, ptxas_resources
from scripts.verify.judges import ExpectedRejection, expected_rejections, failures, outcome
from scripts.verify.official_wheels import official_wheels

KNOWN = ExpectedRejection("cast-fp8@cuda:75", r"Feature 'cvt' requires .target sm_89", "Triton's")


@pytest.mark.parametrize(
    ("expected", "message", "meaning"),
    [
        (None, "", "accepted"),
        (None, "error: x", "unexpected rejection"),
        (KNOWN, "", "unexpected acceptance"),
        (KNOWN, "error: Feature 'cvt' requires .target sm_89 or higher", "rejected as expected"),
        (KNOWN, "error: something else", "rejected otherwise than expected"),
    ],
)
def test_outcome_compares_the_message_with_what_was_expected(
    expected: ExpectedRejection | None, message: str, meaning: str
) -> None:
    assert outcome(expected, message) == meaning


def test_only_acceptance_and_listed_rejections_are_no_failures() -> None:
    outcomes = {
        "a": "accepted",
        "b": "rejected as expected",
        "c": "unexpected acceptance",
        "d": "unexpected rejection",
        "e": "rejected otherwise than expected",
    }
    result = {"verdicts": {name: {"outcome": found} for name, found in outcomes.items()}}
    assert list(failures(result)) == ["c", "d", "e"]


def test_a_case_listed_twice_is_refused(tmp_path: Path) -> None:
    file = tmp_path / "expected.toml"
    file.write_text(
        '[[rejection]]\ncases = ["a@cuda:80"]\nmessage = "x"\ncause = "y"\n'
        '[[rejection]]\ncases = ["b@cuda:80", "a@cuda:80"]\nmessage = "x"\ncause = "z"\n'
    )
    with pytest.raises(StageError, match="a@cuda:80 is listed twice"):
        expected_rejections(file)


def test_committed_tables_can_be_read() -> None:
    expected_rejections()
    assert set(official_wheels()) == {"3.3.0", "3.4.0"}


def test_ptxas_figures_are_summed_or_the_largest_over_functions() -> None:
    output = (
        "ptxas info    : Function properties for helper\n"
        "    16 bytes stack frame, 4 bytes spill stores, 8 bytes spill loads\n"
        "ptxas info    : Used 20 registers, used 0 barriers\n"
        "ptxas info    : Function properties for kernel\n"
        "    8 bytes stack frame, 0 bytes spill stores, 0 bytes spill loads\n"
        "ptxas info    : Used 32 registers, used 1 barriers, 2048 bytes smem, 400 bytes cmem[0]\n"
    )
    assert ptxas_resources(output) == {
        "registers": 32,
        "barriers": 1,
        "static shared bytes": 2048,
        "stack bytes": 24,
        "spill store bytes": 4,
        "spill load bytes": 8,
    }
    assert ptxas_resources("") == {}


def test_amdgcn_figures_come_from_the_metadata() -> None:
    text = (
        "\tv_mov_b32 v0, 0\namdhsa.kernels:\n  - .agpr_count:     16\n"
        "    .group_segment_fixed_size: 0\n    .private_segment_fixed_size: 8\n"
        "    .sgpr_count:     32\n    .sgpr_spill_count: 0\n    .vgpr_count:     68\n"
        "    .vgpr_spill_count: 1\n"
    )
    assert amdgcn_resources(text) == {
        "vgpr": 68,
        "agpr": 16,
        "sgpr": 32,
        "lds bytes": 0,
        "scratch bytes": 8,
        "vgpr spills": 1,
        "sgpr spills": 0,
    }
