"""The stand-in for numpy: arithmetic on numbers, and arrays as tensors without numbers."""

from __future__ import annotations

import math
from types import ModuleType
from typing import Any

from .device import device
from .dtypes import DTYPES, dtype
from .factories import FACTORIES
from .session import session
from .tensor import OPERATIONS, UNKNOWN_TRUTH, Tensor
from .torch_module import module


class NumberType:
    """A numpy type such as numpy.float32: makes numbers, and names an element type.

    Args:
        element: the element type.
    """

    def __init__(self, element: dtype) -> None:
        self.element = element
        self.itemsize = element.itemsize

    def __call__(self, value: Any = 0) -> Any:
        """Return a Python number of that kind."""
        return (bool, int, float, complex)[self.element.category](value)

    def __repr__(self) -> str:
        return self.element.name


def _element(given: Any) -> dtype | None:
    """Return the element type for what numpy takes as one."""
    if isinstance(given, NumberType):
        return given.element
    if isinstance(given, type):
        return {bool: DTYPES["bool"], int: DTYPES["int64"], float: DTYPES["float64"]}.get(given)
    return DTYPES.get(given) if isinstance(given, str) else given


def _array(name: str) -> Any:
    def make(*arguments: Any, dtype: Any = None, **options: Any) -> Any:
        if name.startswith("rand") or (
            dtype is None and name in ("zeros", "ones", "empty", "linspace")
        ):
            dtype = dtype or float
        return FACTORIES[name](*arguments, dtype=_element(dtype), device=device("cpu"), **options)

    return make


def _either(name: str, on_numbers: Any) -> Any:
    """Return a function of numbers that is also one of arrays."""

    def apply(*values: Any, **options: Any) -> Any:
        if any(isinstance(value, Tensor) for value in values):
            return OPERATIONS[name](*values, **options)
        return on_numbers(*values)

    return apply


def _close(*arguments: Any, **options: Any) -> bool:
    session().guess(UNKNOWN_TRUTH)
    return True


def _sampled(*arguments: Any, size: Any = None, **options: Any) -> Any:
    if size is None:
        return 0.5
    return FACTORIES["empty"](size, dtype=DTYPES["float64"], device="cpu")


def _integers(low: Any, high: Any = None, size: Any = None, dtype: Any = None) -> Any:
    if size is None:
        return int(low)
    return FACTORIES["empty"](size, dtype=_element(dtype) or DTYPES["int64"], device="cpu")


class RandomState:
    """Stands for numpy.random, its RandomState and its Generator."""

    def __init__(self, seed: Any = None) -> None:
        pass

    def rand(self, *size: int) -> Any:
        """Return an array of float64, or a number."""
        return _sampled(size=size or None)

    randn = rand
    normal = uniform = random = random_sample = standard_normal = staticmethod(_sampled)
    randint = integers = staticmethod(_integers)

    def seed(self, seed: Any = None) -> None:
        """Do nothing."""

    def default_rng(self, seed: Any = None) -> RandomState:
        """Return a generator."""
        return self

    RandomState = default_rng


def _prod(values: Any, *arguments: Any, **options: Any) -> Any:
    return values.prod() if isinstance(values, Tensor) else math.prod(values)


def _of_sequence(name: str, on_numbers: Any) -> Any:
    def apply(values: Any, *arguments: Any, **options: Any) -> Any:
        if isinstance(values, Tensor):
            return OPERATIONS[name](values, *arguments, **options)
        return on_numbers(values)

    return apply


def numpy_modules() -> dict[str, ModuleType]:
    """Return the modules of numpy by their dotted names."""
    types = {name: NumberType(element) for name, element in DTYPES.items() if "float8" not in name}
    content: dict[str, Any] = {
        **types,
        **{"half": types["float16"], "single": types["float32"], "double": types["float64"]},
        **{"int_": types["int64"], "bool_": types["bool"], "ndarray": Tensor, "dtype": _element},
        **{"pi": math.pi, "e": math.e, "inf": math.inf, "nan": math.nan, "newaxis": None},
        **{name: _array(name) for name in ("zeros", "ones", "empty", "full", "arange", "linspace", "eye")},
        **{"array": _array("tensor"), "asarray": _array("tensor"), "ascontiguousarray": _array("tensor")},
        **{name: _array(name) for name in ("zeros_like", "ones_like", "empty_like")},
        **{name: _either(name, getattr(math, name)) for name in ("sqrt", "exp", "log", "log2", "log10", "ceil", "floor", "sin", "cos", "tanh", "isnan", "isinf")},
        **{"abs": _either("abs", abs), "maximum": _either("maximum", max), "minimum": _either("minimum", min)},
        **{"power": _either("pow", pow), "round": _either("round", round), "prod": _prod, "product": _prod},
        **{"max": _of_sequence("max", max), "min": _of_sequence("min", min), "sum": _of_sequence("sum", sum)},
        "mean": _of_sequence("mean", lambda values: sum(values) / len(values)),
        "median": _of_sequence("median", lambda values: sorted(values)[len(values) // 2]),
        **dict.fromkeys(("allclose", "array_equal"), _close),
        "__version__": "2.2.0",
    }  # fmt: skip
    testing = {name: lambda *arguments, **options: None for name in ("assert_allclose", "assert_equal", "assert_array_equal", "assert_array_almost_equal")}  # fmt: skip
    random = RandomState()
    names = [name for name in dir(random) if not name.startswith("_")]
    made = {
        "numpy": module("numpy", content),
        "numpy.testing": module("numpy.testing", dict(testing)),
        "numpy.random": module("numpy.random", {name: getattr(random, name) for name in names}),
    }
    vars(made["numpy"]).update(testing=made["numpy.testing"], random=made["numpy.random"])
    return made
