"""Shapes and strides: broadcasting, dense orders and views, in elements."""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence
from typing import Any

from ..tensors import contiguous_strides


class Size(tuple[int, ...]):
    """A shape, with torch.Size's additions to a tuple."""

    def numel(self) -> int:
        """Return the number of elements."""
        return math.prod(self)

    def __repr__(self) -> str:
        return f"torch.Size({list(self)})"


def flat_shape(arguments: Sequence[Any]) -> tuple[int, ...]:
    """Return the shape that a call gives as one sequence or as several integers."""
    if len(arguments) == 1 and isinstance(arguments[0], list | tuple):
        arguments = arguments[0]
    return tuple(extent.__index__() for extent in arguments)


def broadcast(shapes: Iterable[Sequence[int]]) -> tuple[int, ...]:
    """Return the shape of an operation between tensors of these shapes.

    Raises:
        RuntimeError: they do not fit together.
    """
    result: list[int] = []
    for shape in shapes:
        reverse = list(reversed(shape))
        for index, extent in enumerate(reverse):
            if index == len(result):
                result.append(extent)
            elif result[index] == 1:
                result[index] = extent
            elif extent not in (1, result[index]):
                raise RuntimeError(
                    f"The size of tensor a ({result[index]}) must match the size of tensor b ({extent}) "
                    f"at non-singleton dimension {len(reverse) - 1 - index}."
                )
    return tuple(reversed(result))


def is_dense(shape: Sequence[int], strides: Sequence[int]) -> bool:
    """Whether the elements fill their storage without holes and overlaps, in some order of the dimensions."""
    expected = 1
    for stride, extent in sorted(zip(strides, shape, strict=True)):
        if extent == 1:
            continue
        if stride != expected:
            return False
        expected *= extent
    return True


def preserved_strides(shape: Sequence[int], strides: Sequence[int]) -> tuple[int, ...]:
    """Return the strides of a copy: PyTorch keeps those of a dense tensor and packs another one."""
    return tuple(strides) if is_dense(shape, strides) else contiguous_strides(shape)


def resolved(shape: Sequence[int], count: int) -> tuple[int, ...]:
    """Return a shape with its -1 replaced, for that many elements.

    Raises:
        RuntimeError: the shape holds another number of elements.
    """
    known = math.prod(extent for extent in shape if extent != -1)
    result = tuple((count // known if known else 0) if extent == -1 else extent for extent in shape)
    if math.prod(result) != count:
        raise RuntimeError(f"shape '{list(shape)}' is invalid for input of size {count}")
    return result


def viewed_strides(
    shape: Sequence[int], strides: Sequence[int], new: Sequence[int]
) -> tuple[int, ...] | None:
    """Return the strides with which the same storage has the new shape; None if it needs a copy."""
    if math.prod(shape) == 0:
        return contiguous_strides(new)
    # Runs of old dimensions that lie behind one another in memory: (elements, innermost stride), innermost first.
    runs: list[list[int]] = []
    for extent, stride in reversed(list(zip(shape, strides, strict=True))):
        if extent == 1:
            continue
        if runs and stride == runs[-1][0] * runs[-1][1]:
            runs[-1][0] *= extent
        else:
            runs.append([extent, stride])
    result: list[int] = []
    count, step = runs.pop(0) if runs else (1, 1)
    for extent in reversed(new):
        if extent > 1 and count == 1 and runs:
            count, step = runs.pop(0)
        if count % extent:
            return None
        result.append(step)
        step, count = step * extent, count // extent
    return tuple(reversed(result))


def dimension(index: int, rank: int) -> int:
    """Return a dimension counted from 0.

    Raises:
        IndexError: there is no such dimension.
    """
    if not -max(rank, 1) <= index < max(rank, 1):
        raise IndexError(
            f"Dimension out of range (expected to be in range of [{-max(rank, 1)}, {max(rank, 1) - 1}], but got {index})"
        )
    return index % max(rank, 1)
