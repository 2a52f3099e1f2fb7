"""Choice of the specialisation: from the request, from a recorded launch, from annotations, or by guesses."""

from __future__ import annotations

import inspect
from typing import Any

from . import signature as signatures
from .diagnostics import Diagnostic, RequestFailedError, specialise_problem
from .guesses import Guesses
from .kernels import Kernel
from .launches import Recording
from .options import option_problems
from .request import Request
from .signature import ParameterType, SignatureError
from .specialisation import Path, Specialisation
from .upstream import triton_module
from .written import Written, hashable, read_written

_ABSENT = object()


def specialise(
    kernel: Kernel, request: Request, recording: Recording, backend: Any
) -> Specialisation:
    """Return what to compile the kernel with.

    A signature that says everything wins. Without one, a recorded launch of the kernel is taken, with the request's types,
    constants and options put over its own. Without launches, types come from annotations and defaults, and what is left from guesses if
    the request allows them.

    Args:
        kernel: the kernel.
        request: the request.
        recording: the script's launches.
        backend: Triton's backend object for the target.

    Raises:
        RequestFailedError: one diagnostic for each thing that is missing, unknown or contradictory.
    """
    problems = [*_unknown_names(kernel, request), *option_problems(request.options, backend)]
    if request.config is not None and request.config >= max(len(kernel.configs), 1):
        problems.append(
            specialise_problem(
                f"{kernel.name} has no autotune configuration {request.config}.",
                f"It has {len(kernel.configs)}, counted from 0.",
            )
        )
    launches = recording.of(kernel.function)
    if request.launch is not None and request.launch >= len(launches):
        problems.append(
            specialise_problem(
                f"The script recorded no launch {request.launch} of {kernel.name}.",
                f"It recorded {len(launches)}, counted from 0.",
            )
        )
    if problems:
        raise RequestFailedError(*problems)
    written = read_written(kernel, request)
    options = {name: hashable(value) for name, value in request.options.items()}
    explicit = _Explicit(kernel, request, backend, written, options)
    if not launches or isinstance(request.signature, str):
        return explicit.build()
    # An object that says everything needs no launch, and none was named.
    if (
        request.signature is not None
        and request.launch is None
        and not request.guess
        and explicit.is_complete()
    ):
        return explicit.build()
    launched = launches[request.launch or 0].specialisation
    return _changed_launch(kernel, launched, written, options, backend)


def _changed_launch(
    kernel: Kernel,
    launched: Specialisation,
    written: Written,
    options: dict[str, Any],
    backend: Any,
) -> Specialisation:
    types = {name: kind for name, kind in written.types.items() if kind.name != "constexpr"}
    # A parameter written as constexpr keeps the launch's constant, if it is one.
    valueless = [
        f"{name} (a constant)"
        for name in written.types
        if name not in types and name not in written.constants
        if launched.signature[name] != "constexpr"
    ]
    problems = list(written.problems)
    if valueless:
        problems.append(_missing_problem(kernel, valueless))
    if problems:
        raise RequestFailedError(*problems)
    return launched.with_changes(types, written.constants, options, backend.parse_attr)


class _Explicit:
    """Builds a specialisation from written types, constants, defaults, configurations, annotations and guesses."""

    def __init__(
        self,
        kernel: Kernel,
        request: Request,
        backend: Any,
        written: Written,
        options: dict[str, Any],
    ) -> None:
        self.kernel = kernel
        self.parameters = list(kernel.function.params)
        self.backend = backend
        self.types = written.types
        self.constants = written.constants
        self.problems = list(written.problems)
        self.missing: list[str] = []
        self.sources: dict[str, str] = {}
        config = kernel.configs[request.config or 0] if kernel.configs else None
        if config is not None and not hasattr(config, "all_kwargs"):
            message = f"autotune's configuration {config!r} is not a triton.Config."
            raise RequestFailedError(Diagnostic(stage="specialise", message=message))
        self.tuned: dict[str, Any] = dict(config.kwargs) if config else {}
        self.heuristic: dict[str, Any] = {}
        known = vars(backend.parse_options({}))
        self.options = {
            n: v for n, v in (config.all_kwargs() if config else {}).items() if n in known
        } | options
        if debug := kernel.function.debug or triton_module("knobs").runtime.debug:
            self.options.setdefault("debug", debug)
        self.guesses = Guesses(kernel.function) if request.guess else None

    def is_complete(self) -> bool:
        """Whether every parameter has a type or a value."""
        self._apply_heuristics()
        for parameter in self.parameters:
            self._resolve(parameter)
        complete = not self.missing
        self.missing.clear()
        return complete

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
            self.problems.append(_missing_problem(self.kernel, self.missing))
        if self.problems:
            raise RequestFailedError(*self.problems)
        used = set(self.sources.values())
        return Specialisation(
            origin=next((name for name in ("guess", "annotation") if name in used), "request"),
            signature=signature,
            constexprs=constexprs,
            attrs=attrs,
            options=self.options,
            declared=frozenset(p.name for p in self.parameters if p.is_constexpr),
            sources=self.sources,
        )

    def _resolve(self, parameter: Any) -> tuple[str, Any, Any]:
        """Return Triton's type, the constant's value and the specialisation key of one parameter."""
        name = parameter.name
        written = self.types.get(name)
        if written is not None and written.name != "constexpr":
            self.sources[name] = "request"
            return _typed(written)
        source, value = self._value(parameter)
        if (
            parameter.is_constexpr
            or written is not None
            or name in self.constants
            or name in self.tuned
            or name in self.heuristic
        ):
            if value is not _ABSENT:
                self.sources[name] = source
                return "constexpr", value, None
            return self._guess(parameter, constant=True)
        if annotated := self._annotated(parameter):
            self.sources[name] = "annotation"
            return _typed(annotated)
        if parameter.has_default:
            self.sources[name] = "default"
            return self._default(parameter)
        kind = self.kernel.function.signature.parameters[name].kind
        if kind in (inspect.Parameter.VAR_POSITIONAL, inspect.Parameter.VAR_KEYWORD):
            message = f"{self.kernel.name} takes any number of arguments through {name!r}, which Triton does not compile."
            self.problems.append(
                specialise_problem(message, "Give it one parameter for each argument.")
            )
            return "constexpr", None, None
        return self._guess(parameter, constant=False)

    def _guess(self, parameter: Any, *, constant: bool) -> tuple[str, Any, Any]:
        name = parameter.name
        guess = self.guesses.of(name, constant=constant) if self.guesses else None
        if guess is None:
            self.missing.append(f"{name} ({'a constant' if constant else 'a type'})")
            return "constexpr", None, None
        self.sources[name] = "guess"
        return (
            _typed(guess) if isinstance(guess, ParameterType) else ("constexpr", guess.value, None)
        )

    def _value(self, parameter: Any) -> tuple[str, Any]:
        """Return where the value of a constant comes from, and the value."""
        for source, values in (
            ("request", self.constants),
            ("heuristic", self.heuristic),
            ("autotune", self.tuned),
        ):
            if parameter.name in values:
                return source, values[parameter.name]
        return "default", parameter.default if parameter.has_default else _ABSENT

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
                p.name: value
                for p in self.parameters
                if (value := self._value(p)[1]) is not _ABSENT
            }
            try:
                self.heuristic[name] = heuristic(known | self.options)
            except BaseException:
                # A heuristic is the script's own function, and what it needs may be known only in a launch.
                continue


def _typed(kind: ParameterType) -> tuple[str, Any, Any]:
    return ("constexpr", 1, None) if kind.is_one else (kind.name, None, kind.key)


def _missing_problem(kernel: Kernel, missing: list[str]) -> Diagnostic:
    return specialise_problem(
        f"Nothing says how to specialise these parameters of {kernel.name}: {', '.join(missing)}.",
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
        specialise_problem(
            f"{kernel.name} has no parameter {name!r}.", f"Its parameters: {', '.join(names)}."
        )
        for name in dict.fromkeys(given)
        if name not in names
    ]
