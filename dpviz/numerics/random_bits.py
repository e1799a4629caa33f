"""Uniform whole numbers and subsets from random bits, exactly: nothing is rounded or reused.

`Bits` is `secrets.randbits` for a release, `random.Random(seed).getrandbits` for a test.
"""

from collections.abc import Callable

Bits = Callable[[int], int]
"""From n, a uniform whole number from 0 to 2^n − 1."""


def uniform_integer(n: int, bits: Bits) -> int:
    """A uniform whole number from 0 to n − 1."""
    length = (n - 1).bit_length()
    while True:
        drawn = bits(length) if length else 0
        if drawn < n:
            return drawn


def uniform_subset(n: int, size: int, bits: Bits) -> set[int]:
    """A uniform subset of 0 … n − 1 (Floyd 1987)."""
    chosen: set[int] = set()
    for last in range(n - size, n):
        drawn = uniform_integer(last + 1, bits)
        chosen.add(last if drawn in chosen else drawn)
    return chosen
