"""Determinism: ``python -m scripts.verify.determinism [--cases N] [--seed N]``.

Compiles cases of the corpus in one worker in their order, reversed and shuffled, and some in workers of their own: every
report has to equal its golden. Then 200 compiles in one worker, for its memory, and what a compile leaves behind beside
what it does natively; then each polluter (`polluters.py`) between
two rounds of good kernels, which it must not change.
"""

from __future__ import annotations

import argparse
import json
import random
import time
from collections.abc import Iterable
from typing import Any

from scripts import run_main
from scripts.cache import repo_root
from scripts.corpus import TARGETS, corpus_requests, file_of
from scripts.golden_texts import Golden, differences, golden_of, read_goldens
from scripts.verify.live_memory import native_leaks, wasm_leaks
from scripts.verify.node_clients import run_node
from scripts.verify.polluters import POLLUTERS
from scripts.verify.worker_memory import growing, memory_of_workers

# Small kernels that between them use loads, reductions, dots, scans and both makers' libraries.
PROBES = (
    "vector_add-fp32@cuda:80",
    "softmax-fp32@cuda:90",
    "matmul-fp16_three_stages@cuda:80",
    "libdevice-fp32@hip:gfx942",
    "matmul-fp16_three_stages@hip:gfx942",
    "vector_add-fp32@hip:gfx1100",
)

# Seconds; a machine that does other work as well takes longer than the default of 60.
_TIME_LIMIT = 300.0
_FRESH_WORKERS = 12
_MEMORY_COMPILES = 200
_LEAK_COMPILES = 10


def choose(requests: dict[str, dict[str, Any]], count: int | None) -> list[str]:
    """Return names of cases: each on one target, the targets in turn, evenly over the corpus.

    Args:
        requests: the corpus on all targets, by ``case@target``.
        count: how many; all when None.
    """
    cases = list(dict.fromkeys(name.partition("@")[0] for name in requests))
    step = max(len(cases) // count, 1) if count else 1
    chosen = cases[::step][:count]
    return [f"{case}@{TARGETS[place % len(TARGETS)]}" for place, case in enumerate(chosen)]


def goldens_of(requests: Iterable[dict[str, Any]]) -> dict[str, Golden]:
    """Return the goldens of the corpus files that requests come from, by ``case@target``."""
    files = sorted({file_of(request) for request in requests})
    return {golden.name: golden for file in files for golden in read_goldens(file)}


def compile_named(names: list[str], requests: dict[str, dict[str, Any]]) -> dict[str, Any]:
    """Compile cases in one worker; return what `run_node` does."""
    return run_node([requests[name] for name in names], _TIME_LIMIT)


def unequal(
    names: list[str], reports: list[dict[str, Any]], goldens: dict[str, Golden], where: str
) -> list[dict[str, str]]:
    """Return how reports differ from their goldens; ``where`` says in which round."""
    return [
        {"round": where, "case": name, "difference": difference[:2000]}
        for name, report in zip(names, reports, strict=True)
        if (difference := differences(goldens[name], golden_of(name, report)))
    ]


def verify_orders(names: list[str], seed: int) -> dict[str, Any]:
    """Compile the cases in three orders in one worker, and some alone."""
    requests = corpus_requests()
    goldens = goldens_of(requests[name] for name in names)
    shuffled = random.Random(seed).sample(names, len(names))
    rounds = {"in order": names, "reversed": names[::-1], "shuffled": shuffled}
    every = [name for order in rounds.values() for name in order]
    batch = compile_named(every, requests)
    failures, place = [], 0
    for where, order in rounds.items():
        failures += unequal(order, batch["reports"][place : place + len(order)], goldens, where)
        place += len(order)
    alone = names[:: max(len(names) // _FRESH_WORKERS, 1)][:_FRESH_WORKERS]
    for name in alone:
        failures += unequal(
            [name], compile_named([name], requests)["reports"], goldens, "in a worker of its own"
        )
    return {
        "cases": len(names), "compiles": len(every) + len(alone), "alone": len(alone),
        "workers": len(batch["loadSeconds"]), "failures": failures,
    }  # fmt: skip


def verify_memory() -> dict[str, Any]:
    """Compile the probes again and again in one worker; return bytes of WebAssembly memory, and of what compiles leave behind."""
    requests = corpus_requests()
    names = [PROBES[place % len(PROBES)] for place in range(_MEMORY_COMPILES)]
    batch = compile_named(names, requests)
    memory = batch["memoryBytes"]
    failures = unequal(
        names,
        batch["reports"],
        goldens_of(requests[name] for name in PROBES),
        "the same again",
    )
    figures = memory_of_workers(memory, batch["workers"])
    wrong = [] if len(figures) == 1 else [f"{len(batch['loadSeconds'])} workers were needed"]
    wrong += growing(figures, 100)
    wasm = wasm_leaks([requests[name] for name in PROBES], _LEAK_COMPILES)
    native = native_leaks([requests[name] for name in PROBES], _LEAK_COMPILES)
    for name, here, there in zip(PROBES, wasm, native, strict=True):
        if here > there:
            wrong.append(f"each compile of {name} leaves {here} bytes behind, natively {there}")
    return {
        "compiles": len(names), "workers": len(batch["loadSeconds"]), "memoryBytes": memory,
        "residentBytes": batch["residentBytes"],
        "left": [
            {"case": name, "wasm": here, "native": there}
            for name, here, there in zip(PROBES, wasm, native, strict=True)
        ],
        "failures": failures + [{"round": "memory", "case": "", "difference": text} for text in wrong],
    }  # fmt: skip


def verify_leaks() -> dict[str, Any]:
    """Compile each polluter and the probes after it, all in one worker."""
    requests = corpus_requests()
    goldens = goldens_of(requests[name] for name in PROBES)
    queue: list[tuple[str, str | None, dict[str, Any]]] = []
    for polluter, requests_of in POLLUTERS.items():
        queue += [(polluter, None, request) for request in requests_of]
        queue += [(polluter, name, requests[name]) for name in PROBES]
    batch = run_node([request for _, _, request in queue], _TIME_LIMIT)
    failures: list[dict[str, str]] = []
    said: dict[str, list[str]] = {}
    for (polluter, name, _), report in zip(queue, batch["reports"], strict=True):
        if name is None:
            errors = [d for d in report["diagnostics"] if d["severity"] == "error"]
            text = (
                f"{errors[-1]['stage']}: {errors[-1]['message'].splitlines()[0]}"
                if errors
                else "compiled"
            )
            said.setdefault(polluter, []).append(text[:160])
        else:
            failures += unequal([name], [report], goldens, f"after {polluter}")
    return {
        "polluters": said,
        "workers": len(batch["loadSeconds"]),
        "probes": len(PROBES),
        "failures": failures,
    }


def markdown(result: dict[str, Any]) -> str:
    """Return this result's section of docs/verification.md."""
    orders, memory, leaks = result["orders"], result["memory"], result["leaks"]
    sizes = [
        f"{memory['memoryBytes'][place - 1] / 2**20:.1f}" for place in (1, 10, 50, 100, 150, 200)
    ]
    failures = [*orders["failures"], *memory["failures"], *leaks["failures"]]
    lines = [
        "## Determinism and state",
        "",
        f"`python -m scripts.verify.determinism`: {orders['cases']} cases of the corpus, the targets in turn, in one worker in their "
        f"order, reversed and shuffled, and {orders['alone']} of them in a worker of their own: {orders['compiles']} compiles, each "
        f"compared with its golden: **{len(orders['failures'])} differ**.",
        "",
        f"{memory['compiles']} compiles of {leaks['probes']} kernels in {memory['workers']} worker: WebAssembly memory in MiB",
        "",
        "| after compile | 1 | 10 | 50 | 100 | 150 | 200 |",
        "| --- | --- | --- | --- | --- | --- | --- |",
        f"| memory | {' | '.join(sizes)} |",
        "",
        "Memory grows by a fifth at a time, so a step may come anywhere; more than one in a hundred compiles fails the run. What a compile "
        "leaves allocated, in bytes, is Triton's: its Python bindings own no MLIR module, so the module of each compile stays. It must not "
        "be more here than natively, where pointers are twice as long:",
        "",
        "| kernel | left behind | natively |",
        "| --- | --- | --- |",
        *(f"| {left['case']} | {left['wasm']:,} | {left['native']:,} |" for left in memory["left"]),
        "",
        f"After each of these, {leaks['probes']} kernels compiled in the same worker: **{len(leaks['failures'])} differ** from their goldens.",
        "",
        "| what tried to leave something behind | what came of it itself |",
        "| --- | --- |",
        *(
            f"| {name} | {'; '.join(said).replace('|', '&#124;')} |"
            for name, said in leaks["polluters"].items()
        ),
        "",
        *(
            f"- {failure['round']}, {failure['case']}: {failure['difference'][:300]}"
            for failure in failures
        ),
    ]
    return "\n".join(lines).rstrip() + "\n"


def main() -> int:
    """Command line."""
    parser = argparse.ArgumentParser(
        prog="python -m scripts.verify.determinism", description=__doc__
    )
    parser.formatter_class = argparse.RawDescriptionHelpFormatter
    parser.add_argument("--seed", type=int, default=3)
    parser.add_argument("--cases", type=int, help="how many cases of the corpus; default: all")
    parser.add_argument(
        "--part", choices=["orders", "memory", "leaks"], help="this part alone; nothing is written"
    )
    arguments = parser.parse_args()
    started = time.monotonic()
    parts = {
        "orders": lambda: verify_orders(choose(corpus_requests(), arguments.cases), arguments.seed),
        "memory": verify_memory,
        "leaks": verify_leaks,
    }
    names = [arguments.part] if arguments.part else list(parts)
    result: dict[str, Any] = {name: parts[name]() for name in names}
    result["seconds"] = time.monotonic() - started
    failures = [failure for name in names for failure in result[name]["failures"]]
    output = repo_root() / "build" / "verify" / "determinism.json"
    if arguments.part is None:
        output.parent.mkdir(parents=True, exist_ok=True)
        output.write_text(json.dumps(result, indent=1) + "\n")
    else:
        print(json.dumps(result, indent=1))
    for failure in failures:
        print(f"{failure['round']}: {failure['case']}: {failure['difference']}")
    total = sum(
        {
            "orders": lambda part: part["compiles"],
            "memory": lambda part: part["compiles"],
            "leaks": lambda part: len(part["polluters"]) * part["probes"],
        }[name](result[name])
        for name in names
    )
    print(f"determinism: {total - len(failures)} passed, {len(failures)} failed")
    return 1 if failures else 0


if __name__ == "__main__":
    run_main(main)
