"""Every case of the corpus on every target, wasm against native, byte for byte."""

from __future__ import annotations

import json
import os
import time
from collections import Counter
from typing import Any

from scripts import run_main
from scripts.cache import repo_root
from scripts.corpus import TARGETS, corpus_requests
from scripts.golden import check_goldens
from scripts.golden_texts import Golden, read_goldens


def run(jobs: int) -> dict[str, Any]:
    """Compare the whole corpus; return what `markdown` needs."""
    requests = corpus_requests()
    started = time.monotonic()
    unequal = check_goldens(requests, jobs)
    seconds = time.monotonic() - started
    goldens = [golden for golden in read_goldens() if golden.name in requests]
    return {
        "cases": [golden.name for golden in goldens],
        "unequal": unequal,
        "outcomes": {golden.name: _outcome(golden) for golden in goldens},
        "stages": sum(len(golden.texts) for golden in goldens),
        "bytes": sum(len(text.encode()) for golden in goldens for text in golden.texts.values()),
        "seconds": seconds,
    }


def _outcome(golden: Golden) -> str:
    if golden.death is not None:
        return "died"
    return "failed" if any(d["severity"] == "error" for d in golden.diagnostics) else "compiled"


def markdown(result: dict[str, Any]) -> str:
    """Return the section of docs/verification.md."""
    cases, unequal = result["cases"], result["unequal"]
    rows = []
    for target in TARGETS:
        names = [name for name in cases if name.endswith(f"@{target}")]
        kinds = Counter(result["outcomes"][name] for name in names)
        bad = sum(name in unequal for name in names)
        rows.append(
            f"| {target} | {len(names)} | {kinds['compiled']} | {kinds['failed']} | {kinds['died']} "
            f"| {len(names) - bad} | {bad} |"
        )
    kinds = Counter(result["outcomes"].values())
    files = {name.partition("-")[0] for name in cases}
    lines = [
        "## Corpus: WebAssembly against native, byte for byte",
        "",
        "`make verify-golden`. Native Triton is built from the same patched source; each "
        "of its compiles has a process of its own, while all of a Node process's compiles share one "
        "module instance. Compared are the text of every stage, metadata, diagnostics and printed "
        "output. Where native Triton dies (an assertion, a fatal error of LLVM), the texts before, the "
        "stage and the message are.",
        "",
        f"**{len(cases) - len(unequal)} of {len(cases)} equal**: {len(files)} files on "
        f"{len(TARGETS)} targets, {result['stages']} stage texts, "
        f"{result['bytes'] / 1e6:.0f} MB. {kinds['compiled']} compile, {kinds['failed']} fail with an "
        f"error and {kinds['died']} kill the native process. {result['seconds']:.0f} s.",
        "",
        "| target | cases | compile | fail | native dies | equal | unequal |",
        "| --- | ---: | ---: | ---: | ---: | ---: | ---: |",
        *rows,
    ]
    if unequal:
        lines += ["", "Not equal:", "", *(f"- `{name}`" for name in unequal)]
    return "\n".join(lines) + "\n"


def main() -> int:
    """Command line: ``python -m scripts.verify.golden``."""
    result = run(os.cpu_count() or 1)
    output = repo_root() / "build" / "verify" / "golden.json"
    output.parent.mkdir(parents=True, exist_ok=True)
    output.write_text(json.dumps(result, indent=1) + "\n")
    for name, difference in result["unequal"].items():
        print(f"{name}: differs from native\n{difference}")
    failed = len(result["unequal"])
    print(f"golden: {len(result['cases']) - failed} passed, {failed} failed")
    return 1 if failed else 0


if __name__ == "__main__":
    run_main(main)
