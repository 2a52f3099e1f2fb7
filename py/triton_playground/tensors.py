"""Fake tensors: stand-ins for GPU tensors in launches that are recorded and never run."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from .signature import canonical_scalar

# PyTorch's names, which Triton's JIT reads through str(tensor.dtype), for Triton's canonical ones.
_TORCH_NAMES: dict[str, str] = {
    **{"u1": "bool", "fp16": "float16", "bf16": "bfloat16", "fp32": "float32", "fp64": "float64"},
    **{"fp8e4nv": "float8_e4m3fn", "fp8e5": "float8_e5m2", "fp8e4b8": "float8_e4m3fnuz"},
    **{"fp8e5b16": "float8_e5m2fnuz", "fp8e4b15": "float8e4b15"},
    **{f"i{bits}": f"int{bits}" for bits in (8, 16, 32, 64)},
    **{f"u{bits}": f"uint{bits}" for bits in (8, 16, 32, 64)},
}

# Where the first fake tensor would lie: a multiple of every usual alignment.
_BASE_ADDRESS = 1 << 40


@dataclass(frozen=True)
class DType:
    """An element type; prints as PyTorch's name, without the ``torch.``.

    Attributes:
        name: PyTorch's name, such as float32.
        itemsize: bytes an element.
    """

    name: str
    itemsize: int

    def __str__(self) -> str:
        return self.name


def parse_dtype(name: object) -> DType:
    """Return the element type for a name such as fp16, float16, tl.float16 or torch.float16, or an object that prints as one.

    Raises:
        SignatureError: there is no such type.
    """
    canonical = canonical_scalar(str(getattr(name, "name", name)).split(".")[-1])
    one_byte = canonical == "u1" or canonical.startswith("fp8")
    return DType(_TORCH_NAMES[canonical], 1 if one_byte else int(canonical.lstrip("bfpiu")) // 8)


class FakeTensor:
    """Shape, strides, element type and address of a tensor, without its data."""

    def __init__(
        self, shape: Sequence[int], element: DType, strides: Sequence[int], address: int
    ) -> None:
        self.shape = tuple(shape)
        self.dtype = element
        self.device = "cuda:0"
        self._strides = tuple(strides)
        self._address = address

    def __repr__(self) -> str:
        return f"fake_tensor({self.shape}, dtype={self.dtype}, strides={self._strides})"

    def __len__(self) -> int:
        if not self.shape:
            raise TypeError("len() of a 0-dimensional tensor")
        return self.shape[0]

    @property
    def ndim(self) -> int:
        """Number of dimensions."""
        return len(self.shape)

    def dim(self) -> int:
        """Return the number of dimensions."""
        return len(self.shape)

    def size(self, dimension: int | None = None) -> Any:
        """Return the shape, or one extent of it."""
        return self.shape if dimension is None else self.shape[dimension]

    def stride(self, dimension: int | None = None) -> Any:
        """Return the strides in elements, or one of them."""
        return self._strides if dimension is None else self._strides[dimension]

    def numel(self) -> int:
        """Return the number of elements."""
        return math.prod(self.shape)

    def element_size(self) -> int:
        """Return bytes an element."""
        return self.dtype.itemsize

    def is_contiguous(self) -> bool:
        """Whether the strides are those of a dense row-major tensor."""
        return self._strides == contiguous_strides(self.shape)

    def data_ptr(self) -> int:
        """Return the address in bytes, of which Triton looks at the alignment only."""
        return self._address

    def ptr_range(self) -> int:
        """Return bytes from the first to past the last element; Triton's HIP backend compares it with 2 GB."""
        if self.numel() == 0:
            return 0
        last = sum(
            (extent - 1) * stride for extent, stride in zip(self.shape, self._strides, strict=True)
        )
        return (last + 1) * self.dtype.itemsize

    def zero_(self) -> FakeTensor:
        """Return the tensor itself; autotune's reset_to_zero calls this."""
        return self

    def copy_(self, other: FakeTensor) -> FakeTensor:
        """Return the tensor itself; autotune's restore_value calls this."""
        return self

    def clone(self) -> FakeTensor:
        """Return the tensor itself; autotune's restore_value calls this."""
        return self


def contiguous_strides(shape: Sequence[int]) -> tuple[int, ...]:
    """Return the row-major strides, in elements, of a dense tensor of that shape."""
    strides: list[int] = []
    step = 1
    for extent in reversed(shape):
        strides.append(step)
        step *= max(extent, 1)
    return tuple(reversed(strides))


def fake_tensor(
    shape: int | Sequence[int],
    dtype: object = "float32",
    *,
    align: int = 16,
    strides: Sequence[int] | None = None,
) -> FakeTensor:
    """Make a stand-in for a GPU tensor that ``kernel[grid](…)`` accepts in a script.

    Args:
        shape: extents; an integer makes one dimension.
        dtype: element type: fp16, float16, tl.float16, torch.float16 and so on.
        align: the address is a multiple of exactly this power of two, in bytes; below 16, Triton does not assume alignment.
        strides: in elements; those of a dense row-major tensor if left out.

    Raises:
        ValueError: the element type is unknown, an extent is negative, the strides do not fit the shape, or align is no
            power of two.
    """
    extents = (shape,) if isinstance(shape, int) else tuple(shape)
    if any(not isinstance(extent, int) or extent < 0 for extent in extents):
        raise ValueError(f"fake_tensor: the shape {shape!r} is not a sequence of integers from 0.")
    if strides is not None and len(tuple(strides)) != len(extents):
        raise ValueError(
            f"fake_tensor: {len(tuple(strides))} strides for {len(extents)} dimensions."
        )
    if align < 1 or align & (align - 1):
        raise ValueError(f"fake_tensor: align={align} is not a power of two.")
    element = parse_dtype(dtype)
    return FakeTensor(
        extents, element, strides or contiguous_strides(extents), _BASE_ADDRESS + align
    )
