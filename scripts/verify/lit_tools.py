"""The tools of upstream's lit suite over `libtriton.playground`; runs in Pyodide and natively.

``python3.15 lit_tools.py PIPES OUTPUTS``: each pipe in a forked process, so that an abort of the
compiler costs one. Pyodide calls `answer_of`. Imports Triton and triton_playground, nothing else.
"""

from __future__ import annotations

import importlib
import json
import os
import re
import sys
import tempfile
from pathlib import Path
from typing import Any, NamedTuple

# Options of triton-opt that mean nothing where there is one thread.
_IGNORED = {"mlir-disable-threading"}
_MLIR_OPT_FLAGS = {
    "split-input-file": "split_input_file",
    "verify-diagnostics": "verify_diagnostics",
    "allow-unregistered-dialect": "allow_unregistered_dialect",
    "mlir-print-debuginfo": "print_debuginfo",
    "mlir-pretty-debuginfo": "pretty_debuginfo",
}
# Options of triton-opt that mlir_opt cannot serve.
_UNSERVED = {"run-reproducer", "dump-pass-pipeline"}
# Passes on functions. triton-opt's flags nest them; a textual pipeline has to say it.
_FUNCTION_PASSES = {
    "test-print-alias",
    "tritonamdgpu-canonicalize-pointers",
    "tritonamdgpu-hoist-layout-conversions",
    "tritonamdgpu-in-thread-transpose",
}


class Output(NamedTuple):
    """What a tool left: its exit status, standard output and standard error."""

    status: int
    output: str
    errors: str


class UnservedError(Exception):
    """A command line asks for what libtriton.playground has no entry for."""


def run_pipe(tools: list[list[str]], files: dict[str, str]) -> Output:
    """Run a pipe of tools, each reading what the one before wrote.

    Args:
        tools: command lines.
        files: the text of every input file that they name.

    Returns:
        The last tool's output, everyone's errors, and the first failure's status.
    """
    text = ""
    errors = ""
    for words in tools:
        try:
            result = _TOOLS[words[0]](words[1:], text, files)
        except KeyError as error:
            raise UnservedError(f"no tool {error}") from error
        text = result.output
        errors += result.errors
        if result.status:
            return Output(result.status, text, errors)
    return Output(0, text, errors)


def pipeline_of(passes: list[tuple[str, str]]) -> str:
    """Write pass flags as a textual pipeline, in their order.

    Args:
        passes: (name, options) of each flag.
    """
    elements = []
    for name, options in passes:
        element = f"{name}{{{options}}}" if options else name
        elements.append(f"tt.func({element})" if name in _FUNCTION_PASSES else element)
    return ",".join(elements)


def _option(word: str) -> tuple[str, str]:
    name, _, value = word.lstrip("-").partition("=")
    return name, value


def _result(answer: tuple[bool, str, str]) -> Output:
    ok, output, errors = answer
    return Output(0 if ok else 1, output, errors)


def _triton_opt(words: list[str], text: str, files: dict[str, str]) -> Output:
    from triton._C.libtriton import playground

    flags: dict[str, Any] = {}
    passes: list[tuple[str, str]] = []
    pipeline = None
    discard = False
    given = iter(words)
    for word in given:
        if not word.startswith("-"):
            text = files[word]
            continue
        name, value = _option(word)
        if name in _UNSERVED:
            raise UnservedError(f"triton-opt -{name}")
        if name == "o":
            if next(given) != "/dev/null":
                raise UnservedError("triton-opt -o FILE")
            discard = True
        elif name == "debug-only":
            flags["debug_types"] = value.split(",")
        elif name == "pass-pipeline":
            pipeline = value
        elif name in _MLIR_OPT_FLAGS:
            flags[_MLIR_OPT_FLAGS[name]] = True
            if value == "only-expected":
                flags["only_expected_diagnostics"] = True
        elif name not in _IGNORED:
            passes.append((name, value))
    if pipeline is not None and passes:
        raise UnservedError("-pass-pipeline beside pass flags")
    result = _result(playground.mlir_opt(text, pipeline or pipeline_of(passes), **flags))
    return result._replace(output="") if discard else result


def _mlir_translate(words: list[str], text: str, files: dict[str, str]) -> Output:
    from triton._C.libtriton import playground

    if [_option(word)[0] for word in words] != ["mlir-to-llvmir"]:
        raise UnservedError(f"mlir-translate {words}")
    return _result(playground.mlir_to_llvmir(text))


def _opt(words: list[str], text: str, files: dict[str, str]) -> Output:
    from triton._C.libtriton import playground

    levels = [_option(word)[0] for word in words if word != "-S"]
    return _result(playground.llvm_opt(text, *levels))


def _triton_llvm_opt(words: list[str], text: str, files: dict[str, str]) -> Output:
    from triton._C.libtriton import playground

    flags = [_option(word)[0] for word in words if word.startswith("-")]
    inputs = [word for word in words if not word.startswith("-")]
    return _result(playground.llvm_opt(files[inputs[0]], *flags))


def _llc(words: list[str], text: str, files: dict[str, str]) -> Output:
    from triton._C.libtriton import llvm

    llvm.init_targets()
    given = iter(words)
    options = {}
    for word in given:
        name, value = _option(word)
        options[name] = value or next(given)
    # Triton's own entry to the back end. Like llc, without fusing floating-point operations.
    fuse = False
    assembly = llvm.translate_to_asm(
        text, options["mtriple"], options["mcpu"], options["mattr"], [], fuse, False
    )
    return Output(0, assembly, "")


def _triton_tensor_layout(words: list[str], text: str, files: dict[str, str]) -> Output:
    from triton._C.libtriton import playground

    source = ""
    layouts: dict[str, str] = {}
    tensor = ""
    hardware = False
    given = iter(words)
    for word in given:
        name, value = _option(word)
        if name == "use-hw-view":
            hardware = True
            continue
        value = value or next(given)
        if name == "i":
            source = files[value]
        elif name == "l":
            layouts[""] = value
        elif name == "t":
            tensor = value
        elif name == "alias-names":
            layouts.update({alias: f"#{alias}" for alias in value.split(",")})
        else:
            raise UnservedError(f"triton-tensor-layout {word}")
    aliases = "".join(re.findall(r"^#.*\n", source, re.MULTILINE))
    output = ""
    for alias, layout in layouts.items():
        # The parser and the printer of MLIR turn an alias into its attribute.
        module = f"{aliases}module attributes {{test.layout = {layout}}} {{}}\n"
        ok, printed, errors = playground.mlir_opt(module, "")
        if not ok:
            return Output(1, output, errors)
        attribute = re.findall(r"^#\w+ = (#.*)$", printed, re.MULTILINE)[0]
        table = _result(playground.print_layout(f"{tensor[:-1]}, {attribute}>", hardware))
        shown = f"#{alias} = {attribute}" if alias else attribute
        output += f"Print layout attribute: {shown}\n{table.output}"
        if table.status:
            return table._replace(output=output)
        output += "\n" if alias else ""
    return Output(0, output, "")


_TOOLS = {
    "triton-opt": _triton_opt,
    "triton-llvm-opt": _triton_llvm_opt,
    "triton-tensor-layout": _triton_tensor_layout,
    "mlir-translate": _mlir_translate,
    "opt": _opt,
    "llc": _llc,
}


def run_apart(pipe: dict[str, Any]) -> dict[str, Any]:
    """Run one pipe in a forked process.

    Args:
        pipe: ``{"tools", "files"}``, the arguments of `run_pipe`.

    Returns:
        ``{"status", "output", "errors"}``; status -N when signal N ended the process.
    """
    with tempfile.TemporaryDirectory() as folder:
        answer, written = Path(folder) / "answer", Path(folder) / "errors"
        child = os.fork()
        if child == 0:
            descriptor = os.open(written, os.O_CREAT | os.O_WRONLY)
            os.dup2(descriptor, 2)
            answer.write_text(json.dumps(answer_of(pipe)))
            os._exit(0)
        _, status = os.waitpid(child, 0)
        if answer.is_file():
            finished: dict[str, Any] = json.loads(answer.read_text())
            return finished
        return {
            "status": os.waitstatus_to_exitcode(status),
            "output": "",
            "errors": written.read_text(errors="replace"),
        }


def answer_of(pipe: dict[str, Any]) -> dict[str, Any]:
    """Run one pipe here; an exception becomes an answer with ``"raised"``.

    What the compiler writes to the process's own standard output and error comes first in the
    answer's texts.
    """
    from triton_playground.capture import captured_descriptors

    answer: dict[str, Any]
    with captured_descriptors() as written:
        try:
            answer = run_pipe(pipe["tools"], pipe["files"])._asdict()
        except Exception as error:
            # Whatever a tool raises is that pipe's result, not the end of the batch.
            answer = {"status": 1, "output": "", "errors": f"{error}\n"}
            answer["raised"] = type(error).__name__
    answer["output"] = written.output + answer["output"]
    answer["errors"] = written.errors + answer["errors"]
    return answer


def main() -> int:
    """Command line."""
    # Loaded once, before the forks: it takes longer than most pipes.
    importlib.import_module("triton._C.libtriton")
    pipes = json.loads(Path(sys.argv[1]).read_text())
    Path(sys.argv[2]).write_text(json.dumps([run_apart(pipe) for pipe in pipes]))
    return 0


if __name__ == "__main__":
    sys.exit(main())
