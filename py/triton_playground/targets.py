"""Targets: the GPUs that can be compiled for."""

from __future__ import annotations

import re
from dataclasses import dataclass

from .diagnostics import Diagnostic, RequestFailedError


@dataclass(frozen=True)
class Target:
    """One GPU architecture.

    Attributes:
        name: ``cuda:CC`` or ``hip:gfxNNN``.
        display_name: name for a person, with products that have it.
    """

    name: str
    display_name: str

    @property
    def backend(self) -> str:
        """Triton's backend name, ``cuda`` or ``hip``."""
        return self.name.split(":")[0]

    @property
    def arch(self) -> int | str:
        """Architecture as Triton's GPUTarget takes it: an integer for cuda, a gfx name for hip."""
        arch = self.name.split(":")[1]
        return int(arch) if self.backend == "cuda" else arch

    @property
    def warp_size(self) -> int:
        """Threads a warp, as Triton's drivers report it: 64 on gfx9, 32 on gfx10 and later and on CUDA."""
        return 64 if self.name.startswith("hip:gfx9") else 32

    @property
    def stages(self) -> tuple[str, ...]:
        """Names of the stages that run for it, first to last."""
        return ("ttir", "ttgir", "llir", "ptx" if self.backend == "cuda" else "amdgcn")


TARGETS: tuple[Target, ...] = (
    Target("cuda:75", "NVIDIA Turing, sm_75 (T4)"),
    Target("cuda:80", "NVIDIA Ampere, sm_80 (A100)"),
    Target("cuda:86", "NVIDIA Ampere, sm_86 (RTX 30)"),
    Target("cuda:89", "NVIDIA Ada, sm_89 (L4, RTX 40)"),
    Target("cuda:90", "NVIDIA Hopper, sm_90 (H100, H200)"),
    Target("cuda:100", "NVIDIA Blackwell, sm_100 (B200)"),
    Target("cuda:120", "NVIDIA Blackwell, sm_120 (RTX 50)"),
    Target("hip:gfx90a", "AMD CDNA 2, gfx90a (MI200)"),
    Target("hip:gfx942", "AMD CDNA 3, gfx942 (MI300)"),
    Target("hip:gfx950", "AMD CDNA 4, gfx950 (MI350)"),
    Target("hip:gfx1100", "AMD RDNA 3, gfx1100 (RX 7900)"),
    Target("hip:gfx1201", "AMD RDNA 4, gfx1201 (RX 9070)"),
)


def parse_target(name: str) -> Target:
    """Return the target of that name.

    Raises:
        RequestFailedError: no such target; the message lists those there are.
    """
    for target in TARGETS:
        if target.name == name:
            return target
    known = [target.name for target in TARGETS]
    # People write sm_80, sm80, 90a and bare gfx names.
    guess = name.strip().lower().removeprefix("nvidia:").removeprefix("amd:")
    if bare := re.fullmatch(r"(?:cuda:)?(?:sm_?)?(\d+)a?", guess):
        guess = f"cuda:{bare.group(1)}"
    elif guess.startswith("gfx"):
        guess = f"hip:{guess}"
    question = f"Did you mean {guess}? " if guess in known else ""
    raise RequestFailedError(
        Diagnostic(
            stage="request",
            message=f"Unknown target {name!r}.",
            hint=f"{question}The targets are {', '.join(known)}.",
        )
    )


def parse_stop(stop: str | None, target: Target) -> str:
    """Return the last stage to run: the one asked for, or the target's last; specialise compiles nothing.

    Raises:
        RequestFailedError: the target has no such stage, or it needs a tool this build leaves out.
    """
    if stop is None:
        return target.stages[-1]
    if stop in target.stages or stop == "specialise":
        return stop
    stages = ", ".join(target.stages)
    if stop in ("cubin", "hsaco", "sass"):
        message = f"Cannot make {stop}: this build is compile-only and ends at {target.stages[-1]}."
        hint = f"Stages of {target.name}: {stages}. Binary code needs ptxas or ld.lld, which are not part of this build."
    else:
        message = f"{target.name} has no stage {stop!r}."
        hint = f"Stages of {target.name}: {stages}."
    raise RequestFailedError(Diagnostic(stage="request", message=message, hint=hint))
