"""Element types as PyTorch names, orders and promotes them."""

from __future__ import annotations

from typing import Any

from ..tensors import DType
from .session import session


class dtype(DType):  # noqa: N801 - Triton's JIT knows torch's element types by this class name
    """An element type of the stand-in for torch.

    Attributes:
        is_floating_point: whether it is one of the floating-point types.
        is_complex: whether it is one of the complex types.
    """

    def __init__(self, name: str, itemsize: int) -> None:
        super().__init__(name, itemsize)
        # On the object and not the class: what belongs to a class of module torch is not put back after a script.
        object.__setattr__(self, "__module__", "torch")

    def __repr__(self) -> str:
        return f"torch.{self.name}"

    __str__ = __repr__

    @property
    def is_floating_point(self) -> bool:
        """Whether it is one of the floating-point types."""
        return "float" in self.name

    @property
    def is_complex(self) -> bool:
        """Whether it is one of the complex types."""
        return "complex" in self.name

    @property
    def is_signed(self) -> bool:
        """Whether it has negative numbers."""
        return self.name != "bool" and not self.name.startswith("uint")

    @property
    def category(self) -> int:
        """Rank of the kind: 0 bool, 1 integer, 2 floating point, 3 complex."""
        if self.name == "bool":
            return 0
        return 3 if self.is_complex else 2 if self.is_floating_point else 1


_SIZES = {
    **{"bool": 1, "uint8": 1, "int8": 1, "int16": 2, "int32": 4, "int64": 8},
    **{"uint16": 2, "uint32": 4, "uint64": 8},
    **{"float8_e4m3fn": 1, "float8_e5m2": 1, "float8_e4m3fnuz": 1, "float8_e5m2fnuz": 1},
    **{"float16": 2, "bfloat16": 2, "float32": 4, "float64": 8, "complex64": 8, "complex128": 16},
}
DTYPES: dict[str, dtype] = {name: dtype(name, size) for name, size in _SIZES.items()}
ALIASES: dict[str, str] = {
    **{"half": "float16", "float": "float32", "double": "float64", "cfloat": "complex64"},
    **{"short": "int16", "int": "int32", "long": "int64"},
}
# Order inside a kind; of equals that differ, as float16 and bfloat16, PyTorch takes float32.
_RANKS = {name: rank for rank, name in enumerate(DTYPES)}


def default_float() -> dtype:
    """Return what torch.get_default_dtype answers."""
    chosen = session().default_dtype
    return chosen if isinstance(chosen, dtype) else DTYPES["float32"]


def dtype_of_number(value: Any) -> dtype:
    """Return the element type of a tensor made from a Python number."""
    if isinstance(value, bool):
        return DTYPES["bool"]
    if isinstance(value, int):
        return DTYPES["int64"]
    return DTYPES["complex64"] if isinstance(value, complex) else default_float()


def promote(first: dtype, second: dtype) -> dtype:
    """Return the element type of an operation between two tensors."""
    if first.category != second.category:
        return max(first, second, key=lambda one: one.category)
    if {first.name, second.name} == {"float16", "bfloat16"}:
        return DTYPES["float32"]
    if {first.name, second.name} == {"uint8", "int8"}:
        return DTYPES["int16"]
    return max(first, second, key=lambda one: (one.itemsize, _RANKS[one.name]))


def promote_weak(strong: dtype, weak: dtype) -> dtype:
    """Return the element type when the second one is a number's or a zero-dimensional tensor's: only a higher kind counts."""
    if weak.category <= strong.category:
        return strong
    return weak if weak.category != 2 else (weak if strong.category < 2 else strong)


def as_float(element: dtype) -> dtype:
    """Return the element type of exp, sqrt or a division of that type."""
    return element if element.category >= 2 else default_float()
