"""Upstream's Python tests that need no GPU: ``python -m scripts.verify.upstream_python``.

The files that `tests/upstream/selection.toml` selects run from the pinned source in Pyodide and in
the native build, under pytest, and the same tests have to pass. A test that asks for a launch or an
assembled binary counts as "compile-only": all it checks before that held.
"""

from __future__ import annotations

import argparse
import base64
import importlib.util
import io
import json
import os
import tempfile
import tomllib
import zipfile
from collections import Counter
from importlib import metadata
from pathlib import Path
from typing import Any

from scripts import StageError, run_main
from scripts.cache import cache_root, repo_root
from scripts.native import SITE
from scripts.toolchain import toolchain
from tests.pyodide_host import InstanceDiedError, start_pyodide

BUILDS = ("native", "wasm")

# One answer is a whole test file.
ANSWER_TIMEOUT = 1200.0

# pytest and what it imports: all pure Python.
_PYTEST = ("pytest", "pluggy", "iniconfig", "packaging", "pygments")

_STAGE = "verify upstream_python"
_PLUGIN = Path(__file__).parent / "upstream_plugin.py"
_FAILED = ("failed", "died", "not run")
_IN_PYODIDE = "/upstream"

Outcomes = dict[str, dict[str, str]]


def selection() -> dict[str, Any]:
    """Return `selection.toml`: ``{"run", "left_out", "expected_failures"}``."""
    path = repo_root() / "tests" / "upstream" / "selection.toml"
    return tomllib.loads(path.read_text())


def check_selection(selected: dict[str, Any], tests: Path) -> None:
    """Compare the selection with the test files that there are.

    Raises:
        StageError: a file is in neither table, in both, or does not exist.
    """
    named = [*selected["run"], *selected["left_out"]]
    there = {path.relative_to(tests).as_posix() for path in tests.rglob("test_*.py")}
    wrong = sorted({*there ^ set(named), *(name for name, n in Counter(named).items() if n > 1)})
    if wrong:
        raise StageError(_STAGE, f"not in exactly one table: {wrong}", "mend selection.toml")


def write_pytest(folder: Path) -> None:
    """Copy the installed pytest, and what it imports, into a folder for another Python."""
    for name in _PYTEST:
        for file in metadata.distribution(name).files or []:
            source = Path(str(file.locate()))
            if ".." in file.parts or source.suffix == ".pyc":
                continue
            target = folder / file
            target.parent.mkdir(parents=True, exist_ok=True)
            target.write_bytes(source.read_bytes())


def native_outcomes(tests: Path, file: str, packages: Path) -> Outcomes:
    """Run one test file natively; a test that kills the process is left out of the next try."""
    found: Outcomes = {}
    log = packages.parent / "outcomes.jsonl"
    environment = {
        "PYTHONPATH": f"{SITE}:{packages}",
        "PYTHONDONTWRITEBYTECODE": "1",
    }
    command: list[str | Path] = ["python3.15", _PLUGIN, tests, file, log]
    while True:
        log.write_text("")
        status = toolchain().run(
            [*command, *found], env=environment, check=False, stdout=2
        ).returncode  # fmt: skip
        outcomes = _read(log)
        died = {name: entry for name, entry in outcomes.items() if entry["outcome"] == "died"}
        if status == 0 or not died:
            return {**outcomes, **found}
        found.update(died)


def wasm_outcomes(tests: Path, file: str, packages: Path) -> Outcomes:
    """Run one test file in a fresh Pyodide; a test that traps is left out of the next try."""
    found: Outcomes = {}
    while True:
        host = start_pyodide(ANSWER_TIMEOUT)
        try:
            host.run(_UNPACK, archive=_archive(tests, packages), folder=_IN_PYODIDE)
            outcomes: Outcomes = host.run(
                _RUN, root=f"{_IN_PYODIDE}/test", file=file, deselected=list(found)
            )
            return {**outcomes, **found}
        except InstanceDiedError as error:
            found[error.stage] = {"outcome": "died", "why": str(error)}
        finally:
            host.close()


_UNPACK = """
import base64, io, sys, zipfile
packed = io.BytesIO(base64.b64decode(arguments["archive"]))
zipfile.ZipFile(packed).extractall(arguments["folder"])
sys.path.insert(0, arguments["folder"] + "/packages")
result = None
"""

_RUN = """
import host, upstream_plugin
result = upstream_plugin.run(
    arguments["root"], arguments["file"], arguments["deselected"], "/outcomes.jsonl", host.stage
)
"""


def _archive(tests: Path, packages: Path) -> str:
    packed = io.BytesIO()
    with zipfile.ZipFile(packed, "w", zipfile.ZIP_DEFLATED) as archive:
        archive.write(_PLUGIN, f"packages/{_PLUGIN.name}")
        for folder, prefix in ((packages, "packages"), (tests, "test")):
            for path in sorted(folder.rglob("*.py")):
                archive.write(path, f"{prefix}/{path.relative_to(folder)}")
            # pytest asks for the metadata of its own distribution.
            for path in sorted(folder.rglob("*.dist-info/*")):
                archive.write(path, f"{prefix}/{path.relative_to(folder)}")
    return base64.b64encode(packed.getvalue()).decode()


def _read(log: Path) -> Outcomes:
    specification = importlib.util.spec_from_file_location("upstream_plugin", _PLUGIN)
    assert specification and specification.loader
    plugin = importlib.util.module_from_spec(specification)
    specification.loader.exec_module(plugin)
    outcomes: Outcomes = plugin.outcomes_in(log)
    return outcomes


def summarise(found: dict[str, Outcomes], expected: dict[str, dict[str, Any]]) -> dict[str, Any]:
    """Return both builds' outcomes by test, and what was not expected, one sentence each."""
    tests: dict[str, dict[str, dict[str, str]]] = {}
    unexpected: list[str] = []
    for test in sorted({test for outcomes in found.values() for test in outcomes}):
        tests[test] = {
            build: found[build].get(test, {"outcome": "not run", "why": ""}) for build in BUILDS
        }
        outcomes = [tests[test][build]["outcome"] for build in BUILDS]
        known = expected.get(test, {"builds": []})["builds"]
        failing = [build for build in BUILDS if tests[test][build]["outcome"] in _FAILED]
        if failing != known or (not known and outcomes[0] != outcomes[1]):
            unexpected.append(f"{test}: {' natively, '.join(outcomes)} in wasm")
    unexpected += [f"{test}: there is no such test" for test in expected if test not in tests]
    return {"tests": tests, "unexpected": unexpected}


def markdown(result: dict[str, Any]) -> str:
    """Return the section of docs/verification.md."""
    selected = selection()
    files = sorted({test.partition("::")[0] for test in result["tests"]})
    lines = [
        "## Upstream's Python tests in wasm",
        "",
        "`python -m scripts.verify.upstream_python`: the files of the pinned source's `python/test` "
        "that need no GPU, under pytest, in Node and natively. "
        f"{len(selected['run'])} files run; {len(selected['left_out'])} are left out, each with its "
        "reason in `tests/upstream/selection.toml`. A test counts as compile-only when all that it "
        "checks holds up to where it asks for a launch or a cubin, and as skipped when it needs "
        "PyTorch or NumPy. "
        f"Tests whose outcome is the same natively and in wasm: {_same(result)} of "
        f"{len(result['tests'])}.",
        "",
        "| File | Passed | Compile-only | Skipped | Failed |",
        "| --- | ---: | ---: | ---: | ---: |",
    ]
    for file in files:
        counts = Counter(
            entry["wasm"]["outcome"]
            for test, entry in result["tests"].items()
            if test.partition("::")[0] == file
        )
        skipped = counts["skipped"] + counts["xfailed"]
        failed = sum(counts[outcome] for outcome in _FAILED)
        lines.append(
            f"| `{file}` | {counts['passed']} | {counts['compile-only']} | {skipped} | {failed} |"
        )
    lines.append("")
    lines += [
        f"- `{test}` fails ({', '.join(known['builds'])}): {known['cause']}."
        for test, known in selected["expected_failures"].items()
        if test in result["tests"]
    ]
    return "\n".join(lines) + "\n"


def _same(result: dict[str, Any]) -> int:
    return sum(
        entry["native"]["outcome"] == entry["wasm"]["outcome"] for entry in result["tests"].values()
    )


def main() -> int:
    """Command line."""
    parser = argparse.ArgumentParser(
        prog="python -m scripts.verify.upstream_python", description=__doc__
    )
    parser.formatter_class = argparse.RawDescriptionHelpFormatter
    parser.add_argument("--wheel", type=Path, help="the wheel to use, not the committed one")
    arguments = parser.parse_args()
    if arguments.wheel:
        os.environ["TRITON_PLAYGROUND_WHEEL"] = str(arguments.wheel)
    tests = cache_root() / "triton-src" / "python" / "test"
    if not tests.is_dir():
        raise StageError(_STAGE, f"{tests} is not there", "build native Triton: make golden")
    selected = selection()
    check_selection(selected, tests)
    found: dict[str, Outcomes] = {build: {} for build in BUILDS}
    with tempfile.TemporaryDirectory(dir=cache_root()) as folder:
        packages = Path(folder) / "packages"
        write_pytest(packages)
        for file in selected["run"]:
            found["native"].update(native_outcomes(tests, file, packages))
            found["wasm"].update(wasm_outcomes(tests, file, packages))
    result = summarise(found, selected["expected_failures"])
    written = repo_root() / "build" / "verify" / "upstream_python.json"
    written.parent.mkdir(parents=True, exist_ok=True)
    written.write_text(json.dumps(result, indent=1) + "\n")
    for sentence in result["unexpected"]:
        print(sentence)
    failed = len({sentence.rpartition(": ")[0] for sentence in result["unexpected"]})
    print(f"upstream_python: {len(result['tests']) - failed} passed, {failed} failed")
    return 1 if failed else 0


if __name__ == "__main__":
    run_main(main)
