"""Hostile input: ``python -m scripts.verify.hostile [--seed N] [--count N] [--only N] [--browser N]``.

Runs broken kernels (`mutants.py`, `killers.py`) through the command line's `batch`: long-lived clients, whose workers are
replaced only where the product replaces them. Each has to end in a report within the time limit that names the right stage
and shows nothing of this project's own insides; between them a good kernel has to give its golden text. Memory must not grow
run after run: in the workers of that run, and when mutants go through one worker a second time. The first mutants are also
compiled natively and compared, and run through the page in Chromium.
"""

from __future__ import annotations

import argparse
import json
import os
import re
import subprocess
import tempfile
import time
from collections import Counter
from pathlib import Path
from typing import Any

import jsonschema

from scripts import StageError, run_main
from scripts.cache import repo_root
from scripts.chromium import chromium
from scripts.corpus import corpus_requests
from scripts.golden_texts import Golden, differences, golden_of, read_goldens
from scripts.native import native_reports
from scripts.verify.mutants import Mutant, mutant, parses
from scripts.verify.node_clients import run_clients, run_node
from scripts.verify.worker_memory import growing, memory_of_workers

_KNOWN_GOOD = "vector_add-fp32@cuda:80"
_EVERY = 50
_STAGES = {"cuda": ("ttir", "ttgir", "llir", "ptx"), "hip": ("ttir", "ttgir", "llir", "amdgcn")}
_EARLY = ("request", "source", "specialise")

# How web/src/failure_report.ts begins what it says of a worker that died.
_DEATH = re.compile(
    r"the (compiler|source) (crashed|ran out|ended)[^:]* in stage (\w+): ", re.DOTALL
)
_STOPPED = re.compile(r"stopped after the time limit")
_REFUSED = re.compile(r"out of memory in stage")
# C's assert, not Python's AssertionError.
_COMPILER_GAVE_UP = re.compile(r"LLVM ERROR|Assertion (`|failed: )")


def problems(made: Mutant, report: dict[str, Any]) -> list[str]:
    """Return what is wrong with a report on a mutant; empty when nothing is."""
    found = []
    try:
        jsonschema.validate(report, _schema())
    except jsonschema.ValidationError as error:
        found.append(f"not the schema's: {error.message:.200}")
    errors = [d for d in report["diagnostics"] if d["severity"] == "error"]
    text = json.dumps(report["diagnostics"])
    if "triton_playground/" in text or "Internal error" in text or "web/dist" in text:
        found.append("shows this project's insides")
    if report["ok"] == bool(errors):
        found.append(f"ok is {report['ok']}, with {len(errors)} errors")
    found += [f"{d['stage']}: an empty message" for d in errors if not d["message"].strip()]
    if errors:
        found += _wrong_stage(made, report, errors)
    return found


def _wrong_stage(made: Mutant, report: dict[str, Any], errors: list[dict[str, Any]]) -> list[str]:
    """Compare the stage that an error names with the texts that came before it, and with what Python says of the source."""
    stage = errors[-1]["stage"]
    pipeline = _STAGES[made.request["target"].partition(":")[0]]
    reached = [item["name"] for item in (report["compilation"] or {"stages": []})["stages"]]
    if stage in pipeline:
        expected = list(pipeline[: pipeline.index(stage)])
        if reached != expected and not _repeats(errors):
            return [f"an error in {stage} after the texts {reached}"]
    elif reached:
        return [f"an error in {stage} although there are the texts {reached}"]
    elif stage not in _EARLY:
        return [f"an error in {stage}"]
    if stage != "source" and not parses(made.request["source"]):
        return [f"an error in {stage} of a source that is no Python"]
    return []


def _repeats(errors: list[dict[str, Any]]) -> bool:
    """Whether the worker died: the second compile, for the earlier texts, may end early by the same limits."""
    return any(_DEATH.match(d["message"]) or _STOPPED.match(d["message"]) for d in errors)


_cached_schema: dict[str, Any] = {}


def _schema() -> dict[str, Any]:
    if not _cached_schema:
        path = repo_root() / "py" / "triton_playground" / "report.schema.json"
        _cached_schema.update(json.loads(path.read_text(encoding="utf-8")))
    return _cached_schema


def run_browser(requests: list[dict[str, Any]], time_limit: float) -> list[dict[str, Any]]:
    """Compile requests through the page in Chromium.

    Returns:
        For each: the report that the worker sent (None when the page made it itself), the status line, what the page shows
        as problems, whether the text was kept, and the longest time in milliseconds that the page did not answer.

    Raises:
        StageError: the page could not be driven.
    """
    with tempfile.TemporaryDirectory() as folder:
        given, written = Path(folder) / "requests.json", Path(folder) / "results.json"
        given.write_text(json.dumps(requests))
        argv = [
            "node",
            str(repo_root() / "tests" / "browser" / "hostile.mjs"),
            str(given),
            str(written),
            str(time_limit),
        ]
        environment = {
            **os.environ,
            "CHROMIUM": str(chromium()),
            "PYTHON": os.environ.get("PYTHON", "python3"),
        }
        result = subprocess.run(argv, env=environment, capture_output=True, text=True, check=False)
        if result.returncode != 0:
            raise StageError(
                "hostile input in Chromium", result.stderr[-2000:], "run `make check-browser` first"
            )
        results: list[dict[str, Any]] = json.loads(written.read_text())
    return results


def crash_key(report: dict[str, Any]) -> tuple[str, str, str] | None:
    """Return stage, pass and message of a compiler's own failure; None for any other report."""
    for diagnostic in report["diagnostics"]:
        message = str(diagnostic["message"])
        if diagnostic["severity"] == "error" and (
            _DEATH.match(message) or _COMPILER_GAVE_UP.search(message)
        ):
            inside = re.search(r"[Ii]n the pass (.*?)\.(?: |$)", diagnostic.get("hint", ""))
            return diagnostic["stage"], inside[1] if inside else "", _general(message)
    return None


def _general(message: str) -> str:
    """Return a message without what differs from one kernel to the next."""
    return re.sub(r"0x[0-9a-f]+|\bt?\d+\b|%[\w.]+|'[^']*'", "_", message.splitlines()[0])[:300]


def verify_memory(mutants: list[Mutant], time_limit: float) -> dict[str, Any]:
    """Compile mutants twice in one worker: the second time nothing may change, memory least of all.

    Args:
        mutants: none that ends its worker or runs into a limit.
        time_limit: seconds for each.

    Returns:
        Compiles, workers, bytes after the first and the second time, and failures.
    """
    batch = run_node([made.request for made in mutants] * 2, time_limit)
    count, memory = len(mutants), batch["memoryBytes"]
    wrong = []
    if len(batch["loadSeconds"]) != 1:
        wrong.append(f"{len(batch['loadSeconds'])} workers were needed")
    wrong += growing(memory_of_workers(memory, batch["workers"]), 100)
    failures: list[dict[str, Any]] = []
    if wrong:
        failures.append({"index": None, "name": "memory", "problems": wrong})
    reports = batch["reports"]
    for made, first, second in zip(mutants, reports[:count], reports[count:], strict=True):
        if difference := differences(golden_of(made.name, first), golden_of(made.name, second)):
            failures.append(
                {
                    "index": made.index,
                    "name": made.name,
                    "problems": [f"the second time: {difference[:2000]}"],
                }
            )
    return {
        "compiles": 2 * count, "workers": len(batch["loadSeconds"]), "warm": memory[min(9, count - 1)],
        "first": memory[count - 1], "second": memory[-1], "failures": failures,
    }  # fmt: skip


def verify(
    seed: int, indices: list[int], time_limit: float, native: int, browser: int, jobs: int
) -> dict[str, Any]:
    """Run everything; return what `build/verify/hostile.json` holds."""
    mutants = [mutant(seed, index) for index in indices]
    good = corpus_requests(["cuda:80"])[_KNOWN_GOOD]
    queue: list[Mutant | None] = []
    for position, made in enumerate(mutants):
        if position % _EVERY == 0:
            queue.append(None)
        queue.append(made)
    queue.append(None)
    started = time.monotonic()
    requests = [good if made is None else made.request for made in queue]
    batch = run_clients(requests, time_limit, jobs)
    seconds = time.monotonic() - started
    failures: list[dict[str, Any]] = []
    counts = Counter[str]()
    crashes: dict[tuple[str, str, str], list[Mutant]] = {}
    golden = next(golden for golden in read_goldens("vector_add") if golden.name == _KNOWN_GOOD)
    reports: dict[int, dict[str, Any]] = {}
    for queued, report in zip(queue, batch["reports"], strict=True):
        if queued is None:
            if difference := differences(golden, golden_of(_KNOWN_GOOD, report)):
                failures.append(
                    {"index": None, "name": _KNOWN_GOOD, "problems": [difference[:2000]]}
                )
            continue
        reports[queued.index] = report
        wrong = problems(queued, report)
        # A death or a stop is followed by a second compile, for the texts before it.
        if report["seconds"] > 2 * time_limit + 30:
            wrong.append(f"took {report['seconds']:.0f} s")
        if wrong:
            failures.append({"index": queued.index, "name": queued.name, "problems": wrong})
        counts[_outcome(report)] += 1
        if key := crash_key(report):
            crashes.setdefault(key, []).append(queued)
    memory = memory_of_workers(batch["memoryBytes"], batch["workers"])
    failures += [
        {"index": None, "name": "memory", "problems": [problem]} for problem in growing(memory, 20)
    ]
    steady = [
        made
        for made in mutants
        if not made.is_killer
        and _outcome(reports[made.index]) not in ("time limit", "memory limit", "worker died")
    ]
    compared = [
        made
        for made in mutants
        if not made.is_killer
        and _outcome(reports[made.index]) not in ("time limit", "memory limit")
    ][:native]
    print(f"hostile: {len(mutants)} in Node, {len(failures)} failed, {seconds:.0f} s", flush=True)
    result: dict[str, Any] = {
        "seed": seed,
        "count": len(mutants),
        "timeLimit": time_limit,
        "seconds": seconds,
        "outcomes": dict(counts.most_common()),
        "failures": failures,
        "crashes": _confirm_natively(crashes, reports),
        "jobs": jobs,
        "workers": max(batch["workers"]),
        "memory": memory,
        "memoryAgain": verify_memory(steady[:100], time_limit) if steady else None,
        "native": _compare_natively(compared, reports) if compared else [],
        "nativeCompared": len(compared),
        "browser": verify_browser(mutants[:browser], time_limit) if browser else None,
    }
    return result


def _outcome(report: dict[str, Any]) -> str:
    if report["ok"]:
        return "compiled"
    messages = [d["message"] for d in report["diagnostics"] if d["severity"] == "error"]
    for pattern, outcome in (
        (_STOPPED, "time limit"),
        (_REFUSED, "memory limit"),
        (_DEATH, "worker died"),
    ):
        if any(pattern.match(message) for message in messages):
            return outcome
    if any(_COMPILER_GAVE_UP.search(message) for message in messages):
        return "the compiler's own abort"
    stages = [d["stage"] for d in report["diagnostics"] if d["severity"] == "error"]
    return f"error in {stages[-1]}" if stages else "error without a diagnostic"


# What differs from native for a cause that is known, by what the difference shows.
_KNOWN_DIFFERENCES = {
    "MLIR keeps the integers of a diagnostic in an intptr_t, which has 32 bits here: a negative one prints as such, natively as a "
    "large unsigned number": re.compile(r"native.*\b42949\d{5}\b.*wasm.* -\d+", re.DOTALL),
}

# Tracebacks of scripts name Python's own library, which is of another release natively and lies elsewhere.
_LIBRARY = re.compile(r"(?:/usr/lib/python3\.15/|/lib/python315\.zip/)([\w./]+\\\", line )\d+")


def _natively(mutants: list[Mutant], reports: dict[int, dict[str, Any]]) -> list[str]:
    """Return how each report differs from the native build's, as a corpus case from its golden; empty where it does not."""

    def comparable(made: Mutant, report: dict[str, Any]) -> Golden:
        return golden_of(made.name, json.loads(_LIBRARY.sub(r"PYTHON/\1…", json.dumps(report))))

    native = native_reports([made.request for made in mutants]) if mutants else []
    return [
        differences(comparable(made, report), comparable(made, reports[made.index]))
        for made, report in zip(mutants, native, strict=True)
    ]


def _compare_natively(
    mutants: list[Mutant], reports: dict[int, dict[str, Any]]
) -> list[dict[str, Any]]:
    """Return the differences from native, with their causes where they are known."""
    found = []
    for made, difference in zip(mutants, _natively(mutants, reports), strict=True):
        if difference:
            cause = next(
                (c for c, shown in _KNOWN_DIFFERENCES.items() if shown.search(difference)), ""
            )
            found.append(
                {
                    "index": made.index,
                    "name": made.name,
                    "difference": difference[:2000],
                    "cause": cause,
                }
            )
    return found


def _confirm_natively(
    crashes: dict[tuple[str, str, str], list[Mutant]], reports: dict[int, dict[str, Any]]
) -> list[dict[str, Any]]:
    """List the crashes, each with whether the native build dies of its first mutant at the same stage with the same message.

    What a script did to its own process while it was imported is not tried natively.
    """
    ordered = sorted(crashes.items(), key=lambda pair: pair[0])
    tried = [mutants[0] for (stage, _, _), mutants in ordered if stage != "source"]
    natively = dict(zip((made.index for made in tried), _natively(tried, reports), strict=True))
    return [
        {
            "stage": stage,
            "pass": inside,
            "message": message,
            "mutants": [f"{made.index} {made.name}" for made in mutants],
            # None when it was not tried; empty when it is the same.
            "difference": natively.get(mutants[0].index),
        }
        for (stage, inside, message), mutants in ordered
    ]


def verify_browser(mutants: list[Mutant], time_limit: float) -> dict[str, Any]:
    """Run mutants through the page; return counts and what failed."""
    good = corpus_requests(["cuda:80"])[_KNOWN_GOOD]
    requests = [made.request for made in mutants]
    # The page's field for the signature takes text; what the corpus writes by name is written in the parameters' order.
    results = run_browser([_for_page(request) for request in [*requests, good]], time_limit)
    failures = []
    last: list[Mutant | None] = [None]
    for made, result in zip(mutants + last, results, strict=True):
        wrong = [] if result["textKept"] else ["the text was lost"]
        if result["stalledMilliseconds"] > 5000:
            wrong.append(f"the page did not answer for {result['stalledMilliseconds']} ms")
        if not re.match(r"Compiled|Did not compile|Not compiled", result["status"]):
            wrong.append(f"the status line says {result['status']!r}")
        if result["status"].startswith("Did not compile") and not result["problems"].strip():
            wrong.append("no problem is shown")
        if "triton_playground/" in result["problems"] or "Internal error" in result["problems"]:
            wrong.append("shows this project's insides")
        wrong += [f"uncaught: {error}" for error in result["uncaught"]]
        if made is None and not result["status"].startswith("Compiled"):
            wrong.append("the good kernel at the end did not compile")
        if wrong:
            failures.append(
                {
                    "index": made.index if made else None,
                    "name": made.name if made else _KNOWN_GOOD,
                    "problems": wrong,
                }
            )
    compiled = sum(result["status"].startswith("Compiled") for result in results)
    return {"count": len(mutants), "compiled": compiled, "failures": failures}


def _for_page(request: dict[str, Any]) -> dict[str, Any]:
    signature = request.get("signature")
    if not isinstance(signature, dict):
        return request
    # Constants stand in the signature's text too; the order of the names is that of the kernel's `def`.
    match = re.search(
        rf"def {re.escape(request.get('kernel', ''))}\((.*?)\)\s*(?:->.*?)?:",
        request["source"],
        re.DOTALL,
    )
    names = re.findall(r"(?:^|,)\s*(\w+)", match[1]) if match else [*signature]
    constants = request.get("constexprs", {})
    entries = [signature.get(name) or repr(constants.get(name, 0)) for name in names]
    fields = {
        name: value for name, value in request.items() if name not in ("signature", "constexprs")
    }
    return {**fields, "signature": ", ".join(entries)}


def markdown(result: dict[str, Any]) -> str:
    """Return this result's section of docs/verification.md."""
    unknown = [difference for difference in result["native"] if not difference["cause"]]
    lines = [
        "## Hostile input",
        "",
        f"`python -m scripts.verify.hostile --seed {result['seed']} --count {result['count']}` breaks kernels of the corpus (tokens, types, "
        "constants, options) and adds sources made by hand to hurt (`scripts/verify/killers.py`); one of them again: `--only N`.",
        "",
        f"{result['count']} runs in Node on {result['jobs']} clients side by side, {result['seconds'] / 60:.0f} minutes, time limit {result['timeLimit']:g} s: "
        f"**{len(result['failures'])} failed**. {result['workers']} workers were used.",
        "",
        "| outcome | runs |",
        "| --- | --- |",
        *(f"| {outcome} | {count} |" for outcome, count in result["outcomes"].items()),
        "",
        *(_failed(failure) for failure in result["failures"]),
        "",
        "Failures of the compiler itself, by stage, pass and message, and whether the native build dies of the first of them at the "
        "same stage with the same message; and scripts that ended their own process:",
        "",
        "| stage | pass | message | runs | natively |",
        "| --- | --- | --- | --- | --- |",
        *(
            f"| {crash['stage']} | {crash['pass']} | {_cell(crash['message'])} | {len(crash['mutants'])} | {_verdict(crash)} |"
            for crash in result["crashes"]
        ),
        "",
        "WebAssembly memory of each worker that answered 20 times and more (MiB). It never shrinks, so a large kernel raises it once, "
        "by a fifth or more; a worker fails whose second half raises it more than once in 20 compiles:",
        "",
        "| compiles | after 10 | at half | at the end | raised it, first half | second half |",
        "| --- | --- | --- | --- | --- | --- |",
        *(
            f"| {life['compiles']} | {_mebibytes(life['warm'])} | {_mebibytes(life['half'])} | {_mebibytes(life['end'])} "
            f"| {life['raisedFirst']} | {life['raisedSecond']} |"
            for life in result["memory"]
        ),
        "",
        f"{result['nativeCompared']} mutants were also compiled natively: {len(result['native'])} {'differs' if len(result['native']) == 1 else 'differ'}, {len(unknown)} of them for no known cause.",
        "",
        *(
            f"- {item['index']} {item['name']}: {item['cause'] or _cell(item['difference'])}"
            for item in result["native"]
        ),
    ]
    if again := result["memoryAgain"]:
        lines += [
            "",
            f"{again['compiles'] // 2} mutants twice through one worker: {_mebibytes(again['first'])} MiB after the first time, "
            f"{_mebibytes(again['second'])} MiB after the second, of which one rise by a fifth is allowed (what Triton leaves behind natively too: see "
            f"Determinism); {len(again['failures'])} failed.",
            "",
            *(_failed(failure) for failure in again["failures"]),
        ]
    if browser := result["browser"]:
        lines += [
            "",
            f"{browser['count']} runs through the page in Chromium: {len(browser['failures'])} failed.",
            "",
            *(_failed(failure) for failure in browser["failures"]),
        ]
    return "\n".join(lines) + "\n"


def _verdict(crash: dict[str, Any]) -> str:
    if crash["difference"] is None:
        return "the script's doing"
    return _cell(crash["difference"]) or "the same"


def _failed(failure: dict[str, Any]) -> str:
    name = failure["name"] if failure["index"] is None else f"{failure['index']} {failure['name']}"
    return f"- failed: {name}: {_cell('; '.join(failure['problems']))}"


def _mebibytes(size: int) -> str:
    return f"{size / 2**20:.1f}"


def _cell(text: str) -> str:
    return text.replace("|", "\\|").replace("\n", " ")[:400]


def main() -> int:
    """Command line."""
    parser = argparse.ArgumentParser(prog="python -m scripts.verify.hostile", description=__doc__)
    parser.formatter_class = argparse.RawDescriptionHelpFormatter
    parser.add_argument("--seed", type=int, default=3)
    parser.add_argument("--count", type=int, default=1000, help="how many runs in Node")
    parser.add_argument(
        "--only",
        type=int,
        action="append",
        help="only the mutant of this number, its report printed",
    )
    parser.add_argument("--time-limit", type=float, default=20, help="seconds for each compile")
    parser.add_argument(
        "--native", type=int, default=100, help="how many to compare with the native build"
    )
    parser.add_argument(
        "--browser", type=int, default=100, help="how many to run through the page as well"
    )
    parser.add_argument("--jobs", type=int, default=os.cpu_count() or 1, help="clients at a time")
    arguments = parser.parse_args()
    if arguments.only:
        for index in arguments.only:
            made = mutant(arguments.seed, index)
            (report,) = run_node([made.request], arguments.time_limit)["reports"]
            print(f"{made.name}: {_outcome(report)}\n{json.dumps(report['diagnostics'], indent=1)}")
            print("\n".join(problems(made, report)) or "no problems")
        return 0
    indices = list(range(arguments.count))
    result = verify(
        arguments.seed,
        indices,
        arguments.time_limit,
        arguments.native,
        arguments.browser,
        arguments.jobs,
    )
    output = repo_root() / "build" / "verify" / "hostile.json"
    output.parent.mkdir(parents=True, exist_ok=True)
    output.write_text(json.dumps(result, indent=1) + "\n")
    failed = [
        *result["failures"],
        *(difference for difference in result["native"] if not difference["cause"]),
        *(crash for crash in result["crashes"] if crash["difference"]),
        *((result["memoryAgain"] or {}).get("failures", [])),
        *((result["browser"] or {}).get("failures", [])),
    ]
    for failure in failed:
        print(failure)
    total = result["count"] + result["nativeCompared"] + ((result["browser"] or {}).get("count", 0))
    print(f"hostile: {total - len(failed)} passed, {len(failed)} failed")
    return 1 if failed else 0


if __name__ == "__main__":
    run_main(main)
