"""The corpus on a real GPU: ``python -m scripts.verify.device [emit]``.

``emit`` compiles the kernels that `tests/device/cases.py` launches for cuda:90 with the wheel, in
Node, and writes `build/device/`: one NAME.ptx and one NAME.json a kernel, and manifest.json.
`tests/device/run_on_gpu.py` launches them on an H200 and compares with references in fp64; its
result is committed as `docs/device.json`. Without ``emit``, reports that last run.
"""

from __future__ import annotations

import argparse
import ast
import json
import re
import shutil
from pathlib import Path
from typing import Any

from scripts import StageError, run_main
from scripts.cache import repo_root
from scripts.corpus import corpus_requests
from scripts.hashes import sha256_of
from scripts.node_batch import wasm_reports

TARGET = "cuda:90"


def device_dir() -> Path:
    """Return the folder that travels to the GPU."""
    return repo_root() / "build" / "device"


def recorded_run() -> Path:
    """Return the committed result of the last run on a GPU."""
    return repo_root() / "docs" / "device.json"


def wanted_kernels(cases: str) -> list[str]:
    """Return the corpus cases that the source of `tests/device/cases.py` names, in its order.

    Args:
        cases: the source; it is not imported, because that needs PyTorch.

    Raises:
        StageError: an argument of ``@case`` is no string literal.
    """
    names = []
    for function in ast.parse(cases).body:
        for decorator in getattr(function, "decorator_list", []):
            if isinstance(decorator, ast.Call) and ast.unparse(decorator.func) == "case":
                for argument in decorator.args:
                    if not isinstance(argument, ast.Constant) or not isinstance(
                        argument.value, str
                    ):
                        raise StageError(
                            "device",
                            f"line {argument.lineno} of tests/device/cases.py: @case takes names",
                            "write each kernel's name as a string",
                        )
                    names.append(argument.value)
    return list(dict.fromkeys(names))


def describe(name: str, report: dict[str, Any]) -> dict[str, Any]:
    """Return what a launch needs to know about one compiled kernel.

    Args:
        name: the corpus case.
        report: of a compile that reached PTX.

    Returns:
        Entry name, threads, shared and scratch bytes, runtime arguments in the order of the PTX
        parameters, names of the integers that are specialised to 1 and so are no parameters.

    Raises:
        StageError: the PTX does not take these arguments and the pointer to global scratch.
    """
    compilation = report["compilation"]
    metadata, specialisation = compilation["metadata"], compilation["specialisation"]
    signature: dict[str, str] = specialisation["signature"]
    arguments = [
        {"name": argument, "type": kind}
        for argument, kind in signature.items()
        if kind != "constexpr" and not kind.endswith(":1")
    ]
    # Triton's last parameter is the pointer to global scratch (third_party/nvidia/backend/driver.py).
    wanted, found = len(arguments) + 1, len(_parameters(_ptx(report)))
    if wanted != found:
        raise StageError(
            "device",
            f"{name}: the PTX has {found} parameters, the signature gives {wanted}",
            "compare the entry of the .ptx with describe() in scripts/verify/device.py",
        )
    return {
        "entry": metadata["name"],
        "num_warps": metadata["num_warps"],
        "shared": metadata["shared"],
        "global_scratch_size": metadata["global_scratch_size"],
        "arguments": arguments,
        "ones": [argument for argument, kind in signature.items() if kind.endswith(":1")],
        "constexprs": specialisation["constexprs"],
    }


def emit(cases: Path, jobs: int = 1) -> dict[str, str]:
    """Compile the kernels that cases launch and write those that reach PTX to `build/device`.

    Args:
        cases: the source of the cases.
        jobs: Node processes at a time; each takes about 1 GB.

    Returns:
        Why there is no PTX, for each kernel that has none.

    Raises:
        StageError: the cases name a kernel that the corpus has not.
    """
    requests = corpus_requests([TARGET])
    names = wanted_kernels(cases.read_text(encoding="utf-8"))
    unknown = [name for name in names if f"{name}@{TARGET}" not in requests]
    if unknown:
        raise StageError(
            "device", f"no such corpus case: {', '.join(unknown)}", "mend tests/device/cases.py"
        )
    reports = wasm_reports([requests[f"{name}@{TARGET}"] for name in names], jobs)
    shutil.rmtree(device_dir(), ignore_errors=True)
    device_dir().mkdir(parents=True)
    hashes, failures = {}, {}
    for name, report in zip(names, reports, strict=True):
        if not report["ok"]:
            failures[name] = " ".join(d["message"] for d in report["diagnostics"])
            continue
        text = device_dir() / f"{name}.ptx"
        text.write_text(_ptx(report))
        hashes[name] = sha256_of(text)
        description = json.dumps(describe(name, report), indent=1)
        (device_dir() / f"{name}.json").write_text(description + "\n")
    manifest = {"target": TARGET, "versions": reports[0]["versions"], "ptx_sha256": hashes}
    (device_dir() / "manifest.json").write_text(json.dumps(manifest, indent=1) + "\n")
    return failures


def emitted_and_changed() -> tuple[int, list[str]]:
    """Return how many kernels `build/device` holds, and those that the recorded run had other PTX of."""
    emitted = json.loads((device_dir() / "manifest.json").read_text())["ptx_sha256"]
    recorded = _recorded()["compiler"]["ptx_sha256"] if recorded_run().is_file() else {}
    changed = [name for name, text_hash in emitted.items() if recorded.get(name) != text_hash]
    return len(emitted), changed


def markdown(result: dict[str, Any]) -> str:
    """Return the section of docs/verification.md about the recorded run."""
    machine, cases = result["machine"], result["cases"]
    results = [(case, row) for case in cases for row in case["results"]]
    passed = sum(case["passed"] for case in cases)
    kernels = sum(len(case["kernels"]) for case in cases)
    lines = [
        "## On a GPU",
        "",
        f"The last run: {result['date']}, {machine['gpu']}, driver {machine['driver']}. "
        f"{kernels} kernels in {len(cases)} cases, compiled for {result['compiler']['target']} by the "
        f"WebAssembly module: {passed} cases passed, {len(cases) - passed} failed. The driver compiled "
        "the PTX; results are compared with PyTorch "
        f"{machine['pytorch']} in fp64, or exactly where they are integers.",
        "",
        "No test repeats this: it needs the GPU. `python -m scripts.verify.device emit` writes "
        "`build/device`, and on a machine with an H100 or H200 "
        "`python3 tests/device/run_on_gpu.py build/device --output docs/device.json` launches it.",
        "",
        "| kernel | result | shape | max abs error | max rel error | allowed | |",
        "| --- | --- | --- | ---: | ---: | --- | --- |",
    ]
    lines += [
        f"| {case['case']} | {row['result']} | {_shape(row['shape'])} "
        f"| {row['max_abs_error']:.2g} | {row['max_rel_error']:.2g} | {_allowed(row['tolerance'])} "
        f"| {'passed' if row['passed'] else '**failed**'} |"
        for case, row in results
    ]
    errors = [case for case in cases if case["error"]]
    lines += ["", *(f"- {case['case']}: {case['error'].splitlines()[-1]}" for case in errors)]
    return "\n".join(lines).rstrip() + "\n"


def _recorded() -> dict[str, Any]:
    if not recorded_run().is_file():
        raise StageError(
            "device",
            "docs/device.json is missing",
            "run tests/device/run_on_gpu.py on a machine with an H100 or H200",
        )
    result: dict[str, Any] = json.loads(recorded_run().read_text())
    return result


def _ptx(report: dict[str, Any]) -> str:
    text: str = report["compilation"]["stages"][-1]["text"]
    return text


def _parameters(ptx: str) -> list[str]:
    entry = re.search(r"\.visible \.entry \w+\((.*?)\)", ptx, re.DOTALL)
    return re.findall(r"\.param", entry.group(1)) if entry else []


def _shape(extents: list[int]) -> str:
    return " × ".join(str(extent) for extent in extents)  # noqa: RUF001


def _allowed(tolerance: dict[str, float]) -> str:
    parts = [f"{tolerance['absolute']:g}", f"{tolerance['relative']:g} of it"]
    shown = [
        part for part, key in zip(parts, ("absolute", "relative"), strict=True) if tolerance[key]
    ]
    return " + ".join(shown) or "none"


def main() -> int:
    """Command line."""
    parser = argparse.ArgumentParser(prog="python -m scripts.verify.device", description=__doc__)
    parser.formatter_class = argparse.RawDescriptionHelpFormatter
    parser.add_argument("action", nargs="?", choices=["emit"], help="compile for the GPU")
    parser.add_argument("--jobs", type=int, default=1, help="emit: Node processes at a time")
    arguments = parser.parse_args()
    if arguments.action == "emit":
        failures = emit(repo_root() / "tests" / "device" / "cases.py", arguments.jobs)
        for name, message in failures.items():
            print(f"{name}: no PTX: {message[-600:]}")
        emitted, changed = emitted_and_changed()
        print(f"wrote {emitted} kernels to {device_dir()}")
        print(f"{emitted - len(changed)} of them have the PTX that docs/device.json records")
        return 1 if failures else 0
    result = _recorded()
    written = repo_root() / "build" / "verify" / "device.json"
    written.parent.mkdir(parents=True, exist_ok=True)
    written.write_text(json.dumps(result, indent=1) + "\n")
    failed = [case["case"] for case in result["cases"] if not case["passed"]]
    print(f"last run on a GPU: {result['date']}, {result['machine']['gpu']}")
    print(f"device: {len(result['cases']) - len(failed)} passed, {len(failed)} failed")
    return 1 if failed else 0


if __name__ == "__main__":
    run_main(main)
