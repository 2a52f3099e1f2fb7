"""Driver: what Triton's active driver answers to a script that asks about the GPU."""

from __future__ import annotations

from typing import Any

from ..isolation import gpu_target
from ..targets import Target
from ..upstream import triton_module
from .benchmarks import do_bench
from .device import device
from .gpus import driver_properties, gpu_of
from .session import session


class Utilities:
    """Stands for the utils of Triton's drivers.

    Args:
        target: the GPU.
    """

    def __init__(self, target: Target) -> None:
        self._target = target

    def get_device_properties(self, index: Any = 0) -> dict[str, Any]:
        """Return the properties of a product with that target."""
        note_product(self._target)
        return driver_properties(self._target)

    def fill_tma_descriptor(self, *arguments: Any) -> None:
        """Do nothing: the descriptor is never read."""

    fill_1d_tma_descriptor = fill_2d_tma_descriptor = fill_tma_descriptor


def note_product(target: Target) -> None:
    """Say of which product the figures are."""
    session().note(
        f"The script asks about the GPU: the answers are those of {gpu_of(target).name}."
    )


def script_driver(target: Target, cuda: Any) -> Any:
    """Return a driver for the time that a script runs.

    Args:
        target: the GPU that it speaks of.
        cuda: the stand-in for torch.cuda.
    """
    base: Any = triton_module("backends.compile_only").CompileOnlyDriver

    class ScriptDriver(base):  # type: ignore[misc]
        """A compile-only driver that knows what the stand-ins know."""

        utils = Utilities(target)

        def get_active_torch_device(self) -> device:
            return device(cuda.current_device())

        def get_device_interface(self) -> Any:
            return cuda

        def get_benchmarker(self) -> Any:
            return do_bench

        def get_device_capability(self, index: int = 0) -> Any:
            return cuda.get_device_capability()

        def get_empty_cache_for_benchmark(self) -> None:
            return None

        def clear_cache(self, cache: object) -> None:
            return None

    driver = ScriptDriver()
    driver.target = gpu_target(target)
    return driver
