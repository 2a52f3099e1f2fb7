"""Tuples and named tuples: as arguments of a launch, through device functions, and indexed in unrolled loops."""

from typing import Any, NamedTuple

import triton
import triton.language as tl

SPECIALISATIONS = [
    {
        "name": "sum_of_tensors",
        "kernel": "sum_tensors",
    },
    {
        "name": "named",
        "kernel": "transpose_matrix",
    },
]


class Matrix(NamedTuple):
    """A matrix in memory: address, extents and strides in elements."""

    pointer: Any
    shape: Any
    strides: Any


@triton.jit
def element_pointers(matrix, row, column):
    return matrix.pointer + row[:, None] * matrix.strides[0] + column[None, :] * matrix.strides[1]


@triton.jit
def inside_matrix(matrix, row, column):
    return (row[:, None] < matrix.shape[0]) & (column[None, :] < matrix.shape[1])


@triton.jit
def divide_with_rest(a, b):
    return a // b, a % b


@triton.jit
def sum_tensors(tensors, weights, out_ptr, n, BLOCK: tl.constexpr):
    offsets = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    inside = offsets < n
    total = tl.zeros((BLOCK,), dtype=tl.float32)
    for i in tl.static_range(len(tensors)):
        total += tl.load(tensors[i] + offsets, mask=inside, other=0.0) * weights[i]
    tl.store(out_ptr + offsets, total, mask=inside)


@triton.jit
def transpose_matrix(source, target, BLOCK: tl.constexpr):
    tiles = tl.cdiv(source.shape[1], BLOCK)
    tile_row, tile_column = divide_with_rest(tl.program_id(0), tiles)
    row = tile_row * BLOCK + tl.arange(0, BLOCK)
    column = tile_column * BLOCK + tl.arange(0, BLOCK)
    x = tl.load(element_pointers(source, row, column), mask=inside_matrix(source, row, column))
    transposed = Matrix(target.pointer, target.shape, (target.strides[1], target.strides[0]))
    tl.store(
        element_pointers(transposed, row, column), x, mask=inside_matrix(source, row, column)
    )


# A launch, recorded and never run, for compiles that state no signature. At the end, so that the
# lines of the kernels above stay where the golden texts have them.
from triton_playground import fake_tensor  # noqa: E402

a, b, c = fake_tensor((1000,), "float32"), fake_tensor((1000,), "float16"), fake_tensor((1000,))
sum_tensors[(4,)]((a, b, c), (0.5, 2, 1), fake_tensor((1000,)), 1000, BLOCK=256)
x, y = fake_tensor((96, 160), "float32"), fake_tensor((160, 96), "float32")
transpose_matrix[(15,)](Matrix(x, x.shape, x.stride()), Matrix(y, y.shape, y.stride()), BLOCK=32)
