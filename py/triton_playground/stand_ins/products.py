"""Products of matrices and what networks build on them."""

from __future__ import annotations

from typing import Any

from .dtypes import DTYPES
from .elementwise import result_type
from .errors import StandInError
from .shapes import broadcast
from .tensor import Tensor, operation


def product(x: Tensor, y: Tensor, element: Any = None) -> Tensor:
    """Return the result of torch.matmul.

    Raises:
        RuntimeError: the shapes do not fit.
    """
    rows = x.shape if x.ndim > 1 else (1, *x.shape)
    columns = y.shape if y.ndim > 1 else (*y.shape, 1)
    if rows[-1] != columns[-2]:
        raise RuntimeError(
            f"mat1 and mat2 shapes cannot be multiplied ({rows[-2]}x{rows[-1]} and {columns[-2]}x{columns[-1]})"
        )
    shape = [*broadcast((rows[:-2], columns[:-2]))]
    shape += [rows[-2]] * (x.ndim > 1) + [columns[-1]] * (y.ndim > 1)
    return Tensor(shape, element or result_type(x, y), place=x.device, parents=(x, y))


@operation("matmul", "mm", "bmm", "mv", "dot", "vdot", "inner", "__matmul__")
def _matmul(x: Any, y: Any, out_dtype: Any = None, out: Any = None) -> Any:
    return product(x, y, out_dtype)


@operation("addmm", "baddbmm", "addmv")
def _addmm(added: Any, x: Any, y: Any, **options: Any) -> Any:
    return product(x, y)


@operation("_scaled_mm")
def _scaled_mm(x: Any, y: Any, *arguments: Any, out_dtype: Any = None, **options: Any) -> Any:
    return product(x, y, out_dtype)


@operation("_int_mm")
def _int_mm(x: Any, y: Any, out: Any = None) -> Any:
    return product(x, y, DTYPES["int32"])


@operation("outer", "ger")
def _outer(x: Any, y: Any) -> Any:
    return Tensor((*x.shape, *y.shape), result_type(x, y), place=x.device, parents=(x, y))


@operation("kron")
def _kron(x: Any, y: Any) -> Any:
    shape = [a * b for a, b in zip(x.shape, y.shape, strict=True)]
    return Tensor(shape, result_type(x, y), place=x.device, parents=(x, y))


def einsum(equation: str, *operands: Any) -> Tensor:
    """Return the result of torch.einsum, without an ellipsis in the equation."""
    if len(operands) == 1 and isinstance(operands[0], list | tuple):
        operands = tuple(operands[0])
    if "..." in equation:
        raise StandInError("torch.einsum of the stand-in takes no ellipsis.")
    left, arrow, right = equation.replace(" ", "").partition("->")
    extents: dict[str, int] = {}
    for letters, operand in zip(left.split(","), operands, strict=True):
        extents.update(zip(letters, operand.shape, strict=True))
    if not arrow:
        right = "".join(sorted(letter for letter in extents if left.count(letter) == 1))
    shape = [extents[letter] for letter in right]
    return Tensor(shape, result_type(*operands), place=operands[0].device, parents=operands)


def _at(self: Tensor, other: Any) -> Any:
    return product(self, other) if isinstance(other, Tensor) else NotImplemented


setattr(Tensor, "__matmul__", _at)  # noqa: B010 - mypy refuses the assignment
