"""Operations on each element: the result has the broadcast shape and the promoted type."""

from __future__ import annotations

from typing import Any

from .dtypes import DTYPES, as_float, dtype, promote, promote_weak
from .shapes import broadcast
from .tensor import OPERATIONS, Tensor, operation, tensor_of

_TO_FLOAT = (
    *("exp", "exp2", "expm1", "log", "log2", "log10", "log1p", "sqrt", "rsqrt", "reciprocal"),
    *("sin", "cos", "tan", "asin", "arcsin", "acos", "arccos", "atan", "arctan"),
    *("sinh", "cosh", "tanh", "asinh", "acosh", "atanh", "sigmoid", "erf", "erfc", "erfinv"),
    *("lgamma", "digamma", "softmax", "log_softmax", "dropout", "native_dropout", "sinc"),
)
_SAME = (
    *("abs", "absolute", "neg", "negative", "positive", "square", "sign", "floor", "ceil", "round"),
    *("trunc", "frac", "clamp", "clip", "clamp_min", "clamp_max", "nan_to_num", "relu", "triu"),
    *("tril", "flip", "roll", "masked_fill", "fill", "scatter", "scatter_add", "index_add"),
    *("index_copy", "index_fill", "masked_scatter", "bitwise_not", "cumprod", "cummax"),
    *("renorm", "logcumsumexp", "fliplr", "flipud", "index_put", "zero"),
)
_TESTS = ("isnan", "isinf", "isfinite", "signbit", "logical_not", "isposinf", "isneginf")
_ARITHMETIC = (
    *("add", "sub", "subtract", "mul", "multiply", "pow", "floor_divide", "remainder", "fmod"),
    *("maximum", "minimum", "fmax", "fmin", "bitwise_and", "bitwise_or", "bitwise_xor"),
    *("bitwise_left_shift", "bitwise_right_shift", "hypot", "copysign", "rsub"),
)
_COMPARISONS = (
    *("eq", "ne", "lt", "le", "gt", "ge", "less", "greater", "less_equal", "greater_equal"),
    *("not_equal", "logical_and", "logical_or", "logical_xor", "isclose", "isin"),
)
_TO_FLOAT_OF_TWO = ("div", "divide", "true_divide", "atan2", "arctan2", "logaddexp", "xlogy")


def _unary(to_float: bool, element: dtype | None = None) -> Any:
    def apply(x: Any, *arguments: Any, dtype: Any = None, out: Any = None, **options: Any) -> Any:
        x = tensor_of(x)
        return x.result(element=element or dtype or (as_float(x.dtype) if to_float else x.dtype))

    return apply


def result_type(*values: Any) -> dtype:
    """Return the element type of an operation between tensors and numbers."""
    strong: dtype | None = None
    weak: dtype | None = None
    for value in values:
        operand = tensor_of(value)
        if isinstance(value, Tensor) and value.shape:
            strong = operand.dtype if strong is None else promote(strong, operand.dtype)
        else:
            weak = operand.dtype if weak is None else promote(weak, operand.dtype)
    if strong is None or weak is None:
        return strong or weak or DTYPES["float32"]
    return promote_weak(strong, weak)


def combine(element: dtype | None, *values: Any) -> Tensor:
    """Return the result of an operation on each element of tensors and numbers; its promoted type if none is given."""
    on_gpu = [value for value in values if isinstance(value, Tensor)]
    operands = [tensor_of(value, on_gpu[0] if on_gpu else None) for value in values]
    shape = broadcast(operand.shape for operand in operands)
    # The first operand of the result's shape gives the layout; a zero-dimensional CPU tensor does not give the device.
    leading = next((one for one in operands if one.shape == shape), operands[0])
    result = leading.result(shape, element or result_type(*values), operands)
    placed = next((one.device for one in operands if one.shape), leading.device)
    result.device = placed
    return result


def _binary(kind: str) -> Any:
    def apply(
        x: Any, other: Any, *arguments: Any, alpha: Any = 1, out: Any = None, **options: Any
    ) -> Any:
        if kind == "test":
            return combine(DTYPES["bool"], x, other)
        element = result_type(x, other)
        truncates = options.get("rounding_mode") is not None
        return combine(
            as_float(element) if kind == "float" and not truncates else element, x, other
        )

    return apply


OPERATIONS.update({name: _unary(True) for name in _TO_FLOAT})
OPERATIONS.update({name: _unary(False) for name in _SAME})
OPERATIONS.update({name: _unary(False, DTYPES["bool"]) for name in _TESTS})
OPERATIONS.update({name: _binary("same") for name in _ARITHMETIC})
OPERATIONS.update({name: _binary("test") for name in _COMPARISONS})
OPERATIONS.update({name: _binary("float") for name in _TO_FLOAT_OF_TWO})


@operation("where")
def _where(condition: Any, x: Any = None, y: Any = None) -> Any:
    if not isinstance(condition, Tensor) or x is None:
        return OPERATIONS["nonzero"](condition, as_tuple=True)
    if not isinstance(x, Tensor) and isinstance(y, Tensor):
        return combine(result_type(y, x), condition, x, y)
    return combine(result_type(x, y), condition, x, y)


@operation("lerp", "addcmul", "addcdiv")
def _three(x: Any, y: Any, z: Any, **options: Any) -> Any:
    return combine(None, x, y, z)


_OPERATORS = {
    **{"add": "add", "sub": "sub", "mul": "mul", "truediv": "div", "floordiv": "floor_divide"},
    **{"mod": "remainder", "pow": "pow", "and": "bitwise_and", "or": "bitwise_or"},
    **{"xor": "bitwise_xor", "lshift": "bitwise_left_shift", "rshift": "bitwise_right_shift"},
}


def _operator(name: str, reverse: bool) -> Any:
    def apply(self: Tensor, other: Any) -> Any:
        if not isinstance(other, Tensor | bool | int | float | complex):
            return NotImplemented
        return OPERATIONS[name](other, self) if reverse else OPERATIONS[name](self, other)

    return apply


def _in_place(self: Tensor, other: Any) -> Tensor:
    return self


for _symbol, _name in _OPERATORS.items():
    setattr(Tensor, f"__{_symbol}__", _operator(_name, False))
    setattr(Tensor, f"__r{_symbol}__", _operator(_name, True))
    setattr(Tensor, f"__i{_symbol}__", _in_place)
for _name in ("lt", "le", "gt", "ge"):
    setattr(Tensor, f"__{_name}__", _operator(_name, False))
for _symbol, _name in {
    "neg": "neg",
    "pos": "positive",
    "abs": "abs",
    "invert": "bitwise_not",
}.items():
    setattr(Tensor, f"__{_symbol}__", OPERATIONS[_name])


def _equal(self: Tensor, other: object) -> Any:
    return _operator("eq", False)(self, other)


def _different(self: Tensor, other: object) -> Any:
    return _operator("ne", False)(self, other)


# Tensors are told apart by identity in sets and dictionaries, although == makes a tensor of them.
setattr(Tensor, "__eq__", _equal)  # noqa: B010 - mypy refuses the assignment
setattr(Tensor, "__ne__", _different)  # noqa: B010
