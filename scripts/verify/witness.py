"""Official Triton as witness: releases 3.3.0 and 3.4.0 compile the corpus, and ours is compared.

``python -m scripts.verify.witness [PATTERN] [--targets T…]``: our commit lies between the two releases, so
a figure of ours that equals either of theirs needs no explaining. Any other has to be covered by a
cause in tests/judges/witness_causes.toml, or counts as failed.
"""

from __future__ import annotations

import argparse
import inspect
import re
import sys
import tempfile
import tomllib
from collections import Counter
from collections.abc import Callable, Iterable
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from scripts import StageError, run_main
from scripts.cache import cache_root, repo_root
from scripts.corpus import TARGETS as ALL_TARGETS
from scripts.corpus import Requests, corpus_requests
from scripts.hashes import sha256_of
from scripts.native import native_reports
from scripts.verify.assemblers import amdgcn_resources, judge_ptx
from scripts.verify.instructions import (
    instruction_kinds,
    llvm_opcodes,
    mlir_names,
    mlir_operations,
)
from scripts.verify.kept import Kept
from scripts.verify.texts import table, target_of, write_result
from scripts.verify.triton_runs import OURS, SETTINGS, TritonRun

OFFICIAL = ("3.3.0", "3.4.0")
# One a family of back end: what differs between their members is nothing that a release adds.
TARGETS = ("cuda:80", "cuda:90", "cuda:100", "hip:gfx942", "hip:gfx950", "hip:gfx1100")
_STAGES = ("ttir", "ttgir", "lowered", "llir", "last")
_BATCH = 96
_HERE = Path(__file__).parent


@dataclass(frozen=True)
class Cause:
    """Why figures of ours equal neither release's. Expressions are searched; an empty one fits all.

    Attributes:
        name: a short name of it.
        why: the explanation, with the commit or pull request where there is one.
        begins: stages at which ours begins to differ that it covers; empty means any.
        targets: regular expression on the target.
        cases: regular expression on the case.
        figures: regular expressions, one of which is the figure's whole name; empty means any.
        operations: regular expression on an operation that is unlike where ours begins to differ.
    """

    name: str
    why: str
    begins: tuple[str, ...] = ()
    targets: str = ""
    cases: str = ""
    figures: tuple[str, ...] = ()
    operations: str = ""

    def covers(self, case: str, figure: str, begins: str, operations: Iterable[str] = ()) -> bool:
        """Tell whether it explains that a figure of ``case@target`` differs."""
        name, _, target = case.partition("@")
        return (
            (not self.begins or begins in self.begins)
            and bool(re.search(self.targets, target))
            and bool(re.search(self.cases, name))
            and (not self.figures or any(re.fullmatch(f, figure) for f in self.figures))
            and (
                not self.operations
                or any(re.search(self.operations, operation) for operation in operations)
            )
        )


def causes(file: Path | None = None) -> list[Cause]:
    """Read the causes in order; from tests/judges/witness_causes.toml when no file is named.

    Raises:
        StageError: one has no explanation.
    """
    file = file or repo_root() / "tests" / "judges" / "witness_causes.toml"
    found = []
    for entry in tomllib.loads(file.read_text(encoding="utf-8")).get("cause", []):
        if not entry.get("why"):
            raise StageError("read witness causes", f"{entry} does not say why", f"mend {file}")
        lists = {key: tuple(entry.get(key, ())) for key in ("begins", "figures")}
        found.append(Cause(**{**entry, **lists}))
    return found


@dataclass(frozen=True)
class Digest:
    """What is compared of one compile.

    Attributes:
        counts: stage to counts of its operations or instructions; stages as in `_STAGES`.
        figures: counts by kind of instruction, shared bytes and registers.
        error: ``stage: message`` where the compile failed, else empty.
    """

    counts: dict[str, Counter[str]]
    figures: dict[str, int]
    error: str


def digest(texts: dict[str, str], shared: int | None, error: str) -> Digest:
    """Count what the texts of one compile consist of; runs ptxas on a PTX.

    Args:
        texts: by stage.
        shared: bytes of shared memory.
        error: why the compile ended early; empty when it did not.
    """
    counts: dict[str, Counter[str]] = {
        s: mlir_operations(texts[s]) for s in ("ttir", "ttgir") if s in texts
    }
    counts |= {s: llvm_opcodes(texts[s]) for s in ("lowered", "llir") if s in texts}
    figures: dict[str, int] = {}
    for stage in ("ptx", "amdgcn"):
        if stage in texts:
            counts["last"] = instruction_kinds(texts[stage], stage)
            figures = {**counts["last"], "shared bytes": shared or 0}
    if "ptx" in texts:
        with tempfile.TemporaryDirectory(dir=cache_root()) as folder:
            resources = judge_ptx(texts["ptx"], Path(folder)).resources
        kept = ("registers", "spill store bytes")
        figures |= {name: resources[name] for name in kept if name in resources}
    if "amdgcn" in texts:
        figures |= amdgcn_resources(texts["amdgcn"])
    return Digest(counts, figures, error)


def compared(ours: Digest, official: dict[str, Digest]) -> dict[str, Any]:
    """Compare one case.

    Args:
        ours: what our build gives.
        official: what the releases give, by version.

    Returns:
        ``errors``: by version, why a release does not compile it;
        ``stages``: by version and stage, whether all counts are the same;
        ``begins``: the first stage at which a count of ours equals no release's; empty for none;
        ``operations``: these counts, by name: ours and each release's;
        ``figures``: by name, ours and each release's, where any differ;
        ``unlike``: names of figures that equal no release's. Empty where a release does not compile the case:
        one witness shows no before and after.
    """
    judging = {version: found for version, found in official.items() if not found.error}
    stages = {
        version: {
            stage: ours.counts[stage] == theirs.counts[stage]
            for stage in _STAGES
            if stage in ours.counts and stage in theirs.counts
        }
        for version, theirs in judging.items()
    }
    begins, operations = _first_unlike(ours, judging)
    names = dict.fromkeys(n for d in (ours, *judging.values()) for n in d.figures)
    figures = {
        name: {OURS: ours.figures.get(name, 0)}
        | {version: found.figures.get(name, 0) for version, found in judging.items()}
        for name in names
    }
    figures = {name: values for name, values in figures.items() if len(set(values.values())) > 1}
    unlike: list[str] = []
    if len(judging) == len(official):
        unlike = [name for name, values in figures.items() if is_unlike(values)]
        # What Triton itself makes is judged by the operation; LLVM's own choices by the figures alone.
        if begins in ("ttir", "ttgir", "lowered"):
            unlike += [f"{begins} {operation}" for operation in operations]
    return {
        "errors": {version: found.error for version, found in official.items() if found.error},
        "stages": stages,
        "begins": begins,
        "operations": operations,
        "figures": figures,
        "unlike": unlike,
    }


def is_unlike(values: dict[str, int]) -> bool:
    """Tell whether ours equals none of the others."""
    return all(values[OURS] != value for version, value in values.items() if version != OURS)


def _first_unlike(
    ours: Digest, official: dict[str, Digest]
) -> tuple[str, dict[str, dict[str, int]]]:
    for stage in _STAGES:
        counts = {OURS: ours.counts[stage]} if stage in ours.counts else {}
        counts |= {v: d.counts[stage] for v, d in official.items() if stage in d.counts}
        if stage in ("ttir", "ttgir"):
            counts = {version: mlir_names(found) for version, found in counts.items()}
        if OURS not in counts or len(counts) == 1:
            continue
        every = {
            name: {v: c[name] for v, c in counts.items()} for c in counts.values() for name in c
        }
        unlike = {name: values for name, values in every.items() if is_unlike(values)}
        if unlike:
            return stage, unlike
    return "", {}


def explained(results: dict[str, Any], known: list[Cause]) -> None:
    """Enter into each result which cause covers which figure that is unlike, and which have none."""
    for name, result in results.items():
        found: dict[str, str] = {}
        for figure in result["unlike"]:
            where = (name, figure, result["begins"], result["operations"])
            covering = (cause.name for cause in known if cause.covers(*where))
            found[figure] = next(covering, "")
        result["causes"] = found


def unexplained(result: dict[str, Any]) -> dict[str, list[str]]:
    """Return the figures that no cause covers, by case."""
    found = {
        name: [figure for figure, cause in case["causes"].items() if not cause]
        for name, case in result["cases"].items()
    }
    return {name: figures for name, figures in found.items() if figures}


def markdown(result: dict[str, Any]) -> str:
    """Return the section of docs/verification.md."""
    cases = result["cases"]
    parts = [
        "## Official Triton as witness",
        "Triton's official wheels 3.3.0 (LLVM a66376b0) and 3.4.0 (LLVM 8957e64a) compile the corpus natively, each "
        "case in a process of its own, with Triton's own classes and PTX 8.7. Our commit lies between them and "
        "stands on LLVM 21.1.8. A figure of ours that equals either release's needs no explaining; any other is "
        "covered by a cause in `tests/judges/witness_causes.toml`. Set for all three builds: "
        + ", ".join(f"`{name}={value}`" for name, value in result["settings"].items())
        + ", because the builds do not agree on that default.",
        f"Reproduce: `python -m scripts.verify.witness {result['arguments']}`.",
        _coverage(result),
        _summary(cases),
        "Where a count of ours first equals neither release's (`ttir`, `ttgir`: operations by name; `lowered`: LLVM IR "
        "before LLVM's optimiser, by opcode; `llir`: after it; `last`: PTX or AMDGCN, by kind):",
        _begins_table(cases),
        "Instructions, all cases together that all three compile:",
        *(_totals(cases, result["totals"])),
        "Figures that equal neither release's, by cause:",
        _cause_table(cases),
    ]
    if failed := unexplained(result):
        rows = [
            [
                name,
                cases[name]["begins"] or "-",
                "; ".join(_values(cases[name], figure) for figure in figures)[:600],
            ]
            for name, figures in failed.items()
        ]
        parts += ["Not explained:", table(["Case", "Begins at", "Figures"], rows)]
    errors = _errors_table(cases)
    if errors:
        parts += ["Cases of ours that a release does not compile:", errors]
    if result["only_official"]:
        parts += [
            "Cases that a release compiles and ours does not:",
            _only_official_table(result["only_official"]),
        ]
    return "\n\n".join(parts) + "\n"


def _values(case: dict[str, Any], figure: str) -> str:
    values = case["figures"].get(figure) or case["operations"].get(figure.partition(" ")[2])
    return f"{figure}: " + " / ".join(str(values[v]) for v in (OFFICIAL[0], OURS, OFFICIAL[1]))


def _summary(cases: dict[str, Any]) -> str:
    rows: list[list[Any]] = []
    for target in dict.fromkeys(map(target_of, cases)):
        chosen = [case for name, case in cases.items() if target_of(name) == target]

        def same(stage: str, chosen: list[dict[str, Any]] = chosen) -> int:
            return sum(any(s.get(stage) for s in c["stages"].values()) for c in chosen)

        rows.append(
            [
                target, len(chosen), sum(len(c["stages"]) == len(OFFICIAL) for c in chosen),
                same("ttir"), same("ttgir"), same("lowered"), same("last"),
                sum(not c["unlike"] and len(c["stages"]) == len(OFFICIAL) for c in chosen),
            ]
        )  # fmt: skip
    headings = [
        "Target", "Cases", "Compiled by both releases", "Same TTIR as a release", "Same TTGIR",
        "Same LLVM IR before LLVM's optimiser", "Same instruction counts",
        "Every figure equals a release's",
    ]  # fmt: skip
    return table(headings, rows)


def _coverage(result: dict[str, Any]) -> str:
    cases, requests = result["cases"], result["requests"]
    both = sum(len(case["stages"]) == len(OFFICIAL) for case in cases.values())
    failed = unexplained(result)
    explaining = sum(bool(case["unlike"]) for case in cases.values()) - len(failed)
    not_run = [target for target in result["all_targets"] if target not in requests]
    return (
        f"{sum(requests.values())} cases (those of the corpus times {len(requests)} targets) were run; ours compiles "
        f"{len(cases)} of them, all three builds {both}. Of these, every figure of {both - explaining - len(failed)} "
        f"equals a release's, {explaining} differ for listed causes and {len(failed)} are not explained. "
        + (f"Not run: {', '.join(not_run)}." if not_run else "Every target was run.")
    )


def _begins_table(cases: dict[str, Any]) -> str:
    targets = list(dict.fromkeys(map(target_of, cases)))
    count = Counter((c["begins"] or "nowhere", target_of(n)) for n, c in cases.items())
    stages = (*_STAGES, "nowhere")
    rows: list[list[Any]] = [[s, *(count[s, target] for target in targets)] for s in stages]
    return table(["First difference at", *targets], rows)


def _totals(cases: dict[str, Any], totals: dict[str, Any]) -> list[str]:
    parts = []
    for prefix in ("cuda", "hip"):
        targets = [t for t in dict.fromkeys(map(target_of, cases)) if t.startswith(prefix)]
        kinds = dict.fromkeys(kind for t in targets for kind in totals.get(t, {}))
        if not kinds:
            continue
        rows: list[list[Any]] = []
        for kind in kinds:
            cells = [
                " / ".join(
                    str(totals[t].get(kind, {}).get(v, 0)) for v in (OFFICIAL[0], OURS, OFFICIAL[1])
                )
                for t in targets
                if t in totals
            ]
            rows.append([kind, *cells])
        parts.append(table(["3.3.0 / ours / 3.4.0", *(t for t in targets if t in totals)], rows))
    return parts


def _cause_table(cases: dict[str, Any]) -> str:
    figures: Counter[str] = Counter()
    names: dict[str, set[str]] = {}
    for name, case in cases.items():
        for cause in filter(None, case["causes"].values()):
            figures[cause] += 1
            names.setdefault(cause, set()).add(name)
    rows: list[list[Any]] = [
        [cause.name, cause.why, len(names[cause.name]), figures[cause.name]]
        for cause in causes()
        if cause.name in names
    ]
    return table(["Cause", "Why", "Cases", "Figures"], rows)


def _errors_table(cases: dict[str, Any]) -> str:
    grouped: dict[tuple[str, str], list[str]] = {}
    for name, case in cases.items():
        for version, error in case["errors"].items():
            grouped.setdefault((version, short_error(error)), []).append(name)
    rows: list[list[Any]] = [
        [version, error, _cases_by_targets(names)]
        for (version, error), names in sorted(grouped.items())
    ]
    return table(["Release", "Its message", "Cases"], rows) if rows else ""


def _only_official_table(found: dict[str, dict[str, Any]]) -> str:
    grouped: dict[tuple[str, str], list[str]] = {}
    for name, case in found.items():
        key = (", ".join(case["compiled_by"]), short_error(case["error"]))
        grouped.setdefault(key, []).append(name)
    rows: list[list[Any]] = [
        [versions, error, _cases_by_targets(names)]
        for (versions, error), names in sorted(grouped.items())
    ]
    return table(["Compiled by", "Ours says", "Cases"], rows)


def _cases_by_targets(names: Iterable[str]) -> str:
    """Name cases shortly: each once, with the targets that it is meant on."""
    targets: dict[str, list[str]] = {}
    for name in names:
        targets.setdefault(name.partition("@")[0], []).append(target_of(name))
    cases: dict[tuple[str, ...], list[str]] = {}
    for case, of_case in targets.items():
        cases.setdefault(tuple(of_case), []).append(case)
    return "; ".join(f"{', '.join(c)} on {', '.join(t)}" for t, c in cases.items())


def short_error(error: str) -> str:
    """Return the stage and what is wrong, of an error with source lines or IR in it."""
    stage, _, message = error.partition(": ")
    lines = [line.strip() for line in message.splitlines() if line.strip()]
    # A CompilationError shows the source first; what it has to say, if anything, comes after the caret.
    carets = [i for i, line in enumerate(lines) if line == "^"]
    telling = [line for line in lines if re.search(r"\b(error|ERROR|Assertion|Error)\b", line)]
    if carets and carets[-1] == len(lines) - 1:
        chosen = f"CompilationError at `{lines[-2]}`"
    elif carets:
        chosen = lines[carets[-1] + 1]
    else:
        chosen = (telling or lines)[0]
    # Without the place in the script, so that like errors are one.
    chosen = re.sub(r"^\S+\.py:\d+:\d+: ", "", chosen)
    return f"{stage}: {chosen[:160]}"


def _official_requests(requests: Requests, jobs: int) -> Requests:
    """Turn requests of the corpus into those of any_triton_batch.py, specialised by our native build.

    A case that ends before it is specialised has none.
    """
    kept = Kept("specialisations", TritonRun(OURS).identity)
    found = kept.read(requests)
    missing = [name for name in requests if name not in found]
    for start in range(0, len(missing), _BATCH):
        batch = missing[start : start + _BATCH]
        reports = native_reports([{**requests[name], "stop": "ttir"} for name in batch], jobs=jobs)
        for name, report in zip(batch, reports, strict=True):
            found[name] = kept.write(requests[name], report["compilation"])
    official = {}
    for name, request in requests.items():
        if found[name] and found[name]["specialisation"]:
            specialisation = found[name]["specialisation"]
            constants = specialisation["constexprs"]
            official[name] = {key: request[key] for key in ("source", "filename", "target")} | {
                "kernel": found[name]["kernel"],
                "specialisation": specialisation
                | {"constexprs": {key: language_names(text) for key, text in constants.items()}},
            }
    return official


def language_names(constant: str) -> str:
    """Turn types in a report's constant into attributes of triton.language: tl.fp16 is tl.float16 there."""
    return re.sub(r"\btl\.fp(?=\d)", "tl.float", constant).replace("tl.bf16", "tl.bfloat16")


def _digests(run: TritonRun, requests: dict[str, dict[str, Any]], jobs: int) -> dict[str, Digest]:
    # What is counted, and how, is part of what a digest depends on.
    modules = [sha256_of(_HERE / f"{name}.py") for name in ("instructions", "assemblers")]
    counting = f"{modules} {inspect.getsource(digest)}"
    kept = Kept("digests", f"{run.identity} {counting}")
    found = kept.read(requests)

    def one(name: str, report: dict[str, Any]) -> None:
        error = report["error"]
        text = f"{error['stage']}: {error['message']}" if error else ""
        taken = digest(report["texts"], report["shared"], text)
        found[name] = kept.write(requests[name], vars(taken))

    names = [name for name in requests if name not in found]
    for start in range(0, len(names), _BATCH):
        batch = names[start : start + _BATCH]
        reports = run.reports([requests[name] for name in batch], jobs)
        with ThreadPoolExecutor(jobs) as pool:
            list(pool.map(one, batch, reports))
    return {name: _digest_of(found[name]) for name in requests}


def _digest_of(kept: dict[str, Any]) -> Digest:
    counts = {stage: Counter(count) for stage, count in kept["counts"].items()}
    return Digest(counts, kept["figures"], kept["error"])


def _total_figures(
    digests: dict[str, dict[str, Digest]], total: Callable[[str], str]
) -> dict[str, dict[str, dict[str, int]]]:
    """Sum the instruction counts of the cases that every build compiles, by target and kind."""
    sums: dict[str, dict[str, dict[str, int]]] = {}
    for name in digests[OURS]:
        every = {version: found[name] for version, found in digests.items()}
        if any(d.error or "last" not in d.counts for d in every.values()):
            continue
        for version, d in every.items():
            for kind, count in d.counts["last"].items():
                of_kind = sums.setdefault(total(name), {}).setdefault(kind, {})
                of_kind[version] = of_kind.get(version, 0) + count
    return sums


def main() -> int:
    """Command line."""
    parser = argparse.ArgumentParser(prog="python -m scripts.verify.witness", description=__doc__)
    parser.formatter_class = argparse.RawDescriptionHelpFormatter
    parser.add_argument("pattern", nargs="?", default="", help="regular expression on case@target")
    parser.add_argument("--targets", nargs="*", default=TARGETS, help=f"default: {TARGETS}")
    parser.add_argument("--jobs", type=int, default=1, help="compiler processes at a time")
    arguments = parser.parse_args()
    chosen = {
        name: request
        for name, request in corpus_requests(arguments.targets).items()
        if re.search(arguments.pattern, name)
    }
    requests = _official_requests(chosen, arguments.jobs)
    digests = {
        version: _digests(TritonRun(version), requests, arguments.jobs)
        for version in (OURS, *OFFICIAL)
    }
    results = {
        name: compared(ours, {version: digests[version][name] for version in OFFICIAL})
        for name, ours in digests[OURS].items()
        if not ours.error
    }
    explained(results, causes())
    result = {
        "settings": SETTINGS,
        "cases": results,
        "totals": _total_figures(digests, target_of),
        "arguments": " ".join(sys.argv[1:]),
        "requests": dict(Counter(map(target_of, chosen))),
        "all_targets": list(ALL_TARGETS),
        "only_official": {
            name: {
                "compiled_by": [v for v in OFFICIAL if not digests[v][name].error],
                "error": ours.error,
            }
            for name, ours in digests[OURS].items()
            if ours.error and any(not digests[v][name].error for v in OFFICIAL)
        },
    }
    write_result("witness", result)
    failed = unexplained(result)
    for name, figures in failed.items():
        print(f"{name}: begins at {results[name]['begins'] or 'no stage'}")
        for figure in figures:
            print(f"  {_values(results[name], figure)}")
    print(f"witness: {len(results) - len(failed)} passed, {len(failed)} failed")
    return 1 if failed else 0


if __name__ == "__main__":
    run_main(main)
