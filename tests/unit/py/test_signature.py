from __future__ import annotations

import pytest
from triton_playground.signature import (
    ALIASES,
    SCALAR_TYPES,
    ParameterType,
    SignatureError,
    is_constant,
    parse_constant,
    parse_type,
    split_signature,
)


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("*fp32", ParameterType("*fp32")),
        ("*fp32:16", ParameterType("*fp32", "D")),
        ("*fp16:D", ParameterType("*fp16", "D")),
        ("*fp16:DS", ParameterType("*fp16", "DS")),
        ("*fp16:SD", ParameterType("*fp16", "DS")),
        ("*fp16:S", ParameterType("*fp16", "S")),
        ("*kfp32:16", ParameterType("*kfp32", "D")),
        ("**fp32", ParameterType("**fp32")),
        ("i32:1", ParameterType("i32", is_one=True)),
        ("i64:16", ParameterType("i64", "D")),
        (" tl.float16 ", ParameterType("fp16")),
        ("*torch.bfloat16", ParameterType("*bf16")),
        ("bool", ParameterType("u1")),
        ("constexpr", ParameterType("constexpr")),
        ("tl.constexpr", ParameterType("constexpr")),
        ("tensordesc<fp16[64,32]>", ParameterType("tensordesc<fp16[64, 32]>")),
    ],
)
def test_types(text: str, expected: ParameterType) -> None:
    assert parse_type(text) == expected
    assert parse_type(str(expected)) == expected


@pytest.mark.parametrize(
    "text",
    [
        "",
        "*",
        "fp33",
        "*fp32:8",
        "i32:7",
        "fp32:16",
        "fp32:1",
        "*fp32:1",
        "i32:S",
        "i32:",
        "constexpr:16",
        "u1:16",
    ],
)
def test_what_is_no_type_is_refused(text: str) -> None:
    with pytest.raises(SignatureError):
        parse_type(text)


def test_an_unknown_type_lists_the_known_ones() -> None:
    with pytest.raises(SignatureError) as caught:
        parse_type("*fp33")
    assert "'fp33'" in str(caught.value)
    assert all(name in str(caught.value) for name in SCALAR_TYPES)


def test_aliases_lead_to_known_types() -> None:
    assert set(ALIASES.values()) <= set(SCALAR_TYPES)


@pytest.mark.parametrize(
    ("text", "entries"),
    [
        ("*fp32:16, i32:16, 1024", ["*fp32:16", "i32:16", "1024"]),
        ("tensordesc<fp16[64, 64]>, i32", ["tensordesc<fp16[64, 64]>", "i32"]),
        ("'a,b', (1, 2), i32", ["'a,b'", "(1, 2)", "i32"]),
        ("*fp32,", ["*fp32"]),
    ],
)
def test_signatures_split_at_outer_commas(text: str, entries: list[str]) -> None:
    assert split_signature(text) == entries


@pytest.mark.parametrize("text", ["*fp32,,i32", ", i32"])
def test_an_empty_entry_is_refused(text: str) -> None:
    with pytest.raises(SignatureError, match="empty entry"):
        split_signature(text)


def test_constants_are_told_from_types() -> None:
    assert [is_constant(entry) for entry in ("1024", "-1", "0.5", "True", "None", "'relu'")] == [
        True
    ] * 6
    assert not any(is_constant(entry) for entry in ("i32", "*fp32", "constexpr", "*fp32:16", ""))
    assert parse_constant("'relu'") == "relu"
