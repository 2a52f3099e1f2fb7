from __future__ import annotations

from triton_playground.compiler_messages import parse_messages

PATH = "/tmp/triton-playground/kernel.py"


def test_a_located_error_with_its_excerpt() -> None:
    text = f"{PATH}:4:12: error: operand is wrong\n    x = tl.load(x_ptr)\n           ^\nrest\n"
    (diagnostic,), rest = parse_messages(text, "ttgir", PATH)
    assert (diagnostic.severity, diagnostic.stage, diagnostic.message) == (
        "error",
        "ttgir",
        "operand is wrong",
    )
    assert (diagnostic.line, diagnostic.column) == (4, 12)
    assert rest == "rest"


def test_a_location_in_another_file_gives_no_line() -> None:
    (diagnostic,), _ = parse_messages("/lib/standard.py:40:7: error: no\n", "ttgir", PATH)
    assert diagnostic.line is None


def test_a_call_site_location_gives_the_line_in_the_source() -> None:
    location = f'loc(callsite("/lib/standard.py":40:7 at "{PATH}":9:3))'
    (diagnostic,), _ = parse_messages(f"{location}: error: no\n", "ttgir", PATH)
    assert (diagnostic.line, diagnostic.column) == (9, 3)


def test_severities() -> None:
    text = "warning: a\nremark: b\nnote: c\nerror: d\n<unknown>:0: error: e\n"
    diagnostics, rest = parse_messages(text, "llir", PATH)
    assert [d.severity for d in diagnostics] == ["warning", "note", "note", "error", "error"]
    assert rest == ""


def test_the_pass_managers_own_messages_become_a_hint() -> None:
    text = (
        f"{PATH}:4:12: error: operand is wrong\n"
        f"{PATH}:1:0: error: Failures have been detected while processing an MLIR pass pipeline\n"
        f"{PATH}:1:0: note: Pipeline failed while executing [`TritonGPUCoalesce` on 'builtin.module' operation]\n"
    )
    (diagnostic,), _ = parse_messages(text, "ttgir", PATH)
    assert diagnostic.message == "operand is wrong"
    assert diagnostic.hint is not None
    assert "TritonGPUCoalesce" in diagnostic.hint


def test_lines_without_a_severity_are_kept_as_they_are() -> None:
    text = "module {\n  tt.func @f() { }\n}\n"
    assert parse_messages(text, "ttir", PATH) == ([], text.strip())
