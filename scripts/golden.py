"""The native reference texts: ``python -m scripts.golden [--check]``.

Without an option, builds native Triton from the same patched source, compiles the corpus with it
and writes `tests/golden/`. With ``--check``, compiles the corpus with the committed wheel in Node
and compares every byte.
"""

from __future__ import annotations

import argparse
import difflib
import hashlib
import json
import lzma
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from scripts import StageError, run_main
from scripts.build_module import build_native, triton_source
from scripts.cache import cache_root, repo_root
from scripts.package_tree import write_dist_info, write_package_tree
from scripts.toolchain import toolchain

TARGETS = ("cuda:80", "hip:gfx942")

# Locations in every text name Triton's own files: natively they have to lie where Pyodide has them.
_SITE = "/lib/python3.15/site-packages"


@dataclass(frozen=True)
class Golden:
    """What one case gives on one target: stage texts in order, and diagnostics."""

    name: str
    texts: dict[str, str]
    diagnostics: list[dict[str, Any]]
    metadata: dict[str, Any]


def golden_dir() -> Path:
    """Return the folder of the golden texts."""
    return repo_root() / "tests" / "golden"


def corpus_requests(targets: Iterable[str] = TARGETS) -> dict[str, dict[str, Any]]:
    """Return every request of the corpus by ``case@target``."""
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


def golden_of(name: str, report: dict[str, Any]) -> Golden:
    """Take from a report what must not differ between builds: everything but times."""
    compilation = report["compilation"] or {"stages": [], "metadata": {}}
    return Golden(
        name,
        {stage["name"]: stage["text"] for stage in compilation["stages"]},
        report["diagnostics"],
        compilation["metadata"],
    )


def native_site() -> Path:
    """Build native Triton and install it in the Debian root; return the folder inside it."""
    build = build_native()
    tools = toolchain()
    if tools.root is None:
        raise StageError("golden", "native Triton needs the Debian root", "run it as root")
    staging = write_package_tree(triton_source(), cache_root() / "native-package")
    write_dist_info(staging, "3.3.0")
    shutil.copy(build / "libtriton.so", staging / "triton" / "_C" / "libtriton.so")
    installed = tools.root / _SITE.lstrip("/")
    shutil.rmtree(installed, ignore_errors=True)
    shutil.copytree(staging, installed)
    return installed


def native_reports(requests: list[dict[str, Any]], times: int = 1) -> list[dict[str, Any]]:
    """Compile requests with the installed native build; return one report each.

    Args:
        requests: each compiled in a process of its own.
        times: how often; the last report counts.
    """
    with tempfile.TemporaryDirectory(dir=cache_root()) as folder:
        given, written = Path(folder) / "requests.json", Path(folder) / "reports.json"
        given.write_text(json.dumps(requests))
        toolchain().run(
            ["python3.15", repo_root() / "scripts" / "native_batch.py", given, written, str(times)],
            env={"PYTHONPATH": f"{_SITE}:{repo_root() / 'py'}", "PYTHONDONTWRITEBYTECODE": "1"},
        )
        reports: list[dict[str, Any]] = json.loads(written.read_text())
    return reports


def wasm_batch(requests: list[dict[str, Any]], wheel: Path | None = None) -> dict[str, Any]:
    """Compile requests in Node; return ``{"loadSeconds", "reports"}``.

    Args:
        requests: compiled in order, in one process.
        wheel: the wheel to use; the committed one when None.

    Raises:
        StageError: the command line itself failed.
    """
    with tempfile.TemporaryDirectory() as folder:
        given, written = Path(folder) / "requests.json", Path(folder) / "reports.json"
        given.write_text(json.dumps(requests))
        argv = [
            "node", str(repo_root() / "web" / "dist-cli" / "main.js"), "batch", str(given),
            "--output", str(written), *(["--wheel", str(wheel)] if wheel else []),
        ]  # fmt: skip
        result = subprocess.run(argv, capture_output=True, text=True, check=False)
        if not written.is_file():
            raise StageError("golden", result.stderr[-2000:], "build the command line: make web")
        batch: dict[str, Any] = json.loads(written.read_text())
    return batch


def write_golden(goldens: list[Golden]) -> None:
    """Write `index.json` (sha256 of every text, for review) and one compressed file a case."""
    shutil.rmtree(golden_dir() / "texts", ignore_errors=True)
    (golden_dir() / "texts").mkdir(parents=True)
    index = {}
    for golden in goldens:
        index[golden.name] = {
            "stages": {
                stage: {"bytes": len(text.encode()), "sha256": _sha256(text)}
                for stage, text in golden.texts.items()
            },
            "shared": golden.metadata.get("shared"),
            "diagnostics": golden.diagnostics,
        }
        text_file(golden.name).write_bytes(
            lzma.compress(json.dumps(vars(golden)).encode(), preset=9 | lzma.PRESET_EXTREME)
        )
    (golden_dir() / "index.json").write_text(json.dumps(index, indent=1, sort_keys=True) + "\n")


def read_golden(name: str) -> Golden:
    """Read one golden.

    Raises:
        StageError: it was never made.
    """
    try:
        return Golden(**json.loads(lzma.decompress(text_file(name).read_bytes())))
    except FileNotFoundError as error:
        raise StageError("golden", f"{name} has no golden text", "run `make golden`") from error


def text_file(name: str) -> Path:
    """Return the compressed file of one golden."""
    return golden_dir() / "texts" / (name.replace("@", ".").replace(":", "_") + ".json.xz")


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
    for field in ("diagnostics", "metadata"):
        before, after = getattr(expected, field), getattr(found, field)
        if before != after:
            parts.append(f"{field}: native {before}\n{field}: wasm   {after}")
    return "\n".join(parts)


def _sha256(text: str) -> str:
    return hashlib.sha256(text.encode()).hexdigest()


def main() -> int:
    """Command line."""
    parser = argparse.ArgumentParser(prog="python -m scripts.golden", description=__doc__)
    parser.formatter_class = argparse.RawDescriptionHelpFormatter
    parser.add_argument("--check", action="store_true", help="compare the wheel with the goldens")
    parser.add_argument("--wheel", type=Path, help="check this wheel, not the committed one")
    arguments = parser.parse_args()
    requests = corpus_requests()
    if not arguments.check:
        native_site()
        reports = native_reports(list(requests.values()))
        write_golden(
            [golden_of(name, report) for name, report in zip(requests, reports, strict=True)]
        )
        print(f"wrote {len(requests)} goldens to {golden_dir()}")
        return 0
    reports = wasm_batch(list(requests.values()), arguments.wheel)["reports"]
    unequal = 0
    for name, report in zip(requests, reports, strict=True):
        difference = differences(read_golden(name), golden_of(name, report))
        if difference:
            unequal += 1
            print(f"{name}: differs from native\n{difference}")
    print(f"golden: {len(requests) - unequal} passed, {unequal} failed")
    return 1 if unequal else 0


if __name__ == "__main__":
    run_main(main)
