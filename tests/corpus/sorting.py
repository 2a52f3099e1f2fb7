"""Bitonic sort of each row, ascending and descending, and a flip."""

import triton
import triton.language as tl

SPECIALISATIONS = [
    {
        "name": "ascending",
        "kernel": "sort_rows",
        "signature": "*fp32:16, *fp32:16, *fp32:16",
        "constexprs": {"DESCENDING": False, "ROWS": 4, "COLUMNS": 32},
    },
    {
        "name": "descending_int16",
        "kernel": "sort_rows",
        "signature": "*i16:16, *i16:16, *i16:16",
        "constexprs": {"DESCENDING": True, "ROWS": 1, "COLUMNS": 64},
        "options": {"num_warps": 2},
    },
]


@triton.jit
def sort_rows(
    x_ptr,
    sorted_ptr,
    flipped_ptr,
    DESCENDING: tl.constexpr,
    ROWS: tl.constexpr,
    COLUMNS: tl.constexpr,
):
    row = tl.program_id(0) * ROWS + tl.arange(0, ROWS)
    element = row[:, None] * COLUMNS + tl.arange(0, COLUMNS)[None, :]
    x = tl.load(x_ptr + element)
    tl.store(sorted_ptr + element, tl.sort(x, descending=DESCENDING))
    tl.store(flipped_ptr + element, tl.flip(x))


# A launch, recorded and never run, for compiles that state no signature. At the end, so that the
# lines of the kernels above stay where the golden texts have them.
from triton_playground import fake_tensor  # noqa: E402

x, ordered, flipped = (fake_tensor((32, 32), "float32") for _ in range(3))
sort_rows[(8,)](x, ordered, flipped, DESCENDING=False, ROWS=4, COLUMNS=32)
