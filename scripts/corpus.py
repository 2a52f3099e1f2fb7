"""The corpus as requests: every case of tests/corpus/ on every target."""

from __future__ import annotations

import json
import subprocess
import sys
from collections.abc import Iterable
from typing import Any

from scripts.cache import repo_root

TARGETS = (
    *(f"cuda:{capability}" for capability in (75, 80, 86, 89, 90, 100, 120)),
    *(f"hip:{arch}" for arch in ("gfx90a", "gfx942", "gfx950", "gfx1100", "gfx1201")),
)

# The subset of every CI run: each case on the newest data-centre GPU of either maker that all of the
# pinned compiler's paths know well, and these files on every target.
CI_TARGETS = ("cuda:90", "hip:gfx942")
CI_FILES_ON_EVERY_TARGET = (
    *("vector_add", "softmax", "layer_norm", "matmul", "atomics", "attention"),
    *("int8_dot", "libdevice"),
)

Requests = dict[str, dict[str, Any]]


def corpus_requests(targets: Iterable[str] = TARGETS) -> Requests:
    """Return every request of the corpus by ``case@target``, in the order of the files."""
    targets = tuple(targets)
    # corpus_cases.py prints its cases for whoever does not import tests/.
    listing = subprocess.run(
        [sys.executable, str(repo_root() / "tests" / "corpus_cases.py")],
        stdout=subprocess.PIPE, text=True, check=True,
    ).stdout  # fmt: skip
    cases = [json.loads(line) for line in listing.splitlines()]
    return {
        f"{case['name']}@{target}": {**case["request"], "target": target}
        for case in cases
        for target in targets
    }


def ci_subset(requests: Requests) -> Requests:
    """Return the fixed part of the corpus that every CI run checks."""
    return {
        name: request
        for name, request in requests.items()
        if request["target"] in CI_TARGETS or file_of(request) in CI_FILES_ON_EVERY_TARGET
    }


def file_of(request: dict[str, Any]) -> str:
    """Return the stem of the corpus file that a request's source is."""
    return str(request["filename"]).removesuffix(".py")
