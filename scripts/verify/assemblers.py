"""The judges themselves: ptxas for PTX, LLVM's assembler for AMDGCN; and what they measure."""

from __future__ import annotations

import re
import subprocess
from dataclasses import asdict, dataclass
from pathlib import Path

from scripts import StageError
from scripts.toolchain import Toolchain
from scripts.verify.official_wheels import ptxas

_TIMEOUT_S = 300


@dataclass(frozen=True)
class Verdict:
    """What an assembler says about one text.

    Attributes:
        architecture: as the text names it, such as ``sm_90a`` or ``gfx942``.
        message: the assembler's error lines; empty when it accepts the text.
        resources: registers, bytes of stack, spills and shared memory, summed over functions for
            stack and spills, the largest for the rest.
    """

    architecture: str
    message: str
    resources: dict[str, int]

    def to_json(self) -> dict[str, object]:
        """Return the fields as JSON has them."""
        return asdict(self)


def judge_ptx(text: str, folder: Path, fp_fusion: bool = True) -> Verdict:
    """Assemble PTX with ptxas for the architecture that its ``.target`` names.

    The flags are those of make_cubin in Triton's nvidia/backend/compiler.py.

    Args:
        text: the PTX.
        folder: where the files go.
        fp_fusion: the kernel's option enable_fp_fusion.
    """
    architecture = _found(r"^\.target (sm_\w+)", text, "PTX")
    source, binary = folder / "kernel.ptx", folder / "kernel.cubin"
    source.write_text(text, encoding="utf-8")
    argv = [ptxas(), "-lineinfo", "-v", f"--gpu-name={architecture}", source, "-o", binary]
    if not fp_fusion:
        argv.insert(1, "--fmad=false")
    result = _run([str(word) for word in argv])
    message = "" if result.returncode == 0 else _error_lines(result.stderr, str(source))
    return Verdict(architecture, message, ptxas_resources(result.stderr))


def judge_amdgcn(text: str, folder: Path, tools: Toolchain) -> Verdict:
    """Assemble AMDGCN with llvm-mc for the processor that its ``.amdgcn_target`` names.

    Args:
        text: the assembly.
        folder: where the files go; in the cache or the checkout, so that the Debian root sees it.
        tools: the toolchain whose llvm-mc is used.
    """
    architecture = _found(r'\.amdgcn_target "amdgcn-amd-amdhsa--([\w:+-]+)"', text, "AMDGCN")
    source, binary = folder / "kernel.s", folder / "kernel.o"
    source.write_text(text, encoding="utf-8")
    if tools.llvm_tools is None:
        raise StageError("assemble AMDGCN", "llvm-mc comes from the Debian root", "run it as root")
    processor = architecture.partition(":")[0]
    argv: list[str | Path] = [
        tools.llvm_tools / "llvm-mc", "-triple=amdgcn-amd-amdhsa", f"-mcpu={processor}",
        "-filetype=obj", source, "-o", binary,
    ]  # fmt: skip
    result = _run(tools.command(argv, folder))
    message = "" if result.returncode == 0 else _error_lines(result.stderr, str(source))
    return Verdict(architecture, message, amdgcn_resources(text))


def ptxas_resources(output: str) -> dict[str, int]:
    """Read what ``ptxas -v`` reports of a module; empty where it reports nothing."""
    found: dict[str, list[int]] = {}
    for name, pattern in _PTXAS_FIGURES.items():
        found[name] = [int(number) for number in re.findall(pattern, output)]
    if not found["registers"]:
        return {}
    return {
        name: sum(numbers) if name in _SUMMED else max(numbers, default=0)
        for name, numbers in found.items()
    }


def amdgcn_resources(text: str) -> dict[str, int]:
    """Read the kernel's resources from the metadata at the end of an AMDGCN text."""
    return {
        name: max(map(int, numbers))
        for name, key in _AMDGCN_FIGURES.items()
        if (numbers := re.findall(rf"^\s+(?:- )?\.{key}:\s+(\d+)$", text, re.MULTILINE))
    }


_PTXAS_FIGURES = {
    "registers": r"Used (\d+) registers",
    "barriers": r"used (\d+) barriers",
    "static shared bytes": r"(\d+) bytes smem",
    "stack bytes": r"(\d+) bytes stack frame",
    "spill store bytes": r"(\d+) bytes spill stores",
    "spill load bytes": r"(\d+) bytes spill loads",
}
_SUMMED = ("stack bytes", "spill store bytes", "spill load bytes")

_AMDGCN_FIGURES = {
    "vgpr": "vgpr_count",
    "agpr": "agpr_count",
    "sgpr": "sgpr_count",
    "lds bytes": "group_segment_fixed_size",
    "scratch bytes": "private_segment_fixed_size",
    "vgpr spills": "vgpr_spill_count",
    "sgpr spills": "sgpr_spill_count",
}


def _found(pattern: str, text: str, language: str) -> str:
    match = re.search(pattern, text, re.MULTILINE)
    if match is None:
        raise StageError(
            f"judge {language}",
            f"the text names no architecture ({pattern})",
            "look at the text: it is not what the last stage prints",
        )
    return match[1]


def _error_lines(output: str, source: str) -> str:
    """Return the lines that say what is wrong, without the file's path and without repeats."""
    lines = [line for line in output.splitlines() if re.search(r"\b(error|fatal)\b", line)]
    shown = [re.sub(r", line \d+;|:\d+:\d+:", ":", line.replace(source, "text")) for line in lines]
    return "\n".join(dict.fromkeys(shown)) or output.strip()[-500:] or "it failed without a word"


def _run(argv: list[str]) -> subprocess.CompletedProcess[str]:
    try:
        return subprocess.run(
            argv, capture_output=True, text=True, check=False, timeout=_TIMEOUT_S
        )  # fmt: skip
    except subprocess.TimeoutExpired:
        return subprocess.CompletedProcess(argv, 1, "", f"error: no end after {_TIMEOUT_S} s")
