"""Layer normalisation, backward: the gradient of rows, with parts of the weight gradients in registers that a second kernel adds up."""

import triton
import triton.language as tl

SPECIALISATIONS = [
    {
        "name": "rows",
        "kernel": "layer_norm_backward",
        "signature": {
            "x_ptr": "*fp16:16", "gradient_ptr": "*fp16:16", "weight_ptr": "*fp16:16",
            "mean_ptr": "*fp32:16", "rstd_ptr": "*fp32:16", "dx_ptr": "*fp16:16",
            "dw_parts_ptr": "*fp32:16", "db_parts_ptr": "*fp32:16", "rows": "i32", "columns": "i32:16",
        },
        "constexprs": {"BLOCK": 1024},
        "options": {"num_warps": 8},
    },
    {
        "name": "sum_parts",
        "kernel": "sum_parts",
        "signature": {
            "dw_parts_ptr": "*fp32:16", "db_parts_ptr": "*fp32:16", "dw_ptr": "*fp16:16", "db_ptr": "*fp16:16",
            "parts": "i32", "columns": "i32:16",
        },
        "constexprs": {"ROWS": 32, "BLOCK": 128},
    },
]


@triton.jit
def layer_norm_backward(
    x_ptr,
    gradient_ptr,
    weight_ptr,
    mean_ptr,
    rstd_ptr,
    dx_ptr,
    dw_parts_ptr,
    db_parts_ptr,
    rows,
    columns,
    BLOCK: tl.constexpr,
):
    program = tl.program_id(0)
    column = tl.arange(0, BLOCK)
    inside = column < columns
    weight = tl.load(weight_ptr + column, mask=inside, other=0.0).to(tl.float32)
    dw = tl.zeros([BLOCK], dtype=tl.float32)
    db = tl.zeros([BLOCK], dtype=tl.float32)
    for row in range(program, rows, tl.num_programs(0)):
        offsets = row.to(tl.int64) * columns + column
        x = tl.load(x_ptr + offsets, mask=inside, other=0.0).to(tl.float32)
        gradient = tl.load(gradient_ptr + offsets, mask=inside, other=0.0).to(tl.float32)
        rstd = tl.load(rstd_ptr + row)
        normal = tl.where(inside, (x - tl.load(mean_ptr + row)) * rstd, 0.0)
        scaled = gradient * weight
        along = tl.sum(normal * scaled, axis=0) / columns
        level = tl.sum(scaled, axis=0) / columns
        tl.store(dx_ptr + offsets, ((scaled - normal * along - level) * rstd).to(tl.float16), mask=inside)
        dw += gradient * normal
        db += gradient
    tl.store(dw_parts_ptr + program * columns + column, dw, mask=inside)
    tl.store(db_parts_ptr + program * columns + column, db, mask=inside)


@triton.jit
def sum_parts(dw_parts_ptr, db_parts_ptr, dw_ptr, db_ptr, parts, columns, ROWS: tl.constexpr, BLOCK: tl.constexpr):
    column = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    dw = tl.zeros([ROWS, BLOCK], dtype=tl.float32)
    db = tl.zeros([ROWS, BLOCK], dtype=tl.float32)
    for start in range(0, parts, ROWS):
        part = start + tl.arange(0, ROWS)
        inside = (part[:, None] < parts) & (column[None, :] < columns)
        offsets = part[:, None] * columns + column[None, :]
        dw += tl.load(dw_parts_ptr + offsets, mask=inside, other=0.0)
        db += tl.load(db_parts_ptr + offsets, mask=inside, other=0.0)
    tl.store(dw_ptr + column, tl.sum(dw, axis=0).to(tl.float16), mask=column < columns)
    tl.store(db_ptr + column, tl.sum(db, axis=0).to(tl.float16), mask=column < columns)


# A launch, recorded and never run, for compiles that state no signature. At the end, so that the
# lines of the kernels above stay where the golden texts have them.
from triton_playground import fake_tensor  # noqa: E402
x, gradient, dx = (fake_tensor((512, 1024), "float16") for _ in range(3))
weight, mean, rstd = fake_tensor((1024,), "float16"), fake_tensor((512,), "float32"), fake_tensor((512,), "float32")
dw_parts, db_parts = fake_tensor((64, 1024), "float32"), fake_tensor((64, 1024), "float32")
dw, db = fake_tensor((1024,), "float16"), fake_tensor((1024,), "float16")
layer_norm_backward[(64,)](x, gradient, weight, mean, rstd, dx, dw_parts, db_parts, 512, 1024, BLOCK=1024)
sum_parts[(8,)](dw_parts, db_parts, dw, db, 64, 1024, ROWS=32, BLOCK=128)
