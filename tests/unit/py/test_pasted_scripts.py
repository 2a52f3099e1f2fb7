"""Scripts made for a GPU, with PyTorch, compile as they stand: tests/pasted holds ours, in the manner of public tutorials."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from tests.pyodide_host import PyodideHost

SCRIPTS = Path(__file__).parents[2] / "pasted"
TARGETS = ("cuda:90", "hip:gfx942")

KERNEL = """import torch
import triton
import triton.language as tl

@triton.jit
def copy(x_ptr, y_ptr, n, BLOCK: tl.constexpr):
    index = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    tl.store(y_ptr + index, tl.load(x_ptr + index, mask=index < n), mask=index < n)

def run(x):
    copy[(1,)](x, x, x.numel(), BLOCK=64)

"""


def compiled(
    pyodide: PyodideHost, name: str, target: str, kernel: str, **fields: Any
) -> dict[str, Any]:
    source = (SCRIPTS / f"{name}.py").read_text(encoding="utf-8")
    return pyodide.compile(
        {"source": source, "filename": f"{name}.py", "target": target, "kernel": kernel, **fields}
    )


def signature(report: dict[str, Any], launch: int) -> dict[str, str]:
    written: dict[str, str] = report["launches"][launch]["specialisation"]["signature"]
    return {name: kind for name, kind in written.items() if kind != "constexpr"}


def ran(pyodide: PyodideHost, lines: str, target: str = "cuda:90") -> dict[str, Any]:
    """Return the report of a script that ends in these lines."""
    return pyodide.compile({"source": KERNEL + lines, "target": target, "stop": "ttir"})


# Each script, a kernel of it, the targets that it is made for, and how often the script launches the kernel on them.
CASES = [
    ("vector_add", "add_kernel", TARGETS, 4),
    ("softmax", "softmax_kernel", TARGETS, 4),
    ("matmul", "matmul_kernel", TARGETS, None),
    ("dropout", "dropout_with_mask", TARGETS, 1),
    ("dropout", "dropout_with_seed", TARGETS, 3),
    ("layer_norm", "forward_kernel", TARGETS, 1),
    ("layer_norm", "backward_dx_kernel", TARGETS, 1),
    ("layer_norm", "backward_dwdb_kernel", TARGETS, 1),
    ("attention", "attention_kernel", TARGETS, 2),
    ("attention", "preprocess_kernel", TARGETS, 1),
    ("asin", "asin_kernel", TARGETS, 2),
    ("grouped_gemm", "grouped_kernel", ("cuda:90",), 1),
    ("persistent_matmul", "persistent_kernel", TARGETS, 2),
    ("persistent_matmul", "host_descriptor_kernel", ("cuda:90",), 2),
    ("persistent_matmul", "device_descriptor_kernel", ("cuda:90",), 2),
    ("block_scaled_matmul", "block_scaled_kernel", ("cuda:100", "hip:gfx950"), 1),
]


@pytest.mark.parametrize(
    ("name", "kernel", "target", "launches"),
    [
        pytest.param(name, kernel, target, launches, id=f"{kernel}-{target}")
        for name, kernel, targets, launches in CASES
        for target in targets
    ],
)
def test_a_pasted_script_compiles_unedited(
    pyodide: PyodideHost, name: str, kernel: str, target: str, launches: int | None
) -> None:
    report = compiled(pyodide, name, target, kernel)
    assert report["ok"], report["diagnostics"]
    assert {diagnostic["severity"] for diagnostic in report["diagnostics"]} == {"note"}
    assert report["compilation"]["specialisation"]["origin"] == "launch"
    recorded = [launch for launch in report["launches"] if launch["kernel"] == kernel]
    assert all(launch["line"] for launch in recorded)
    if launches is not None:
        assert len(recorded) == launches
    final = report["compilation"]["stages"][-1]
    assert final["name"] == ("ptx" if target.startswith("cuda") else "amdgcn")
    assert kernel in final["text"]


def test_every_script_is_tried() -> None:
    assert {name for name, *_ in CASES} == {path.stem for path in SCRIPTS.glob("*.py")}


def test_specialisation_of_vector_add(pyodide: PyodideHost) -> None:
    report = compiled(pyodide, "vector_add", "cuda:90", "add_kernel", stop="ttir")
    aligned = {"a_ptr": "*fp32:16", "b_ptr": "*fp32:16", "sum_ptr": "*fp32:16", "count": "i32:16"}
    assert signature(report, 0) == aligned
    # The second launch adds slices that begin at the second float; its result is a tensor of its own.
    sliced = {"a_ptr": "*fp32", "b_ptr": "*fp32", "sum_ptr": "*fp32:16", "count": "i32"}
    assert signature(report, 1) == sliced
    halves = {"a_ptr": "*fp16:16", "b_ptr": "*fp16:16", "sum_ptr": "*fp16:16", "count": "i32:1"}
    assert signature(report, 2) == halves
    # The benchmark's first size.
    assert report["launches"][3]["grid"] == "(4,)"
    assert report["output"].count("tensor(shape=(98432,)") == 2
    assert "0.000e+00" in report["output"]


def test_a_kernel_that_was_warmed_up_is_launched_with_its_occupancy(pyodide: PyodideHost) -> None:
    report = compiled(pyodide, "softmax", "cuda:90", "softmax_kernel", stop="ttir")
    # 65536 registers for 32 a thread, 32 threads a warp and 8 warps are 8 blocks on each of 132 multiprocessors.
    assert [launch["grid"] for launch in report["launches"][:2]] == ["(1,)", "(1056, 1, 1)"]
    assert signature(report, 0) == {
        "out_ptr": "*fp32:16",
        "in_ptr": "*fp32:16",
        "in_stride": "i32",
        "out_stride": "i32",
        "rows": "i32",
        "columns": "i32",
    }
    assert report["launches"][0]["specialisation"] == report["launches"][1]["specialisation"]
    notes = " ".join(diagnostic["message"] for diagnostic in report["diagnostics"])
    assert "H100" in notes
    assert "32 registers a thread" in notes


def test_specialisation_of_matmul_follows_types_and_strides(pyodide: PyodideHost) -> None:
    report = compiled(pyodide, "matmul", "cuda:90", "matmul_kernel", stop="ttir")
    first, second = signature(report, 0), signature(report, 1)
    assert [first[name] for name in ("a_ptr", "b_ptr", "c_ptr")] == ["*fp16:16"] * 3
    assert [first[name] for name in ("stride_bk", "stride_bn")] == ["i32:16", "i32:1"]
    # B is transposed before it is converted to eight bits, and the conversion keeps its strides.
    assert (second["a_ptr"], second["b_ptr"]) == ("*fp8e5:16", "*fp8e5:16")
    assert [second[name] for name in ("stride_bk", "stride_bn")] == ["i32:1", "i32:16"]
    constants = report["launches"][1]["specialisation"]["constexprs"]
    assert constants["ACTIVATION"] == "'leaky_relu'"


def test_host_descriptors_have_the_block_shape_of_the_configuration(pyodide: PyodideHost) -> None:
    report = compiled(
        pyodide, "persistent_matmul", "cuda:90", "host_descriptor_kernel", stop="ttir"
    )
    written = report["compilation"]["specialisation"]["signature"]
    assert written["a_desc"] == "tensordesc<fp16[128, 64]>"
    assert written["b_desc"] == "tensordesc<fp16[128, 64]>"


def test_what_the_stand_in_lacks_is_said_and_earlier_launches_compile(pyodide: PyodideHost) -> None:
    lines = "run(torch.empty(64, device='cuda'))\ntorch.fft.rfft(torch.empty(64))\n"
    report = ran(pyodide, lines)
    assert report["ok"]
    assert len(report["launches"]) == 1
    (warning,) = (d for d in report["diagnostics"] if d["severity"] == "warning")
    assert warning["message"].startswith("torch.fft is not part of the stand-in for torch")
    assert "\n" not in warning["message"]
    assert warning["line"] == KERNEL.count("\n") + 2
    assert "stand_ins/" not in warning["detail"]


def test_made_up_values_are_said_once(pyodide: PyodideHost) -> None:
    lines = "x = torch.rand(8)\nfor i in range(3):\n    assert (x > 0).all()\nrun(x)\n"
    report = ran(pyodide, lines)
    notes = [d for d in report["diagnostics"] if "taken to be true" in d["message"]]
    assert [note["line"] for note in notes] == [KERNEL.count("\n") + 3]


@pytest.mark.parametrize(
    ("expression", "written"),
    [
        ("torch.empty(64)[4:]", "*fp32:16"),
        ("torch.empty(64)[3:]", "*fp32"),
        ("torch.empty(64, dtype=torch.bfloat16)", "*bf16:16"),
        ("torch.arange(64)", "*i64:16"),
        ("torch.arange(64.0)", "*fp32:16"),
        ("torch.ones(8, dtype=torch.half) + 1", "*fp16:16"),
        ("torch.ones(8, dtype=torch.half) + torch.ones(8)", "*fp32:16"),
        ("torch.ones(8, dtype=torch.int32) / 2", "*fp32:16"),
        ("torch.ones(8) > 0", "*u1:16"),
        ("torch.ones(8, 8).argmax(dim=1)", "*i64:16"),
        ("torch.ones(8, 8).half().max(dim=1).values", "*fp16:16"),
        ("torch.empty(8, 8, dtype=torch.float16).view(torch.int8)[:, 2:]", "*i8"),
        ("torch.nn.Parameter(torch.empty(8, 8)).half()", "*fp16:16"),
    ],
)
def test_types_and_alignment(pyodide: PyodideHost, expression: str, written: str) -> None:
    report = ran(pyodide, f"run({expression})\n")
    assert report["ok"], report["diagnostics"]
    assert signature(report, 0)["x_ptr"] == written


def test_shapes_and_strides(pyodide: PyodideHost) -> None:
    lines = """
x = torch.empty(2, 3, 4)
checks = [
    (x.transpose(1, 2).shape, (2, 4, 3)), (x.transpose(1, 2).stride(), (12, 1, 4)),
    (x.permute(2, 0, 1).contiguous().stride(), (6, 3, 1)), (x.mT.clone().stride(), (12, 1, 4)),
    (x.view(6, -1).shape, (6, 4)), (x.transpose(0, 1).reshape(6, 4).stride(), (4, 1)),
    (x[:, None, 1].shape, (2, 1, 4)), (x[..., ::2].stride(), (12, 4, 2)), (x[0, 1].storage_offset(), 4),
    (x.sum(dim=(0, 2)).shape, (3,)), (x.amax(-1, keepdim=True).shape, (2, 3, 1)), (x.expand(5, 2, 3, 4).stride(), (0, 12, 4, 1)),
    (torch.matmul(x, torch.empty(4, 7)).shape, (2, 3, 7)), (torch.cat([x, x], dim=1).shape, (2, 6, 4)),
    (torch.stack([x, x], dim=-1).shape, (2, 3, 4, 2)), ([p.shape[1] for p in x.split(2, dim=1)], [2, 1]),
    (x[torch.tensor([0, 1, 1])].shape, (3, 3, 4)), ((x + torch.empty(5, 1, 1, 4)).shape, (5, 2, 3, 4)),
    (torch.einsum("bij,bkj->bik", x, x).shape, (2, 3, 3)), (torch.tensor([3, 5])[1].item(), 5), (x.nbytes, 96),
]
for found, expected in checks:
    assert found == expected, (found, expected)
run(x)
"""
    report = ran(pyodide, lines)
    assert report["ok"]
    assert [d for d in report["diagnostics"] if d["severity"] != "note"] == []


def test_hip_asks_for_the_size_of_the_storage(pyodide: PyodideHost) -> None:
    report = ran(pyodide, "run(torch.empty(2**30)[:64])\nrun(torch.empty(64))\n", "hip:gfx942")
    assert [signature(report, launch)["x_ptr"] for launch in (0, 1)] == ["*fp32:16", "*fp32:DS"]


def test_a_script_sees_the_targets_gpu(pyodide: PyodideHost) -> None:
    lines = "print(torch.version.hip, torch.cuda.get_device_capability())\nrun(torch.empty(8))\n"
    assert ran(pyodide, lines)["output"] == "None (9, 0)\n"
    assert ran(pyodide, lines, "hip:gfx942")["output"].endswith(" (9, 4)\n")


def test_tests_of_a_script_without_launches_are_run(pyodide: PyodideHost) -> None:
    lines = """
import pytest

@pytest.mark.parametrize("size", [48, 64])
@pytest.mark.parametrize("dtype", [torch.float16, torch.float32])
def test_copy(size, dtype):
    run(torch.empty(size, dtype=dtype))

@pytest.mark.skipif(True, reason="never")
def test_never():
    raise RuntimeError
"""
    report = ran(pyodide, lines)
    assert report["ok"], report["diagnostics"]
    assert [signature(report, i)["x_ptr"] for i in range(len(report["launches"]))] == ["*fp16:16"]
    assert any("test_copy was run" in d["message"] for d in report["diagnostics"])


def test_stand_ins_leave_nothing_behind(pyodide: PyodideHost) -> None:
    state = "import sys, triton.testing, triton.runtime\nresult = [sorted(m for m in sys.modules if m.split('.')[0] in ('torch', 'numpy', 'pytest', 'matplotlib', 'pandas') or 'mxfp' in m), len(sys.meta_path), repr(triton.testing.do_bench.__module__), type(triton.runtime.driver.active).__name__]"
    before = pyodide.run(state)
    compiled(pyodide, "softmax", "cuda:90", "softmax_kernel", stop="ttir")
    ran(pyodide, "torch.Tensor.extra = 1\ntorch.float32.extra = 1\nrun(torch.empty(8))\n")
    compiled(pyodide, "block_scaled_matmul", "cuda:90", "block_scaled_kernel", stop="ttir")
    assert pyodide.run(state) == before
    assert before[0] == []
    report = ran(pyodide, "print(hasattr(torch.Tensor, 'extra'))\nrun(torch.empty(8))\n")
    assert report["output"] == "False\n"


def test_an_installed_package_wins(pyodide: PyodideHost) -> None:
    write = "import pathlib, sys\npathlib.Path('/tmp/installed/tabulate').mkdir(parents=True, exist_ok=True)\npathlib.Path('/tmp/installed/tabulate/__init__.py').write_text('real = True')\nsys.path.insert(0, '/tmp/installed')\nresult = None"
    pyodide.run(write)
    try:
        lines = "import tabulate\nprint(tabulate.real)\nrun(torch.empty(8))\n"
        assert ran(pyodide, lines)["output"] == "True\n"
    finally:
        pyodide.run("import sys\nsys.path.remove('/tmp/installed')\nresult = None")
