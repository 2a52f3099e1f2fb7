"""What stands in for a GPU: this build of Triton compiles and never launches."""

from __future__ import annotations

from typing import Any, NoReturn

from triton.backends.compiler import GPUTarget
from triton.backends.driver import DriverBase


class CompileOnlyError(RuntimeError):
    """Something was asked for that needs a GPU, a driver, an assembler or a linker."""

    def __init__(self, wanted: str, last_stage: str | None = None) -> None:
        """Say what is missing, and what there is instead.

        Args:
            wanted: what was asked for, such as "cubin" or "a kernel launch".
            last_stage: the last stage that this build reaches instead, if there is one.
        """
        message = f"this build of Triton is compile-only: {wanted} is not available"
        if last_stage is not None:
            message += f"; the last stage is {last_stage}"
        super().__init__(message)


class CompileOnlyDriver(DriverBase):
    """The active driver where no GPU is: knows a target, and refuses everything else.

    `target` may be set to what `triton.runtime.driver.active.get_current_target()` should answer.
    """

    def __init__(self) -> None:
        super().__init__()
        self.target = GPUTarget("cuda", 80, 32)

    @classmethod
    def is_active(cls) -> bool:
        return True

    def get_current_target(self) -> GPUTarget:
        return self.target

    def get_current_device(self) -> int:
        return 0

    def set_current_device(self, device: int) -> None:
        pass

    def get_current_stream(self, device: int = 0) -> int:
        return 0

    def get_active_torch_device(self) -> NoReturn:
        raise CompileOnlyError("a torch device")

    def get_benchmarker(self) -> NoReturn:
        raise CompileOnlyError("benchmarking a kernel")

    def launcher_cls(self, *args: Any) -> NoReturn:
        raise CompileOnlyError("a kernel launch")

    @property
    def utils(self) -> NoReturn:
        raise CompileOnlyError("a device query")
