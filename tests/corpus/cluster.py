"""Two cooperating thread blocks a program (num_ctas), for which Hopper is the first target."""

import triton
import triton.language as tl

SPECIALISATIONS = [
    {
        "name": "elementwise",
        "kernel": "scale_rows",
        "signature": "*fp32:16, *fp32:16, *fp32:16, i32:16",
        "constexprs": {"ROWS": 32, "COLUMNS": 64},
        "options": {"num_ctas": 2},
    },
    {
        "name": "dot",
        "kernel": "tile_product",
        "signature": "*fp16:16, *fp16:16, *fp32:16",
        "constexprs": {"SIZE": 128},
        "options": {"num_ctas": 2},
    },
]


@triton.jit
def scale_rows(x_ptr, scale_ptr, out_ptr, row_stride, ROWS: tl.constexpr, COLUMNS: tl.constexpr):
    row = tl.program_id(0) * ROWS + tl.arange(0, ROWS)
    element = row[:, None] * row_stride + tl.arange(0, COLUMNS)[None, :]
    x = tl.load(x_ptr + element)
    scale = tl.load(scale_ptr + row)
    tl.store(out_ptr + element, x * scale[:, None])


@triton.jit
def tile_product(a_ptr, b_ptr, c_ptr, SIZE: tl.constexpr):
    index = tl.arange(0, SIZE)
    tile = index[:, None] * SIZE + index[None, :]
    tl.store(c_ptr + tile, tl.dot(tl.load(a_ptr + tile), tl.load(b_ptr + tile)))


# A launch, recorded and never run, for compiles that state no signature. At the end, so that the
# lines of the kernels above stay where the golden texts have them.
from triton_playground import fake_tensor  # noqa: E402

x, scale, out = fake_tensor((128, 64)), fake_tensor((128,)), fake_tensor((128, 64))
scale_rows[(4,)](x, scale, out, 64, ROWS=32, COLUMNS=64)
a, b = fake_tensor((128, 128), "float16"), fake_tensor((128, 128), "float16")
tile_product[(1,)](a, b, fake_tensor((128, 128)), SIZE=128)
