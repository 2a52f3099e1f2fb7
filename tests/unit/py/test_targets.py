from __future__ import annotations

import pytest
from triton_playground.diagnostics import RequestFailedError
from triton_playground.targets import TARGETS, parse_stop, parse_target


def test_every_target_of_the_issue_is_there() -> None:
    cuda = [f"cuda:{arch}" for arch in (75, 80, 86, 89, 90, 100, 120)]
    hip = [f"hip:gfx{arch}" for arch in ("90a", "942", "950", "1100", "1201")]
    assert [target.name for target in TARGETS] == cuda + hip


def test_warp_size_is_what_the_drivers_report() -> None:
    sizes = {target.name: target.warp_size for target in TARGETS}
    assert {name for name, size in sizes.items() if size == 64} == {
        "hip:gfx90a",
        "hip:gfx942",
        "hip:gfx950",
    }
    assert set(sizes.values()) == {32, 64}


def test_arch_is_an_integer_for_cuda_and_a_name_for_hip() -> None:
    assert parse_target("cuda:100").arch == 100
    assert parse_target("hip:gfx90a").arch == "gfx90a"


@pytest.mark.parametrize(
    ("written", "meant"),
    [
        ("sm_90a", "cuda:90"),
        ("sm80", "cuda:80"),
        ("80", "cuda:80"),
        ("gfx942", "hip:gfx942"),
        ("amd:gfx950", "hip:gfx950"),
    ],
)
def test_an_unknown_target_is_answered_with_the_one_meant(written: str, meant: str) -> None:
    with pytest.raises(RequestFailedError) as caught:
        parse_target(written)
    (diagnostic,) = caught.value.diagnostics
    assert diagnostic.stage == "request"
    assert repr(written) in diagnostic.message
    assert diagnostic.hint is not None
    assert f"Did you mean {meant}?" in diagnostic.hint


@pytest.mark.parametrize("written", ["cuda:81", "", "hip:gfx000", "tpu"])
def test_an_unknown_target_lists_the_known_ones(written: str) -> None:
    with pytest.raises(RequestFailedError) as caught:
        parse_target(written)
    hint = caught.value.diagnostics[0].hint
    assert hint is not None
    assert "Did you mean" not in hint
    assert all(target.name in hint for target in TARGETS)


@pytest.mark.parametrize("stop", ["cubin", "hsaco", "sass"])
def test_binary_stages_are_refused_as_compile_only(stop: str) -> None:
    with pytest.raises(RequestFailedError, match="compile-only"):
        parse_stop(stop, parse_target("cuda:80"))


def test_stages_of_the_other_vendor_are_refused() -> None:
    with pytest.raises(RequestFailedError, match="no stage 'ptx'"):
        parse_stop("ptx", parse_target("hip:gfx942"))


def test_the_last_stage_is_the_default() -> None:
    assert parse_stop(None, parse_target("cuda:80")) == "ptx"
    assert parse_stop(None, parse_target("hip:gfx942")) == "amdgcn"
    assert parse_stop("ttgir", parse_target("cuda:80")) == "ttgir"
