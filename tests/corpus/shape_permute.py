"""Axes reordered: a tiled transpose, a permutation of four axes after a reshape, and ravel."""

import triton
import triton.language as tl

SPECIALISATIONS = [
    {
        "name": "transpose",
        "kernel": "transpose",
        "signature": "*fp16:16, *fp16:16, i32:16, i32:16",
        "constexprs": {"TILE": 64},
    },
    {
        "name": "four_axes",
        "kernel": "shuffle_channels",
        "signature": "*fp32:16, *fp32:16",
        "constexprs": {"GROUPS": 4, "CHANNELS": 8, "PIXELS": 16},
    },
]


@triton.jit
def transpose(x_ptr, out_ptr, rows, columns, TILE: tl.constexpr):
    row = tl.program_id(0) * TILE + tl.arange(0, TILE)
    column = tl.program_id(1) * TILE + tl.arange(0, TILE)
    inside = (row[:, None] < rows) & (column[None, :] < columns)
    x = tl.load(x_ptr + row[:, None] * columns + column[None, :], mask=inside)
    # Both sides of memory are contiguous by lane, so the change of order goes through shared memory.
    tl.store(out_ptr + column[:, None] * rows + row[None, :], tl.trans(x), mask=tl.trans(inside))


@triton.jit
def shuffle_channels(
    x_ptr, out_ptr, GROUPS: tl.constexpr, CHANNELS: tl.constexpr, PIXELS: tl.constexpr
):
    """From [image, group, channel, pixel] to [image, channel, group, pixel], two images a program."""
    SIZE: tl.constexpr = GROUPS * CHANNELS * PIXELS
    offsets = tl.program_id(0) * 2 * SIZE + tl.arange(0, 2 * SIZE)
    x = tl.reshape(tl.load(x_ptr + offsets), (2, GROUPS, CHANNELS, PIXELS))
    shuffled = tl.permute(x, (0, 2, 1, 3))
    tl.store(out_ptr + offsets, tl.ravel(shuffled))


# A launch, recorded and never run, for compiles that state no signature. At the end, so that the
# lines of the kernels above stay where the golden texts have them.
from triton_playground import fake_tensor  # noqa: E402

x, out = fake_tensor((256, 128), "float16"), fake_tensor((128, 256), "float16")
transpose[(4, 2)](x, out, 256, 128, TILE=64)
images, shuffled = fake_tensor((8, 4, 8, 16)), fake_tensor((8, 8, 4, 16))
shuffle_channels[(4,)](images, shuffled, GROUPS=4, CHANNELS=8, PIXELS=16)
