"""Choice of the specialisation: from the request, from a recorded launch, or from annotations."""

from __future__ import annotations

import dataclasses
import inspect
from typing import Any

from . import signature as signatures
from .diagnostics import Diagnostic, RequestFailedError
from .kernels import Kernel
from .launches import Recording
from .request import Request
from .signature import ParameterType, SignatureError
from .specialisation import Path, Specialisation
from .upstream import triton_module

_ABSENT = object()


def specialise(
    kernel: Kernel, request: Request, recording: Recording, backend: Any
) -> Specialisation:
    """Return what to compile the kernel with.

    An explicit signature wins. Without one, a recorded launch of the kernel is taken, with the request's constants and
    options put over its own. Without launches, types come from annotations and defaults.

    Args:
        kernel: the kernel.
        request: the request.
        recording: the script's launches.
        backend: Triton's backend object for the target.

    Raises:
        RequestFailedError: one diagnostic for each thing that is missing, unknown or contradictory.
    """
    problems = [*_unknown_names(kernel, request), *_option_problems(request.options, backend)]
    if request.config is not None and request.config >= max(len(kernel.configs), 1):
        problems.append(
            _problem(
                f"{kernel.name} has no autotune configuration {request.config}.",
                f"It has {len(kernel.configs)}, counted from 0.",
            )
        )
    launches = recording.of(kernel.function)
    if request.launch is not None and request.launch >= len(launches):
        problems.append(
            _problem(
                f"The script recorded no launch {request.launch} of {kernel.name}.",
                f"It recorded {len(launches)}, counted from 0.",
            )
        )
    if problems:
        raise RequestFailedError(*problems)
    constexprs = {name: constant(value) for name, value in request.constexprs.items()}
    options = {name: _hashable(value) for name, value in request.options.items()}
    if request.signature is None and launches:
        return launches[request.launch or 0].specialisation.with_changes(constexprs, options)
    return _Explicit(kernel, request, backend, constexprs, options).build()


def constant(value: Any) -> Any:
    """Return the compile-time constant for a JSON value.

    Lists become tuples, which Triton can hash; a string such as "tl.float16" becomes that element type, since JSON has no
    other way to write one.
    """
    if isinstance(value, str) and value.startswith("tl."):
        language = triton_module("language")
        named = getattr(language, value.removeprefix("tl."), None)
        return named if isinstance(named, language.dtype) else value
    return _hashable(value)


def _hashable(value: Any) -> Any:
    return tuple(_hashable(item) for item in value) if isinstance(value, list) else value


class _Explicit:
    """Builds a specialisation from written types, constants, defaults, configurations and annotations."""

    def __init__(
        self,
        kernel: Kernel,
        request: Request,
        backend: Any,
        constexprs: dict[str, Any],
        options: dict[str, Any],
    ) -> None:
        self.kernel = kernel
        self.parameters = list(kernel.function.params)
        self.backend = backend
        self.constants = dict(constexprs)
        self.problems: list[Diagnostic] = []
        self.missing: list[str] = []
        self.annotated = False
        config = kernel.configs[request.config or 0] if kernel.configs else None
        if config is not None and not hasattr(config, "all_kwargs"):
            message = f"autotune's configuration {config!r} is not a triton.Config."
            raise RequestFailedError(Diagnostic(stage="specialise", message=message))
        self.tuned: dict[str, Any] = dict(config.kwargs) if config else {}
        known = vars(backend.parse_options({}))
        self.options = {
            n: v for n, v in (config.all_kwargs() if config else {}).items() if n in known
        } | options
        if debug := kernel.function.debug or triton_module("knobs").runtime.debug:
            self.options.setdefault("debug", debug)
        self.types = self._written_types(request.signature)
        if self.problems:
            # Parameters whose entry is wrong would only be listed again as missing.
            raise RequestFailedError(*self.problems)

    def _written_types(self, signature: str | dict[str, str] | None) -> dict[str, ParameterType]:
        entries: dict[str, str] = {}
        if isinstance(signature, dict):
            entries = signature
        elif signature is not None and signature.strip():
            try:
                texts = signatures.split_signature(signature)
            except SignatureError as error:
                self.problems.append(_problem(str(error)))
                return {}
            names = [parameter.name for parameter in self.parameters]
            if len(texts) > len(names):
                message = f"The signature has {len(texts)} entries, but {self.kernel.name} has {len(names)} parameters."
                self.problems.append(
                    _problem(message, f"Its parameters, in order: {', '.join(names)}.")
                )
                return {}
            entries = dict(zip(names, texts, strict=False))
        types: dict[str, ParameterType] = {}
        for name, text in entries.items():
            if signatures.is_constant(text):
                value = constant(signatures.parse_constant(text))
                if self.constants.setdefault(name, value) != value:
                    message = f"{name} is {value!r} in the signature and {self.constants[name]!r} in the constants."
                    self.problems.append(_problem(message))
                continue
            try:
                types[name] = signatures.parse_type(text)
            except SignatureError as error:
                self.problems.append(_problem(f"Parameter {name}: {error}", signatures.EXAMPLES))
        return types

    def build(self) -> Specialisation:
        self._apply_heuristics()
        signature: dict[str, Any] = {}
        constexprs: dict[Path, Any] = {}
        attrs: dict[Path, Any] = {}
        for index, parameter in enumerate(self.parameters):
            kind, value, key = self._resolve(parameter)
            signature[parameter.name] = kind
            if kind == "constexpr":
                constexprs[(index,)] = value
            elif isinstance(key, str):
                attrs[(index,)] = self.backend.parse_attr(key)
        if self.missing:
            self.problems.append(self._missing_problem())
        if self.problems:
            raise RequestFailedError(*self.problems)
        return Specialisation(
            origin="annotation" if self.annotated else "request",
            signature=signature,
            constexprs=constexprs,
            attrs=attrs,
            options=self.options,
            declared=frozenset(p.name for p in self.parameters if p.is_constexpr),
        )

    def _resolve(self, parameter: Any) -> tuple[str, Any, Any]:
        """Return Triton's type, the constant's value and the specialisation key of one parameter."""
        name = parameter.name
        written = self.types.get(name)
        value = self._value(parameter)
        if written is not None and written.name != "constexpr":
            if parameter.is_constexpr:
                message = f"Parameter {name} is declared tl.constexpr, so it has no type {written}."
                self.problems.append(
                    _problem(message, f"Give its value, as in constexprs: {{{name!r}: 128}}.")
                )
            elif name in self.constants and not (written.is_one and self.constants[name] == 1):
                message = f"Parameter {name} has both the type {written} and the constant value {self.constants[name]!r}."
                self.problems.append(_problem(message, "Give one of them."))
            return ("constexpr", 1, None) if written.is_one else (written.name, None, written.key)
        if (
            parameter.is_constexpr
            or written is not None
            or name in self.constants
            or name in self.tuned
        ):
            if value is not _ABSENT:
                return "constexpr", value, None
            self.missing.append(f"{name} (a constant)")
            return "constexpr", None, None
        if annotated := self._annotated(parameter):
            self.annotated = True
            return (
                ("constexpr", 1, None)
                if annotated.is_one
                else (annotated.name, None, annotated.key)
            )
        if parameter.has_default:
            return self._default(parameter)
        kind = self.kernel.function.signature.parameters[name].kind
        if kind in (inspect.Parameter.VAR_POSITIONAL, inspect.Parameter.VAR_KEYWORD):
            message = f"{self.kernel.name} takes any number of arguments through {name!r}, which Triton does not compile."
            self.problems.append(_problem(message, "Give it one parameter for each argument."))
        else:
            self.missing.append(f"{name} (a type)")
        return "constexpr", None, None

    def _value(self, parameter: Any) -> Any:
        for source in (self.constants, self.tuned):
            if parameter.name in source:
                return source[parameter.name]
        return parameter.default if parameter.has_default else _ABSENT

    def _default(self, parameter: Any) -> tuple[str, Any, Any]:
        """Specialise a default value as Triton's JIT does when a launch leaves the argument out."""
        specialize = triton_module("runtime.jit").create_specialize_impl(
            self.backend.get_arg_specialization
        )
        align = not parameter.do_not_specialize_on_alignment
        kind, key = specialize(
            parameter.default, parameter.is_const, not parameter.do_not_specialize, align
        )
        return kind, parameter.default, key

    @staticmethod
    def _annotated(parameter: Any) -> ParameterType | None:
        text = parameter.annotation_type or parameter.annotation.strip("'\"")
        try:
            return signatures.parse_type(text) if text else None
        except SignatureError:
            # Any annotation is legal Python; one that is no type tells nothing about the type.
            return None

    def _apply_heuristics(self) -> None:
        """Compute what @triton.heuristics derives from constants alone; its other inputs are known only in a launch."""
        for name, heuristic in self.kernel.heuristics.items():
            if name in self.constants:
                continue
            known = {
                p.name: value for p in self.parameters if (value := self._value(p)) is not _ABSENT
            }
            try:
                self.tuned[name] = heuristic(known | self.options)
            except BaseException:
                # A heuristic is the script's own function, and what it needs may be known only in a launch.
                continue

    def _missing_problem(self) -> Diagnostic:
        names = ", ".join(self.missing)
        return _problem(
            f"Nothing says how to specialise these parameters of {self.kernel.name}: {names}.",
            f"Launch it in the script with fake tensors (from triton_playground import fake_tensor), or give a signature and "
            f"constants, or annotate and give defaults. {signatures.EXAMPLES}",
        )


def _unknown_names(kernel: Kernel, request: Request) -> list[Diagnostic]:
    names = [parameter.name for parameter in kernel.function.params]
    given = [
        *request.constexprs,
        *(request.signature if isinstance(request.signature, dict) else ()),
    ]
    return [
        _problem(
            f"{kernel.name} has no parameter {name!r}.", f"Its parameters: {', '.join(names)}."
        )
        for name in dict.fromkeys(given)
        if name not in names
    ]


def _option_problems(options: dict[str, Any], backend: Any) -> list[Diagnostic]:
    """Check what Triton's parse_options would ignore (unknown names) or trip over later (wrong types).

    A value that is only odd is left to Triton, which compiles many: 1024 warps, a negative num_stages.
    """
    parsed = backend.parse_options({})
    defaults = {field.name: field.default for field in dataclasses.fields(parsed)}
    annotations = {field.name: str(field.type) for field in dataclasses.fields(parsed)}
    problems = []
    for name, value in options.items():
        if name not in defaults:
            message = f"{backend.target.backend} has no option {name!r}."
            problems.append(_problem(message, f"Its options: {', '.join(sorted(defaults))}."))
            continue
        expected = type(defaults[name])
        if defaults[name] is None and value is not None and "int" in annotations[name]:
            expected = int
        word = _OPTION_WORDS.get(expected)
        if word is not None and type(value) is not expected:
            problems.append(_problem(f"The option {name} must be {word}, not {value!r:.200}."))
        elif name in _PASSED_AS_INT32 and type(value) is int and not -(2**31) <= value < 2**31:
            problems.append(_problem(f"The option {name} must fit into 32 bits; {value} does not."))
        elif name == "cluster_dims" and backend.target.backend == "cuda" and not _is_cluster(value):
            problems.append(
                _problem(f"The option {name} must be a list of three integers, not {value!r:.200}.")
            )
    return problems


_OPTION_WORDS: dict[type, str] = {bool: "true or false", int: "an integer", str: "a string"}
# Options that Triton's Python hands to its C++ as an int.
_PASSED_AS_INT32 = ("num_warps", "num_stages", "num_ctas", "maxnreg", "ptx_version")


def _is_cluster(value: Any) -> bool:
    return (
        isinstance(value, list | tuple)
        and len(value) == 3
        and all(type(size) is int for size in value)
    )


def _problem(message: str, hint: str | None = None) -> Diagnostic:
    return Diagnostic(stage="specialise", message=message, hint=hint)
