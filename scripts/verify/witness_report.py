"""The section of docs/verification.md on official Triton as witness."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable
from typing import Any

from scripts.verify.texts import table, target_of
from scripts.verify.triton_runs import OFFICIAL, OURS, STAGES
from scripts.verify.witness_causes import causes, unexplained


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
                "; ".join(figure_values(cases[name], figure) for figure in figures)[:600],
            ]
            for name, figures in failed.items()
        ]
        parts += ["Not explained:", table(["Case", "Begins at", "Figures"], rows)]
    errors = _errors_table(cases)
    if errors:
        parts += ["Cases of ours that a release does not compile:", errors]
    if result["only_official"]:
        parts += [
            "Cases that a release compiles and ours does not. One that 3.4.0 alone compiles needs what was added after "
            "our commit; one that 3.3.0 compiles counts as failed:",
            _only_official_table(result["only_official"]),
        ]
    return "\n\n".join(parts) + "\n"


def figure_values(case: dict[str, Any], figure: str) -> str:
    """Return a figure with its values in 3.3.0, ours and 3.4.0."""
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
        + "".join(
            f" Left out on all targets: {case} ({why})."
            for case, why in result["not_witnessed"].items()
        )
        + " Our build's text under Triton's own classes was compared with the golden of each other case: "
        + f"{_unlike_goldens_but_known(result)} differ in their instructions."
    )


def _unlike_goldens_but_known(result: dict[str, Any]) -> int:
    return sum(
        name.partition("@")[0] not in result["not_witnessed"] for name in result["unlike_goldens"]
    )


def _begins_table(cases: dict[str, Any]) -> str:
    targets = list(dict.fromkeys(map(target_of, cases)))
    count = Counter((c["begins"] or "nowhere", target_of(n)) for n, c in cases.items())
    stages = (*STAGES, "nowhere")
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
    of_source = message.startswith("CompilationError")
    carets = [i for i, line in enumerate(lines) if line == "^" and of_source]
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
