"""Compiles Triton kernels from source text to every stage's text, with Triton's own compiler."""

from .report import compile, compile_json
from .targets import TARGETS, Target
from .tensors import FakeTensor, fake_tensor
from .version import VERSION

__all__ = [
    "TARGETS",
    "VERSION",
    "FakeTensor",
    "Target",
    "compile",
    "compile_json",
    "fake_tensor",
]
