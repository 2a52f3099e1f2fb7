"""Pipeline: Triton's frontend and its backend's stages, up to the text before external tools."""

from __future__ import annotations

import contextlib
import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field, replace
from typing import Any

from .capture import captured_descriptors
from .compiler_messages import parse_messages
from .diagnostics import Diagnostic
from .exceptions import describe_compile_error
from .jsonable import jsonable
from .kernels import Kernel
from .printable import safe_str
from .source import Source
from .specialisation import Specialisation
from .targets import Target
from .upstream import triton_module

_LANGUAGES = {"ttir": "mlir", "ttgir": "mlir", "llir": "llvm", "ptx": "ptx", "amdgcn": "amdgcn"}
_PIPELINE_FAILED = "PassManager::run failed"


@dataclass
class Compilation:
    """What a compile has reached."""

    kernel: Kernel
    target: Target
    specialisation: Specialisation
    option_defaults: dict[str, Any] = field(default_factory=dict)
    stages: list[dict[str, Any]] = field(default_factory=list)
    metadata: dict[str, Any] = field(default_factory=dict)
    passes: list[dict[str, Any]] = field(default_factory=list)
    diagnostics: list[Diagnostic] = field(default_factory=list)
    output: str = ""

    def to_json(self) -> dict[str, Any]:
        """Return the schema's Compilation."""
        return {
            "kernel": self.kernel.name,
            "target": self.target.name,
            "specialisation": self.specialisation.to_json(),
            "option_defaults": self.option_defaults,
            "stages": self.stages,
            "metadata": jsonable(self.metadata),
            "passes": self.passes,
        }


def compile_kernel(
    compilation: Compilation,
    backend: Any,
    source: Source,
    kernels: list[Kernel],
    *,
    stop: str,
    passes: bool,
    on_stage: Callable[[str], None],
) -> bool:
    """Run the stages into a compilation, ending after ``stop`` or at the first that fails.

    Does what triton.compile of the pinned compiler/compiler.py does between its two looks at the disk cache, so each text
    equals ``asm[stage]`` there.

    Args:
        compilation: receives stages, metadata, passes and diagnostics.
        backend: Triton's backend object for the target.
        source: the user's source, for the lines of diagnostics.
        kernels: the source's kernels.
        stop: name of the last stage.
        passes: record the IR after each pass.
        on_stage: called with each stage's name before it starts.

    Returns:
        Whether ``stop`` was reached.
    """
    specialisation = compilation.specialisation
    function = compilation.kernel.function
    ir = triton_module("_C.libtriton").ir
    recorder = _pass_recorder(compilation) if passes else None
    playground = getattr(triton_module("_C.libtriton"), "playground", None)
    take_running_pass = getattr(playground, "running_pass", lambda: "")
    # create_binder is where each kind of JIT function (Triton's, Gluon's) says which source class it compiles through.
    function.create_binder()
    src = function.ASTSource(
        function, specialisation.signature, specialisation.constexprs, specialisation.attrs
    )
    options = backend.parse_options(dict(specialisation.options, **src.parse_options()))
    environment = triton_module("_C.libtriton").get_cache_invalidating_env_vars()
    metadata = compilation.metadata
    metadata.update({"target": backend.target, **vars(options), **environment})
    metadata["triton_version"] = triton_module("").__version__
    stages: dict[str, Callable[[Any, dict[str, Any]], Any]] = {}
    backend.add_stages(stages, options)
    names = [name for name in stages if name in compilation.target.stages]
    names = names[names.index(src.ext) : names.index(stop) + 1]

    def make_ir() -> Any:
        context = ir.context()
        ir.load_dialects(context)
        backend.load_dialects(context)
        codegen = backend.get_codegen_implementation(options)
        try:
            return src.make_ir(options, codegen, backend.get_module_map(), context)
        except Exception as error:
            triton_module("compiler.compiler").filter_traceback(error)
            raise

    module: Any = None
    for name in names:
        on_stage(name)
        # What an earlier compile left open is none of this one's passes.
        take_running_pass()
        with _recorded(recorder, name, compilation):
            started = time.perf_counter()
            failure: BaseException | None = None
            with captured_descriptors() as captured:
                try:
                    if module is None:
                        module = make_ir()
                    module = stages[name](module, metadata)
                    text = str(module)
                except BaseException as error:
                    # Constexpr functions are the script's own code, which may raise anything.
                    failure = error
            seconds = time.perf_counter() - started
        compilation.output += captured.output
        messages, rest = parse_messages(captured.errors, name, str(source.path))
        compilation.diagnostics += _stage_diagnostics(
            failure, messages, rest, name, source, kernels, take_running_pass()
        )
        if failure is not None:
            return False
        compilation.stages.append(
            {"name": name, "language": _LANGUAGES[name], "text": text, "seconds": seconds}
        )
    return True


def _stage_diagnostics(
    failure: BaseException | None,
    messages: list[Diagnostic],
    rest: str,
    stage: str,
    source: Source,
    kernels: list[Kernel],
    running_pass: str,
) -> list[Diagnostic]:
    if failure is None:
        if rest:
            first = rest.partition("\n")[0]
            messages.append(Diagnostic(stage=stage, severity="warning", message=first, detail=rest))
        return messages
    described = describe_compile_error(failure, stage, source, kernels, running_pass)
    if safe_str(failure) == _PIPELINE_FAILED:
        # The pass manager's exception says only that a pass failed; what failed was written to standard error.
        found_by = f"Found by the pass {running_pass}." if running_pass else None
        if any(message.severity == "error" for message in messages):
            messages = [
                replace(message, hint=message.hint or found_by)
                if message.severity == "error"
                else message
                for message in messages
            ]
            if rest:
                messages.append(
                    Diagnostic(
                        stage=stage,
                        severity="note",
                        message="The compiler also wrote:",
                        detail=rest,
                    )
                )
            return messages
        which = f"The pass {running_pass}" if running_pass else "A pass"
        message = f"{which} of the {stage} stage failed without saying why."
        described = Diagnostic(stage=stage, message=message, detail=rest or None)
    elif rest and not described.detail:
        described = replace(described, detail=rest)
    return [*messages, described]


def _pass_recorder(compilation: Compilation) -> Any:
    recorder = getattr(triton_module("_C.libtriton"), "playground", None)
    if not hasattr(recorder, "start_recording"):
        message = "Passes were not recorded: this build of Triton's module cannot."
        compilation.diagnostics.append(
            Diagnostic(
                stage="request",
                severity="warning",
                message=message,
                hint="Use the wheel built from this repository.",
            )
        )
        return None
    return recorder


@contextlib.contextmanager
def _recorded(recorder: Any, stage: str, compilation: Compilation) -> Iterator[None]:
    if recorder is None:
        yield
        return
    recorder.start_recording()
    try:
        yield
    finally:
        for kind, name, changed, seconds, text in recorder.stop_recording():
            record = {
                "stage": stage,
                "name": name,
                "kind": kind,
                "changed": changed,
                "seconds": seconds,
            }
            compilation.passes.append({**record, "text": text} if changed else record)
