"""A pasted script's launches are specialised by Triton's own JIT; its own compiles of the same launches give the same text."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.pyodide_host import PyodideHost

SCRIPTS = Path(__file__).parents[2] / "pasted"

# Runs the script with the same stand-ins, but lets Triton's JIT compile each launch, and collects the texts.
TRITON_JIT = """
import triton.compiler.compiler
from triton.runtime.jit import JITFunction
from triton_playground.isolation import isolated
from triton_playground.source import Source
from triton_playground.stand_ins import stand_ins
from triton_playground.targets import parse_target

target, texts, run = parse_target(arguments["target"]), [], JITFunction.run
def compiling_run(self, *args, grid, warmup, **kwargs):
    texts.append(run(self, *args, grid=grid, warmup=True, **kwargs).asm["ttgir"])
# The key names the disk cache only, and hashing the module takes longer than the test.
triton.compiler.compiler.triton_key = lambda: "test"
source = Source(arguments["source"], "vector_add.py")
with isolated(target), source.importable() as module, stand_ins(target, lambda text: None):
    JITFunction.run = compiling_run
    try:
        exec(source.compile(), vars(module))
    finally:
        JITFunction.run = run
result = texts
"""


@pytest.mark.parametrize("target", ["cuda:90", "hip:gfx942"])
def test_launches_of_a_pasted_script_are_those_of_tritons_jit(
    pyodide: PyodideHost, target: str
) -> None:
    source = (SCRIPTS / "vector_add.py").read_text(encoding="utf-8")
    expected = pyodide.run(TRITON_JIT, source=source, target=target)
    assert len(expected) == 4
    for launch, text in enumerate(expected):
        report = pyodide.compile(
            {
                **{"source": source, "filename": "vector_add.py", "target": target},
                **{"launch": launch, "stop": "ttgir"},
            }
        )
        assert report["compilation"]["stages"][-1]["text"] == text
