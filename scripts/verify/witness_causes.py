"""Why figures of ours equal those of neither official release: tests/judges/witness_causes.toml."""

from __future__ import annotations

import re
import tomllib
from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from scripts import StageError
from scripts.cache import repo_root


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
