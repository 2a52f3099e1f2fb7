"""Broken kernels, made from the corpus by chance that a seed fixes."""

from __future__ import annotations

import ast
import io
import json
import random
import tokenize
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from scripts.corpus import TARGETS, corpus_requests
from scripts.verify.killers import KILLERS

# One run in this many is a killer: a source made by hand to hurt.
_KILLER_EVERY = 8

_TYPES = (
    "fp16",
    "bf16",
    "fp32",
    "fp64",
    "fp8e5",
    "fp8e4nv",
    "fp8e4b15",
    "i1",
    "i8",
    "i32",
    "i64",
    "u8",
    "u64",
)
_NUMBERS = (
    "0",
    "-1",
    "1",
    "2",
    "3",
    "7",
    "16",
    "31",
    "1.5",
    "2**10",
    "2**20",
    "2**31",
    "2**40",
    "2**64",
    "1e400",
)
_OPERATORS = (
    "+",
    "-",
    "*",
    "/",
    "//",
    "%",
    "**",
    "@",
    "<<",
    ">>",
    "&",
    "|",
    "^",
    "<",
    "==",
    "and",
    "not",
    ",",
    ":",
)
_CONSTANTS: tuple[Any, ...] = (
    0,
    -1,
    1,
    2,
    3,
    8,
    16,
    33,
    64,
    2**20,
    2**31,
    1.5,
    "x",
    "tl.float16",
    None,
    True,
    [1, 2],
    [],
)
_OPTIONS: tuple[tuple[str, Any], ...] = (
    *(("num_warps", value) for value in (0, -1, 1, 2, 3, 8, 16, 32, 64, 1024, "4", None, 2.5)),
    *(("num_stages", value) for value in (-1, 0, 1, 2, 5, 9, 100, "x")),
    *(("num_ctas", value) for value in (0, 2, 3, -1)),
    *(("maxnreg", value) for value in (0, 16, -5, "a")),
    *(("kpack", 2), ("waves_per_eu", -1), ("matrix_instr_nonkdim", 16), ("matrix_instr_nonkdim", 7)),
    *(("cluster_dims", [1, 1, 1]), ("cluster_dims", 3), ("enable_fp_fusion", False), ("debug", True)),
    *(("sanitize_overflow", True), ("ptx_version", 70), ("arch", "sm_10"), ("arch", 7), ("warp_size", 17)),
    *(("allow_fp8e4nv", True), ("nope", 1), ("default_dot_input_precision", "ieee")),
)  # fmt: skip


@dataclass(frozen=True)
class Mutant:
    """One broken request.

    Attributes:
        index: its number; with the seed, all that is needed to make it again.
        name: what it was made from and how, such as ``matmul-fp16@cuda:80 drop``.
        request: the report schema's Request.
        is_killer: whether it was made by hand; such a source may run for ever outside a time limit.
    """

    index: int
    name: str
    request: dict[str, Any]
    is_killer: bool = False


def mutant(seed: int, index: int) -> Mutant:
    """Return the mutant of that number: the same for the same seed and corpus."""
    chance = random.Random(f"{seed}:{index}")
    if index % _KILLER_EVERY == _KILLER_EVERY - 1:
        names = list(KILLERS)
        name = names[(index // _KILLER_EVERY) % len(names)]
        target = chance.choice(("cuda:80", "cuda:90", "hip:gfx942"))
        return Mutant(
            index, f"{name}@{target}", {"target": target, **KILLERS[name]}, is_killer=True
        )
    bases = _bases()
    base = chance.choice(sorted(bases))
    request = json.loads(json.dumps(bases[base])) | {"target": chance.choice(TARGETS)}
    # Most runs break the source alone; a few break what is asked for it, and some both.
    kinds = chance.choice(
        (
            ("source",),
            ("source",),
            ("source",),
            ("signature",),
            ("constexprs",),
            ("options",),
            ("source", "options"),
        )
    )
    words = [_BREAK[kind](request, chance) for kind in kinds]
    return Mutant(index, f"{base}@{request['target']} {', '.join(words)}", request)


_cached_bases: dict[str, dict[str, Any]] = {}


def _bases() -> dict[str, dict[str, Any]]:
    """Return the corpus by case name, without targets."""
    if not _cached_bases:
        for name, request in corpus_requests(["cuda:80"]).items():
            _cached_bases[name.partition("@")[0]] = request
    return _cached_bases


def break_source(text: str, chance: random.Random) -> tuple[str, str]:
    """Return the text with one to three of its tokens dropped, doubled, swapped or replaced, and what was done."""
    words = []
    for _ in range(chance.choice((1, 1, 1, 2, 3))):
        edit = chance.choice(
            ("drop", "double", "swap", "swap", "name", "name", "number", "operator", "dtype")
        )
        text = _edit(text, edit, chance)
        words.append(edit)
    return text, "+".join(words)


def _edit(text: str, edit: str, chance: random.Random) -> str:
    spans = _tokens(text)
    wanted = {"name": tokenize.NAME, "number": tokenize.NUMBER, "operator": tokenize.OP}.get(edit)
    chosen = [span for span in spans if wanted in (None, span.kind)]
    if edit == "dtype":
        chosen = [span for span in spans if span.text in _LANGUAGE_TYPES] or spans
    if not chosen:
        return text
    one = chance.choice(chosen)
    if edit == "swap":
        # Tokens of one kind keep the text parseable more often, so that the mutant reaches the compiler.
        other = chance.choice([span for span in spans if span.kind == one.kind])
        first, second = sorted((one, other), key=lambda span: span.start)
        if first.start == second.start:
            return text
        between = text[first.end : second.start]
        return text[: first.start] + second.text + between + first.text + text[second.end :]
    replacement = {
        "drop": "",
        "double": f"{one.text} {one.text}",
        "name": chance.choice(chosen).text,
        "number": chance.choice(_NUMBERS),
        "operator": f" {chance.choice(_OPERATORS)} ",
        "dtype": chance.choice(_LANGUAGE_TYPES),
    }[edit]
    return text[: one.start] + replacement + text[one.end :]


_LANGUAGE_TYPES = (
    *(
        "float16",
        "bfloat16",
        "float32",
        "float64",
        "float8e5",
        "float8e4nv",
        "int1",
        "int8",
        "int32",
        "int64",
    ),
    *("uint8", "uint32"),
)


@dataclass(frozen=True)
class _Span:
    start: int
    end: int
    kind: int
    text: str


def _tokens(text: str) -> list[_Span]:
    """Return the tokens from the first decorator on: what comes before are imports and the file's own notes."""
    lines = text.splitlines(keepends=True)
    starts = [0]
    for line in lines:
        starts.append(starts[-1] + len(line))
    first = text.find("@triton.jit")
    spans = []
    try:
        for token in tokenize.generate_tokens(io.StringIO(text).readline):
            begin = starts[token.start[0] - 1] + token.start[1]
            if begin >= first and token.string.strip() and token.type != tokenize.COMMENT:
                end = starts[token.end[0] - 1] + token.end[1]
                spans.append(_Span(begin, end, token.type, text[begin:end]))
    except (tokenize.TokenError, SyntaxError, IndexError):
        # An earlier edit may have broken the text; the tokens before that place are enough.
        pass
    return spans


def _break_source(request: dict[str, Any], chance: random.Random) -> str:
    whole = request["source"]
    # Half of all edits leave no Python; a few of those are enough, since the compiler never sees them.
    for _ in range(chance.choice((1, 4, 4, 4))):
        request["source"], words = break_source(whole, chance)
        if parses(request["source"]):
            break
    return words


def parses(source: str) -> bool:
    """Return whether a text is Python, as far as its parser's own limits let it tell."""
    try:
        ast.parse(source.removeprefix("\ufeff"))
    except (RecursionError, MemoryError):
        return True
    except (SyntaxError, ValueError):
        return False
    return True


def _break_signature(request: dict[str, Any], chance: random.Random) -> str:
    signature = request.get("signature")
    if not isinstance(signature, dict) or not signature:
        request["signature"] = chance.choice(
            ("*fp32", "", "*fp32:16, i32, 64", "i32:1, ?, ,", "*" * 50 + "fp32")
        )
        return "other signature"
    name = chance.choice(sorted(signature))
    edit = chance.choice(("dtype", "dtype", "dtype", "pointer", "drop", "suffix", "swap"))
    bare = signature[name].partition(":")[0].lstrip("*")
    if edit == "drop":
        del signature[name]
    elif edit == "pointer":
        signature[name] = bare if signature[name].startswith("*") else f"*{bare}"
    elif edit == "suffix":
        signature[name] += chance.choice((":16", ":1", ":S", ":17", ":"))
    elif edit == "swap":
        other = chance.choice(sorted(signature))
        signature[name], signature[other] = signature[other], signature[name]
    else:
        pointer = "*" if signature[name].startswith("*") else ""
        signature[name] = pointer + chance.choice(_TYPES)
    return f"signature {edit} {name}"


def _break_constexprs(request: dict[str, Any], chance: random.Random) -> str:
    constexprs = request.setdefault("constexprs", {})
    if not constexprs:
        constexprs["NOT_THERE"] = 1
        return "unknown constexpr"
    name = chance.choice(sorted(constexprs))
    if chance.random() < 0.1:
        del constexprs[name]
        return f"without {name}"
    constexprs[name] = chance.choice(_CONSTANTS)
    return f"{name}={constexprs[name]!r}"


def _break_options(request: dict[str, Any], chance: random.Random) -> str:
    name, value = chance.choice(_OPTIONS)
    request.setdefault("options", {})[name] = value
    return f"{name}={value!r}"


_BREAK: dict[str, Callable[[dict[str, Any], random.Random], str]] = {
    "source": _break_source,
    "signature": _break_signature,
    "constexprs": _break_constexprs,
    "options": _break_options,
}
