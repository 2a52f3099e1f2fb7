"""Running sums and products along either axis, forwards and backwards."""

import triton
import triton.language as tl

SPECIALISATIONS = [
    {
        "name": "rows",
        "kernel": "running",
        "signature": "*fp32:16, *fp32:16, *fp32:16",
        "constexprs": {"AXIS": 1, "REVERSE": False, "ROWS": 8, "COLUMNS": 128},
    },
    {
        "name": "columns_reversed",
        "kernel": "running",
        "signature": "*fp16:16, *fp16:16, *fp16:16",
        "constexprs": {"AXIS": 0, "REVERSE": True, "ROWS": 64, "COLUMNS": 16},
    },
    {
        "name": "int64",
        "kernel": "running",
        "signature": "*i64:16, *i64:16, *i64:16",
        "constexprs": {"AXIS": 1, "REVERSE": True, "ROWS": 2, "COLUMNS": 256},
        "options": {"num_warps": 8},
    },
]


@triton.jit
def running(
    x_ptr,
    sum_ptr,
    product_ptr,
    AXIS: tl.constexpr,
    REVERSE: tl.constexpr,
    ROWS: tl.constexpr,
    COLUMNS: tl.constexpr,
):
    element = tl.arange(0, ROWS)[:, None] * COLUMNS + tl.arange(0, COLUMNS)[None, :]
    x = tl.load(x_ptr + element)
    tl.store(sum_ptr + element, tl.cumsum(x, axis=AXIS, reverse=REVERSE))
    tl.store(product_ptr + element, tl.cumprod(x, axis=AXIS, reverse=REVERSE))


# A launch, recorded and never run, for compiles that state no signature. At the end, so that the
# lines of the kernels above stay where the golden texts have them.
from triton_playground import fake_tensor  # noqa: E402

x, total, product = (fake_tensor((8, 128), "float32") for _ in range(3))
running[(1,)](x, total, product, AXIS=1, REVERSE=False, ROWS=8, COLUMNS=128)
