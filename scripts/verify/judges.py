"""Outside judges: every PTX through ptxas, every AMDGCN through LLVM's assembler.

``python -m scripts.verify.judges [PATTERN]`` judges the corpus on every target (or the cases that the
regular expression is found in). A rejection that tests/judges/expected.toml does not list is a
failure, and so is a listed one that does not happen.
"""

from __future__ import annotations

import argparse
import re
import tempfile
import tomllib
from collections import Counter
from collections.abc import Iterable
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from scripts import StageError, run_main
from scripts.cache import cache_root, repo_root
from scripts.golden_texts import Golden
from scripts.toolchain import Toolchain, toolchain
from scripts.verify.assemblers import Verdict, judge_amdgcn, judge_ptx
from scripts.verify.texts import judged_texts, last_text, table, target_of, write_result

_AT_ONCE = 2


@dataclass(frozen=True)
class ExpectedRejection:
    """A rejection that is known: which case, what the assembler says, why.

    Attributes:
        case: ``case@target``.
        message: regular expression, found in the assembler's message.
        cause: whose fault it is and why, for a reader.
    """

    case: str
    message: str
    cause: str


def expected_rejections(file: Path | None = None) -> dict[str, ExpectedRejection]:
    """Read the known rejections by case; from tests/judges/expected.toml when no file is named.

    Raises:
        StageError: a case is listed twice, or an entry lacks its cause.
    """
    file = file or repo_root() / "tests" / "judges" / "expected.toml"
    expected: dict[str, ExpectedRejection] = {}
    for entry in tomllib.loads(file.read_text(encoding="utf-8")).get("rejection", []):
        for case in entry["cases"]:
            if case in expected or not entry["cause"]:
                raise StageError(
                    "read expected rejections",
                    f"{case} is listed twice or without a cause",
                    f"mend {file}",
                )
            expected[case] = ExpectedRejection(case, entry["message"], entry["cause"])
    return expected


def outcome(expected: ExpectedRejection | None, message: str) -> str:
    """Say what a verdict means against what was expected.

    Returns:
        ``accepted``, ``rejected as expected``, ``unexpected rejection``, ``unexpected acceptance``
        or ``rejected otherwise than expected``.
    """
    if expected is None:
        return "unexpected rejection" if message else "accepted"
    if not message:
        return "unexpected acceptance"
    if re.search(expected.message, message):
        return "rejected as expected"
    return "rejected otherwise than expected"


_GOOD = ("accepted", "rejected as expected")


def judged(goldens: dict[str, Golden], expected: dict[str, ExpectedRejection]) -> dict[str, Any]:
    """Judge the last text of every golden.

    Args:
        goldens: by ``case@target``.
        expected: the known rejections.

    Returns:
        ``{"verdicts": {case@target: …}, "no_text": [case@target whose compile fails]}``.
    """
    tools = toolchain()

    def verdict(name: str) -> dict[str, Any]:
        metadata = goldens[name].metadata
        found = _judge(goldens[name], tools)
        return {
            **found.to_json(),
            "outcome": outcome(expected.get(name), found.message),
            "shared bytes": metadata.get("shared"),
        }

    names = [name for name, golden in goldens.items() if last_text(golden)]
    with ThreadPoolExecutor(_AT_ONCE) as pool:
        verdicts = dict(zip(names, pool.map(verdict, names), strict=True))
    return {
        "verdicts": verdicts,
        "no_text": [name for name, golden in goldens.items() if not last_text(golden)],
    }


def failures(result: dict[str, Any]) -> dict[str, dict[str, Any]]:
    """Return the verdicts that are not as expected, by case."""
    return {
        name: verdict
        for name, verdict in result["verdicts"].items()
        if verdict["outcome"] not in _GOOD
    }


def markdown(result: dict[str, Any]) -> str:
    """Return the section of docs/verification.md."""
    verdicts = result["verdicts"]
    parts = [
        "## Outside judges: ptxas and LLVM's assembler",
        f"Every PTX text goes through ptxas ({result['ptxas']}) for the architecture that it names, every AMDGCN "
        "text through LLVM 21.1.8's assembler. A text that is rejected is listed in `tests/judges/expected.toml` "
        "with its cause, or counts as failed; so does a listed one that is accepted.",
        "Reproduce: `python -m scripts.verify.judges`.",
        _counts(verdicts, result["no_text"]),
    ]
    rejected = {name: v for name, v in verdicts.items() if v["outcome"] == "rejected as expected"}
    if rejected:
        parts.append("Rejected, and why:")
        parts.append(table(["Cases", "Message", "Cause"], _by_cause(rejected)))
    if failed := failures(result):
        parts.append("Not as expected:")
        rows = [[name, v["outcome"], v["message"][:300]] for name, v in failed.items()]
        parts.append(table(["Case", "Outcome", "Message"], rows))
    parts.append("Resources, of the accepted texts (cases; largest figure; cases that spill):")
    parts.append(_resources(verdicts))
    return "\n\n".join(parts) + "\n"


def _judge(golden: Golden, tools: Toolchain) -> Verdict:
    # Inside the cache: the Debian root's llvm-mc sees no other temporary folder of ours.
    with tempfile.TemporaryDirectory(dir=cache_root()) as folder:
        if "ptx" in golden.texts:
            fusion = golden.metadata.get("enable_fp_fusion", True)
            return judge_ptx(golden.texts["ptx"], Path(folder), fusion)
        return judge_amdgcn(golden.texts["amdgcn"], Path(folder), tools)


def _counts(verdicts: dict[str, Any], no_text: Iterable[str]) -> str:
    def by_target(names: Iterable[str]) -> Counter[str]:
        return Counter(target_of(name) for name in names)

    def having(*outcomes: str) -> Counter[str]:
        return by_target(name for name, v in verdicts.items() if v["outcome"] in outcomes)

    accepted, rejected = having("accepted"), having("rejected as expected")
    all_judged, without = by_target(verdicts), by_target(no_text)
    architectures = {target_of(name): v["architecture"] for name, v in verdicts.items()}
    rows: list[list[Any]] = []
    for target in dict.fromkeys([*all_judged, *without]):
        good = accepted[target] + rejected[target]
        rows.append(
            [
                target, architectures.get(target, "-"), all_judged[target], accepted[target],
                rejected[target], all_judged[target] - good, without[target],
            ]
        )  # fmt: skip
    headings = [
        "Target", "Assembled for", "Texts", "Accepted", "Rejected as listed", "Failed",
        "No text (the compile fails)",
    ]  # fmt: skip
    return table(headings, rows)


def _by_cause(rejected: dict[str, Any]) -> list[list[Any]]:
    expected = expected_rejections()
    grouped: dict[tuple[str, str], list[str]] = {}
    for name in rejected:
        known = expected[name]
        grouped.setdefault((known.message, known.cause), []).append(name)
    return [
        [", ".join(names), f"`{message}`", cause] for (message, cause), names in grouped.items()
    ]


def _resources(verdicts: dict[str, Any]) -> str:
    rows: list[list[Any]] = []
    targets = dict.fromkeys(target_of(name) for name in verdicts)
    for target in targets:
        found = [
            {**v["resources"], "shared bytes": v["shared bytes"] or 0}
            for name, v in verdicts.items()
            if name.endswith(f"@{target}") and v["outcome"] == "accepted"
        ]

        def largest(*keys: str, found: list[dict[str, int]] = found) -> int:
            return max((f.get(key, 0) for f in found for key in keys), default=0)

        spilling = sum(
            any(f.get(key, 0) for key in ("spill store bytes", "vgpr spills", "sgpr spills"))
            for f in found
        )
        rows.append(
            [
                target, len(found), largest("registers", "vgpr"),
                largest("stack bytes", "scratch bytes"), largest("shared bytes"), spilling,
            ]
        )  # fmt: skip
    headings = ["Target", "Texts", "Registers or VGPRs", "Stack bytes", "Shared bytes", "Spilling"]
    return table(headings, rows)


def main() -> int:
    """Command line."""
    parser = argparse.ArgumentParser(prog="python -m scripts.verify.judges", description=__doc__)
    parser.formatter_class = argparse.RawDescriptionHelpFormatter
    parser.add_argument("pattern", nargs="?", default="", help="regular expression on case@target")
    pattern = parser.parse_args().pattern
    expected = expected_rejections()
    goldens = judged_texts(pattern)
    result = {"ptxas": "CUDA 12.8.93", **judged(goldens, expected)}
    result["unknown_cases"] = [] if pattern else [name for name in expected if name not in goldens]
    write_result("judges", result)
    failed = failures(result)
    for name, verdict in failed.items():
        print(f"{name}: {verdict['outcome']}\n  {verdict['message']}")
    for name in result["unknown_cases"]:
        print(f"{name}: listed in tests/judges/expected.toml, and the corpus has no such case")
    bad = len(failed) + len(result["unknown_cases"])
    print(f"judges: {len(result['verdicts']) - len(failed)} passed, {bad} failed")
    return 1 if bad else 0


if __name__ == "__main__":
    run_main(main)
