"""Log-softmax of several short rows a program, forward and backward: reductions along the second axis of a tile."""

import triton
import triton.language as tl

SPECIALISATIONS = [
    {
        "name": "forward",
        "kernel": "log_softmax",
        "signature": {"x_ptr": "*fp32:16", "out_ptr": "*fp32:16", "rows": "i32:16", "columns": "i32"},
        "constexprs": {"ROWS": 8, "BLOCK": 128},
    },
    {
        "name": "backward",
        "kernel": "log_softmax_backward",
        "signature": {
            "out_ptr": "*fp32:16", "gradient_ptr": "*fp32:16", "dx_ptr": "*fp32:16",
            "rows": "i32:16", "columns": "i32",
        },
        "constexprs": {"ROWS": 8, "BLOCK": 128},
    },
]


@triton.jit
def tile_of(rows, columns, ROWS: tl.constexpr, BLOCK: tl.constexpr):
    row = tl.program_id(0) * ROWS + tl.arange(0, ROWS)[:, None]
    column = tl.arange(0, BLOCK)[None, :]
    return row * columns + column, (row < rows) & (column < columns)


@triton.jit
def log_softmax(x_ptr, out_ptr, rows, columns, ROWS: tl.constexpr, BLOCK: tl.constexpr):
    offsets, inside = tile_of(rows, columns, ROWS, BLOCK)
    # Rows past the last are zero rather than minus infinity, so that their unused results are numbers.
    x = tl.load(x_ptr + offsets, mask=inside, other=0.0)
    x = tl.where(tl.arange(0, BLOCK)[None, :] < columns, x, -float("inf"))
    shifted = x - tl.max(x, axis=1, keep_dims=True)
    result = shifted - tl.log(tl.sum(tl.exp(shifted), axis=1, keep_dims=True))
    tl.store(out_ptr + offsets, result, mask=inside)


@triton.jit
def log_softmax_backward(out_ptr, gradient_ptr, dx_ptr, rows, columns, ROWS: tl.constexpr, BLOCK: tl.constexpr):
    offsets, inside = tile_of(rows, columns, ROWS, BLOCK)
    out = tl.load(out_ptr + offsets, mask=inside, other=0.0)
    gradient = tl.load(gradient_ptr + offsets, mask=inside, other=0.0)
    dx = gradient - tl.exp(out) * tl.sum(gradient, axis=1, keep_dims=True)
    tl.store(dx_ptr + offsets, dx, mask=inside)


# A launch, recorded and never run, for compiles that state no signature. At the end, so that the
# lines of the kernels above stay where the golden texts have them.
from triton_playground import fake_tensor  # noqa: E402
x, out = fake_tensor((1024, 100), "float32"), fake_tensor((1024, 100), "float32")
log_softmax[(128,)](x, out, 1024, 100, ROWS=8, BLOCK=128)
log_softmax_backward[(128,)](out, x, x, 1024, 100, ROWS=8, BLOCK=128)
