"""Kernels from PTX text through the CUDA driver's C interface; no Triton, no compiler but the driver's own."""

from __future__ import annotations

import ctypes
import json
from pathlib import Path
from typing import Any

import torch

TENSOR_TYPES = {
    "fp16": torch.float16,
    "bf16": torch.bfloat16,
    "fp32": torch.float32,
    "fp64": torch.float64,
    "fp8e4nv": torch.float8_e4m3fn,
    "fp8e5": torch.float8_e5m2,
    "i8": torch.int8,
    "i16": torch.int16,
    "i32": torch.int32,
    "i64": torch.int64,
}
SCALAR_TYPES = {
    "i32": ctypes.c_int32,
    "i64": ctypes.c_int64,
    "fp32": ctypes.c_float,
    "fp64": ctypes.c_double,
}

# Numbers of cuda.h's enumerations.
_ERROR_LOG, _ERROR_LOG_BYTES = 5, 6
_MAX_DYNAMIC_SHARED_BYTES = 8


class DriverError(Exception):
    """A call of the CUDA driver failed; the text holds the call, the error's name and the driver's log."""


class Kernel:
    """One kernel, loaded into the current CUDA context."""

    def __init__(self, folder: Path, name: str) -> None:
        """Load `NAME.ptx` and its description `NAME.json`, as scripts.verify.device wrote them.

        Raises:
            DriverError: the driver refuses the PTX.
        """
        self.description: dict[str, Any] = json.loads((folder / f"{name}.json").read_text())
        self._cuda = ctypes.CDLL("libcuda.so.1")
        self._function = self._load((folder / f"{name}.ptx").read_bytes() + b"\0")

    def __call__(self, grid: tuple[int, ...], **arguments: Any) -> None:
        """Launch the kernel on ``grid`` programs and wait for its end.

        Args:
            grid: programs along x, y and z; 1 where left out.
            arguments: a tensor or a number for every runtime argument of the kernel, by name.

        Raises:
            TypeError: an argument is missing, or does not fit what the kernel was specialised for.
            DriverError: the launch or the kernel failed.
        """
        kinds = self.description["arguments"]
        given, wanted = set(arguments), {argument["name"] for argument in kinds}
        # What is specialised to 1 is no parameter of the PTX, but callers may name it.
        constant = set(self.description["ones"])
        if given - constant != wanted or any(arguments[name] != 1 for name in given & constant):
            raise TypeError(
                f"{self.description['entry']}: takes {sorted(wanted)}, got {sorted(given)}"
            )
        programs = (*grid, 1, 1)[:3]
        count = programs[0] * programs[1] * programs[2]
        scratch = torch.zeros(
            max(self.description["global_scratch_size"] * count, 1) + 256,
            dtype=torch.uint8,
            device="cuda",
        )
        address = scratch.data_ptr() + -scratch.data_ptr() % 256
        values = [_argument(kind, arguments[kind["name"]]) for kind in kinds]
        values.append(ctypes.c_uint64(address if self.description["global_scratch_size"] else 0))
        pointers = (ctypes.c_void_p * len(values))(
            *(ctypes.cast(ctypes.pointer(value), ctypes.c_void_p) for value in values)
        )
        threads = 32 * self.description["num_warps"]
        shared = self.description["shared"]
        self._call(
            "cuLaunchKernel", self._function, *programs, threads, 1, 1, shared, None, pointers, None
        )
        self._call("cuCtxSynchronize")

    def _load(self, ptx: bytes) -> ctypes.c_void_p:
        module, function = ctypes.c_void_p(), ctypes.c_void_p()
        log = ctypes.create_string_buffer(8192)
        options = (ctypes.c_int * 2)(_ERROR_LOG, _ERROR_LOG_BYTES)
        settings = (ctypes.c_void_p * 2)(ctypes.addressof(log), len(log))
        try:
            self._call("cuModuleLoadDataEx", ctypes.byref(module), ptx, 2, options, settings)
        except DriverError as error:
            raise DriverError(f"{error}\n{log.value.decode(errors='replace')}") from error
        entry = self.description["entry"].encode()
        self._call("cuModuleGetFunction", ctypes.byref(function), module, entry)
        # Over 48 KB a kernel has to ask for.
        shared = self.description["shared"]
        self._call("cuFuncSetAttribute", function, _MAX_DYNAMIC_SHARED_BYTES, shared)
        return function

    def _call(self, name: str, *arguments: Any) -> None:
        status = getattr(self._cuda, name)(*arguments)
        if status != 0:
            text = ctypes.c_char_p()
            self._cuda.cuGetErrorName(status, ctypes.byref(text))
            raise DriverError(f"{name}: {(text.value or b'').decode()} ({status})")


def _argument(kind: dict[str, Any], value: Any) -> Any:
    """Return the C value of one kernel argument, after a check against its type and divisibility."""
    written, _, divisor = kind["type"].partition(":")
    if written.startswith("*"):
        if value.dtype != TENSOR_TYPES[written[1:]]:
            raise TypeError(f"{kind['name']}: {kind['type']} expected, {value.dtype} given")
        number, result = value.data_ptr(), ctypes.c_uint64(value.data_ptr())
    else:
        number, result = value, SCALAR_TYPES[written](value)
    if divisor and number % 16:
        raise TypeError(f"{kind['name']}: {kind['type']} says divisible by 16, {number} is not")
    return result
