"""Exceptions of the user's script and of the compiler, as diagnostics."""

from __future__ import annotations

import inspect
import re
import traceback
from pathlib import Path
from typing import Any

from .diagnostics import Diagnostic
from .kernels import Kernel
from .printable import safe_repr, safe_str
from .source import Source
from .stand_ins import PACKAGES, StandInError

# How LLVM's fatal errors and C's assert begin, the latter as glibc and as Emscripten write it.
_COMPILER_FAILURE = re.compile(
    r"LLVM ERROR: |Assertion failed: |[^\n]*:\d+: [^\n]*Assertion `[^\n]*' failed\."
)
_PYBIND_REFUSAL = re.compile(r"^[^\n]*\(\): incompatible (function|constructor) arguments")
_OUT_OF_MEMORY = re.compile(r"LLVM ERROR: out of memory|(std::)?bad_alloc", re.IGNORECASE)
_RECURSION_HINT = "Nest the kernel less deeply, split long expressions, and do not recurse."
COMPILER_HINT = (
    "Triton or LLVM gave up here, and a native build of the same version does too: on something in the kernel or the "
    "options that they do not check earlier (inline assembly, an odd option), or on a bug or limit of theirs."
)


def describe_syntax_error(error: SyntaxError, stage: str = "source") -> Diagnostic:
    """Return the diagnostic for source text that is not Python."""
    return Diagnostic(
        stage=stage,
        message=f"{type(error).__name__}: {error.msg}",
        line=error.lineno,
        column=error.offset,
        hint="The source must be valid Python.",
    )


def describe_script_error(
    error: BaseException, source: Source, severity: str = "error"
) -> Diagnostic:
    """Return the diagnostic for an exception that the script raised while it was imported, without frames of this package."""
    path = str(source.path)
    if isinstance(error, SyntaxError) and error.filename == path:
        return describe_syntax_error(error)
    try:
        trace = traceback.TracebackException.from_exception(error)
    except BaseException:
        # The script's own exception class may break what traceback asks of it.
        return Diagnostic(stage="source", severity=severity, message=_summary(error))
    numbers = [index for index, frame in enumerate(trace.stack) if frame.filename == path]
    place = trace.stack[numbers[-1]] if numbers else None
    detail = None
    if numbers:
        frames = [frame for frame in list(trace.stack)[numbers[0] :] if not _is_ours(frame)]
        trace.stack = traceback.StackSummary.from_list(frames)
        trace.__cause__ = trace.__context__ = None
        detail = "".join(trace.format())
    column = place.colno if place and place.colno is not None else None
    return Diagnostic(
        stage="source",
        severity=severity,
        message=_summary(error),
        line=place.lineno if place else None,
        column=column + 1 if column is not None else None,
        hint=_script_hint(error, trace),
        detail=detail,
    )


def _summary(error: BaseException) -> str:
    """Return type and text of an exception in one line or a few."""
    if isinstance(error, SystemExit):
        return f"The script ended itself with exit code {safe_repr(error.code or 0)}."
    # A KeyError prints the repr of its text.
    is_key = isinstance(error, KeyError) and error.args
    text = safe_str(error.args[0] if is_key else error)
    if isinstance(error, StandInError):
        return text
    return f"{type(error).__name__}: {text}" if text else type(error).__name__


def _is_ours(frame: traceback.FrameSummary) -> bool:
    return Path(__file__).parent in Path(frame.filename).parents


# Functions of Triton's jit.py that make a kernel of a function.
_DECORATING = ("jit", "decorator", "__init__")


def _is_jit(frame: traceback.FrameSummary) -> bool:
    return Path(frame.filename).parts[-3:] == ("triton", "runtime", "jit.py")


def _script_hint(error: BaseException, trace: traceback.TracebackException) -> str | None:
    if isinstance(error, SystemExit):
        return "What it defined and launched before that counts."
    if isinstance(error, ModuleNotFoundError):
        stand_ins = ", ".join(PACKAGES)
        return (
            f"Triton, Python's standard library and stand-ins for {stand_ins} can be imported here."
        )
    if isinstance(error, StandInError):
        return "Launches before this line count. Launch with fake tensors instead: from triton_playground import fake_tensor."
    # A frame of the script within Triton's is its own code, such as an annotation that is evaluated there.
    decorating = [frame for frame in trace.stack if frame.name in _DECORATING and _is_jit(frame)]
    if decorating and not isinstance(error, NameError):
        return (
            "@triton.jit takes a function that is written with `def` in this source: no class, lambda, async function or "
            "callable object, and nothing made by exec."
        )
    if isinstance(error, MemoryError):
        return "The script needs more memory than there is: launches need fake tensors, which hold no data."
    return None


def describe_compile_error(
    error: BaseException, stage: str, source: Source, kernels: list[Kernel], running_pass: str = ""
) -> Diagnostic:
    """Return the diagnostic for an exception that a stage of Triton raised.

    Args:
        error: the exception.
        stage: the stage that ran.
        source: the user's source.
        kernels: its kernels, in which Triton's CompilationError finds its line.
        running_pass: the MLIR or LLVM pass that the exception came out of; empty when none did.
    """
    inside_pass = f"In the pass {running_pass}." if running_pass else None
    if hasattr(error, "node") and hasattr(error, "src"):
        return _describe_compilation_error(error, stage, source, kernels)
    text = safe_str(error)
    if isinstance(error, MemoryError) or _OUT_OF_MEMORY.match(text):
        return Diagnostic(
            stage=stage,
            message="Out of memory.",
            hint="Use smaller blocks or fewer pipeline stages.",
        )
    if _COMPILER_FAILURE.match(text):
        first, _, detail = text.partition("\n")
        hint = " ".join(part for part in (inside_pass, COMPILER_HINT) if part)
        return Diagnostic(stage=stage, message=first, hint=hint, detail=detail or None)
    if isinstance(error, RecursionError):
        return Diagnostic(
            stage=stage,
            message="The compiler recursed too deeply.",
            hint=_RECURSION_HINT,
        )
    frames = traceback.extract_tb(error.__traceback__)
    inside = [frame for frame in frames if not _is_ours(frame)]
    message = _summary(error)
    trace = "".join(traceback.format_list(inside))
    if isinstance(error, TypeError) and _PYBIND_REFUSAL.search(text):
        message = f"{type(error).__name__}: {text.partition(chr(10))[0]}"
        trace = f"{text}\n{trace}"
        inside_pass = "An option or a constant has a value that Triton's C++ does not take."
    if isinstance(error, AssertionError) and not text and inside:
        # Triton's Python asserts its expectations without a message; the asserting line is all there is to say.
        message = f"Triton's own check failed: {inside[-1].line}"
    return Diagnostic(stage=stage, message=message, hint=inside_pass, detail=trace or None)


def _describe_compilation_error(
    error: Any, stage: str, source: Source, kernels: list[Kernel]
) -> Diagnostic:
    """Place Triton's CompilationError: it counts lines from the ``def`` and chains from the kernel to the failing callee."""
    chain = [error]
    while (
        (cause := chain[-1].__cause__) is not None
        and hasattr(cause, "node")
        and hasattr(cause, "src")
    ):
        chain.append(cause)
    innermost = chain[-1]
    root = innermost.__cause__ or (innermost.__context__ if innermost.error_message else None)
    if root is not None and innermost.error_message in (None, safe_repr(root)):
        text = safe_str(root)
        message = text if _is_plain(root, text) else f"{type(root).__name__}: {text}"
    else:
        message = str(innermost.error_message or innermost)
    kind = type(innermost).__name__
    if kind == "CompileTimeAssertionFailure":
        message = (
            f"static_assert failed: {innermost.error_message}"
            if innermost.error_message
            else "static_assert failed"
        )
    places = [place for item in chain if (place := _place(item, source, kernels)) is not None]
    line, column = places[-1] if places else (None, None)
    hint = None
    if isinstance(root, RecursionError):
        hint = _RECURSION_HINT
    elif isinstance(root, KeyError) and re.search(r"^'\w*__", safe_str(root)):
        # Triton looks a called function up by its mangled name, and one that is being compiled has no entry yet.
        hint = (
            "Triton knows no recursion: a function cannot call itself, directly or through another."
        )
    if len(places) > 1:
        lines = ", from line ".join(str(place[0]) for place in reversed(places[:-1]))
        hint = " ".join(part for part in (f"Called from line {lines}.", hint) if part)
    return Diagnostic(
        stage=stage, message=message, line=line, column=column, hint=hint, detail=str(error)
    )


def _is_plain(error: BaseException, text: str) -> bool:
    """Whether the exception's type adds nothing to its text; Triton's semantic checks raise these three."""
    return bool(text) and type(error) in (ValueError, TypeError, AssertionError)


def _place(error: Any, source: Source, kernels: list[Kernel]) -> tuple[int, int] | None:
    """Return line and column, from 1, in the user's source; None for a function of another file."""
    if not hasattr(error.node, "lineno"):
        return None
    for kernel in kernels:
        if kernel.function.src == error.src:
            line = kernel.line + error.node.lineno - 1
            text = source.line(line)
            # Triton dedents the function's text; ast counts columns in UTF-8 bytes.
            first = inspect.getsourcelines(kernel.function.fn)[0][0]
            indent = len(first) - len(first.lstrip())
            before = text[indent:].encode()[: error.node.col_offset].decode(errors="replace")
            return line, indent + len(before) + 1
    return None
