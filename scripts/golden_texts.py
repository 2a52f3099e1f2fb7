"""Golden texts: what native Triton gives for each case of the corpus, and how a report is compared.

`tests/golden/FILE.json.xz` holds everything of one corpus file; `tests/golden/FILE.txt` lists hashes,
sizes and failures of the same, a line a case and target, for review.
"""

from __future__ import annotations

import difflib
import hashlib
import json
import lzma
import re
from collections.abc import Iterable, Iterator
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

from scripts import StageError
from scripts.cache import repo_root

# What differs from run to run in messages of LLVM that print addresses.
_ADDRESS = re.compile(r"\b0x[0-9a-f]{4,}\b")
_DEBIAN_LLVM = re.compile(r"/usr/(?:lib/llvm-\d+/include|include/llvm-\d+|include/mlir-\d+)/")


@dataclass(frozen=True)
class Golden:
    """What one case gives on one target: all of a report that must not differ between builds.

    Attributes:
        name: ``case@target``.
        texts: text of every stage reached, in order.
        diagnostics: as in the report; empty when the compiler died.
        metadata: as in the report; empty when the compiler died.
        output: what the script and the compiler printed.
        death: ``{"stage", "message"}`` when an assertion, a fatal error or a signal ended the native
            process; the message is empty for a signal.
    """

    name: str
    texts: dict[str, str]
    diagnostics: list[dict[str, Any]]
    metadata: dict[str, Any]
    output: str
    death: dict[str, str] | None = None


def golden_of(name: str, report: dict[str, Any]) -> Golden:
    """Take from a report, native or not, what is compared."""
    compilation = report["compilation"] or {"stages": [], "metadata": {}}
    texts = {stage["name"]: stage["text"] for stage in compilation["stages"]}
    if "died" in report:
        died = report["died"]
        death = {"stage": died["stage"], "message": death_message(died["text"])}
        return Golden(name, texts, [], {}, report["output"], death)
    return Golden(name, texts, report["diagnostics"], compilation["metadata"], report["output"])


def death_message(text: str) -> str:
    """Return the line that says why a native process died, as the report of a wasm compile words it."""
    for line in text.splitlines():
        if line.startswith("LLVM ERROR: "):
            return _comparable(line)
        if match := re.fullmatch(r"[\w./-]+: (\S+:\d+: .*: Assertion `.*' failed\.)", line):
            return _comparable(match[1])
    return ""


def _comparable(message: str) -> str:
    # glibc's assert names the function with its types, Emscripten's by its bare name.
    message = re.sub(r"^(\S+:\d+: ).*: (Assertion `.*' failed\.)$", r"\1\2", message)
    return _ADDRESS.sub("0x…", _DEBIAN_LLVM.sub("", message))


def differences(expected: Golden, found: Golden) -> str:
    """Return a unified diff of everything that differs; empty when nothing does."""
    parts = []
    for stage in [*expected.texts, *(s for s in found.texts if s not in expected.texts)]:
        before, after = expected.texts.get(stage, ""), found.texts.get(stage, "")
        if before != after:
            lines = difflib.unified_diff(
                before.splitlines(), after.splitlines(), f"native {stage}", f"wasm {stage}",
                lineterm="", n=1,
            )  # fmt: skip
            parts.append("\n".join(list(lines)[:40]) or f"{stage}: line ends differ")
    if expected.death is not None:
        return "\n".join([*parts, *_death_difference(expected.death, found)])
    for field in ("diagnostics", "metadata", "output"):
        before, after = getattr(expected, field), getattr(found, field)
        if before != after:
            parts.append(f"{field}: native {before}\n{field}: wasm   {after}")
    return "\n".join(parts)


def _death_difference(death: dict[str, str], found: Golden) -> Iterator[str]:
    """Say how a report differs from a native process that died: it has to name stage and message."""
    errors = [d for d in found.diagnostics if d["severity"] == "error"]
    for error in errors:
        message = _comparable(error["message"])
        expected = _comparable(death["message"])
        if error["stage"] == death["stage"] and expected in ("", message):
            return
    yield f"native Triton died: {death}\nwasm: {errors or 'no error'}"


def golden_dir() -> Path:
    """Return the folder of the golden texts."""
    return repo_root() / "tests" / "golden"


def write_goldens(file: str, goldens: Iterable[Golden]) -> None:
    """Write the goldens of one corpus file.

    Args:
        file: its stem.
        goldens: all of its cases on all targets.
    """
    goldens = list(goldens)
    golden_dir().mkdir(parents=True, exist_ok=True)
    packed = json.dumps([asdict(golden) for golden in goldens], ensure_ascii=False).encode()
    (golden_dir() / f"{file}.json.xz").write_bytes(
        lzma.compress(packed, preset=9 | lzma.PRESET_EXTREME)
    )
    lines = "".join(f"{_review_line(golden)}\n" for golden in goldens)
    (golden_dir() / f"{file}.txt").write_text(lines, encoding="utf-8")


def read_goldens(file: str | None = None) -> list[Golden]:
    """Read the goldens of one corpus file, or of all when None.

    Raises:
        StageError: they were never made.
    """
    if file is None:
        stems = sorted(
            path.name.removesuffix(".json.xz") for path in golden_dir().glob("*.json.xz")
        )
        return [golden for stem in stems for golden in read_goldens(stem)]
    try:
        packed = (golden_dir() / f"{file}.json.xz").read_bytes()
    except FileNotFoundError as error:
        raise StageError("golden", f"{file}.py has no golden texts", "run `make golden`") from error
    return [Golden(**fields) for fields in json.loads(lzma.decompress(packed))]


def _review_line(golden: Golden) -> str:
    stages = [
        f"{stage} {len(text.encode())} {hashlib.sha256(text.encode()).hexdigest()[:12]}"
        for stage, text in golden.texts.items()
    ]
    ends = [
        f"{d['severity']} at {d['stage']}: {d['message'].splitlines()[0][:160]}"
        for d in golden.diagnostics
        if d["severity"] != "note"
    ]
    if golden.death is not None:
        ends.append(f"died at {golden.death['stage']}: {golden.death['message'][:160]}")
    shared = [f"shared {golden.metadata['shared']}"] if "shared" in golden.metadata else []
    return " | ".join([golden.name, *stages, *shared, *ends])
