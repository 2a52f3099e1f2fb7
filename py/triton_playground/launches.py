"""Launches: what a script's ``kernel[grid](…)`` calls ask for, recorded and never run."""

from __future__ import annotations

import contextlib
import sys
from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Any

from .printable import safe_repr
from .specialisation import Specialisation
from .upstream import triton_module

# A script may launch in a loop; a report with more launches than this helps nobody.
MAX_LAUNCHES = 1000


@dataclass(frozen=True)
class Launch:
    """One recorded launch.

    Attributes:
        function: Triton's JITFunction.
        line: line of the script that launched it; 0 if it was not launched from the script's own file.
        grid: repr of the grid, its function called.
        specialisation: what Triton's JIT would compile for these arguments.
    """

    function: Any
    line: int
    grid: str
    specialisation: Specialisation

    def to_json(self) -> dict[str, Any]:
        """Return the schema's Launch."""
        return {
            "kernel": self.function.fn.__name__,
            "line": self.line,
            "grid": self.grid,
            "specialisation": self.specialisation.to_json(),
        }


@dataclass
class Recording:
    """The launches of one script, in their order, and what is to be said about them."""

    launches: list[Launch] = field(default_factory=list)
    warnings: list[tuple[str, int]] = field(default_factory=list)
    left_out: int = 0

    def of(self, function: Any) -> list[Launch]:
        """Return the launches of one JIT function."""
        return [launch for launch in self.launches if launch.function is function]


class RecordedLaunch:
    """What a recorded launch returns in place of Triton's compiled kernel."""

    def __getattr__(self, name: str) -> Any:
        raise AttributeError(
            f"The launch was recorded, not run: this build is compile-only, so the kernel has no {name!r} in the script."
        )


@contextlib.contextmanager
def recorded_launches(script: str, config: int | None) -> Iterator[Recording]:
    """Record launches instead of running them while the context lasts.

    Triton's own JITFunction.run, Autotuner.run and Heuristics.run (runtime/jit.py, runtime/autotuner.py) do their work up to
    the point where run would compile; there its call of ``_call_hook`` hands over the signature, constants, attributes and
    options it chose, and answers that nothing is left to do. An active driver must be set.

    Args:
        script: path of the script, to find the launching lines.
        config: index of the autotune configuration to take where there are several; None for the first that is left after
            pruning, since timing decides on a GPU.
    """
    recording = Recording()
    jit = triton_module("runtime.jit")
    autotuner = triton_module("runtime.autotuner")
    run, tune = jit.JITFunction.run, autotuner.Autotuner.run
    chosen: list[tuple[dict[str, Any], dict[Any, Any], dict[Any, Any], Any]] = []

    def call_hook(
        self: Any,
        hook: Any,
        key: Any,
        signature: Any,
        device: Any,
        constants: Any,
        options: Any,
        configs: Any,
        is_warmup: Any,
    ) -> bool:
        chosen.append((dict(signature), dict(constants), dict(configs[0]), options))
        return True

    def recording_run(
        self: Any, *args: Any, grid: Any, warmup: bool, **kwargs: Any
    ) -> RecordedLaunch:
        chosen.clear()
        try:
            run(self, *args, grid=grid, warmup=warmup, **kwargs)
        except TypeError as error:
            # Triton binds arguments with a function it generates, whose name means nothing to the user.
            raise TypeError(str(error).replace("dynamic_func()", f"{self.__name__}()")) from None
        signature, constants, attrs, options = chosen.pop()
        if len(recording.launches) >= MAX_LAUNCHES:
            recording.left_out += 1
            return RecordedLaunch()
        given = {name: value for name, value in kwargs.items() if name in vars(options)}
        if debug := self.debug or triton_module("knobs").runtime.debug:
            given["debug"] = given.get("debug") or debug
        bound = self.device_caches[0][3](*args, **kwargs)[0]
        specialisation = Specialisation(
            origin="launch",
            signature=signature,
            constexprs=constants,
            attrs=attrs,
            options=given,
            declared=frozenset(
                parameter.name for parameter in self.params if parameter.is_constexpr
            ),
        )
        text = safe_repr(grid(bound) if callable(grid) else grid)
        recording.launches.append(Launch(self, calling_line(script), text, specialisation))
        return RecordedLaunch()

    def bench(self: Any, *args: Any, config: Any, **meta: Any) -> list[float]:
        wanted = self.configs[config_index if config_index < len(self.configs) else 0]
        return [0.0 if config is wanted else 1.0] * 3

    def check_disk_cache(self: Any, tuning_key: Any, configs: Any, bench_fn: Any) -> None:
        bench_fn()

    def tuning_run(self: Any, *args: Any, **kwargs: Any) -> Any:
        result = tune(self, *args, **kwargs)
        if (
            config is not None
            and config < len(self.configs)
            and self.best_config is not self.configs[config]
        ):
            recording.warnings.append(
                (
                    f"Pruning removed autotune configuration {config}; {self.best_config} is used.",
                    calling_line(script),
                )
            )
        return result

    config_index = config or 0
    replacements = [
        (jit.JITFunction, "_call_hook", call_hook),
        (jit.JITFunction, "run", recording_run),
        (autotuner.Autotuner, "run", tuning_run),
        (autotuner.Autotuner, "_bench", bench),
        (autotuner.Autotuner, "check_disk_cache", check_disk_cache),
    ]
    originals = [(owner, name, getattr(owner, name)) for owner, name, _ in replacements]
    for owner, name, replacement in replacements:
        setattr(owner, name, replacement)
    try:
        yield recording
    finally:
        for owner, name, original in originals:
            setattr(owner, name, original)


def calling_line(script: str) -> int:
    """Return the line that the innermost frame of that file has reached; 0 if no frame is in it."""
    frame = sys._getframe(1)
    while frame is not None:
        if frame.f_code.co_filename == script:
            return frame.f_lineno
        frame = frame.f_back  # type: ignore[assignment]
    return 0
