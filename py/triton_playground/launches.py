"""Launches: what a script's ``kernel[grid](…)`` calls ask for, recorded and never run."""

from __future__ import annotations

import contextlib
import sys
import types
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field, replace
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
    notes: list[tuple[str, int]] = field(default_factory=list)
    left_out: int = 0

    def add(self, launch: Launch) -> None:
        """Keep a launch, or count it once there are too many."""
        if len(self.launches) < MAX_LAUNCHES:
            self.launches.append(launch)
        else:
            self.left_out += 1

    def note(self, text: str, line: int) -> None:
        """Keep a note, once for each text."""
        if all(text != known for known, _ in self.notes):
            self.notes.append((text, line))

    def of(self, function: Any) -> list[Launch]:
        """Return the launches of one JIT function."""
        return [launch for launch in self.launches if launch.function is function]


# What a script finds as registers a thread and bytes of shared memory, which are known once ptxas has run, in this build never.
_REGISTERS = 32
_SHARED_BYTES = 1024


class _NoTexts(dict[str, str]):
    """The texts of a kernel that is not compiled yet: empty.

    Args:
        note: takes what is to be said about that.
    """

    def __init__(self, note: Callable[[str], None]) -> None:
        super().__init__()
        self._note = note

    def __missing__(self, stage: str) -> str:
        self._note(
            "A launch is recorded while the script runs and compiled afterwards: to the script, its texts are empty."
        )
        return ""


class RecordedLaunch:
    """What a recorded launch returns in place of Triton's compiled kernel.

    Args:
        launch: what was recorded.
        options: the backend's options.
        record: takes another launch of the same kernel, which scripts make as ``compiled[grid](…)``.
        note: takes what is to be said about made-up figures.
    """

    def __init__(
        self,
        launch: Launch,
        options: Any,
        record: Callable[[Launch], None],
        note: Callable[[str], None],
    ) -> None:
        self.name = launch.function.fn.__name__
        known = {"name": self.name, "shared": _SHARED_BYTES, "tmem_size": 0}
        self.metadata = types.SimpleNamespace(**(vars(options) | known))
        self.asm = _NoTexts(note)
        self._launch, self._record, self._note = launch, record, note

    def __getitem__(self, grid: Any) -> Callable[..., RecordedLaunch]:
        def run(*args: Any, **kwargs: Any) -> RecordedLaunch:
            line = calling_line(self._launch.function.fn.__code__.co_filename)
            self._record(replace(self._launch, line=line, grid=safe_repr(grid)))
            return self

        return run

    def _init_handles(self) -> None:
        """Do nothing: there is no binary to load."""

    @property
    def n_regs(self) -> int:
        """A made-up number of registers."""
        self._note(
            f"Registers and shared memory of a kernel are not known here: the script gets {_REGISTERS} registers a thread, "
            f"no spills and {_SHARED_BYTES} bytes."
        )
        return _REGISTERS

    n_spills = 0
    n_max_threads = 1024

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
    derive = autotuner.Heuristics.run
    chosen: list[tuple[dict[str, Any], dict[Any, Any], dict[Any, Any], Any]] = []
    # Autotuner and Heuristics objects whose run is under way, outermost first.
    wrappers: list[Any] = []

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
            sources=_sources(self.params, len(args), kwargs, wrappers),
        )
        text = safe_repr(grid(bound) if callable(grid) else grid)
        launch = Launch(self, calling_line(script), text, specialisation)
        recording.add(launch)
        return RecordedLaunch(launch, options, recording.add, note)

    def note(text: str) -> None:
        recording.note(text, calling_line(script))

    def bench(self: Any, *args: Any, config: Any, **meta: Any) -> list[float]:
        wanted = self.configs[config_index if config_index < len(self.configs) else 0]
        return [0.0 if config is wanted else 1.0] * 3

    def check_disk_cache(self: Any, tuning_key: Any, configs: Any, bench_fn: Any) -> None:
        bench_fn()

    def tuning_run(self: Any, *args: Any, **kwargs: Any) -> Any:
        with wrapping(self):
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

    def deriving_run(self: Any, *args: Any, **kwargs: Any) -> Any:
        with wrapping(self):
            return derive(self, *args, **kwargs)

    @contextlib.contextmanager
    def wrapping(wrapper: Any) -> Iterator[None]:
        wrappers.append(wrapper)
        try:
            yield
        finally:
            wrappers.pop()

    config_index = config or 0
    replacements = [
        (jit.JITFunction, "_call_hook", call_hook),
        (jit.JITFunction, "run", recording_run),
        (autotuner.Autotuner, "run", tuning_run),
        (autotuner.Heuristics, "run", deriving_run),
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


def _sources(
    parameters: list[Any], positional: int, given: dict[str, Any], wrappers: list[Any]
) -> dict[str, str]:
    """Return where each parameter of a launch got its type or value from.

    Args:
        parameters: Triton's KernelParams.
        positional: number of positional arguments.
        given: keyword arguments, those that the wrappers added among them.
        wrappers: Autotuner and Heuristics objects around the launch, outermost first.
    """
    derived: dict[str, str] = {}
    for wrapper in wrappers:
        if hasattr(wrapper, "configs"):
            derived |= {n: "autotune" for config in wrapper.configs for n in config.kwargs}
        else:
            derived |= dict.fromkeys(wrapper.values, "heuristic")
    sources = {}
    for index, parameter in enumerate(parameters):
        name = parameter.name
        if name in given and name in derived:
            sources[name] = derived[name]
        elif parameter.annotation_type and not parameter.is_constexpr:
            sources[name] = "annotation"
        else:
            sources[name] = "launch" if index < positional or name in given else "default"
    return sources


def calling_line(script: str) -> int:
    """Return the line that the innermost frame of that file has reached; 0 if no frame is in it."""
    frame = sys._getframe(1)
    while frame is not None:
        if frame.f_code.co_filename == script:
            return frame.f_lineno
        frame = frame.f_back  # type: ignore[assignment]
    return 0
