"""The modules of the stand-in for torch, made anew for each script."""

from __future__ import annotations

import math
from collections import namedtuple
from types import ModuleType
from typing import Any

from . import autograd, conversions, reductions, views  # noqa: F401 - each fills the table of operations
from .device import device
from .driver import note_product
from .dtypes import ALIASES, DTYPES, default_float, dtype, promote
from .elementwise import result_type
from .errors import missing
from .factories import FACTORIES
from .functional import FUNCTIONAL, NN
from .gpus import TorchProperties, capability, gpu_of
from .inert import Inert
from .products import einsum
from .session import Session, session
from .shapes import Size, broadcast
from .tensor import OPERATIONS, UNKNOWN_TRUTH, Tensor

# A release of PyTorch from the time of the pinned Triton.
_VERSION = "2.7.0"
_MemoryFormat = namedtuple("_MemoryFormat", ["name"])


def module(name: str, content: dict[str, Any], package: bool = True) -> ModuleType:
    """Return a module of these names; any other name of it is an error that says so."""
    made = ModuleType(name)
    vars(made).update(content)
    if package:
        made.__path__ = []

    def __getattr__(wanted: str) -> Any:  # noqa: N807 - Python's name for it
        if wanted.startswith("__"):
            raise AttributeError(wanted)
        raise missing(f"{name}.{wanted}")

    vars(made)["__getattr__"] = __getattr__
    return made


def _nothing(*arguments: Any, **options: Any) -> None:
    return None


def _true(*arguments: Any, **options: Any) -> bool:
    return True


def _false(*arguments: Any, **options: Any) -> bool:
    return False


def _zero(*arguments: Any, **options: Any) -> int:
    return 0


class Generator:
    """Stands for torch.Generator."""

    def __init__(self, device: Any = None) -> None:
        self.device = device

    def manual_seed(self, seed: int) -> Generator:
        """Return the generator."""
        return self

    def initial_seed(self) -> int:
        """Return a seed."""
        return 0


class Event(autograd.Inactive):
    """Stands for torch.cuda.Event and torch.cuda.Stream."""

    cuda_stream = stream_id = 0

    def elapsed_time(self, other: Any) -> float:
        """Return a made-up millisecond."""
        return 1.0

    def __getattr__(self, name: str) -> Any:
        if name.startswith("_"):
            raise AttributeError(name)
        return _nothing


def _assert_close(actual: Any, expected: Any, *arguments: Any, **options: Any) -> None:
    if (
        isinstance(actual, Tensor)
        and isinstance(expected, Tensor)
        and actual.shape != expected.shape
    ):
        raise AssertionError(
            f"The values for attribute 'shape' do not match: {actual.shape} != {expected.shape}."
        )
    session().guess(UNKNOWN_TRUTH)


def _cuda(current: Session) -> dict[str, Any]:
    target = current.target

    def properties(device: Any = None) -> TorchProperties:
        note_product(target)
        return TorchProperties(target)

    def name(device: Any = None) -> str:
        note_product(target)
        return gpu_of(target).name

    nothings = (
        "synchronize",
        "empty_cache",
        "manual_seed",
        "manual_seed_all",
        "set_device",
        "init",
    )
    more = (
        "reset_peak_memory_stats",
        "reset_max_memory_allocated",
        "ipc_collect",
        "set_stream",
    )
    zeros = ("current_device", "memory_allocated", "max_memory_allocated", "memory_reserved")
    inactive = ("device", "stream", "graph", "device_of")
    return {
        **dict.fromkeys((*nothings, *more), _nothing),
        **dict.fromkeys(zeros, _zero),
        **dict.fromkeys(inactive, autograd.Inactive),
        **dict.fromkeys(("is_available", "is_initialized", "is_bf16_supported"), _true),
        **{"Event": Event, "Stream": Event, "CUDAGraph": Event, "ExternalStream": Event},
        "current_stream": lambda *arguments: Event(),
        "default_stream": lambda *arguments: Event(),
        "is_current_stream_capturing": _false,
        "device_count": lambda: 1,
        "get_device_capability": lambda *arguments, **options: capability(target),
        "get_device_properties": properties,
        "get_device_name": name,
        "mem_get_info": lambda *arguments: (gpu_of(target).memory << 30,) * 2,
        "get_arch_list": lambda: [],
    }


def _flags(*names: str) -> Any:
    return type("_Flags", (), dict.fromkeys(names, False))()


def torch_modules(current: Session) -> dict[str, ModuleType]:
    """Return the modules of torch by their dotted names."""
    cuda = module("torch.cuda", _cuda(current))
    is_hip = current.target.backend == "hip"
    custom = dict.fromkeys(("custom_fwd", "custom_bwd", "autocast"), _amp)
    function = {
        "Function": autograd.Function,
        "FunctionCtx": autograd.Context,
        "once_differentiable": autograd.decorator,
    }
    modules: dict[str, dict[str, Any]] = {
        "torch.autograd": {"Function": autograd.Function, "grad": autograd.grad, "no_grad": autograd.Switchable},
        "torch.autograd.function": function,
        "torch.autograd.profiler": {"profile": autograd.Inactive, "record_function": autograd.Inactive},
        "torch.amp": custom,
        "torch.cuda.amp": custom,
        "torch.nn": {**NN, "functional": None},
        "torch.nn.functional": FUNCTIONAL,
        "torch.nn.parameter": {"Parameter": NN["Parameter"]},
        "torch.nn.init": {},
        "torch.testing": {"assert_close": _assert_close, "assert_allclose": _assert_close},
        "torch.version": {"hip": "6.3.0" if is_hip else None, "cuda": None if is_hip else "12.8", "__version__": _VERSION},
        "torch.profiler": {"profile": autograd.Inactive, "record_function": autograd.Inactive, "ProfilerActivity": Inert("torch.profiler.ProfilerActivity")},
        "torch.utils": {},
        "torch.library": {"triton_op": autograd.decorator_of_name, "custom_op": autograd.decorator_of_name, "wrap_triton": lambda kernel: kernel},
        "torch.compiler": {"disable": autograd.decorator, "is_compiling": _false},
        "torch._dynamo": {"disable": autograd.decorator, "allow_in_graph": autograd.decorator},
        "torch.backends": {},
        "torch.backends.cuda": {"matmul": _flags("allow_tf32", "allow_fp16_reduced_precision_reduction"), "is_built": lambda: not is_hip},
        "torch.backends.cudnn": {"allow_tf32": False, "benchmark": False, "deterministic": False, "enabled": True, "is_available": _true, "version": lambda: 90000},
        "torch.distributed": {"is_available": _false, "is_initialized": _false, "get_rank": _zero, "get_world_size": lambda *arguments: 1},
        "torch.random": {"manual_seed": Generator().manual_seed, "fork_rng": autograd.Inactive},
        "torch.types": {"Device": Any, "Number": float},
    }  # fmt: skip
    made = {"torch": module("torch", _top(current)), "torch.cuda": cuda}
    made.update({name: module(name, content) for name, content in modules.items()})
    for name, one in made.items():
        parent, _, child = name.rpartition(".")
        if parent:
            setattr(made[parent], child, one)
    return made


class _amp(autograd.Inactive):  # noqa: N801 - stands for torch.amp's decorators
    def __new__(cls, function: Any = None, *arguments: Any, **options: Any) -> Any:
        return function if callable(function) else super().__new__(cls)


def _top(current: Session) -> dict[str, Any]:
    def set_default_dtype(element: dtype) -> None:
        current.default_dtype = element

    def set_default_device(place: Any) -> None:
        current.default_device = str(place)

    def seed(*arguments: Any) -> Generator:
        return Generator()

    content: dict[str, Any] = {**OPERATIONS, **FACTORIES}
    content.pop("getitem"), content.pop("__matmul__")
    content.update(
        {
            name: FUNCTIONAL[name]
            for name in ("layer_norm", "rms_norm", "conv1d", "conv2d", "conv3d", "embedding")
        }
    )
    content.update({**DTYPES, **{alias: DTYPES[name] for alias, name in ALIASES.items()}})
    content.update(dict.fromkeys(("no_grad", "enable_grad", "inference_mode"), autograd.Switchable))
    content.update(dict.fromkeys(("set_grad_enabled", "autocast"), autograd.Inactive))
    content.update(
        dict.fromkeys(
            (
                "set_printoptions",
                "set_float32_matmul_precision",
                "set_num_threads",
                "use_deterministic_algorithms",
                "_assert",
            ),
            _nothing,
        )
    )
    content.update(
        {f"{name}Tensor": Tensor for name in ("Float", "Half", "BFloat16", "Int", "Long")}
    )
    content.update(
        {
            name: _MemoryFormat(name)
            for name in ("contiguous_format", "channels_last", "preserve_format", "strided")
        }
    )
    content.update(
        {
            **{"Tensor": Tensor, "Size": Size, "dtype": dtype, "device": device, "Generator": Generator},
            **{"Event": Event, "Stream": Event, "__version__": _VERSION},
            **{"pi": math.pi, "e": math.e, "inf": math.inf, "nan": math.nan},
            **{"manual_seed": seed, "seed": seed, "einsum": einsum, "compile": autograd.decorator},
            **{"set_default_dtype": set_default_dtype, "set_default_device": set_default_device},
            **{"get_default_dtype": default_float, "get_default_device": lambda: device(current.default_device)},
            **{"is_tensor": lambda value: isinstance(value, Tensor), "is_grad_enabled": _true},
            **{"is_floating_point": lambda x: x.dtype.is_floating_point, "numel": lambda x: x.numel()},
            **{"is_storage": _false, "finfo": finfo, "iinfo": iinfo, "promote_types": promote},
            **{"result_type": result_type, "broadcast_shapes": lambda *shapes: Size(broadcast(shapes))},
            "broadcast_tensors": lambda *tensors: [one.expand(broadcast([x.shape for x in tensors])) for one in tensors],
            **{"typename": lambda x: type(x).__name__, "get_num_threads": lambda: 1, "are_deterministic_algorithms_enabled": _false},
            **{"clone": lambda x, **options: x.clone(), "empty_cache": _nothing, "initial_seed": _zero},
        }
    )  # fmt: skip
    return content


class finfo:  # noqa: N801 - torch's name
    """The limits of a floating-point type.

    Args:
        element: the type.
    """

    _BITS = {  # noqa: RUF012 - never changed
        "float16": (5, 10), "bfloat16": (8, 7), "float32": (8, 23), "float64": (11, 52),
        "float8_e5m2": (5, 2), "float8_e4m3fn": (4, 3), "float8_e4m3fnuz": (4, 3), "float8_e5m2fnuz": (5, 2),
    }  # fmt: skip

    def __init__(self, element: dtype | None = None) -> None:
        element = element or default_float()
        exponent, fraction = self._BITS[element.name]
        top = 2 ** (exponent - 1) - 1
        self.bits, self.eps = element.itemsize * 8, 2.0**-fraction
        self.max = {
            "float8_e4m3fn": 448.0,
            "float8_e4m3fnuz": 240.0,
            "float8_e5m2fnuz": 57344.0,
        }.get(element.name, (2 - 2.0**-fraction) * 2.0**top)
        self.min, self.tiny = -self.max, 2.0 ** (1 - top)
        self.smallest_normal, self.dtype = self.tiny, element.name


class iinfo:  # noqa: N801 - torch's name
    """The limits of an integer type.

    Args:
        element: the type.
    """

    def __init__(self, element: dtype) -> None:
        self.bits, self.dtype = element.itemsize * 8, element.name
        self.max = 2 ** (self.bits - element.is_signed) - 1
        self.min = -(2 ** (self.bits - 1)) if element.is_signed else 0
