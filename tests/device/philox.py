"""Philox 4x32-10 in NumPy, from its definition (Salmon et al., 2011), and Triton's map to uniform numbers."""

from __future__ import annotations

import numpy

ROUNDS = 10
MULTIPLIERS = (0xD2511F53, 0xCD9E8D57)
KEY_STEPS = (0x9E3779B9, 0xBB67AE85)
MASK = 0xFFFFFFFF


def philox(counter: numpy.ndarray, seed: int) -> numpy.ndarray:
    """Return four 32-bit words for each counter.

    Args:
        counter: first word of the counter (uint64 holding 32 bits); the others are zero.
        seed: 64 bits, the key.
    """
    words = [
        counter.astype(numpy.uint64),
        *(numpy.zeros_like(counter, numpy.uint64) for _ in range(3)),
    ]
    key = [seed & MASK, seed >> 32 & MASK]
    for _ in range(ROUNDS):
        products = [
            words[0] * numpy.uint64(MULTIPLIERS[0]),
            words[2] * numpy.uint64(MULTIPLIERS[1]),
        ]
        high = [product >> numpy.uint64(32) for product in products]
        low = [product & numpy.uint64(MASK) for product in products]
        words = [
            high[1] ^ words[1] ^ numpy.uint64(key[0]),
            low[1],
            high[0] ^ words[3] ^ numpy.uint64(key[1]),
            low[0],
        ]
        key = [(part + step) & MASK for part, step in zip(key, KEY_STEPS, strict=True)]
    return numpy.stack(words, axis=-1)


def dropout_uniform(seed: int, count: int) -> numpy.ndarray:
    """Return tl.rand4x's numbers, four a counter, for counters from 0 (language/random.py: uint_to_uniform_float)."""
    signed = (
        philox(numpy.arange(count, dtype=numpy.uint64), seed).astype(numpy.uint32).view(numpy.int32)
    )
    folded = numpy.where(signed < 0, -signed - 1, signed)
    return folded.astype(numpy.float32) * numpy.float32(4.6566127342e-10)
