"""Written types and constants: what a request says about single parameters."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

from . import signature as signatures
from .diagnostics import Diagnostic, RequestFailedError, specialise_problem
from .kernels import Kernel
from .request import Request
from .signature import ParameterType, SignatureError
from .upstream import triton_module


@dataclass
class Written:
    """What a request's signature and constexprs say.

    Attributes:
        types: parameter name to type.
        constants: parameter name to value.
        problems: parameters with a type and a value, or with a type where the kernel declares a constant.
    """

    types: dict[str, ParameterType] = field(default_factory=dict)
    constants: dict[str, Any] = field(default_factory=dict)
    problems: list[Diagnostic] = field(default_factory=list)


def read_written(kernel: Kernel, request: Request) -> Written:
    """Read a request's signature and constexprs.

    Raises:
        RequestFailedError: an entry cannot be understood, or there are more than the kernel has parameters.
    """
    written = Written(constants={n: constant(value) for n, value in request.constexprs.items()})
    problems: list[Diagnostic] = []
    for name, text in _entries(kernel, request.signature).items():
        if signatures.is_constant(text):
            value = constant(signatures.parse_constant(text))
            if written.constants.setdefault(name, value) != value:
                message = f"{name} is {value!r} in the signature and {written.constants[name]!r} in the constants."
                problems.append(specialise_problem(message))
            continue
        try:
            written.types[name] = signatures.parse_type(text)
        except SignatureError as error:
            problems.append(specialise_problem(f"Parameter {name}: {error}", signatures.EXAMPLES))
    if problems:
        # Parameters whose entry is wrong would only be listed again as missing.
        raise RequestFailedError(*problems)
    for parameter in kernel.function.params:
        _check(parameter, written)
    return written


def constant(value: Any) -> Any:
    """Return the compile-time constant for a JSON value.

    Lists become tuples, which Triton can hash; a string such as "tl.float16" becomes that element type, since JSON has no
    other way to write one.
    """
    if isinstance(value, str) and value.startswith("tl."):
        language = triton_module("language")
        named = getattr(language, value.removeprefix("tl."), None)
        return named if isinstance(named, language.dtype) else value
    return hashable(value)


def hashable(value: Any) -> Any:
    """Return a JSON value with its lists as tuples."""
    return tuple(hashable(item) for item in value) if isinstance(value, list) else value


def _entries(kernel: Kernel, signature: str | dict[str, str] | None) -> dict[str, str]:
    if signature is None or isinstance(signature, dict):
        return signature or {}
    if not signature.strip():
        return {}
    try:
        texts = signatures.split_signature(signature)
    except SignatureError as error:
        raise RequestFailedError(specialise_problem(str(error))) from None
    names = [parameter.name for parameter in kernel.function.params]
    if len(texts) > len(names):
        message = f"The signature has {len(texts)} entries, but {kernel.name} has {len(names)} parameters."
        raise RequestFailedError(
            specialise_problem(message, f"Its parameters, in order: {', '.join(names)}.")
        )
    return dict(zip(names, texts, strict=False))


def _check(parameter: Any, written: Written) -> None:
    name = parameter.name
    kind = written.types.get(name)
    if kind is None or kind.name == "constexpr":
        return
    if parameter.is_constexpr:
        message = f"Parameter {name} is declared tl.constexpr, so it has no type {kind}."
        hint = f"Give its value, as in constexprs: {{{name!r}: 128}}."
        written.problems.append(specialise_problem(message, hint))
    elif name in written.constants and not (kind.is_one and written.constants[name] == 1):
        message = f"Parameter {name} has both the type {kind} and the constant value {written.constants[name]!r}."
        written.problems.append(specialise_problem(message, "Give one of them."))
