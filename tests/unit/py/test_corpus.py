"""The corpus through the real compiler."""

from __future__ import annotations

import json
from pathlib import Path

import jsonschema
import pytest
import triton_playground

from scripts.corpus import CI_FILES_ON_EVERY_TARGET
from tests.corpus_cases import CorpusCase, corpus_cases
from tests.pyodide_host import PyodideHost

SCHEMA = json.loads(
    (Path(triton_playground.__file__).parent / "report.schema.json").read_text(encoding="utf-8")
)
TARGETS = ("cuda:80", "hip:gfx942")
# All other files are compared with their golden texts, failures included.
CASES = [case for case in corpus_cases() if case.file.stem in CI_FILES_ON_EVERY_TARGET]

# What only the intended code path of the kernel prints in the last stage.
MARKS = {
    ("matmul", "cuda:80"): ["mma.sync.aligned.m16n8k16", "cp.async"],
    ("matmul", "hip:gfx942"): ["v_mfma_f32_"],
    ("attention", "cuda:80"): ["mma.sync.aligned.m16n8k16", "ex2.approx"],
    ("attention", "hip:gfx942"): ["v_mfma_f32_", "v_exp_f32"],
    ("int8_dot", "cuda:80"): ["mma.sync.aligned.m16n8k32", ".s8"],
    ("int8_dot", "hip:gfx942"): ["v_mfma_i32_"],
    ("atomics", "cuda:80"): ["atom.global"],
    ("atomics", "hip:gfx942"): ["global_atomic_"],
    ("softmax", "cuda:80"): ["shfl.sync.bfly"],
    ("softmax", "hip:gfx942"): ["v_exp_f32"],
}


@pytest.mark.parametrize("target", TARGETS)
@pytest.mark.parametrize("case", CASES, ids=lambda case: case.name)
def test_the_corpus_compiles(pyodide: PyodideHost, case: CorpusCase, target: str) -> None:
    report = pyodide.compile({**case.request, "target": target})
    jsonschema.validate(report, SCHEMA)
    assert report["diagnostics"] == []
    assert report["ok"]
    compilation = report["compilation"]
    last = compilation["stages"][-1]
    kernel = case.request["kernel"]
    if target == "cuda:80":
        assert [stage["name"] for stage in compilation["stages"]] == [
            "ttir",
            "ttgir",
            "llir",
            "ptx",
        ]
        assert ".target sm_80" in last["text"]
        assert f".visible .entry {kernel}(" in last["text"]
    else:
        assert [stage["name"] for stage in compilation["stages"]] == [
            "ttir",
            "ttgir",
            "llir",
            "amdgcn",
        ]
        assert '.amdgcn_target "amdgcn-amd-amdhsa--gfx942"' in last["text"]
        assert f".amdhsa_kernel {kernel}" in last["text"]
    assert compilation["metadata"]["name"] == kernel
    assert compilation["metadata"]["shared"] >= 0
    histogram_or_any = case.name != "atomics-locked_sum"
    for mark in MARKS.get((case.file.stem, target), []) if histogram_or_any else []:
        assert mark in last["text"]


def test_targets_one_after_another_give_what_fresh_processes_give(
    pyodide: PyodideHost, fresh_pyodide: PyodideHost
) -> None:
    """Triton keeps caches by device and by option in the process; none may leak from one target into the next."""
    case = next(case for case in corpus_cases() if case.file.stem == "matmul")
    order = [
        "hip:gfx1100",
        "cuda:90",
        "hip:gfx942",
        "cuda:80",
        "hip:gfx90a",
        "hip:gfx942",
        "cuda:80",
    ]
    shared = {}
    for target in order:
        report = pyodide.compile({**case.request, "target": target})
        assert report["ok"], report["diagnostics"]
        texts = [stage["text"] for stage in report["compilation"]["stages"]]
        assert shared.setdefault(target, texts) == texts
    fresh = fresh_pyodide.compile({**case.request, "target": "hip:gfx942"})
    assert [stage["text"] for stage in fresh["compilation"]["stages"]] == shared["hip:gfx942"]
