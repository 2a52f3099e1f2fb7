"""Functions that make tensors: torch.empty, torch.randn, torch.arange and their kind."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from .dtypes import DTYPES, default_float, dtype, dtype_of_number
from .elementwise import result_type
from .shapes import flat_shape, preserved_strides
from .tensor import Tensor, method, operation, tensor_of

FACTORIES: dict[str, Callable[..., Any]] = {}


def _factory(*names: str) -> Callable[[Callable[..., Any]], Callable[..., Any]]:
    def register(function: Callable[..., Any]) -> Callable[..., Any]:
        FACTORIES.update(dict.fromkeys(names, function))
        return function

    return register


def made(shape: Any, element: dtype | None, options: dict[str, Any]) -> Tensor:
    """Return a fresh tensor with the options that every factory takes."""
    result = Tensor(
        flat_shape(shape),
        options.get("dtype") or element or default_float(),
        place=options.get("device"),
    )
    result.requires_grad = bool(options.get("requires_grad"))
    return result


@_factory("empty", "zeros", "ones", "rand", "randn")
def _filled(*size: Any, **options: Any) -> Tensor:
    return made(size or (options["size"],), None, options)


@_factory("full")
def _full(size: Any, fill_value: Any, **options: Any) -> Tensor:
    size = (size,) if isinstance(size, int) else size
    return made(tuple(size), tensor_of(fill_value).dtype, options)


@_factory("randint")
def _randint(low: Any, high: Any = None, size: Any = None, **options: Any) -> Tensor:
    size = next(one for one in (size, high) if isinstance(one, list | tuple))
    return made(tuple(size), DTYPES["int64"], options)


@_factory("normal")
def _normal(mean: Any = 0.0, std: Any = 1.0, size: Any = None, **options: Any) -> Any:
    if size is not None:
        return made(tuple(size), None, options)
    return tensor_of(mean if isinstance(mean, Tensor) else std).result()


@_factory("bernoulli", "poisson")
def _sampled(x: Any, *arguments: Any, **options: Any) -> Any:
    return x.result()


@_factory("multinomial")
def _multinomial(x: Any, num_samples: int, replacement: bool = False, **options: Any) -> Any:
    return x.result((*x.shape[:-1], num_samples), DTYPES["int64"])


@_factory("randperm")
def _randperm(n: int, **options: Any) -> Tensor:
    return made((n,), DTYPES["int64"], options)


@_factory("arange", "range")
def _arange(start: Any, end: Any = None, step: Any = 1, **options: Any) -> Tensor:
    start, end = (0, start) if end is None else (start, end)
    numbers = [one.item() if isinstance(one, Tensor) else one for one in (start, end, step)]
    element = max((dtype_of_number(number) for number in numbers), key=lambda one: one.category)
    return made((max(-int((numbers[0] - numbers[1]) // numbers[2]), 0),), element, options)


@_factory("linspace", "logspace")
def _linspace(start: Any, end: Any, steps: int = 100, *arguments: Any, **options: Any) -> Tensor:
    return made((steps,), None, options)


@_factory("eye")
def _eye(n: int, m: int | None = None, **options: Any) -> Tensor:
    return made((n, n if m is None else m), None, options)


@_factory("hann_window", "hamming_window", "bartlett_window", "blackman_window")
def _window(length: int, *arguments: Any, **options: Any) -> Tensor:
    return made((length,), None, options)


@_factory("empty_strided")
def _empty_strided(size: Any, stride: Any, **options: Any) -> Tensor:
    element = options.get("dtype") or default_float()
    return Tensor(tuple(size), element, tuple(stride), options.get("device"))


@_factory("empty_permuted")
def _empty_permuted(size: Any, physical_layout: Any, **options: Any) -> Any:
    packed = made([size[i] for i in physical_layout], None, options)
    order = sorted(range(len(size)), key=lambda i: physical_layout[i])
    return packed.viewed([packed.shape[i] for i in order], [packed.stride(i) for i in order])


@_factory("tensor", "as_tensor", "asarray", "from_numpy", "scalar_tensor")
def _tensor(
    data: Any, dtype: Any = None, device: Any = None, requires_grad: bool = False, **options: Any
) -> Any:
    source = tensor_of(data)
    result = Tensor(
        source.shape, dtype or source.dtype, place=source.device if device is None and isinstance(data, Tensor) else device,
        values=source._values,
    )  # fmt: skip
    result.requires_grad = requires_grad
    return result


@_factory(
    "empty_like", "zeros_like", "ones_like", "rand_like", "randn_like", "full_like", "randint_like"
)
def _like(x: Any, *arguments: Any, **options: Any) -> Tensor:
    result = Tensor(
        x.shape, options.get("dtype") or x.dtype, preserved_strides(x.shape, x.stride()),
        x.device if options.get("device") is None else options["device"],
    )  # fmt: skip
    result.requires_grad = bool(options.get("requires_grad"))
    return result


@method("new_empty", "new_zeros", "new_ones")
def _new(x: Any, *size: Any, **options: Any) -> Tensor:
    return made(size or (options.pop("size"),), x.dtype, {"device": x.device, **options})


@method("new_full")
def _new_full(x: Any, size: Any, fill_value: Any, **options: Any) -> Tensor:
    return made(tuple(size), x.dtype, {"device": x.device, **options})


@method("new_tensor")
def _new_tensor(x: Any, data: Any, **options: Any) -> Any:
    return _tensor(data, **{"dtype": x.dtype, "device": x.device, **options})


@method("new_empty_strided")
def _new_empty_strided(x: Any, size: Any, stride: Any, **options: Any) -> Any:
    return _empty_strided(size, stride, **{"dtype": x.dtype, "device": x.device, **options})


@method("normal_", "uniform_", "random_", "exponential_", "bernoulli_", "zero_", "fill_diagonal_")
def _refilled(x: Any, *arguments: Any, **options: Any) -> Any:
    return x


@operation("cat", "concat", "concatenate")
def _cat(tensors: Any, dim: int = 0, out: Any = None) -> Any:
    tensors = list(tensors)
    shape = list(tensors[0].shape)
    shape[dim] = sum(one.shape[dim] for one in tensors)
    return tensors[0].result(shape, result_type(*tensors), tensors)


@operation("stack")
def _stack(tensors: Any, dim: int = 0, out: Any = None) -> Any:
    tensors = list(tensors)
    shape = list(tensors[0].shape)
    shape.insert(dim if dim >= 0 else dim + len(shape) + 1, len(tensors))
    return tensors[0].result(shape, result_type(*tensors), tensors)


@operation("hstack")
def _hstack(tensors: Any) -> Any:
    return _cat(tensors, 0 if tensors[0].ndim < 2 else 1)


@operation("vstack", "row_stack")
def _vstack(tensors: Any) -> Any:
    return _cat([one.unsqueeze(0) if one.ndim < 2 else one for one in tensors], 0)


@operation("meshgrid")
def _meshgrid(*tensors: Any, indexing: str = "ij") -> Any:
    tensors = tuple(tensors[0]) if isinstance(tensors[0], list | tuple) else tensors
    shape = [one.numel() for one in tensors]
    if indexing == "xy":
        shape[:2] = shape[1::-1]
    return tuple(one.result(shape) for one in tensors)
