"""The smallest matrix products: one 16 by 16 tile, alone and in a chain that keeps its operand in registers."""

import triton
import triton.language as tl

SPECIALISATIONS = [
    {
        "name": "one_warp",
        "kernel": "tile_product",
        "signature": "*fp16:16, *fp16:16, *fp32:16",
        "constexprs": {"SIZE": 16},
        "options": {"num_warps": 1},
    },
    {
        "name": "chain",
        "kernel": "tile_power",
        "signature": "*fp16:16, *fp16:16",
        "constexprs": {"SIZE": 16, "TIMES": 3},
        "options": {"num_warps": 4},
    },
]


@triton.jit
def tile_product(a_ptr, b_ptr, c_ptr, SIZE: tl.constexpr):
    index = tl.arange(0, SIZE)
    tile = index[:, None] * SIZE + index[None, :]
    tl.store(c_ptr + tile, tl.dot(tl.load(a_ptr + tile), tl.load(b_ptr + tile)))


@triton.jit
def tile_power(a_ptr, out_ptr, SIZE: tl.constexpr, TIMES: tl.constexpr):
    index = tl.arange(0, SIZE)
    tile = tl.program_id(0) * SIZE * SIZE + index[:, None] * SIZE + index[None, :]
    a = tl.load(a_ptr + tile)
    power = a
    for _ in tl.static_range(TIMES):
        power = tl.dot(power, a, out_dtype=tl.float16)
    tl.store(out_ptr + tile, power)


# A launch, recorded and never run, for compiles that state no signature. At the end, so that the
# lines of the kernels above stay where the golden texts have them.
from triton_playground import fake_tensor  # noqa: E402

a, b = fake_tensor((16, 16), "float16"), fake_tensor((16, 16), "float16")
c = fake_tensor((16, 16), "float32")
tile_product[(1,)](a, b, c, SIZE=16, num_warps=1)
tile_power[(1,)](a, b, SIZE=16, TIMES=3)
