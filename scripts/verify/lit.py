"""Upstream's lit suite in wasm and natively: ``python -m scripts.verify.lit [--wheel W] [NAME…]``.

Every RUN line of the pinned source's ``test/`` goes through `libtriton.playground`, in Pyodide
under Node and in the native build; FileCheck of the pinned LLVM judges both, and both have to
print the same bytes. `tests/lit/expected_failures.toml` names what fails and why: a failure that is not there, and a
pass that is, are failures of this script.
"""

from __future__ import annotations

import argparse
import json
import os
import re
import tempfile
import tomllib
from pathlib import Path
from typing import Any

from scripts import StageError, run_main
from scripts.cache import cache_root, repo_root
from scripts.native import SITE
from scripts.toolchain import toolchain
from scripts.verify.lit_run_lines import FILECHECK_ENVIRONMENT, RunLine, run_lines
from tests.pyodide_host import PyodideHost, start_pyodide

BUILDS = ("native", "wasm")

_STAGE = "verify lit"
_HERE = Path(__file__).parent


def expected_failures() -> dict[str, dict[str, Any]]:
    """Return what is known to fail by test: ``{"builds", "cause"}``."""
    path = repo_root() / "tests" / "lit" / "expected_failures.toml"
    table: dict[str, dict[str, Any]] = tomllib.loads(path.read_text())["tests"]
    return table


def pipes(lines: list[RunLine], debug_types: list[str]) -> list[dict[str, Any]]:
    """Return the RUN lines as `lit_tools` takes them.

    Args:
        lines: the RUN lines.
        debug_types: what ``-debug`` switches on: every type of Triton's own debug output, which is
            all there is, because LLVM is built without.
    """
    every_type = f"-debug-only={','.join(debug_types)}"
    return [
        {
            "tools": [
                [every_type if word in ("-debug", "--debug") else word for word in words]
                for words in line.tools
            ],
            "files": {
                word: Path(word).read_text()
                for words in line.tools
                for word in words[1:]
                if Path(word).is_absolute() and Path(word).is_file()
            },
        }
        for line in lines
    ]


def debug_types(source: Path) -> list[str]:
    """Return every debug type that Triton's C++ defines."""
    found: set[str] = set()
    for path in source.rglob("*.cpp"):
        found.update(re.findall(r'^#define DEBUG_TYPE "(.*)"', path.read_text(), re.MULTILINE))
    return sorted(found)


def native_answers(given: list[dict[str, Any]]) -> list[dict[str, Any]]:
    """Run pipes with the installed native build, each in a process of its own."""
    environment = {
        "PYTHONPATH": f"{SITE}:{repo_root() / 'py'}",
        "PYTHONDONTWRITEBYTECODE": "1",
    }
    return _in_toolchain([_HERE / "lit_tools.py"], given, environment)


def wasm_answers(given: list[dict[str, Any]]) -> list[dict[str, Any]]:
    """Run pipes one after the other in Pyodide; a host that dies or hangs costs one pipe."""
    answers = []
    host: PyodideHost | None = None
    for pipe in given:
        host = host or _host()
        try:
            answers.append(host.run("import lit_tools\n" + _ANSWER, pipe=pipe))
        except RuntimeError as error:
            answers.append({"status": -1, "output": "", "errors": str(error), "raised": "trap"})
            host.close()
            host = None
    if host:
        host.close()
    return answers


_ANSWER = 'result = lit_tools.answer_of(arguments["pipe"])'


def _host() -> PyodideHost:
    host = start_pyodide()
    code = """
import pathlib, sys
folder = pathlib.Path("/verify")
folder.mkdir()
(folder / "lit_tools.py").write_text(arguments["source"])
sys.path.insert(0, str(folder))
result = None
"""
    host.run(code, source=(_HERE / "lit_tools.py").read_text())
    return host


def verdicts(lines: list[RunLine], answers: list[dict[str, Any]]) -> list[dict[str, Any]]:
    """Judge every answer: ``{"ok", "message"}`` each.

    A line passes when no tool failed and FileCheck, where the line has it, agrees.
    """
    checked = [
        (number, line.file_check)
        for number, line in enumerate(lines)
        if line.file_check is not None and answers[number]["status"] == 0
    ]
    checks = [
        {
            "arguments": arguments,
            "environment": FILECHECK_ENVIRONMENT,
            "text": _piped(lines[number], answers[number]),
        }
        for number, arguments in checked
    ]
    tools = toolchain().llvm_tools
    if tools is None:
        raise StageError(_STAGE, "no FileCheck of the pinned LLVM", "run it as root, on Debian")
    said = _in_toolchain([_HERE / "lit_file_check.py", tools / "FileCheck"], checks, {})
    found = [
        {"ok": answer["status"] == 0, "message": answer["errors"] if answer["status"] else ""}
        for answer in answers
    ]
    for (number, _), verdict in zip(checked, said, strict=True):
        found[number] = verdict
    return found


def _piped(line: RunLine, answer: dict[str, Any]) -> str:
    errors = answer["errors"] if line.merge_errors else ""
    text: str = errors + answer["output"]
    return text


def _in_toolchain(
    script: list[Path], given: list[dict[str, Any]], environment: dict[str, str]
) -> list[dict[str, Any]]:
    """Run one of this folder's batch scripts inside the Debian root."""
    with tempfile.TemporaryDirectory(dir=cache_root()) as folder:
        asked, written = Path(folder) / "asked.json", Path(folder) / "written.json"
        asked.write_text(json.dumps(given))
        toolchain().run(["python3.15", *script, asked, written], env=environment)
        answers: list[dict[str, Any]] = json.loads(written.read_text())
    return answers


def verify(lines: list[RunLine], given: list[dict[str, Any]]) -> dict[str, Any]:
    """Run and judge every line in both builds.

    Returns:
        ``{"lines": [{"name", "test", "equal", "native", "wasm"}]}``: per build ``{"ok",
        "message"}``; equal is whether standard output and error are the same bytes.
    """
    answers = {"native": native_answers(given), "wasm": wasm_answers(given)}
    judged = {build: verdicts(lines, answers[build]) for build in BUILDS}
    result = []
    for number, line in enumerate(lines):
        both = [answers[build][number] for build in BUILDS]
        unequal = [part for part in ("output", "errors") if both[0][part] != both[1][part]]
        entry = {"name": line.name, "test": line.test, "equal": not unequal}
        if unequal:
            entry["texts"] = {
                build: {part: answers[build][number][part] for part in unequal} for build in BUILDS
            }
        entry.update({build: judged[build][number] for build in BUILDS})
        result.append(entry)
    return {"lines": result}


def summarise(result: dict[str, Any], expected: dict[str, dict[str, Any]]) -> dict[str, Any]:
    """Add to a result what it says about whole tests, and what was not expected.

    Adds ``tests`` (builds in which each test fails), ``passed`` (by build), ``unequal`` (lines) and
    ``unexpected`` (one sentence each).
    """
    failing: dict[str, list[str]] = {}
    for line in result["lines"]:
        builds = failing.setdefault(line["test"], [])
        builds += [build for build in BUILDS if not line[build]["ok"] and build not in builds]
    unequal = [line["name"] for line in result["lines"] if not line["equal"]]
    unexpected = [f"{name}: native and wasm print different bytes" for name in unequal]
    for test, builds in failing.items():
        known = expected.get(test, {"builds": []})["builds"]
        unexpected += [
            f"{test}: fails ({build})" for build in BUILDS if build in builds and build not in known
        ]
        unexpected += [
            f"{test}: passes ({build}), expected to fail" for build in known if build not in builds
        ]
    return {
        **result,
        "tests": failing,
        "passed": {
            build: sum(build not in builds for builds in failing.values()) for build in BUILDS
        },
        "unequal": unequal,
        "unexpected": unexpected,
    }


def markdown(result: dict[str, Any]) -> str:
    """Return the section of docs/verification.md."""
    expected = expected_failures()
    tests, passed = result["tests"], result["passed"]
    both = [test for test, builds in tests.items() if "native" not in builds]
    in_wasm = [test for test in both if "wasm" not in tests[test]]
    share = 100 * len(in_wasm) / len(both)
    lines = [
        "## Upstream's lit suite in wasm",
        "",
        "`python -m scripts.verify.lit`: every RUN line of the pinned source's `test/`, through "
        "`libtriton.playground` in Node and natively, judged by LLVM's FileCheck.",
        "",
        f"- {len(tests)} tests, {len(result['lines'])} RUN lines.",
        f"- Tests that pass: {passed['native']} natively, {passed['wasm']} in wasm.",
        f"- Of the {len(both)} that pass natively, {len(in_wasm)} pass in wasm ({share:.1f} %).",
        f"- RUN lines whose output is the same bytes natively and in wasm: "
        f"{len(result['lines']) - len(result['unequal'])} of {len(result['lines'])}.",
        "",
        "| Test that fails | In | Cause |",
        "| --- | --- | --- |",
    ]
    for test, builds in sorted(tests.items()):
        if builds:
            cause = expected.get(test, {"cause": "not known yet"})["cause"]
            lines.append(f"| `{test}` | {', '.join(builds)} | {cause} |")
    return "\n".join(lines) + "\n"


def main() -> int:
    """Command line."""
    parser = argparse.ArgumentParser(prog="python -m scripts.verify.lit", description=__doc__)
    parser.formatter_class = argparse.RawDescriptionHelpFormatter
    parser.add_argument("--wheel", type=Path, help="the wheel to use, not the committed one")
    parser.add_argument("names", nargs="*", help="only tests whose path has one of these")
    arguments = parser.parse_args()
    if arguments.wheel:
        os.environ["TRITON_PLAYGROUND_WHEEL"] = str(arguments.wheel)
    source = cache_root() / "triton-src"
    if not (source / "test").is_dir():
        raise StageError(_STAGE, f"{source} is not there", "build native Triton: make golden")
    every = run_lines(source / "test")
    lines = [
        line
        for line in every
        if not arguments.names or any(name in line.test for name in arguments.names)
    ]
    if not lines:
        raise StageError(_STAGE, f"no test is named like {arguments.names}", "see triton-src/test")
    expected = expected_failures()
    unknown = set(expected) - {line.test for line in every}
    if unknown:
        raise StageError(_STAGE, f"no such tests: {sorted(unknown)}", "mend expected_failures.toml")
    result = summarise(verify(lines, pipes(lines, debug_types(source))), expected)
    written = repo_root() / "build" / "verify" / "lit.json"
    written.parent.mkdir(parents=True, exist_ok=True)
    written.write_text(json.dumps(result, indent=1) + "\n")
    for sentence in result["unexpected"]:
        print(sentence)
    failed = len({sentence.split(":")[0].split("#")[0] for sentence in result["unexpected"]})
    print(f"lit: {len(result['tests']) - failed} passed, {failed} failed")
    return 1 if failed else 0


if __name__ == "__main__":
    run_main(main)
