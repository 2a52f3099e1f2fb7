"""Sparse matrix (compressed rows) times vector: loop bounds and addresses come from memory."""

import triton
import triton.language as tl

SPECIALISATIONS = [
    {
        "name": "fp32",
        "kernel": "sparse_matvec",
        "signature": {
            "values_ptr": "*fp32:16", "columns_ptr": "*i32:16", "starts_ptr": "*i32:16",
            "x_ptr": "*fp32:16", "y_ptr": "*fp32:16", "rows": "i32",
        },
        "constexprs": {"ROWS": 4, "BLOCK": 64},
        "options": {"num_warps": 1},
    },
]


@triton.jit
def sparse_matvec(
    values_ptr, columns_ptr, starts_ptr, x_ptr, y_ptr, rows, ROWS: tl.constexpr, BLOCK: tl.constexpr
):
    row = tl.program_id(0) * ROWS + tl.arange(0, ROWS)
    begin = tl.load(starts_ptr + row, mask=row < rows, other=0)
    end = tl.load(starts_ptr + row + 1, mask=row < rows, other=0)
    longest = tl.max(end - begin, axis=0)
    total = tl.zeros([ROWS, BLOCK], dtype=tl.float32)
    for start in range(0, longest, BLOCK):
        entry = begin[:, None] + start + tl.arange(0, BLOCK)[None, :]
        inside = entry < end[:, None]
        value = tl.load(values_ptr + entry, mask=inside, other=0.0)
        column = tl.load(columns_ptr + entry, mask=inside, other=0)
        total += value * tl.load(x_ptr + column, mask=inside, other=0.0)
    tl.store(y_ptr + row, tl.sum(total, axis=1), mask=row < rows)


# A launch, recorded and never run, for compiles that state no signature. At the end, so that the
# lines of the kernels above stay where the golden texts have them.
from triton_playground import fake_tensor  # noqa: E402
values, columns, starts = fake_tensor((65536,), "float32"), fake_tensor((65536,), "int32"), fake_tensor((4097,), "int32")
x, y = fake_tensor((4096,), "float32"), fake_tensor((4096,), "float32")
sparse_matvec[(1024,)](values, columns, starts, x, y, 4096, ROWS=4, BLOCK=64)
