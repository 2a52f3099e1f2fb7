"""Views, reshapes and indexing: which elements of the memory a tensor has, and where they lie."""

from __future__ import annotations

import math
from typing import Any

from ..tensors import contiguous_strides
from .dtypes import DTYPES
from .session import session
from .shapes import broadcast, dimension, flat_shape, resolved, viewed_strides
from .tensor import Tensor, axes, method, operation, tensor_of

_UNKNOWN_COUNT = (
    "Tensors hold no numbers here, so a selection by a mask is taken to select everything."
)


@method("view", "view_as", "_unsafe_view")
def _view(x: Tensor, *shape: Any) -> Any:
    if len(shape) == 1 and type(shape[0]).__name__ == "dtype":
        return _reinterpret(x, shape[0])
    if len(shape) == 1 and isinstance(shape[0], Tensor):
        shape = tuple(shape[0].shape)
    new = resolved(flat_shape(shape), x.numel())
    strides = viewed_strides(x.shape, x.stride(), new)
    if strides is None:
        raise RuntimeError(
            "view size is not compatible with input tensor's size and stride. Use .reshape(...) instead."
        )
    return x.viewed(new, strides)


def _reinterpret(x: Tensor, element: Any) -> Tensor:
    before, after = x.dtype.itemsize, element.itemsize
    if before == after:
        return x.viewed(x.shape, x.stride(), element=element)
    if not x.shape or x.stride(-1) != 1 or (x.shape[-1] * before) % after:
        raise RuntimeError(
            f"a tensor of {x.dtype} with these strides cannot be viewed as {element}"
        )
    shape = (*x.shape[:-1], x.shape[-1] * before // after)
    strides = (*(stride * before // after for stride in x.stride()[:-1]), 1)
    return x.viewed(shape, strides, element=element)


@operation("reshape", "reshape_as")
def _reshape(x: Any, *shape: Any, **options: Any) -> Any:
    if len(shape) == 1 and isinstance(shape[0], Tensor):
        shape = tuple(shape[0].shape)
    new = resolved(flat_shape(shape or tuple(options.values())), x.numel())
    strides = viewed_strides(x.shape, x.stride(), new)
    return x.result(new) if strides is None else x.viewed(new, strides)


@operation("permute")
def _permute(x: Any, *dims: Any) -> Any:
    order = [dimension(dim, x.ndim) for dim in flat_shape(dims)]
    return x.viewed([x.shape[i] for i in order], [x.stride(i) for i in order])


@operation("transpose", "swapaxes", "swapdims")
def _transpose(x: Any, dim0: int, dim1: int) -> Any:
    order = list(range(x.ndim))
    first, second = dimension(dim0, x.ndim), dimension(dim1, x.ndim)
    order[first], order[second] = second, first
    return _permute(x, order)


@operation("t", "adjoint")
def _t(x: Any) -> Any:
    return _transpose(x, -1, -2) if x.ndim > 1 else x


@operation("movedim", "moveaxis")
def _movedim(x: Any, source: int, destination: int) -> Any:
    order = list(range(x.ndim))
    order.insert(dimension(destination, x.ndim), order.pop(dimension(source, x.ndim)))
    return _permute(x, order)


@operation("squeeze")
def _squeeze(x: Any, dim: Any = None) -> Any:
    gone = axes(dim, x.ndim)
    kept = [i for i in range(x.ndim) if i not in gone or x.shape[i] != 1]
    return x.viewed([x.shape[i] for i in kept], [x.stride(i) for i in kept])


@operation("unsqueeze")
def _unsqueeze(x: Any, dim: int) -> Any:
    place = dimension(dim, x.ndim + 1)
    step = x.shape[place] * x.stride(place) if place < x.ndim else 1
    shape, strides = list(x.shape), list(x.stride())
    shape.insert(place, 1)
    strides.insert(place, step)
    return x.viewed(shape, strides)


@method("expand")
def _expand(x: Any, *shape: Any) -> Any:
    wanted = list(flat_shape(shape))
    padded = [1] * (len(wanted) - x.ndim) + list(x.shape)
    steps = [0] * (len(wanted) - x.ndim) + list(x.stride())
    new = [old if extent == -1 else extent for extent, old in zip(wanted, padded, strict=True)]
    strides = [
        0 if extent != old else step for extent, old, step in zip(new, padded, steps, strict=True)
    ]
    return x.viewed(new, strides)


@operation("broadcast_to")
def _broadcast_to(x: Any, shape: Any) -> Any:
    return _expand(x, shape)


@method("expand_as")
def _expand_as(x: Any, other: Any) -> Any:
    return _expand(x, other.shape)


@operation("flatten", "ravel")
def _flatten(x: Any, start_dim: int = 0, end_dim: int = -1) -> Any:
    if not x.shape:
        return _reshape(x, 1)
    first, last = dimension(start_dim, x.ndim), dimension(end_dim, x.ndim)
    return _reshape(
        x, (*x.shape[:first], math.prod(x.shape[first : last + 1]), *x.shape[last + 1 :])
    )


@operation("unflatten")
def _unflatten(x: Any, dim: int, sizes: Any) -> Any:
    place = dimension(dim, x.ndim)
    return _reshape(x, (*x.shape[:place], *resolved(sizes, x.shape[place]), *x.shape[place + 1 :]))


@operation("narrow")
def _narrow(x: Any, dim: int, start: int, length: int) -> Any:
    index: list[Any] = [slice(None)] * x.ndim
    index[dimension(dim, x.ndim)] = slice(int(start), int(start) + int(length))
    return x[tuple(index)]


@operation("select")
def _select(x: Any, dim: int, index: int) -> Any:
    chosen: list[Any] = [slice(None)] * x.ndim
    chosen[dimension(dim, x.ndim)] = index
    return x[tuple(chosen)]


@operation("split", "split_with_sizes")
def _split(x: Any, size: Any, dim: int = 0) -> Any:
    extent = x.shape[dim]
    sizes = list(size) if isinstance(size, list | tuple) else [size] * (extent // size)
    if not isinstance(size, list | tuple) and extent % size:
        sizes.append(extent % size)
    starts = [sum(sizes[:i]) for i in range(len(sizes))]
    return tuple(_narrow(x, dim, start, one) for start, one in zip(starts, sizes, strict=True))


@operation("chunk")
def _chunk(x: Any, chunks: int, dim: int = 0) -> Any:
    return _split(x, max(-(-x.shape[dim] // chunks), 1), dim)


@operation("unbind")
def _unbind(x: Any, dim: int = 0) -> Any:
    return tuple(_select(x, dim, index) for index in range(x.shape[dim]))


@operation("as_strided")
def _as_strided(x: Any, size: Any, stride: Any, storage_offset: int | None = None) -> Any:
    skipped = 0 if storage_offset is None else storage_offset - x.storage_offset()
    return x.viewed(tuple(size), tuple(stride), skipped)


@operation("diagonal")
def _diagonal(x: Any, offset: int = 0, dim1: int = 0, dim2: int = 1) -> Any:
    kept = [i for i in range(x.ndim) if i not in axes((dim1, dim2), x.ndim)]
    length = min(x.shape[dim1], x.shape[dim2])
    strides = [*(x.stride(i) for i in kept), x.stride(dim1) + x.stride(dim2)]
    return x.viewed([*(x.shape[i] for i in kept), length], strides)


@operation("diag", "diag_embed")
def _diag(x: Any) -> Any:
    return x.result((x.shape[0],) * 2) if x.ndim == 1 else _diagonal(x)


@method("contiguous")
def _contiguous(x: Any, memory_format: object = None) -> Any:
    if x.is_contiguous():
        return x
    return Tensor(x.shape, x.dtype, place=x.device, parents=(x,))


@method("repeat")
def _repeat(x: Any, *times: Any) -> Any:
    counts = flat_shape(times)
    padded = [1] * (len(counts) - x.ndim) + list(x.shape)
    return x.result([a * b for a, b in zip(counts, padded, strict=True)])


@operation("tile")
def _tile(x: Any, *times: Any) -> Any:
    counts = flat_shape(times)
    return _repeat(x, *([1] * (x.ndim - len(counts))), *counts)


@operation("repeat_interleave")
def _repeat_interleave(
    x: Any, repeats: Any, dim: int | None = None, output_size: int | None = None
) -> Any:
    base = x if dim is not None else _flatten(x)
    shape = list(base.shape)
    place = dimension(dim or 0, base.ndim)
    if isinstance(repeats, Tensor):
        known = repeats.tolist()
        shape[place] = output_size or (
            sum(known) if isinstance(known, list) else shape[place] * known
        )
    else:
        shape[place] *= repeats
    return x.result(shape)


@operation("index_select")
def _index_select(x: Any, dim: int, index: Any) -> Any:
    shape = list(x.shape)
    shape[dim] = index.numel()
    return x.result(shape)


@operation("gather", "take_along_dim")
def _gather(x: Any, dim: int, index: Any, **options: Any) -> Any:
    return x.result(index.shape)


@operation("take", "masked_select")
def _take(x: Any, index: Any) -> Any:
    if index.dtype.name == "bool":
        session().guess(_UNKNOWN_COUNT)
        return x.result((x.numel(),))
    return x.result(index.shape)


@operation("nonzero", "argwhere")
def _nonzero(x: Any, as_tuple: bool = False) -> Any:
    session().guess(_UNKNOWN_COUNT)
    if as_tuple:
        return tuple(x.result((x.numel(),), DTYPES["int64"]) for _ in range(x.ndim))
    return x.result((x.numel(), x.ndim), DTYPES["int64"])


@operation("unique", "unique_consecutive")
def _unique(x: Any, **options: Any) -> Any:
    session().guess(_UNKNOWN_COUNT)
    extra = [name for name in ("return_inverse", "return_counts") if options.get(name)]
    flat = x.result((x.numel(),))
    return (flat, *(x.result((x.numel(),), DTYPES["int64"]) for _ in extra)) if extra else flat


@operation("getitem")
def _getitem(x: Tensor, index: Any) -> Any:
    items = list(index) if isinstance(index, tuple) else [index]
    items = [tensor_of(item, x) if isinstance(item, list) else item for item in items]
    taken = sum(
        item.ndim if isinstance(item, Tensor) and item.dtype.name == "bool" else 1
        for item in items
        if item is not None and item is not Ellipsis
    )
    if taken > x.ndim:
        raise IndexError(f"too many indices for tensor of dimension {x.ndim}")
    rest: list[Any] = [slice(None)] * (x.ndim - taken)
    place = next((i for i, item in enumerate(items) if item is Ellipsis), None)
    if place is None:
        items += rest
    else:
        items[place : place + 1] = rest
    return _indexed(x, items)


def _indexed(x: Tensor, items: list[Any]) -> Tensor:
    shape: list[int] = []
    strides: list[int] = []
    skipped, axis, values = 0, 0, x._values
    selections: list[tuple[int, Tensor]] = []
    for item in items:
        if item is None or isinstance(item, bool):
            shape.append(1)
            strides.append(0)
            continue
        if isinstance(item, Tensor) and (item.shape or item.dtype.name == "bool"):
            count = item.ndim if item.dtype.name == "bool" else 1
            selections.append((len(shape), item))
            shape += x.shape[axis : axis + count]
            strides += x.stride()[axis : axis + count]
            axis += count
            values = None
            continue
        extent, stride = x.shape[axis], x.stride(axis)
        axis += 1
        if isinstance(item, slice):
            start, stop, step = item.indices(extent)
            if step < 1:
                raise ValueError("step must be greater than zero")
            shape.append(max(-(-(stop - start) // step), 0))
            strides.append(stride * step)
            skipped += start * stride if shape[-1] else 0
            values = values[item] if isinstance(values, list) and axis == 1 else None
            continue
        number = item.__index__()
        if not -extent <= number < extent:
            raise IndexError(
                f"index {number} is out of bounds for dimension {axis - 1} with size {extent}"
            )
        skipped += number % extent * stride
        values = values[number] if isinstance(values, list) else None
    view = x.viewed(shape, strides, skipped, values=values)
    return _selected(view, selections) if selections else view


def _selected(view: Tensor, selections: list[tuple[int, Tensor]]) -> Tensor:
    """Return the copy that indexing by tensors makes."""
    index_shapes: list[tuple[int, ...]] = []
    gone: set[int] = set()
    for place, index in selections:
        if index.dtype.name == "bool":
            session().guess(_UNKNOWN_COUNT)
            index_shapes.append((index.numel(),))
            gone |= set(range(place, place + index.ndim))
        else:
            index_shapes.append(tuple(index.shape))
            gone.add(place)
    chosen = broadcast(index_shapes)
    together = max(gone) - min(gone) + 1 == len(gone)
    before = min(gone) if together else 0
    kept = [extent for i, extent in enumerate(view.shape) if i not in gone]
    return Tensor(
        [*kept[:before], *chosen, *kept[before:]], view.dtype, contiguous_strides([*kept[:before], *chosen, *kept[before:]]),
        view.device, parents=(view,),
    )  # fmt: skip
