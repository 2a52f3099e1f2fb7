"""Kernels: the JIT functions that a source defines."""

from __future__ import annotations

import ast
import textwrap
import types
from collections.abc import Iterable
from dataclasses import dataclass, field
from typing import Any

from .diagnostics import Diagnostic, RequestFailedError
from .jsonable import jsonable
from .printable import safe_repr
from .upstream import triton_module


@dataclass(frozen=True)
class Kernel:
    """A @triton.jit or @gluon.jit function of the source.

    Attributes:
        name: the function's name.
        function: Triton's JITFunction.
        wrappers: autotune and heuristics objects around it, outermost first.
        line: line of its ``def``, from 1.
        called_by: names of the source's JIT functions that call it; a helper, not a kernel, if there is one.
    """

    name: str
    function: Any
    wrappers: tuple[Any, ...]
    line: int
    called_by: list[str] = field(default_factory=list)

    @property
    def configs(self) -> list[Any]:
        """Autotune's configurations, of the outermost autotune; empty without."""
        return next((list(w.configs) for w in self.wrappers if hasattr(w, "configs")), [])

    @property
    def heuristics(self) -> dict[str, Any]:
        """Parameter name to heuristic; the innermost wins, as it does in a launch."""
        result: dict[str, Any] = {}
        for wrapper in self.wrappers:
            result.update(getattr(wrapper, "values", {}))
        return result

    @property
    def is_gluon(self) -> bool:
        """Whether it is written in Gluon."""
        return bool(getattr(self.function, "is_gluon", lambda: False)())

    def to_json(self, launches: int) -> dict[str, Any]:
        """Return the schema's Kernel; ``launches`` is how many the script recorded."""
        result = {
            "name": self.name,
            "language": "gluon" if self.is_gluon else "triton",
            "line": self.line,
            "parameters": [_parameter_json(parameter) for parameter in self.function.params],
            "wrappers": [
                "autotune" if hasattr(w, "configs") else "heuristics" for w in self.wrappers
            ],
            "configs": [
                jsonable(config.all_kwargs() if hasattr(config, "all_kwargs") else {})
                for config in self.configs
            ],
            "launches": launches,
        }
        if self.called_by:
            result["called_by"] = self.called_by
        return result


def _parameter_json(parameter: Any) -> dict[str, Any]:
    result: dict[str, Any] = {"name": parameter.name, "constexpr": bool(parameter.is_constexpr)}
    if parameter.annotation:
        result["annotation"] = parameter.annotation
    if parameter.has_default:
        result["default"] = safe_repr(parameter.default)
    return result


def list_kernels(module: types.ModuleType, launched: Iterable[Any] = ()) -> list[Kernel]:
    """List the JIT functions of a module's file, in the order of their lines, each once with all its wrappers.

    Args:
        module: the imported source.
        launched: JIT functions that it launched; one made inside a function is no attribute of the module.
    """
    jit = triton_module("runtime.jit")
    autotuner = triton_module("runtime.autotuner")
    found: dict[int, Kernel] = {}
    for value in (*vars(module).values(), *launched):
        wrappers = []
        # By type: isinstance also asks the object for its __class__, and the script may answer anything.
        while issubclass(type(value), autotuner.Autotuner | autotuner.Heuristics):
            wrappers.append(value)
            value = value.fn
        if (
            not issubclass(type(value), jit.JITFunction)
            or value.fn.__code__.co_filename != module.__file__
        ):
            continue
        known = found.get(id(value))
        if known is None or len(known.wrappers) < len(wrappers):
            line = jit.get_jit_fn_file_line(value)[1]
            found[id(value)] = Kernel(value.fn.__name__, value, tuple(wrappers), line)
    kernels = sorted(found.values(), key=lambda kernel: kernel.line)
    for caller in kernels:
        names = {
            node.id
            for node in ast.walk(ast.parse(textwrap.dedent(caller.function.src)))
            if isinstance(node, ast.Name)
        }
        for callee in kernels:
            if callee is not caller and callee.name in names:
                callee.called_by.append(caller.name)
    return kernels


def candidate_kernels(kernels: list[Kernel], name: str | None, launched: list[Any]) -> list[Kernel]:
    """Return the kernels that a request may mean, at least one, the likeliest first.

    Args:
        kernels: the source's.
        name: the one asked for, if one is.
        launched: the JIT functions that the script launched, in that order.

    Raises:
        RequestFailedError: there is none, or none of that name.
    """
    if not kernels:
        raise _failure(
            "The source has no kernel.", "Decorate a function at the top level with @triton.jit."
        )
    if name is not None:
        for kernel in kernels:
            if kernel.name == name:
                return [kernel]
        names = ", ".join(kernel.name for kernel in kernels)
        raise _failure(f"The source has no kernel named {name!r}.", f"Its kernels: {names}.")
    by_function = {id(kernel.function): kernel for kernel in kernels}
    order = dict.fromkeys(id(function) for function in launched)
    candidates = [by_function[function] for function in order if function in by_function]
    return candidates or [kernel for kernel in kernels if not kernel.called_by] or kernels


def several_kernels(candidates: list[Kernel]) -> RequestFailedError:
    """Return the failure of a request that names none of several kernels."""
    names = ", ".join(kernel.name for kernel in sorted(candidates, key=lambda kernel: kernel.line))
    return _failure(
        f"The source has {len(candidates)} kernels and none was named: {names}.",
        "Name one of them.",
    )


def _failure(message: str, hint: str) -> RequestFailedError:
    return RequestFailedError(Diagnostic(stage="source", message=message, hint=hint))
