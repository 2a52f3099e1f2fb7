"""Compile requests with whichever Triton is on the path, official or ours, by its own classes alone.

``python any_triton_batch.py REQUESTS REPORTS``: runs outside this package, under the Python that the Triton
is for. A request has ``source``, ``filename``, ``kernel``, ``target`` and the ``specialisation`` of a report
of ours. A report has ``texts`` by stage, ``shared`` (bytes) and ``error`` (stage and message, or null). Each
request is compiled in a process of its own. Nothing of triton_playground's pipeline takes part, so that the
witness does not repeat its mistakes; only signature texts are parsed by it.
"""

from __future__ import annotations

import importlib
import inspect
import json
import os
import sys
import tempfile
import types
from pathlib import Path
from typing import Any

# The same for every Triton: each would otherwise take that of the ptxas it brings.
_PTX_VERSION = 87
_LAST_STAGES = ("ptx", "amdgcn")


class _Driver:
    """The active driver where there is no GPU: names the target, and measures nothing."""

    def __init__(self, target: Any) -> None:
        self.target = target

    def get_current_target(self) -> Any:
        return self.target

    def get_benchmarker(self) -> Any:
        """Return what 3.3's autotuner wants before it is told to run."""
        return lambda *arguments, **named: None


class _Witness:
    """One request on its way through the stages."""

    def __init__(self, request: dict[str, Any], stage_file: Path) -> None:
        self.request = request
        self.stage_file = stage_file
        self.texts: dict[str, str] = {}
        self.metadata: dict[str, Any] = {}

    def run(self) -> None:
        """Compile up to the last text, filling in stage, texts and metadata."""
        self._enter("source")
        compiler = importlib.import_module("triton.compiler.compiler")
        libtriton = importlib.import_module("triton._C.libtriton")
        backend_name, _, arch = self.request["target"].partition(":")
        gpu_target = importlib.import_module("triton.backends.compiler").GPUTarget(
            backend_name,
            int(arch) if backend_name == "cuda" else arch,
            64 if arch.startswith("gfx9") else 32,
        )
        importlib.import_module("triton.runtime.driver").driver.set_active(_Driver(gpu_target))
        module = self._imported()
        backend = compiler.make_backend(gpu_target)
        source = self._ast_source(module, backend, compiler)
        given = dict(self.request["specialisation"]["options"])
        options = backend.parse_options({"ptx_version": _PTX_VERSION, **given})
        self.metadata.update(vars(options))
        stages: dict[str, Any] = {}
        # 3.4 tells Gluon from Triton by a third argument.
        extra = (
            [source.language] if len(inspect.signature(backend.add_stages).parameters) > 2 else []
        )
        backend.add_stages(stages, options, *extra)
        self._record_lowered(libtriton.llvm)
        self._enter("ttir")
        context = libtriton.ir.context()
        libtriton.ir.load_dialects(context)
        backend.load_dialects(context)
        code = source.make_ir(
            options, backend.get_codegen_implementation(options), backend.get_module_map(), context
        )
        for name, stage in stages.items():
            self._enter(name)
            code = stage(code, self.metadata)
            self.texts[name] = str(code)
            if name in _LAST_STAGES:
                return

    def _enter(self, stage: str) -> None:
        # In a file, so that it outlives a process that dies in the stage.
        self.stage_file.write_text(stage)

    def _record_lowered(self, llvm: Any) -> None:
        """Keep the LLVM IR as it is before LLVM's optimiser, which no stage's text shows."""
        optimise = llvm.optimize_module

        def recording(module: Any, *arguments: Any) -> Any:
            self.texts.setdefault("lowered", str(module))
            return optimise(module, *arguments)

        llvm.optimize_module = recording

    def _imported(self) -> types.ModuleType:
        # A launch in the script must do nothing: there is no GPU.
        for name in ("jit.JITFunction", "autotuner.Autotuner", "autotuner.Heuristics"):
            file, _, cls = name.partition(".")
            runtime = importlib.import_module(f"triton.runtime.{file}")
            getattr(runtime, cls).run = lambda *args, **kwargs: None
        # Locations carry this path; it is the one that triton_playground writes to.
        path = Path(tempfile.gettempdir()) / "triton-playground" / self.request["filename"]
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(self.request["source"], encoding="utf-8")
        module = types.ModuleType(f"script_{path.stem}")
        module.__file__ = str(path)
        sys.modules[module.__name__] = module
        exec(compile(self.request["source"], str(path), "exec"), vars(module))
        return module

    def _ast_source(self, module: types.ModuleType, backend: Any, compiler: Any) -> Any:
        jit_function = importlib.import_module("triton.runtime.jit").JITFunction
        function = vars(module)[self.request["kernel"]]
        while not isinstance(function, jit_function):
            function = function.fn
        specialisation = self.request["specialisation"]
        names = {**vars(importlib.import_module("triton.language")), **vars(module)}
        names["tl"] = importlib.import_module("triton.language")
        constants = {
            name: eval(text, dict(names)) for name, text in specialisation["constexprs"].items()
        }
        signature: dict[str, Any] = {}
        constexprs: dict[Any, Any] = {}
        attrs: dict[Any, Any] = {}
        for index, (name, text) in enumerate(specialisation["signature"].items()):
            signature[name] = _read_type(
                text, (index,), name, constants, (constexprs, attrs), backend
            )
        return compiler.ASTSource(function, signature, constexprs, attrs)


def _read_type(
    text: str,
    path: tuple[int, ...],
    name: str,
    constants: dict[str, Any],
    found: tuple[dict[Any, Any], dict[Any, Any]],
    backend: Any,
) -> Any:
    """Turn a report's type text into ASTSource's; constants and attributes go into ``found``."""
    from triton_playground.signature import parse_type, split_signature

    if text.startswith("("):
        inner = split_signature(text[1:-1])
        return tuple(
            _read_type(part, (*path, i), f"{name}[{i}]", constants, found, backend)
            for i, part in enumerate(inner)
        )
    constexprs, attrs = found
    kind = parse_type(text)
    if kind.is_one or kind.name == "constexpr":
        constexprs[path] = constants.get(name, 1)
        return "constexpr"
    if kind.key:
        attrs[path] = backend.parse_attr(kind.key)
    return kind.name


def compile_apart(request: dict[str, Any]) -> dict[str, Any]:
    """Compile one request in a forked process; one that dies gives an error with its last words."""
    with tempfile.TemporaryDirectory() as folder:
        report, errors, stage = (Path(folder) / name for name in ("report", "errors", "stage"))
        child = os.fork()
        if child == 0:
            descriptor = os.open(errors, os.O_CREAT | os.O_WRONLY)
            os.dup2(descriptor, 1)
            os.dup2(descriptor, 2)
            _compile_into(request, report, stage)
            os._exit(0)
        _, status = os.waitpid(child, 0)
        words = errors.read_text(errors="replace")[-2000:]
        if not report.is_file():
            code = os.waitstatus_to_exitcode(status)
            reached = stage.read_text() if stage.is_file() else "runtime"
            return {
                "texts": {},
                "shared": None,
                "error": {"stage": reached, "message": f"died ({code}): {words}"},
            }
        finished: dict[str, Any] = json.loads(report.read_text())
        if finished["error"] and words:
            finished["error"]["message"] += "\n" + words
        return finished


def _compile_into(request: dict[str, Any], report: Path, stage: Path) -> None:
    witness = _Witness(request, stage)
    error = None
    try:
        witness.run()
    except BaseException as raised:
        message = f"{type(raised).__name__}: {raised}"
        error = {"stage": stage.read_text(), "message": message[-2000:]}
    shared = witness.metadata.get("shared")
    report.write_text(json.dumps({"texts": witness.texts, "shared": shared, "error": error}))


def main() -> int:
    """Command line."""
    requests, reports = Path(sys.argv[1]), Path(sys.argv[2])
    # Imported before the forks, which costs once what it would cost in each.
    for name in ("triton", "triton.compiler.compiler", "triton.runtime.driver"):
        importlib.import_module(name)
    reports.write_text(json.dumps([compile_apart(r) for r in json.loads(requests.read_text())]))
    return 0


if __name__ == "__main__":
    sys.exit(main())
