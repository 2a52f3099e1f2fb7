"""Guesses: parameters that nothing tells about compile, by what the kernel's own code does with them."""

from __future__ import annotations

import ast
import json
from pathlib import Path
from typing import Any

import jsonschema
import pytest
import triton_playground

from scripts.corpus import CI_FILES_ON_EVERY_TARGET
from tests.corpus_cases import CORPUS
from tests.pyodide_host import PyodideHost

SCHEMA = json.loads(
    (Path(triton_playground.__file__).parent / "report.schema.json").read_text(encoding="utf-8")
)
HEADER = "import triton\nimport triton.language as tl\n\n"

GUESSES = (
    HEADER
    + """
@triton.jit
def offsets(start, row_step, column_step, ROWS: tl.constexpr, COLUMNS: tl.constexpr):
    rows = start + tl.arange(0, ROWS)
    return rows[:, None] * row_step + tl.arange(0, COLUMNS)[None, :] * column_step

@triton.jit
def read(base, where, eps):
    return tl.load(base + where) + eps

@triton.jit
def product(left, right, out, index_of, counter, m, k, left_row, left_column, right_row, right_column, sm, tiny,
            seed, BM: tl.constexpr, BN: tl.constexpr, BK: tl.constexpr, GROUP: tl.constexpr, CAUSAL: tl.constexpr,
            MODE: tl.constexpr, ACC: tl.constexpr, STEP=2):
    row = tl.load(index_of + tl.program_id(0))
    tl.atomic_add(counter, 1)
    at = left + offsets(row * BM, left_row, left_column, BM, BK)
    total = tl.zeros((BM, BN), dtype=ACC)
    for start in range(0, k, BK):
        b = read(right, offsets(start, right_row, right_column, BK, BN), 0.0)
        total += tl.dot(tl.load(at), b)
        at += BK * left_column
    if CAUSAL:
        total = tl.where(tl.arange(0, BM)[:, None] < m, total, 0.0)
    if MODE == "scaled":
        total = total * sm + read(out, 0, tiny)
    total += tl.rand(seed, tl.arange(0, BN))[None, :] * (GROUP % 3)
    tl.store(out + offsets(row * BM, BN, 1, BM, BN), total)
"""
)


def compiled(pyodide: PyodideHost, source: str, **fields: Any) -> dict[str, Any]:
    report = pyodide.compile({"source": source, "target": "cuda:80", **fields})
    jsonschema.validate(report, SCHEMA)
    return report


def chosen(report: dict[str, Any]) -> dict[str, str]:
    """Return each parameter's type, or the value of a constant."""
    specialisation = report["compilation"]["specialisation"]
    types, constants = specialisation["signature"], specialisation["constexprs"]
    return {n: constants[n] if kind == "constexpr" else kind for n, kind in types.items()}


def test_guesses_follow_the_data_through_helpers(pyodide: PyodideHost) -> None:
    report = compiled(pyodide, GUESSES, kernel="product", guess=True)
    assert report["ok"], report["diagnostics"]
    assert chosen(report) == {
        **{"left": "*fp16:16", "right": "*fp16:16", "out": "*fp32:16"},
        **{"index_of": "*i32:16", "counter": "*i32:16", "m": "i32:16", "k": "i32:16"},
        **{"left_row": "i32:16", "left_column": "i32:1", "right_row": "i32:16"},
        **{"right_column": "i32:1", "sm": "fp32", "tiny": "fp32", "seed": "i32"},
        **{"BM": "64", "BN": "64", "BK": "32", "GROUP": "8", "CAUSAL": "False", "MODE": "''"},
        **{"ACC": "tl.float32", "STEP": "i32"},
    }
    specialisation = report["compilation"]["specialisation"]
    assert specialisation["origin"] == "guess"
    assert specialisation["sources"].pop("STEP") == "default"
    assert set(specialisation["sources"].values()) == {"guess"}
    (note,) = report["diagnostics"]
    assert (note["severity"], note["stage"]) == ("note", "specialise")
    assert "left = *fp16:16" in note["message"]
    assert "BK = 32" in note["message"]
    assert "STEP" not in note["message"]


def test_without_guess_nothing_is_guessed(pyodide: PyodideHost) -> None:
    report = compiled(pyodide, GUESSES, kernel="product")
    assert not report["ok"]
    assert report["compilation"] is None
    (error,) = report["diagnostics"]
    assert error["message"].startswith("Nothing says how to specialise these parameters of product")


def test_what_the_request_says_is_not_guessed(pyodide: PyodideHost) -> None:
    report = compiled(
        pyodide,
        GUESSES,
        kernel="product",
        guess=True,
        signature={"left": "*bf16:16", "right": "*bf16:16"},
        constexprs={"BM": 128, "MODE": "scaled"},
        stop="ttgir",
    )
    assert report["ok"], report["diagnostics"]
    values, sources = chosen(report), report["compilation"]["specialisation"]["sources"]
    assert (values["left"], values["BM"], values["MODE"]) == ("*bf16:16", "128", "'scaled'")
    asked = {name for name, source in sources.items() if source == "request"}
    assert asked == {"left", "right", "BM", "MODE"}


def without_launches(source: str) -> str:
    """Blank the statements that launch, so that lines stay where they are."""
    lines = source.splitlines()
    for statement in ast.parse(source).body:
        if isinstance(statement, ast.Expr | ast.For) and not isinstance(
            getattr(statement, "value", None), ast.Constant
        ):
            for number in range(statement.lineno, (statement.end_lineno or 0) + 1):
                lines[number - 1] = ""
    return "\n".join(lines)


@pytest.mark.parametrize("stem", CI_FILES_ON_EVERY_TARGET)
def test_the_corpus_compiles_by_guesses(pyodide: PyodideHost, stem: str) -> None:
    source = without_launches((CORPUS / f"{stem}.py").read_text(encoding="utf-8"))
    report = compiled(pyodide, source, guess=True, stop="ttgir")
    assert report["ok"], report["diagnostics"]
    assert report["launches"] == []
    assert report["compilation"]["specialisation"]["origin"] == "guess"


SEVERAL = (
    HEADER
    + """
@triton.jit
def helper(p):
    tl.store(p, 1.0)

@triton.jit
def first(p):
    helper(p)

@triton.jit
def second(p):
    helper(p)
"""
)


def test_the_first_launched_of_several_kernels_is_taken(pyodide: PyodideHost) -> None:
    launches = "from triton_playground import fake_tensor\nfor k in (second, first):\n    k[(1,)](fake_tensor(8))\n"
    report = compiled(pyodide, SEVERAL + launches, guess=True, stop="specialise")
    assert report["ok"]
    assert report["compilation"]["kernel"] == "second"
    (note,) = report["diagnostics"]
    assert "second is taken" in note["message"]
    assert "first" in note["message"]
    assert not compiled(pyodide, SEVERAL + launches)["ok"]


def test_the_first_that_no_other_calls_is_taken(pyodide: PyodideHost) -> None:
    report = compiled(pyodide, SEVERAL, guess=True, stop="ttir")
    assert report["ok"]
    assert report["compilation"]["kernel"] == "first"


def test_a_script_that_fails_before_any_launch_is_not_guessed(pyodide: PyodideHost) -> None:
    report = compiled(pyodide, SEVERAL + "boom\n", guess=True)
    assert not report["ok"]
    (error,) = report["diagnostics"]
    assert error["line"] == SEVERAL.count("\n") + 1
    assert [kernel["name"] for kernel in report["kernels"]] == ["helper", "first", "second"]


@pytest.mark.parametrize(
    ("body", "parameter", "guess"),
    [
        ("tl.store(a + b, 1.0)", "a", "*fp32:16"),
        ("tl.store(b * 2 + a, 1.0)", "a", "*fp32:16"),
        ("tl.store(a, tl.load(b).to(tl.pointer_type(tl.float16)).to(tl.int64))", "b", "*i64:16"),
        ("tl.atomic_cas(a, 0, 1)", "a", "*i32:16"),
        ("tl.store(a, tl.exp(b))", "b", "fp32"),
        ("tl.store(a, tl.load(a) * b)", "b", "fp32"),
        ("tl.store(a, tl.load(a), mask=b > 3)", "b", "i32"),
        ("for i in range(b):\n        tl.store(a + i, 1.0)", "b", "i32:16"),
        ("tl.store(a + tl.arange(0, b), 1.0)", "b", "1024"),
        ("tl.store(a, (tl.load(a) + 1).to(b))", "b", "tl.float32"),
        ("tl.store(a, tl.load(a).to(tl.bfloat16))", "a", "*bf16:16"),
        ("tl.store(tl.where(b > 0, a, a + 1), 1.0)", "a", "*fp32:16"),
        ("p = tl.make_block_ptr(a, (b,), (1,), (0,), (64,), (0,))\n    tl.store(p, tl.load(p))", "a", "*fp32:16"),
        ("d = tl.make_tensor_descriptor(a, [b, b], [b, 1], [8, 16])\n    d.store([0, 0], d.load([0, 0]))", "a", "*fp32:16"),
    ],
)  # fmt: skip
def test_single_guesses(pyodide: PyodideHost, body: str, parameter: str, guess: str) -> None:
    source = f"{HEADER}@triton.jit\ndef k(a, b):\n    {body}\n"
    report = compiled(pyodide, source, guess=True, stop="ttir", target="cuda:90")
    assert chosen(report)[parameter] == guess
    assert report["ok"], report["diagnostics"]
