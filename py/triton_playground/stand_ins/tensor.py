"""Tensor: shape, strides, element type, address and device of a torch tensor, and no numbers."""

from __future__ import annotations

import functools
import itertools
import math
from collections.abc import Callable, Iterator, Sequence
from typing import Any

from ..tensors import FakeTensor, contiguous_strides
from .device import as_device, device
from .dtypes import DTYPES, dtype_of_number
from .dtypes import dtype as ElementType  # noqa: N812 - an attribute of tensors has torch's name
from .errors import missing
from .session import session
from .shapes import Size, dimension, preserved_strides

# Functions of tensors by torch's name, both torch.NAME(x) and x.NAME(); the modules of operations fill it.
OPERATIONS: dict[str, Callable[..., Any]] = {}
# Those that torch has as methods only.
METHODS: dict[str, Callable[..., Any]] = {}

UNKNOWN_TRUTH = "Tensors hold no numbers here, so a comparison of them is taken to be true."
UNKNOWN_ITEM = (
    "Tensors hold no numbers here: where the script reads one, it gets 0.0, or 100 as an integer."
)
_UNKNOWN_INTEGER = 100
_LARGEST_LIST = 100_000
_order = itertools.count()


class Storage:
    """The memory of a tensor and of its views.

    Args:
        size: bytes.
    """

    def __init__(self, size: int) -> None:
        self.bytes = size
        self.address = session().allocate(size)

    def size(self) -> int:
        """Return the bytes."""
        return self.bytes

    nbytes = size

    def data_ptr(self) -> int:
        """Return the address in bytes."""
        return self.address


class Tensor(FakeTensor):
    """A tensor without numbers.

    Args:
        shape: extents.
        element: element type.
        strides: in elements; those of a dense row-major tensor if left out.
        place: a device, or its name; torch's default if left out.
        storage: the memory that it is a view of; fresh memory if left out.
        offset: where in that memory it begins, in elements.
        parents: the tensors that it was computed from.
        values: its elements as nested lists, where the script wrote them down.
    """

    dtype: ElementType
    grad: Any = None
    requires_grad: bool
    _function: Any = None

    def __init__(
        self,
        shape: Sequence[int],
        element: ElementType,
        strides: Sequence[int] | None = None,
        place: Any = None,
        storage: Storage | None = None,
        offset: int = 0,
        parents: Sequence[Tensor] = (),
        values: Any = None,
    ) -> None:
        if any(extent < 0 for extent in shape):
            raise RuntimeError(
                f"Trying to create tensor with negative dimension: {list(map(int, shape))}"
            )
        kept = tuple(strides) if strides is not None else contiguous_strides(shape)
        last = sum((extent - 1) * stride for extent, stride in zip(shape, kept, strict=True))
        needed = (last + 1) * element.itemsize if math.prod(shape) else 0
        self._storage = storage or Storage(needed)
        super().__init__(shape, element, kept, self._storage.address + offset * element.itemsize)
        self.shape = Size(self.shape)
        self.device: Any = as_device(session().default_device if place is None else place)
        self._offset = offset
        self._values = values
        self._parents = tuple(parent for parent in parents if parent.requires_grad)
        self.requires_grad = bool(self._parents)
        self._order = next(_order)

    def result(
        self,
        shape: Sequence[int] | None = None,
        element: ElementType | None = None,
        parents: Sequence[Tensor] = (),
    ) -> Tensor:
        """Return a fresh tensor that was computed from this one and the given ones; laid out as this one if the shape is."""
        same = shape is None or tuple(shape) == self.shape
        strides = preserved_strides(self.shape, self._strides) if same else None
        return Tensor(
            self.shape if shape is None else shape,
            element or self.dtype,
            strides,
            self.device,
            parents=(self, *parents),
        )

    def viewed(
        self,
        shape: Sequence[int],
        strides: Sequence[int],
        skipped: int = 0,
        element: ElementType | None = None,
        values: Any = None,
    ) -> Tensor:
        """Return a view of the same memory that begins that many elements further on."""
        element = element or self.dtype
        offset = (self._offset + skipped) * self.dtype.itemsize // element.itemsize
        return Tensor(shape, element, strides, self.device, self._storage, offset, (self,), values)

    def __getattr__(self, name: str) -> Any:
        if name.startswith("__"):
            raise AttributeError(name)
        found = METHODS.get(name) or OPERATIONS.get(name)
        if found is not None:
            return functools.partial(found, self)
        if name.endswith("_") and (name[:-1] in OPERATIONS or name[:-1] in METHODS):
            return lambda *arguments, **options: self
        raise missing(f"torch.Tensor.{name}")

    def __repr__(self) -> str:
        if self._values is not None:
            return f"tensor({self._values}, dtype={self.dtype})"
        return f"tensor(shape={tuple(self.shape)}, dtype={self.dtype}, device='{self.device}', without numbers)"

    def __format__(self, spec: str) -> str:
        return format(self.item(), spec) if spec else repr(self)

    def __iter__(self) -> Iterator[Tensor]:
        return (self[index] for index in range(len(self)))

    def __contains__(self, value: object) -> bool:
        session().guess(UNKNOWN_TRUTH)
        return True

    def __bool__(self) -> bool:
        if self.numel() > 1:
            raise RuntimeError("Boolean value of Tensor with more than one value is ambiguous")
        if self._values is not None:
            return bool(self.item())
        session().guess(UNKNOWN_TRUTH)
        return True

    def __int__(self) -> int:
        return int(self.item())

    def __float__(self) -> float:
        return float(self.item())

    def __index__(self) -> int:
        return int(self.item())

    def __round__(self, digits: int = 0) -> float:
        return round(float(self.item()), digits)

    def __getitem__(self, index: Any) -> Any:
        return OPERATIONS["getitem"](self, index)

    def __setitem__(self, index: Any, value: Any) -> None:
        # Only the shape of what is written to could be wrong.
        OPERATIONS["getitem"](self, index)

    def __array__(self, *arguments: Any, **options: Any) -> Any:
        raise missing("numpy.asarray of a tensor")

    def item(self) -> Any:
        """Return the one element; a made-up one where it is not known.

        Raises:
            RuntimeError: there are several.
        """
        if self.numel() != 1:
            raise RuntimeError(
                f"a Tensor with {self.numel()} elements cannot be converted to Scalar"
            )
        value = self._values
        while isinstance(value, list):
            value = value[0]
        if value is not None:
            return value
        if self.dtype.category == 0:
            session().guess(UNKNOWN_TRUTH)
            return True
        session().guess(UNKNOWN_ITEM)
        return _UNKNOWN_INTEGER if self.dtype.category == 1 else 0.0

    def tolist(self) -> Any:
        """Return the elements as nested lists; made-up ones where they are not known."""
        if self._values is not None:
            return self._values
        if self.numel() > _LARGEST_LIST:
            raise missing("torch.Tensor.tolist of a large tensor")
        if not self.shape:
            return self.item()
        return [self[index].tolist() for index in range(len(self))]

    def size(self, dim: int | None = None) -> Any:
        """Return the shape, or one extent of it."""
        return self.shape if dim is None else self.shape[dim]

    def stride(self, dim: int | None = None) -> Any:
        """Return the strides in elements, or one of them."""
        return self._strides if dim is None else self._strides[dim]

    def is_contiguous(self, memory_format: object = None) -> bool:
        """Whether the strides are those of a dense row-major tensor; those of dimensions of extent 1 do not matter."""
        return all(
            extent == 1 or stride == dense
            for extent, stride, dense in zip(
                self.shape, self._strides, contiguous_strides(self.shape), strict=True
            )
        )

    def ptr_range(self) -> int:
        """Return the bytes of the storage, which is what Triton's HIP backend asks a torch tensor for."""
        return self._storage.bytes

    def untyped_storage(self) -> Storage:
        """Return the memory, shared with views."""
        return self._storage

    storage = untyped_storage

    def storage_offset(self) -> int:
        """Return where in its storage the tensor begins, in elements."""
        return self._offset

    def clone(self, memory_format: object = None) -> Tensor:
        """Return a copy."""
        copy = self.result()
        copy._values = self._values
        return copy

    def copy_(self, other: Any, non_blocking: bool = False) -> Tensor:
        """Return the tensor itself."""
        return self

    def requires_grad_(self, requires_grad: bool = True) -> Tensor:
        """Have backward reach this tensor, or not."""
        self.requires_grad = requires_grad
        return self

    def get_device(self) -> int:
        """Return the index of the GPU; -1 for the CPU."""
        return -1 if self.device.index is None else int(self.device.index)

    def __deepcopy__(self, memo: object) -> Tensor:
        return self.clone()

    @property
    def is_cuda(self) -> bool:
        """Whether it is on a GPU."""
        return bool(self.device.type == "cuda")

    @property
    def is_cpu(self) -> bool:
        """Whether it is on the CPU."""
        return not self.is_cuda

    @property
    def is_leaf(self) -> bool:
        """Whether nothing that backward would go through made it."""
        return not self._parents

    @property
    def data(self) -> Any:
        """The tensor, cut off from what it was computed from."""
        return METHODS["detach"](self)

    @data.setter
    def data(self, value: Tensor) -> None:
        vars(self).update(shape=value.shape, dtype=value.dtype, device=value.device)
        vars(self).update(_strides=value._strides, _address=value._address, _storage=value._storage)

    @property
    def T(self) -> Tensor:  # noqa: N802 - torch's name
        """The view with all dimensions reversed."""
        return self.viewed(self.shape[::-1], self._strides[::-1])

    @property
    def mT(self) -> Any:  # noqa: N802 - torch's name
        """The view with the last two dimensions exchanged."""
        return OPERATIONS["transpose"](self, -1, -2)

    H = T
    mH = mT  # noqa: N815 - torch's name

    @property
    def real(self) -> Tensor:
        """The real parts."""
        return self

    @property
    def itemsize(self) -> int:
        """Bytes an element."""
        return self.dtype.itemsize

    @property
    def nbytes(self) -> int:
        """Bytes of all elements."""
        return self.numel() * self.dtype.itemsize

    @property
    def grad_fn(self) -> Any:
        """The autograd.Function that made it, if one did."""
        return self._function


def tensor_of(value: Any, like: Tensor | None = None) -> Tensor:
    """Return a tensor as it is, and a number or nested lists of numbers as one on the CPU or where ``like`` is."""
    if isinstance(value, Tensor):
        return value
    place = like.device if like is not None else None
    shape: list[int] = []
    inner = value
    while isinstance(inner, list | tuple):
        shape.append(len(inner))
        inner = inner[0] if inner else 0.0
    if isinstance(inner, Tensor):
        values, element = None, inner.dtype
        shape += inner.shape
    else:
        values, element = _plain(value), dtype_of_number(_widest(value))
    return Tensor(shape, element, place=place, values=values)


def _plain(value: Any) -> Any:
    return [_plain(item) for item in value] if isinstance(value, list | tuple) else value


def _widest(value: Any) -> Any:
    """Return a number of nested lists whose kind is the highest."""
    if not isinstance(value, list | tuple):
        return value
    numbers = [_widest(item) for item in value] or [0.0]
    return max(numbers, key=lambda number: dtype_of_number(number).category)


def axes(dim: Any, rank: int) -> tuple[int, ...]:
    """Return dimensions, counted from 0, for what a call gives as ``dim``; all of them for None."""
    if dim is None:
        return tuple(range(rank))
    return tuple(
        dimension(int(one), rank) for one in (dim if isinstance(dim, list | tuple) else (dim,))
    )


def operation(*names: str) -> Callable[[Callable[..., Any]], Callable[..., Any]]:
    """Register a function as torch.NAME and as a tensor's method, under each of the names."""

    def register(function: Callable[..., Any]) -> Callable[..., Any]:
        OPERATIONS.update(dict.fromkeys(names, function))
        return function

    return register


def method(*names: str) -> Callable[[Callable[..., Any]], Callable[..., Any]]:
    """Register a function as a tensor's method only, under each of the names."""

    def register(function: Callable[..., Any]) -> Callable[..., Any]:
        METHODS.update(dict.fromkeys(names, function))
        return function

    return register


__all__ = [
    "DTYPES",
    "METHODS",
    "OPERATIONS",
    "Storage",
    "Tensor",
    "axes",
    "device",
    "method",
    "operation",
    "tensor_of",
]
