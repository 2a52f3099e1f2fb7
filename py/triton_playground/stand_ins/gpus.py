"""GPUs: what a device query answers for each target."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import Any

from ..targets import Target


@dataclass(frozen=True)
class Gpu:
    """One product of a target, as its vendor's data sheet gives it.

    Attributes:
        name: the product.
        multiprocessors: streaming multiprocessors, compute units or, on RDNA, pairs of them.
        shared_memory: bytes that one block can use.
        memory: gigabytes.
        clock: MHz.
        memory_clock: MHz.
        bus_width: bits.
        l2_cache: megabytes.
    """

    name: str
    multiprocessors: int
    shared_memory: int
    memory: int
    clock: int
    memory_clock: int
    bus_width: int
    l2_cache: int


# Compute units, LDS and level-2 cache of AMD Instinct are those of ROCm's table "AMD GPU specifications"; where a product has
# several dies, one is what a driver shows as the device (MI250X) or what owns a cache (MI300X, MI355X).
_GPUS: dict[str, Gpu] = {
    "cuda:75": Gpu("Tesla T4", 40, 65536, 16, 1590, 5001, 256, 4),
    "cuda:80": Gpu("NVIDIA A100-SXM4-80GB", 108, 166912, 80, 1410, 1593, 5120, 40),
    "cuda:86": Gpu("NVIDIA GeForce RTX 3090", 82, 101376, 24, 1695, 9751, 384, 6),
    "cuda:89": Gpu("NVIDIA GeForce RTX 4090", 128, 101376, 24, 2520, 10501, 384, 72),
    "cuda:90": Gpu("NVIDIA H100 80GB HBM3", 132, 232448, 80, 1980, 2619, 5120, 50),
    "cuda:100": Gpu("NVIDIA B200", 148, 232448, 180, 1965, 3996, 8192, 126),
    "cuda:120": Gpu("NVIDIA GeForce RTX 5090", 170, 101376, 32, 2407, 14001, 512, 96),
    "hip:gfx90a": Gpu("AMD Instinct MI250X", 110, 65536, 64, 1700, 1600, 4096, 8),
    "hip:gfx942": Gpu("AMD Instinct MI300X", 304, 65536, 192, 2100, 1300, 8192, 4),
    "hip:gfx950": Gpu("AMD Instinct MI355X", 256, 163840, 288, 2400, 2000, 8192, 4),
    "hip:gfx1100": Gpu("AMD Radeon RX 7900 XTX", 48, 65536, 24, 2482, 1249, 384, 6),
    "hip:gfx1201": Gpu("AMD Radeon RX 9070 XT", 32, 65536, 16, 2970, 1259, 256, 8),
}
# 32-bit registers of one multiprocessor, the same on all of them.
_REGISTERS = 65536
# Resident threads of one multiprocessor where they are not 2048.
_THREADS = {"cuda:75": 1024, "cuda:86": 1536, "cuda:89": 1536, "cuda:120": 1536}


def gpu_of(target: Target) -> Gpu:
    """Return the product that stands for a target."""
    return _GPUS[target.name]


def capability(target: Target) -> tuple[int, int]:
    """Return what torch.cuda.get_device_capability answers: for AMD, the first two numbers of the gfx name."""
    if target.backend == "cuda":
        return divmod(int(target.arch), 10)
    digits = re.sub(r"\D.*", "", str(target.arch).removeprefix("gfx"))
    return (int(digits[:-2]), int(digits[-2])) if target.arch != "gfx90a" else (9, 0)


def driver_properties(target: Target) -> dict[str, Any]:
    """Return what the get_device_properties of Triton's drivers answers, clocks in kHz."""
    gpu = gpu_of(target)
    return {
        "max_shared_mem": gpu.shared_memory,
        "max_num_regs": _REGISTERS,
        "multiprocessor_count": gpu.multiprocessors,
        "warpSize": target.warp_size,
        "sm_clock_rate": gpu.clock * 1000,
        "mem_clock_rate": gpu.memory_clock * 1000,
        "mem_bus_width": gpu.bus_width,
        "arch": str(target.arch),
    }


class TorchProperties:
    """What torch.cuda.get_device_properties answers.

    Args:
        target: the GPU.
    """

    def __init__(self, target: Target) -> None:
        gpu = gpu_of(target)
        self.name = gpu.name
        self.major, self.minor = capability(target)
        self.multi_processor_count = gpu.multiprocessors
        self.total_memory = gpu.memory << 30
        self.warp_size = target.warp_size
        self.regs_per_multiprocessor = _REGISTERS
        self.shared_memory_per_block = min(gpu.shared_memory, 49152)
        self.shared_memory_per_block_optin = gpu.shared_memory
        self.shared_memory_per_multiprocessor = gpu.shared_memory + 1024
        self.max_threads_per_multi_processor = _THREADS.get(target.name, 2048)
        self.L2_cache_size = gpu.l2_cache << 20
        self.clock_rate = gpu.clock * 1000
        self.memory_clock_rate = gpu.memory_clock * 1000
        self.memory_bus_width = gpu.bus_width
        self.gcnArchName = str(target.arch) if target.backend == "hip" else gpu.name
        self.is_integrated = self.is_multi_gpu_board = False
