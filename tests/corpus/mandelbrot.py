"""Escape times of the Mandelbrot set: a while loop that ends when no point of the tile is left."""

import triton
import triton.language as tl

SPECIALISATIONS = [
    {
        "name": "fp32",
        "kernel": "mandelbrot",
        "signature": {
            "counts_ptr": "*i32:16", "height": "i32", "width": "i32:16",
            "left": "fp32", "bottom": "fp32", "step": "fp32", "limit": "i32",
        },
        "constexprs": {"BLOCK_Y": 16, "BLOCK_X": 64},
    },
]


@triton.jit
def mandelbrot(
    counts_ptr, height, width, left, bottom, step, limit, BLOCK_Y: tl.constexpr, BLOCK_X: tl.constexpr
):
    row = (tl.program_id(0) * BLOCK_Y + tl.arange(0, BLOCK_Y))[:, None]
    column = (tl.program_id(1) * BLOCK_X + tl.arange(0, BLOCK_X))[None, :]
    origin_x = tl.broadcast_to(left + column * step, [BLOCK_Y, BLOCK_X])
    origin_y = tl.broadcast_to(bottom + row * step, [BLOCK_Y, BLOCK_X])
    x = tl.zeros([BLOCK_Y, BLOCK_X], dtype=tl.float32)
    y = tl.zeros([BLOCK_Y, BLOCK_X], dtype=tl.float32)
    count = tl.zeros([BLOCK_Y, BLOCK_X], dtype=tl.int32)
    bounded = tl.full([BLOCK_Y, BLOCK_X], 1, dtype=tl.int32)
    turn = 0
    while (turn < limit) & (tl.max(bounded) > 0):
        next_x = x * x - y * y + origin_x
        y = tl.where(bounded > 0, 2 * x * y + origin_y, y)
        x = tl.where(bounded > 0, next_x, x)
        bounded = (x * x + y * y <= 4.0).to(tl.int32)
        count += bounded
        turn += 1
    tl.store(counts_ptr + row * width + column, count, mask=(row < height) & (column < width))


# A launch, recorded and never run, for compiles that state no signature. At the end, so that the
# lines of the kernels above stay where the golden texts have them.
from triton_playground import fake_tensor  # noqa: E402
counts = fake_tensor((512, 512), "int32")
mandelbrot[(32, 8)](counts, 512, 512, -2.0, -1.25, 0.005, 100, BLOCK_Y=16, BLOCK_X=64)
