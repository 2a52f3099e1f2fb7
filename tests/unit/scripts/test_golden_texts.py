"""What is compared between native and WebAssembly reports."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from scripts import StageError, golden_texts
from scripts.golden_texts import death_message, differences, golden_of, read_goldens, write_goldens

ASSERTION = (
    "python3.15: /usr/lib/llvm-21/include/llvm/ADT/SmallVector.h:292: reference "
    "llvm::SmallVectorTemplateCommon<int>::operator[](size_type) [T = int]: Assertion `idx < size()' failed."
)


def report(text: str = "module {}\n", **changes: Any) -> dict[str, Any]:
    stage = {"name": "ttir", "language": "mlir", "text": text, "seconds": 0.1}
    compilation = {"stages": [stage], "metadata": {"shared": 0}, "passes": []}
    return {"compilation": compilation, "diagnostics": [], "output": "", **changes}


def died(stage: str, text: str) -> dict[str, Any]:
    return report(died={"status": -6, "stage": stage, "text": text})


def failed(stage: str, message: str) -> dict[str, Any]:
    return report(diagnostics=[{"severity": "error", "stage": stage, "message": message}])


def difference(native: dict[str, Any], wasm: dict[str, Any]) -> str:
    return differences(golden_of("case@cuda:80", native), golden_of("case@cuda:80", wasm))


def test_equal_reports_do_not_differ() -> None:
    assert difference(report(), report()) == ""


def test_one_byte_of_a_stage_is_a_difference() -> None:
    assert "native ttir" in difference(report("a\n"), report("a \n"))


def test_a_stage_that_only_one_build_reaches_is_a_difference() -> None:
    assert difference(report(), report(compilation=None)) != ""


@pytest.mark.parametrize("field", ["diagnostics", "output"])
def test_messages_and_printed_text_are_compared(field: str) -> None:
    changes: dict[str, Any] = {
        "diagnostics": [{"severity": "warning", "stage": "ttir", "message": "slow"}],
        "output": "x",
    }
    assert field in difference(report(), report(**{field: changes[field]}))


def test_a_death_equals_an_error_of_the_same_stage_and_message() -> None:
    message = "llvm/ADT/SmallVector.h:292: operator[]: Assertion `idx < size()' failed."
    assert difference(died("llir", ASSERTION), failed("llir", message)) == ""


@pytest.mark.parametrize(
    ("stage", "message"),
    [
        ("ptx", "llvm/ADT/SmallVector.h:292: operator[]: Assertion `idx < size()' failed."),
        ("llir", "llvm/ADT/SmallVector.h:293: operator[]: Assertion `idx < size()' failed."),
    ],
)
def test_a_death_differs_from_another_stage_or_message(stage: str, message: str) -> None:
    assert "native Triton died" in difference(died("llir", ASSERTION), failed(stage, message))


def test_a_death_differs_from_success() -> None:
    assert "no error" in difference(died("llir", "LLVM ERROR: Cannot select"), report())


def test_addresses_in_messages_of_llvm_do_not_count() -> None:
    native = died("ptx", "LLVM ERROR: Cannot select: 0x5571f0e0: i32 = bitcast")
    assert (
        difference(native, failed("ptx", "LLVM ERROR: Cannot select: 0x1f2e40: i32 = bitcast"))
        == ""
    )


def test_a_signal_leaves_no_message() -> None:
    assert death_message("Stack dump:\n0. Program arguments") == ""


def test_goldens_come_back_as_written(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(golden_texts, "golden_dir", lambda: tmp_path)
    goldens = [
        golden_of("a-x@cuda:80", report("ü\n")),
        golden_of("a-x@hip:gfx942", died("llir", "")),
    ]
    write_goldens("a", goldens)
    assert read_goldens("a") == goldens
    assert read_goldens() == goldens
    lines = (tmp_path / "a.txt").read_text().splitlines()
    assert lines[0].startswith("a-x@cuda:80 | ttir 3 ")
    assert "died at llir" in lines[1]


def test_a_file_without_goldens_says_how_to_make_them(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(golden_texts, "golden_dir", lambda: tmp_path)
    with pytest.raises(StageError, match="make golden"):
        read_goldens("missing")
