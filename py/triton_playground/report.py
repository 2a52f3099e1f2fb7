"""Reports: one compile from request to JSON."""

from __future__ import annotations

import contextlib
import json
import time
import traceback
from collections.abc import Callable
from typing import Any

from .bounded_text import BoundedText
from .capture import captured_descriptors
from .diagnostics import MAX_DETAIL_CHARACTERS, STAGE_NAMES, Diagnostic, RequestFailedError
from .exceptions import describe_script_error, describe_syntax_error
from .isolation import gpu_target, isolated
from .jsonable import jsonable
from .kernels import Kernel, candidate_kernels, list_kernels, several_kernels
from .launches import Recording, calling_line, recorded_launches
from .options import option_defaults
from .pipeline import Compilation, compile_kernel
from .printable import safe_str
from .request import Request, parse_request
from .source import Source
from .specialise import specialise
from .stand_ins import first_cases, stand_ins
from .targets import Target, parse_stop, parse_target
from .upstream import triton_module
from .version import versions

SCHEMA = 1

_GUESS_HINT = "Say what you mean, or launch the kernel in the source."


def compile(
    request: dict[str, Any], on_stage: Callable[[str], None] | None = None
) -> dict[str, Any]:
    """Compile one kernel of a source text.

    Args:
        request: the schema's Request (report.schema.json).
        on_stage: called with a stage's name before it starts, so that a crash of the process can be attributed.

    Returns:
        The schema's Report. Bad input, a script's exception and a compiler's failure are diagnostics in it, never raised.
    """
    return _Report(request, on_stage or (lambda name: None)).run()


def compile_json(request_json: str, on_stage: Callable[[str], None] | None = None) -> str:
    """Do what :func:`compile` does, from JSON text to JSON text."""
    try:
        request = json.loads(request_json)
    except ValueError as error:
        message = f"The request is not JSON: {error}"
        report = _Report({}, on_stage or (lambda name: None))
        return json.dumps(
            report.finish(Diagnostic(stage="request", message=message)), allow_nan=False
        )
    return json.dumps(compile(request, on_stage), allow_nan=False)


class _Report:
    """Gathers one report."""

    def __init__(self, request: Any, on_stage: Callable[[str], None]) -> None:
        self._given = request
        self._notify = on_stage
        self._stage = "request"
        self._started = time.perf_counter()
        self._diagnostics: list[Diagnostic] = []
        self._kernels: list[Kernel] = []
        self._recording = Recording()
        self._compilation: Compilation | None = None
        self._output = BoundedText(MAX_DETAIL_CHARACTERS)
        self._reached = False
        self._patched: list[str] = []

    def run(self) -> dict[str, Any]:
        try:
            with contextlib.redirect_stdout(self._output), contextlib.redirect_stderr(self._output):
                self._compile()
        except RequestFailedError as failure:
            return self.finish(*failure.diagnostics)
        except MemoryError:
            hint = "Use smaller blocks or fewer pipeline stages."
            return self.finish(Diagnostic(stage=self._stage, message="Out of memory.", hint=hint))
        except BaseException as error:
            text = safe_str(error)
            if self._patched:
                names = ", ".join(self._patched[:10])
                message = f"The script replaced {names}, and the compile failed on it: {type(error).__name__}: {text}"
                hint = "Leave Python's library and Triton as they are."
                return self.finish(Diagnostic(stage=self._stage, message=message, hint=hint))
            message = f"Internal error of triton_playground: {type(error).__name__}: {text}"
            hint = "This is a bug of the playground; please report it with the source."
            detail = traceback.format_exc()
            return self.finish(
                Diagnostic(stage=self._stage, message=message, hint=hint, detail=detail)
            )
        return self.finish()

    def _enter(self, stage: str) -> None:
        self._stage = stage
        self._notify(stage)

    def _compile(self) -> None:
        self._enter("request")
        request = parse_request(self._given)
        target = parse_target(request.target)
        stop = parse_stop(request.stop, target)
        self._enter("source")
        try:
            source = Source(request.source, request.filename)
            code = source.compile()
        except SyntaxError as error:
            raise RequestFailedError(describe_syntax_error(error)) from None
        except ValueError as error:
            raise RequestFailedError(
                Diagnostic(stage="source", message=f"The source is not Python: {error}")
            ) from None
        except (MemoryError, RecursionError):
            # What CPython's parser raises when its own limit of nesting is reached.
            message = "The source nests too deeply for Python's parser, or it is out of memory."
            hint = "Split deeply nested expressions."
            raise RequestFailedError(
                Diagnostic(stage="source", message=message, hint=hint)
            ) from None
        self._require_triton()
        with isolated(target) as self._patched, source.importable() as module:
            raised = self._import(code, source, request, target)
            functions = [launch.function for launch in self._recording.launches]
            self._kernels = list_kernels(module, functions)
            self._report_script_error(raised, source, request)
            kernel = self._choose_kernel(request, functions)
            self._enter("specialise")
            self._compile_kernel(kernel, target, source, request, stop)

    def _choose_kernel(self, request: Request, launched: list[Any]) -> Kernel:
        candidates = candidate_kernels(self._kernels, request.kernel, launched)
        if len(candidates) > 1 and not request.guess:
            raise several_kernels(candidates)
        if len(candidates) > 1:
            names = ", ".join(kernel.name for kernel in candidates[1:])
            which = "script launches" if launched else "source has"
            message = f"The {which} {len(candidates)} kernels and none was named: {candidates[0].name} is taken, the first. The others: {names}."
            self._diagnostics.append(Diagnostic(stage="source", severity="note", message=message))
        return candidates[0]

    def _compile_kernel(
        self, kernel: Kernel, target: Target, source: Source, request: Request, stop: str
    ) -> None:
        backend = triton_module("compiler.compiler").make_backend(gpu_target(target))
        try:
            specialisation = specialise(kernel, request, self._recording, backend)
            backend.parse_options(specialisation.options)
        except RequestFailedError:
            raise
        except Exception as error:
            text = safe_str(error) or type(error).__name__
            message = f"{target.name} refuses the options: {text}."
            raise RequestFailedError(Diagnostic(stage="specialise", message=message)) from None
        if guessed := specialisation.guessed():
            texts = ", ".join(f"{name} = {text}" for name, text in guessed.items())
            message = f"Nothing in the source says these parameters of {kernel.name}, so they were guessed: {texts}."
            self._diagnostics.append(
                Diagnostic(stage="specialise", severity="note", message=message, hint=_GUESS_HINT)
            )
        self._compilation = Compilation(kernel, target, specialisation, option_defaults(backend))
        if stop == "specialise":
            self._reached = True
            return
        self._reached = compile_kernel(
            self._compilation,
            backend,
            source,
            self._kernels,
            stop=stop,
            passes=request.passes,
            on_stage=self._enter,
        )

    def _require_triton(self) -> None:
        try:
            triton_module("compiler.compiler")
        except ImportError as error:
            message = f"Triton cannot be imported: {error}."
            hint = "Install the wheel from wasm/prebuilt (in Pyodide), or put a native build on sys.path."
            raise RequestFailedError(
                Diagnostic(stage="runtime", message=message, hint=hint)
            ) from None

    def _import(
        self, code: Any, source: Source, request: Request, target: Target
    ) -> BaseException | None:
        """Run the script, its launches recorded; return what it raised."""
        raised: BaseException | None = None
        path = str(source.path)
        with (
            captured_descriptors() as captured,
            recorded_launches(path, request.config) as recording,
            stand_ins(target, lambda text: recording.note(text, calling_line(path))),
        ):
            self._recording = recording
            try:
                exec(code, vars(source.module))
                if not isinstance(request.signature, str):
                    self._run_further(source)
            except BaseException as error:
                # A script may raise anything; only a crash of the instance is not an exception.
                raised = error
        self._output.write(captured.output + captured.errors)
        return raised

    def _run_further(self, source: Source) -> None:
        """Run what an import leaves out, as long as nothing was launched: the main guard's body, then the script's tests."""
        recording = self._recording
        if not recording.launches and (guarded := source.main_guard()):
            line, body = guarded
            recording.note('The code under `if __name__ == "__main__"` was run too.', line)
            exec(body, vars(source.module))
        if recording.launches:
            return
        for name, call in first_cases(source.module):
            before = len(recording.launches)
            call()
            if len(recording.launches) > before:
                text = f"{name} was run, with the first of its parameters where it has some."
                recording.note(text, recording.launches[before].line)

    def _report_script_error(
        self, error: BaseException | None, source: Source, request: Request
    ) -> None:
        recording = self._recording
        for message, line in recording.warnings:
            self._diagnostics.append(
                Diagnostic(stage="source", severity="warning", message=message, line=line)
            )
        for message, line in recording.notes:
            self._diagnostics.append(
                Diagnostic(stage="source", severity="note", message=message, line=line)
            )
        if recording.left_out:
            message = f"{recording.left_out} launches after the first {len(recording.launches)} were not recorded."
            self._diagnostics.append(
                Diagnostic(stage="source", severity="warning", message=message)
            )
        if error is None:
            return
        # What was launched before the exception can be compiled, and so can a kernel that the request fully describes.
        usable = bool(recording.launches) or (request.signature is not None and bool(self._kernels))
        if isinstance(error, SystemExit) and not error.code:
            self._diagnostics.append(describe_script_error(error, source, "note"))
        elif usable:
            self._diagnostics.append(describe_script_error(error, source, "warning"))
        else:
            raise RequestFailedError(describe_script_error(error, source))

    def finish(self, *diagnostics: Diagnostic) -> dict[str, Any]:
        """Return the schema's Report, with these diagnostics added."""
        compilation = self._compilation
        if compilation:
            self._output.write(compilation.output)
        everything = [
            *self._diagnostics,
            *(compilation.diagnostics if compilation else ()),
            *diagnostics,
        ]
        return {
            "schema": SCHEMA,
            "ok": self._reached and not any(d.severity == "error" for d in everything),
            "versions": versions(),
            "request": _echo(self._given),
            "kernels": [
                kernel.to_json(len(self._recording.of(kernel.function))) for kernel in self._kernels
            ],
            "launches": [launch.to_json() for launch in self._recording.launches],
            "compilation": compilation.to_json() if compilation else None,
            "diagnostics": [diagnostic.to_json() for diagnostic in everything],
            "output": self._output.getvalue(),
            "seconds": time.perf_counter() - self._started,
        }


def _echo(request: Any) -> dict[str, Any]:
    """Return the request as the report repeats it: what the schema allows, so that a bad request still gives a good report."""
    given = request if isinstance(request, dict) else {}
    result: dict[str, Any] = {"source": "", "target": ""}
    for name, value in given.items():
        try:
            parse_request({"source": "", "target": "", name: value})
        except RequestFailedError:
            continue
        if name != "stop" or value in STAGE_NAMES:
            result[name] = jsonable(value)
    return result
