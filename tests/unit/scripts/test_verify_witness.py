from __future__ import annotations

import re
from collections import Counter

from scripts.golden_texts import Golden
from scripts.verify.instructions import (
    amdgcn_opcodes,
    instruction_kinds,
    llvm_opcodes,
    mlir_names,
    mlir_operations,
    ptx_opcodes,
)
from scripts.verify.witness import Digest, compared, language_names, unlike_goldens
from scripts.verify.witness_causes import Cause, causes, explained, unexplained
from scripts.verify.witness_report import short_error


def test_ptx_instructions_are_counted_with_inline_assembly_and_without_directives() -> None:
    text = """
.visible .entry kernel(
	.param .u64 kernel_param_0
)
{
	.reg .pred 	%p<2>;
	ld.param.b64 	%rd1, [kernel_param_0];  // comment; mov.u32 a, b;
	// begin inline asm
	@%p1 ld.global.v4.b32 { %r1, %r2, %r3, %r4 }, [ %rd1 + 0 ];
	{ .reg .b32 t; mov.b32 t, %r1; add.s32 %r2, t, 1; }
	// end inline asm
$L__BB0_1:
	@!%p1 bra 	$L__BB0_1;
	call.uni (retval0),
	vprintf,
	(
	param0
	);
	ret;
}
"""
    assert ptx_opcodes(text) == Counter(
        ["ld.param.b64", "ld.global.v4.b32", "mov.b32", "add.s32", "bra", "call.uni", "ret"]
    )
    kinds = instruction_kinds(text, "ptx")
    assert kinds["load global"] == 1
    assert kinds["branch"] == 3


def test_ptx_memory_and_matrix_instructions_have_kinds_of_their_own() -> None:
    opcodes = {
        "wgmma.mma_async.sync.aligned.m64n64k16.f32.f16.f16": "wgmma",
        "wgmma.wait_group.sync.aligned": "wgmma order",
        "mma.sync.aligned.m16n8k16.row.col.f32.f16.f16.f32": "mma",
        "tcgen05.mma.cta_group::1.kind::f16": "tcgen05",
        "cp.async.cg.shared.global": "async copy",
        "cp.async.bulk.tensor.2d.shared::cluster.global": "bulk copy",
        "st.shared.v4.b32": "store shared",
        "bar.sync": "barrier",
        "atom.global.gpu.acq_rel.add.u32": "atomic",
    }
    for opcode, kind in opcodes.items():
        assert instruction_kinds(f"\t{opcode} \t%r1, %r2;", "ptx") == Counter([kind])


def test_amdgcn_opcodes_lose_the_encoding_alone() -> None:
    text = "\tv_mov_b32_e32 v1, 0\n\tv_add_f32_e64 v1, v2, v3\n\ts_waitcnt vmcnt(0)\n\t.long 0\n; v_x\n"
    assert amdgcn_opcodes(text) == Counter(["v_mov_b32", "v_add_f32", "s_waitcnt"])


def test_llvm_calls_count_by_intrinsic() -> None:
    text = (
        "define void @f() {\n  %1 = tail call float @llvm.exp2.f32(float %0)\n"
        '  %2 = call i32 asm sideeffect "mov", "=r"()\n  ret void\n}\n'
    )
    assert llvm_opcodes(text) == Counter(["call llvm.exp2.f32", "inline asm", "ret"])


def test_mlir_order_names_locations_and_aliases_do_not_count() -> None:
    ours = (
        "#a = #ttg.blocked<{order = [0]}>\n#loc = loc(unknown)\n"
        "  %x = tt.load %p : tensor<4xf32, #a> loc(#loc)\n  %y = arith.constant 1 : i32\n"
    )
    theirs = (
        "#b = #ttg.blocked<{order = [0]}>\n"
        "  %c1 = arith.constant  1 : i32\n  %0 = tt.load %arg0 : tensor<4xf32, #b>\n"
    )
    assert mlir_operations(ours) == mlir_operations(theirs)
    assert mlir_operations(ours) != mlir_operations(theirs.replace("[0]", "[1]"))
    assert mlir_names(mlir_operations(ours)) == Counter(["tt.load", "arith.constant"])


def test_an_operation_without_results_is_named_by_itself_and_not_by_its_attributes() -> None:
    text = (
        "  ttng.fence_async_shared {bCluster = false}\n"
        "  tt.store %a, %b {cache = #tt.cache} : tensor<4x!tt.ptr<f32>>\n"
        "  %c:2, %d = scf.for %i = %x to %y : i32 {\n"
        "    scf.yield %z : i32\n"
    )
    assert mlir_names(mlir_operations(text)) == Counter(
        ["ttng.fence_async_shared", "tt.store", "scf.for", "scf.yield"]
    )


def _digest(**counts: dict[str, int]) -> Digest:
    found = {stage: Counter(count) for stage, count in counts.items()}
    return Digest(found, dict(found.get("last", {})), "")


def test_a_figure_that_equals_one_release_is_not_unlike() -> None:
    result = compared(
        _digest(last={"mma": 8, "move": 5}),
        {
            "3.3.0": _digest(last={"mma": 8, "move": 4}),
            "3.4.0": _digest(last={"mma": 16, "move": 6}),
        },
    )
    assert result["figures"]["mma"] == {"ours": 8, "3.3.0": 8, "3.4.0": 16}
    assert result["unlike"] == ["move"]
    assert result["begins"] == "last"


def test_a_new_operation_of_tritons_own_stages_needs_a_cause_of_its_own() -> None:
    release = _digest(lowered={"fdiv": 1}, last={"move": 1})
    result = compared(
        _digest(lowered={"call x": 1}, last={"move": 1}), {"3.3.0": release, "3.4.0": release}
    )
    assert result["begins"] == "lowered"
    assert set(result["unlike"]) == {"lowered fdiv", "lowered call x"}


def test_one_witness_alone_judges_nothing() -> None:
    failed = Digest({}, {}, "ttir: no such thing")
    result = compared(
        _digest(last={"move": 1}), {"3.3.0": failed, "3.4.0": _digest(last={"move": 2})}
    )
    assert result["unlike"] == []
    assert result["errors"] == {"3.3.0": "ttir: no such thing"}


def test_what_no_cause_covers_is_unexplained() -> None:
    cases = {
        "a-b@cuda:90": {"unlike": ["move", "mma"], "begins": "llir", "operations": {}},
    }
    explained(cases, [Cause("x", "why", begins=("llir",), figures=("move",))])
    assert unexplained({"cases": cases}) == {"a-b@cuda:90": ["mma"]}


def test_no_committed_cause_for_all_cases_excuses_work_that_is_lost_or_added() -> None:
    work = (
        *("load global", "store global", "load shared", "store shared", "mma", "wgmma", "tcgen05"),
        *("barrier", "shuffle", "atomic", "async copy", "bulk copy", "shared bytes"),
        *("matrix", "buffer load", "global load", "LDS read", "LDS write", "lds bytes"),
        *("spill store bytes", "vgpr spills", "scratch bytes"),
    )
    general = [cause for cause in causes() if not cause.cases]
    assert general
    for cause in general:
        assert cause.figures, cause.name
        covered = [f for f in work if any(re.fullmatch(figure, f) for figure in cause.figures)]
        assert covered == [], cause.name


def test_what_is_compared_has_to_be_what_the_goldens_hold() -> None:
    def golden(name: str, **texts: str) -> Golden:
        return Golden(name, texts, [], {}, "")

    ours = {
        "same": Digest({"last": Counter(["barrier"])}, {}, ""),
        "other": Digest({"last": Counter(["move"])}, {}, ""),
        "fails": Digest({}, {}, "ttir: no"),
        "fails-too": Digest({}, {}, "ttir: no"),
    }
    ptx = "\tbar.sync \t0;\n"
    goldens = {name: golden(name, ptx=ptx) for name in ("same", "other", "fails", "absent")}
    assert unlike_goldens(ours, {**goldens, "fails-too": golden("fails-too")}) == {
        "other": "the golden has other instructions",
        "fails": "ttir: no",
        "absent": "not specialised here",
    }


def test_an_error_is_told_without_the_source_that_it_quotes() -> None:
    message = "ttir: CompilationError: at 2:4:\ndef f(x):\n    tl.no(x)\n    ^\nno such name\nmore"
    assert short_error(message) == "ttir: no such name"
    quoted_alone = message.partition("\nno such")[0]
    assert short_error(quoted_alone) == "ttir: CompilationError at `tl.no(x)`"
    mlir = "llir: RuntimeError: failed\nk.py:3:1: error: no\n  x = y\n  ^"
    assert short_error(mlir) == "llir: error: no"
    assert short_error("llir: died (-6): x\nLLVM ERROR: bad\ny") == "llir: LLVM ERROR: bad"


def test_constants_of_a_report_name_types_as_the_language_does() -> None:
    assert language_names("tl.fp8e4nv") == "tl.float8e4nv"
    assert language_names("(tl.bf16, tl.int32, 'fp16')") == "(tl.bfloat16, tl.int32, 'fp16')"
