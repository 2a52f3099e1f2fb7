"""Recorded launches: the specialisation must be the one that Triton's own JIT chooses, and so must the text."""

from __future__ import annotations

from typing import Any

import pytest
from triton_playground.signature import SCALAR_TYPES

from tests.pyodide_host import PyodideHost

SCRIPT = """
import triton
import triton.language as tl
from triton_playground import fake_tensor

@triton.jit
def scale(x_ptr, y_ptr, n, factor, flag, nothing, BLOCK: tl.constexpr, KIND: tl.constexpr = "mul"):
    o = tl.program_id(0).to(tl.int64) * BLOCK + tl.arange(0, BLOCK)
    x = tl.load(x_ptr + o, mask=o < n)
    if KIND == "mul":
        x = x * factor
    if flag:
        x = x + 1
    tl.store(y_ptr + o, x, mask=o < n)

@triton.autotune(
    configs=[triton.Config({"BLOCK": 64}, num_warps=2), triton.Config({"BLOCK": 256}, num_warps=8, num_stages=2)],
    key=["n"],
    reset_to_zero=["y_ptr"],
    cache_results=True,
)
@triton.heuristics({"EVEN": lambda args: args["n"] % args["BLOCK"] == 0})
@triton.jit
def tuned(x_ptr, y_ptr, n, BLOCK: tl.constexpr, EVEN: tl.constexpr):
    o = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    if EVEN:
        tl.store(y_ptr + o, tl.load(x_ptr + o))
    else:
        tl.store(y_ptr + o, tl.load(x_ptr + o, mask=o < n), mask=o < n)

x, y = fake_tensor(4096, "fp16"), fake_tensor(4096, "fp16", align=8)
grid = lambda meta: (triton.cdiv(meta["n"], meta["BLOCK"]),)
scale[grid](x, y, 4096, 2.0, True, None, BLOCK=128)
scale[grid](x, y, 4097, 2, False, None, BLOCK=128, num_warps=8)
scale[grid](x, y, 1, 1, False, None, 128, "add")
scale[(1, 2)](fake_tensor(2**31, "fp32"), x, 2**40, 2.0, True, None, BLOCK=64)
tuned[grid](x, y, 4096)
tuned[grid](x, y, 100)
"""

# Runs the same script with Triton's own run, compiling for real, and collects the texts of each launch.
TRITON_JIT = """
import triton.compiler.compiler
from triton.runtime.jit import JITFunction
from triton.runtime.autotuner import Autotuner
from triton_playground.isolation import isolated
from triton_playground.source import Source
from triton_playground.targets import parse_target

texts = []
run, bench, disk = JITFunction.run, Autotuner._bench, Autotuner.check_disk_cache
def compiling_run(self, *args, grid, warmup, **kwargs):
    kernel = run(self, *args, grid=grid, warmup=True, **kwargs)
    texts.append({stage: kernel.asm[stage] for stage in arguments["stages"]})
JITFunction.run = compiling_run
Autotuner._bench = lambda self, *args, config, **meta: [0.0 if config is self.configs[arguments["config"]] else 1.0]
Autotuner.check_disk_cache = lambda self, key, configs, bench: bench()
# The key names the disk cache only, and hashing the module takes longer than the test.
triton.compiler.compiler.triton_key = lambda: "test"
try:
    source = Source(arguments["source"], "kernel.py")
    with isolated(parse_target(arguments["target"])), source.importable() as module:
        exec(source.compile(), vars(module))
finally:
    JITFunction.run, Autotuner._bench, Autotuner.check_disk_cache = run, bench, disk
result = texts
"""


def report_of(pyodide: PyodideHost, **request: Any) -> dict[str, Any]:
    report = pyodide.compile({"source": SCRIPT, "target": "cuda:80", **request})
    assert report["ok"], report["diagnostics"]
    return report


@pytest.mark.parametrize(
    ("target", "stages"),
    [
        ("cuda:80", ["ttir", "ttgir", "llir", "ptx"]),
        ("hip:gfx942", ["ttir", "ttgir", "llir", "amdgcn"]),
    ],
)
def test_each_launch_compiles_to_what_tritons_jit_compiles(
    pyodide: PyodideHost, target: str, stages: list[str]
) -> None:
    for config in (0, 1):
        expected = pyodide.run(
            TRITON_JIT, source=SCRIPT, target=target, stages=stages, config=config
        )
        assert len(expected) == 6
        for kernel, first, count in (("scale", 0, 4), ("tuned", 4, 2)):
            for launch in range(count):
                fields = {"kernel": kernel, "launch": launch, "target": target}
                if kernel == "tuned":
                    fields["config"] = config
                report = report_of(pyodide, **fields)
                texts = {stage["name"]: stage["text"] for stage in report["compilation"]["stages"]}
                assert texts == expected[first + launch]


def test_what_is_recorded(pyodide: PyodideHost) -> None:
    launches = report_of(pyodide, kernel="scale", stop="ttir")["launches"]
    assert [launch["kernel"] for launch in launches] == ["scale"] * 4 + ["tuned"] * 2
    lines = SCRIPT.splitlines()
    assert all(
        "[grid](" in lines[launch["line"] - 1] or "[(1, 2)](" in lines[launch["line"] - 1]
        for launch in launches
    )
    assert [launch["grid"] for launch in launches] == [
        "(32,)",
        "(33,)",
        "(1,)",
        "(1, 2)",
        "(64,)",
        "(2,)",
    ]
    first, second, third, fourth = (launch["specialisation"] for launch in launches[:4])
    assert first["signature"] == {
        "x_ptr": "*fp16:16",
        "y_ptr": "*fp16",
        "n": "i32:16",
        "factor": "fp32",
        "flag": "u1",
        "nothing": "constexpr",
        "BLOCK": "constexpr",
        "KIND": "constexpr",
    }
    assert first["constexprs"] == {"nothing": "None", "BLOCK": "128", "KIND": "'mul'"}
    assert (second["signature"]["n"], second["signature"]["factor"], second["options"]) == (
        "i32",
        "i32",
        {"num_warps": 8},
    )
    assert (third["signature"]["n"], third["constexprs"]["n"], third["constexprs"]["KIND"]) == (
        "i32:1",
        "1",
        "'add'",
    )
    assert fourth["signature"]["n"] == "i64:16"
    assert all(launch["specialisation"]["origin"] == "launch" for launch in launches)


def test_hip_knows_storage_below_two_gigabytes(pyodide: PyodideHost) -> None:
    report = report_of(pyodide, kernel="scale", launch=3, target="hip:gfx942", stop="ttir")
    signature = report["compilation"]["specialisation"]["signature"]
    assert (signature["x_ptr"], signature["y_ptr"]) == ("*fp32:16", "*fp16:DS")
    assert report["compilation"]["stages"][0]["text"].count("tt.pointer_range = 32") == 1


def test_autotune_and_heuristics_are_listed_and_resolved(pyodide: PyodideHost) -> None:
    report = report_of(pyodide, kernel="tuned", stop="ttir", config=1, launch=1)
    kernel = next(kernel for kernel in report["kernels"] if kernel["name"] == "tuned")
    assert kernel["wrappers"] == ["autotune", "heuristics"]
    assert [config["BLOCK"] for config in kernel["configs"]] == [64, 256]
    assert kernel["launches"] == 2
    specialisation = report["compilation"]["specialisation"]
    assert specialisation["constexprs"] == {"BLOCK": "256", "EVEN": "False"}
    assert (specialisation["options"]["num_warps"], specialisation["options"]["num_stages"]) == (
        8,
        2,
    )


def test_a_recorded_signature_given_back_compiles_to_the_same_text(pyodide: PyodideHost) -> None:
    for target in ("cuda:80", "hip:gfx942"):
        recorded = report_of(pyodide, kernel="scale", launch=1, target=target)["compilation"]
        given = report_of(
            pyodide,
            kernel="scale",
            target=target,
            signature=recorded["specialisation"]["signature"],
            constexprs={"BLOCK": 128, "KIND": "mul", "nothing": None},
            options=recorded["specialisation"]["options"],
        )["compilation"]
        assert given["specialisation"]["origin"] == "request"
        assert [s["text"] for s in given["stages"]] == [s["text"] for s in recorded["stages"]]


def test_a_request_changes_constants_and_options_of_a_launch(pyodide: PyodideHost) -> None:
    report = report_of(pyodide, kernel="scale", constexprs={"BLOCK": 32}, options={"num_warps": 1})
    specialisation = report["compilation"]["specialisation"]
    assert (specialisation["origin"], specialisation["constexprs"]["BLOCK"]) == ("launch", "32")
    assert report["compilation"]["metadata"]["num_warps"] == 1
    assert "tensor<32x" in report["compilation"]["stages"][0]["text"]


def test_annotations_and_defaults(pyodide: PyodideHost) -> None:
    source = """
import triton
import triton.language as tl

@triton.jit
def f(x: "*fp32:16", n: "i32", k=1, B: tl.constexpr = 64, T: tl.constexpr = tl.float16):
    tl.store(x + tl.arange(0, B), (n + k).to(T).to(tl.float32))
"""
    report = report_of(pyodide, source=source, constexprs={"T": "tl.bfloat16"})
    specialisation = report["compilation"]["specialisation"]
    assert specialisation["origin"] == "annotation"
    assert specialisation["signature"] == {
        "x": "*fp32:16",
        "n": "i32",
        "k": "i32:1",
        "B": "constexpr",
        "T": "constexpr",
    }
    assert "bf16" in report["compilation"]["stages"][0]["text"]


def test_the_scalar_types_are_tritons(pyodide: PyodideHost) -> None:
    code = "from triton.runtime.jit import type_canonicalisation_dict\nresult = sorted(set(type_canonicalisation_dict.values()))"
    assert pyodide.run(code) == sorted(SCALAR_TYPES)


def test_a_kernel_made_inside_a_function_is_found_by_its_launch(pyodide: PyodideHost) -> None:
    source = """
import triton
import triton.language as tl
from triton_playground import fake_tensor

def make():
    @triton.jit
    def inner(x_ptr):
        tl.store(x_ptr, 1.0)
    return inner

make()[(1,)](fake_tensor(4))
"""
    report = report_of(pyodide, source=source, stop="ttir")
    assert [(kernel["name"], kernel["line"]) for kernel in report["kernels"]] == [("inner", 8)]


def test_pruning_and_a_launch_through_warmup(pyodide: PyodideHost) -> None:
    source = SCRIPT[: SCRIPT.index("x, y = ")].replace(
        "cache_results=True,",
        "prune_configs_by={'early_config_prune': lambda configs, nargs, **kw: configs[1:]},",
    )
    source += "tuned[(1,)](fake_tensor(64), fake_tensor(64), 64)\n"
    source += (
        "scale.warmup(fake_tensor(64), fake_tensor(64), 64, 1.0, True, None, BLOCK=32, grid=(1,))\n"
    )
    report = report_of(pyodide, source=source, kernel="tuned", config=0, stop="ttir")
    assert report["compilation"]["specialisation"]["constexprs"]["BLOCK"] == "256"
    (warning,) = report["diagnostics"]
    assert (warning["severity"], warning["line"]) == ("warning", source.count("\n") - 1)
    assert [launch["kernel"] for launch in report["launches"]] == ["tuned", "scale"]
