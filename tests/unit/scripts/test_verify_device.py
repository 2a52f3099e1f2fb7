"""What goes to the GPU, and what is said about the run there."""

from __future__ import annotations

import json
from typing import Any

import pytest

from scripts import StageError
from scripts.cache import repo_root
from scripts.corpus import corpus_requests
from scripts.verify.device import TARGET, describe, markdown, recorded_run, wanted_kernels

CASES = repo_root() / "tests" / "device" / "cases.py"


def report(parameters: str) -> dict[str, Any]:
    """A report of a kernel with one pointer, one integer specialised to 1 and one constant."""
    return {
        "compilation": {
            "metadata": {"name": "f", "num_warps": 4, "shared": 0, "global_scratch_size": 0},
            "specialisation": {
                "signature": {"x_ptr": "*fp32:16", "stride": "i32:1", "BLOCK": "constexpr"},
                "constexprs": {"BLOCK": "64"},
            },
            "stages": [{"name": "ptx", "text": f".visible .entry f(\n{parameters}\n)\n{{ ret; }}"}],
        }
    }


def test_every_kernel_that_the_gpu_cases_launch_is_in_the_corpus() -> None:
    names = wanted_kernels(CASES.read_text(encoding="utf-8"))
    assert len(names) >= 12
    assert {f"{name}@{TARGET}" for name in names} <= corpus_requests([TARGET]).keys()


def test_a_case_whose_kernel_is_not_written_out_is_refused_with_its_line() -> None:
    with pytest.raises(StageError, match=r"line 1 of tests/device/cases\.py"):
        wanted_kernels("@case(NAME)\ndef run(kernel, inputs): ...\n")


def test_integers_specialised_to_one_are_no_parameters_of_the_ptx() -> None:
    description = describe("f", report("\t.param .u64 f_param_0,\n\t.param .u64 f_param_1"))
    assert description["arguments"] == [{"name": "x_ptr", "type": "*fp32:16"}]
    assert description["ones"] == ["stride"]


def test_ptx_with_other_parameters_than_the_signature_gives_is_refused() -> None:
    with pytest.raises(StageError, match="1 parameters, the signature gives 2"):
        describe("f", report("\t.param .u64 f_param_0"))


def test_the_recorded_run_launched_every_case_and_says_so() -> None:
    result = json.loads(recorded_run().read_text())
    launched = [name for case in result["cases"] for name in case["kernels"]]
    assert launched == wanted_kernels(CASES.read_text(encoding="utf-8"))
    section = markdown(result)
    assert section.startswith("## On a GPU\n")
    assert f"{len(result['cases'])} cases passed, 0 failed" in section


def test_a_failed_case_is_named_with_its_error() -> None:
    result = json.loads(recorded_run().read_text())
    result["cases"][0] |= {"passed": False, "results": [], "error": "Traceback\nDriverError: no"}
    section = markdown(result)
    assert f"{len(result['cases']) - 1} cases passed, 1 failed" in section
    assert section.endswith(f"- {result['cases'][0]['case']}: DriverError: no\n")
