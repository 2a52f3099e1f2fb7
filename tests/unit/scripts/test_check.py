from __future__ import annotations

import sys

import pytest

from scripts.check import CHECKS, Check, run


def test_every_check_runs_after_a_failure_and_the_last_line_counts(
    capfd: pytest.CaptureFixture[str],
) -> None:
    python = [
        Check("bad", (sys.executable, "-c", "raise SystemExit(3)")),
        Check("good", (sys.executable, "-c", "print('good ran')")),
        Check("gone", ("no-such-program",)),
    ]
    assert run(python) == 2
    output = capfd.readouterr().out.splitlines()
    assert "good ran" in output
    assert any("bad FAILED (exit status 3)" in line for line in output)
    assert output[-1] == "checks: 1 passed, 2 failed"


def test_names_are_unique() -> None:
    names = [check.name for check in CHECKS]
    assert len(names) == len(set(names))
