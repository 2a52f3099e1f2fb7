"""What a stage's text consists of: operations and instructions, counted."""

from __future__ import annotations

import re
from collections import Counter

# Kind and the opcodes that belong to it; the first that matches counts.
_PTX_KINDS = (
    ("load global", r"ld(\.\w+)*\.global"),
    ("store global", r"st(\.\w+)*\.global"),
    ("ldmatrix", r"ldmatrix"),
    ("stmatrix", r"stmatrix"),
    ("load shared", r"ld(\.\w+)*\.shared"),
    ("store shared", r"st(\.\w+)*\.shared"),
    ("parameter", r"(ld|st)\.param"),
    ("local memory", r"(ld|st)\.local"),
    ("tcgen05", r"tcgen05\."),
    ("wgmma", r"wgmma\.mma_async"),
    ("wgmma order", r"wgmma\."),
    ("mma", r"w?mma\."),
    ("bulk copy", r"cp\.(reduce\.)?async\.bulk"),
    ("async copy", r"cp\.async"),
    ("mbarrier", r"mbarrier"),
    ("barrier", r"(bar|barrier)\."),
    ("fence", r"fence|membar|griddepcontrol"),
    ("shuffle", r"shfl"),
    ("vote", r"vote|match|activemask|redux|elect"),
    ("atomic", r"(atom|red)\."),
    ("fma", r"fma"),
    ("multiply", r"mul|mad"),
    ("add", r"add|sub"),
    ("min, max", r"min|max"),
    ("convert", r"cvt"),
    ("move", r"mov"),
    ("compare, select", r"setp|selp|set\.|slct"),
    ("bits", r"and|or|xor|not|sh[lrf]|bf|prmt|lop3|popc|clz|brev|cnot|szext|bmsk"),
    ("math", r"div|rem|rcp|r?sqrt|ex2|lg2|sin|cos|tanh|abs|neg|copysign|testp"),
    ("branch", r"bra|brx|call|ret|exit"),
)

_AMDGCN_KINDS = (
    ("matrix", r"v_(mfma|smfmac|wmma|swmmac)"),
    ("accumulator move", r"v_accvgpr"),
    ("buffer load", r"buffer_load"),
    ("buffer store", r"buffer_store"),
    ("buffer atomic", r"buffer_atomic"),
    ("global load", r"(global|flat)_load"),
    ("global store", r"(global|flat)_store"),
    ("global atomic", r"(global|flat)_atomic"),
    ("cache control", r"buffer_|global_|flat_|s_dcache|s_icache|s_.*prefetch"),
    ("scratch", r"scratch_"),
    ("LDS read", r"ds_(read|load)"),
    ("LDS write", r"ds_(write|store)"),
    ("LDS other", r"ds_"),
    ("scalar load", r"s_(buffer_)?load"),
    ("wait", r"s_wait"),
    ("barrier", r"s_barrier"),
    ("branch", r"s_(c?branch|endpgm|setpc|swappc|call|getpc)"),
    ("schedule", r"s_(nop|sleep|delay|setprio|sched|clause|set_inst_prefetch|code_end|sendmsg)"),
    ("vector convert", r"v_cvt"),
    ("vector fma", r"v_(pk_)?(fma|mad|mac|dot)"),
    ("vector multiply", r"v_(pk_)?mul"),
    ("vector add", r"v_(pk_)?(add|sub|lshl_add|add_lshl|addc|subb|subrev)"),
    ("vector compare, select", r"v_(cmp|cndmask)"),
    ("vector move", r"v_(mov|swap|read|write|permlane|dual_mov)"),
    ("vector other", r"v_"),
    ("scalar other", r"s_"),
)


def instruction_kinds(text: str, stage: str) -> Counter[str]:
    """Count the instructions of a last text by kind.

    Args:
        text: PTX or AMDGCN.
        stage: ``ptx`` or ``amdgcn``.
    """
    opcodes = ptx_opcodes(text) if stage == "ptx" else amdgcn_opcodes(text)
    kinds: Counter[str] = Counter()
    for opcode, count in opcodes.items():
        kinds[_kind(opcode, _PTX_KINDS if stage == "ptx" else _AMDGCN_KINDS)] += count
    return kinds


def ptx_opcodes(text: str) -> Counter[str]:
    """Count PTX instructions by full opcode, inline assembly included."""
    opcodes: Counter[str] = Counter()
    for line in text.splitlines():
        for part in line.partition("//")[0].split(";"):
            words = re.sub(r"^[\s{}]*(@!?[%\w]+\s+)?", "", part)
            match = re.match(r"([a-z]\w*(?:\.[\w:]+)+|ret|exit|trap|bra|call)(?=[\s(]|$)", words)
            if match:
                opcodes[match[1]] += 1
    return opcodes


def amdgcn_opcodes(text: str) -> Counter[str]:
    """Count AMDGCN instructions by opcode, without the suffix that names the encoding."""
    matches = re.findall(
        r"^\s+([a-z]+_\w+?)(?:_e32|_e64|_dpp|_sdwa|_e64_dpp)*(?=\s|$)", text, re.MULTILINE
    )
    known = ("v_", "s_", "ds_", "buffer_", "global_", "flat_", "scratch_", "tensor_", "image_")
    return Counter(opcode for opcode in matches if opcode.startswith(known))


def llvm_opcodes(text: str) -> Counter[str]:
    """Count the instructions of LLVM IR by opcode; a call to an intrinsic counts by its name."""
    opcodes: Counter[str] = Counter()
    pattern = r"^  (?:%\S+ = )?(?:(?:tail|musttail|notail) )?([a-z]\w*)\b(.*)$"
    for opcode, rest in re.findall(pattern, text, re.MULTILINE):
        callee = re.search(r'@"?([\w.]+)', rest) if opcode == "call" else None
        if callee:
            # The same barrier under LLVM's old name and its new one.
            name = callee[1].replace("nvvm.barrier0", "nvvm.barrier.cta.sync.aligned.all")
            opcodes[f"call {name}"] += 1
        else:
            opcodes["inline asm" if opcode == "call" else opcode] += 1
    return opcodes


def mlir_operations(text: str) -> Counter[str]:
    """Count the lines of an MLIR module as operations with types and attributes.

    Locations and the names of values do not count; attribute aliases are written out. So two
    modules that differ in order and naming alone have equal counts.
    """
    aliases = dict(re.findall(r"^(#\w+) = (.*)$", text, re.MULTILINE))
    operations: Counter[str] = Counter()
    for line in text.splitlines():
        if line.startswith("#") or not line.strip():
            continue
        line = re.sub(r"\s*loc\((?:[^()]|\([^()]*\))*\)", "", line)
        line = re.sub(r"%[\w#:$.-]+", "%", line)
        # An alias may use another, so: as often as there are levels.
        for _ in range(4):
            line = re.sub(r"#\w+", lambda alias: aliases.get(alias[0], alias[0]), line)
        operations[" ".join(line.split())] += 1
    return operations


def mlir_names(operations: Counter[str]) -> Counter[str]:
    """Count what `mlir_operations` returns by the operation's name alone."""
    names: Counter[str] = Counter()
    for line, count in operations.items():
        if match := re.match(r'(?:%(?:, %)* = )?"?([a-z]\w*\.\w[\w.]*)', line):
            names[match[1]] += count
    return names


def _kind(opcode: str, kinds: tuple[tuple[str, str], ...]) -> str:
    return next((kind for kind, pattern in kinds if re.match(pattern, opcode)), "other")
