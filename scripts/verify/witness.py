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
from collections import Counter
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from scripts import run_main
from scripts.cache import cache_root
from scripts.corpus import TARGETS as ALL_TARGETS
from scripts.corpus import Requests, corpus_requests
from scripts.golden_texts import Golden
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
from scripts.verify.texts import judged_texts, last_text, target_of, write_result
from scripts.verify.triton_runs import OFFICIAL, OURS, SETTINGS, STAGES, TritonRun
from scripts.verify.witness_causes import causes, explained, unexplained
from scripts.verify.witness_report import figure_values
from scripts.verify.witness_report import markdown as markdown

# One a family of back end: what differs between their members is nothing that a release adds.
TARGETS = ("cuda:80", "cuda:90", "cuda:100", "hip:gfx942", "hip:gfx950", "hip:gfx1100")
# Cases that a report does not tell enough of for Triton's own classes, and why.
NOT_WITNESSED = {
    "tuples-named": "its arguments are named tuples, and a report's types do not name a tuple's fields"
}
_BATCH = 96
_HERE = Path(__file__).parent


@dataclass(frozen=True)
class Digest:
    """What is compared of one compile.

    Attributes:
        counts: stage to counts of its operations or instructions; stages as in `STAGES`.
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
            for stage in STAGES
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
    for stage in STAGES:
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


def unlike_goldens(ours: dict[str, Digest], goldens: dict[str, Golden]) -> dict[str, str]:
    """Return where what is compared here is not what the goldens hold, and how, by case.

    Args:
        ours: what our build gave here, under Triton's own classes.
        goldens: what it gave under triton_playground's pipeline.
    """
    found = {}
    for name, golden in goldens.items():
        text = last_text(golden)
        stage = "ptx" if "ptx" in golden.texts else "amdgcn"
        if name not in ours:
            if text:
                found[name] = "not specialised here"
        elif bool(text) != (not ours[name].error):
            found[name] = ours[name].error or "it compiles here, and the golden says that it fails"
        elif text and instruction_kinds(text, stage) != ours[name].counts["last"]:
            found[name] = "the golden has other instructions"
    return found


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
    result: dict[str, Any] = {
        "settings": SETTINGS,
        "cases": results,
        "totals": _total_figures(digests, target_of),
        "not_witnessed": NOT_WITNESSED,
        "arguments": " ".join(sys.argv[1:]),
        "unlike_goldens": unlike_goldens(
            digests[OURS], {n: g for n, g in judged_texts().items() if n in chosen}
        ),
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
            print(f"  {figure_values(results[name], figure)}")
    unexpected = {
        name: how
        for name, how in result["unlike_goldens"].items()
        if name.partition("@")[0] not in NOT_WITNESSED
    }
    for name, how in unexpected.items():
        print(f"{name}: unlike its golden: {how}")
    lost = [
        name for name, case in result["only_official"].items() if OFFICIAL[0] in case["compiled_by"]
    ]
    for name in lost:
        print(f"{name}: {OFFICIAL[0]} compiles it and ours does not")
    bad = len(failed) + len(unexpected) + len(lost)
    print(f"witness: {len(results) - len(failed)} passed, {bad} failed")
    return 1 if bad else 0


if __name__ == "__main__":
    run_main(main)
