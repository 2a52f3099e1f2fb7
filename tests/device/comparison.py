"""What a kernel gave against what it should give, within a tolerance."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import torch


@dataclass(frozen=True)
class Comparison:
    """One result tensor and its reference.

    Attributes:
        name: what the result is.
        found: the kernel's result.
        expected: the reference, computed in fp64 or in exact integers.
        absolute: largest allowed difference where the reference is zero.
        relative: allowed difference as a share of the reference's magnitude, on top.
    """

    name: str
    found: torch.Tensor
    expected: torch.Tensor
    absolute: float = 0.0
    relative: float = 0.0

    def row(self) -> dict[str, Any]:
        """Return the comparison as a row of the result table.

        The relative error is taken where the reference is larger than the absolute tolerance.
        """
        if self.found.shape != self.expected.shape:
            raise ValueError(f"{self.name}: {self.found.shape} compared with {self.expected.shape}")
        found, expected = (tensor.detach().to("cpu") for tensor in (self.found, self.expected))
        exact = not found.is_floating_point() and not expected.is_floating_point()
        wide = torch.int64 if exact else torch.float64
        found, expected = found.to(wide), expected.to(wide)
        # Equal infinities and two NaN differ by nothing.
        same = (found == expected) | ((found != found) & (expected != expected))
        error = torch.where(same, torch.zeros_like(found), (found - expected).abs())
        magnitude = torch.where(same, torch.zeros_like(expected), expected.abs())
        allowed = self.absolute + self.relative * magnitude
        large = (magnitude > self.absolute) & ~same
        share = error[large] / magnitude[large]
        return {
            "result": self.name,
            "shape": list(found.shape),
            "max_abs_error": float(error.max()),
            "max_rel_error": float(share.max()) if share.numel() else 0.0,
            "tolerance": {"absolute": self.absolute, "relative": self.relative},
            "passed": bool((error <= allowed).all()),
        }
