"""Conversions of a tensor to another type, device or memory."""

from __future__ import annotations

from typing import Any

from .device import as_device, device
from .dtypes import ALIASES, DTYPES, dtype
from .shapes import preserved_strides
from .tensor import Tensor, method, operation


def converted(
    x: Tensor, element: dtype | None = None, place: Any = None, copy: bool = False
) -> Tensor:
    """Return the tensor with that type on that device: itself if it is so already."""
    element = element or x.dtype
    target = x.device if place is None else as_device(place)
    if element == x.dtype and target == x.device and not copy:
        return x
    strides = preserved_strides(x.shape, x.stride())
    return Tensor(x.shape, element, strides, target, parents=(x,), values=x._values)


@method("to")
def _to(x: Any, *arguments: Any, **options: Any) -> Any:
    element, place = options.get("dtype"), options.get("device")
    for argument in arguments:
        if isinstance(argument, dtype):
            element = argument
        elif isinstance(argument, Tensor):
            element, place = argument.dtype, argument.device
        elif isinstance(argument, str | device | int) and not isinstance(argument, bool):
            place = argument
    return converted(x, element, place, bool(options.get("copy")))


@method("type")
def _type(x: Any, element: Any = None, **options: Any) -> Any:
    if element is None:
        return f"torch.{'cuda.' if x.is_cuda else ''}{x.dtype.name.capitalize()}Tensor"
    return converted(x, element)


@method("type_as")
def _type_as(x: Any, other: Any) -> Any:
    return converted(x, other.dtype, other.device)


@method("cuda")
def _cuda(x: Any, device: Any = None, non_blocking: bool = False) -> Any:
    return converted(x, place="cuda" if device is None else device)


@method("cpu")
def _cpu(x: Any) -> Any:
    return converted(x, place="cpu")


@method(
    "numpy", "pin_memory", "share_memory_", "resolve_conj", "resolve_neg", "rename", "retain_grad"
)
def _itself(x: Any, *arguments: Any, **options: Any) -> Any:
    return x


@operation("detach")
def _detach(x: Any) -> Any:
    view = x.viewed(x.shape, x.stride(), values=x._values)
    view.requires_grad, view._parents = False, ()
    return view


@method("detach_")
def _detach_in_place(x: Any) -> Any:
    x.requires_grad, x._parents, x._function = False, (), None
    return x


def _cast(element: dtype) -> Any:
    return lambda x, **options: converted(x, element)


for _name in (*ALIASES, "bool", "bfloat16"):
    method(_name)(_cast(DTYPES[ALIASES.get(_name, _name)]))
for _name, _element in {"byte": "uint8", "char": "int8"}.items():
    method(_name)(_cast(DTYPES[_element]))


@method("is_floating_point")
def _is_floating_point(x: Any) -> bool:
    return bool(x.dtype.is_floating_point)


@method("is_pinned", "is_shared", "is_complex", "is_sparse_csr")
def _no(x: Any) -> bool:
    return False


@method("element_size")
def _element_size(x: Any) -> int:
    return int(x.dtype.itemsize)


@method("nelement")
def _nelement(x: Any) -> int:
    return int(x.numel())


@method("record_stream", "register_hook", "apply_", "set_")
def _nothing(x: Any, *arguments: Any, **options: Any) -> None:
    return None
