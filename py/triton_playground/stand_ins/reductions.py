"""Operations that take dimensions away."""

from __future__ import annotations

from collections import namedtuple
from typing import Any

from .dtypes import DTYPES, as_float, default_float
from .elementwise import combine
from .session import session
from .tensor import OPERATIONS, UNKNOWN_TRUTH, Tensor, axes, operation, tensor_of

_WithIndices = namedtuple("_WithIndices", ["values", "indices"])


def reduced(x: Tensor, dim: Any, keepdim: bool) -> tuple[int, ...]:
    """Return the shape that is left."""
    gone = axes(dim, x.ndim)
    return tuple(
        1 if index in gone else extent
        for index, extent in enumerate(x.shape)
        if keepdim or index not in gone
    )


def _reduction(kind: str) -> Any:
    def apply(
        x: Any,
        dim: Any = None,
        keepdim: bool = False,
        *more: Any,
        dtype: Any = None,
        **options: Any,
    ) -> Any:
        x = tensor_of(x)
        if kind == "norm":
            dim, keepdim = options.get("dim", more[0] if more else None), bool(keepdim)
        dim = options.get("axis", dim)
        element = dtype or {
            "float": as_float(x.dtype),
            "norm": as_float(x.dtype),
            "test": DTYPES["bool"],
            "index": DTYPES["int64"],
            "sum": x.dtype if x.dtype.category > 1 else DTYPES["int64"],
        }.get(kind, x.dtype)
        return x.result(reduced(x, dim, keepdim or bool(options.get("keepdims"))), element)

    return apply


OPERATIONS.update({name: _reduction("sum") for name in ("sum", "nansum")})
OPERATIONS.update(
    {name: _reduction("float") for name in ("mean", "nanmean", "var", "std", "logsumexp")}
)
OPERATIONS.update({name: _reduction("test") for name in ("all", "any")})
OPERATIONS.update({name: _reduction("index") for name in ("argmax", "argmin", "count_nonzero")})
OPERATIONS.update({name: _reduction("same") for name in ("amax", "amin")})


@operation("norm")
def _norm(x: Any, p: Any = 2, dim: Any = None, keepdim: bool = False, dtype: Any = None) -> Any:
    return x.result(reduced(x, dim, keepdim), dtype or as_float(x.dtype))


@operation("max", "min", "median", "nanmedian", "mode")
def _extreme(x: Any, dim: Any = None, keepdim: bool = False, **options: Any) -> Any:
    x = tensor_of(x)
    if isinstance(dim, Tensor):
        return combine(None, x, dim)
    dim = options.get("axis", dim)
    shape = reduced(x, dim, keepdim)
    if dim is None:
        return x.result(shape)
    return _WithIndices(x.result(shape), x.result(shape, DTYPES["int64"]))


@operation("prod")
def _product(x: Any, dim: Any = None, keepdim: bool = False, dtype: Any = None) -> Any:
    return x.result(
        reduced(x, dim, keepdim), dtype or (x.dtype if x.dtype.category > 1 else DTYPES["int64"])
    )


@operation("cumsum")
def _cumsum(x: Any, dim: Any = 0, dtype: Any = None) -> Any:
    return x.result(element=dtype or (x.dtype if x.dtype.category > 1 else DTYPES["int64"]))


@operation("sort")
def _sort(x: Any, dim: Any = -1, descending: bool = False, stable: bool = False) -> Any:
    return _WithIndices(x.result(), x.result(element=DTYPES["int64"]))


@operation("argsort")
def _argsort(x: Any, dim: Any = -1, descending: bool = False, stable: bool = False) -> Any:
    return x.result(element=DTYPES["int64"])


@operation("topk")
def _topk(x: Any, k: int, dim: int = -1, largest: bool = True, sorted: bool = True) -> Any:
    shape = list(x.shape)
    shape[dim] = k
    return _WithIndices(x.result(shape), x.result(shape, DTYPES["int64"]))


@operation("quantile")
def _quantile(x: Any, q: Any, dim: Any = None, keepdim: bool = False) -> Any:
    return x.result((*tensor_of(q).shape, *reduced(x, dim, keepdim)))


@operation("bincount", "histc")
def _histogram(x: Any, bins: int | None = None, minlength: int = 1, **options: Any) -> Any:
    return x.result(
        (bins if isinstance(bins, int) else minlength,),
        default_float() if bins else DTYPES["int64"],
    )


@operation("allclose", "equal")
def _close(x: Any, y: Any, *arguments: Any, **options: Any) -> bool:
    session().guess(UNKNOWN_TRUTH)
    return True
