"""Programs in a three-dimensional grid, their numbers on every axis, and a swizzled order of tiles."""

import triton
import triton.language as tl

SPECIALISATIONS = [
    {
        "name": "grid",
        "kernel": "number_programs",
        "signature": "*i32:16",
        "constexprs": {},
        "options": {"num_warps": 1},
    },
    {
        "name": "swizzle",
        "kernel": "copy_swizzled",
        "signature": "*fp16:16, *fp16:16, i32, i32",
        "constexprs": {"GROUP": 4, "TILE": 32},
    },
]


@triton.jit
def number_programs(out_ptr):
    x, y, z = tl.program_id(axis=0), tl.program_id(axis=1), tl.program_id(axis=2)
    number = (z * tl.num_programs(1) + y) * tl.num_programs(0) + x
    last = tl.num_programs(0) * tl.num_programs(1) * tl.num_programs(2) - 1
    tl.store(out_ptr + number, last - number)


@triton.jit
def copy_swizzled(x_ptr, out_ptr, tiles_m, tiles_n, GROUP: tl.constexpr, TILE: tl.constexpr):
    tile_m, tile_n = tl.swizzle2d(tl.program_id(0), tl.program_id(1), tiles_m, tiles_n, GROUP)
    row = tile_m * TILE + tl.arange(0, TILE)
    column = tile_n * TILE + tl.arange(0, TILE)
    element = row[:, None] * (tiles_n * TILE) + column[None, :]
    tl.store(out_ptr + element, tl.load(x_ptr + element))


# A launch, recorded and never run, for compiles that state no signature. At the end, so that the
# lines of the kernels above stay where the golden texts have them.
from triton_playground import fake_tensor  # noqa: E402

number_programs[(4, 3, 2)](fake_tensor((24,), "int32"), num_warps=1)
x, out = fake_tensor((192, 160), "float16"), fake_tensor((192, 160), "float16")
copy_swizzled[(6, 5)](x, out, 6, 5, GROUP=4, TILE=32)
