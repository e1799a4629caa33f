"""Positive numbers enclosed by whole numbers, for exact draws without floating point.

Symbols: `bits` = the number of binary digits carried.
Invariants: `low`, `high` and `power` are whole; rounding makes `low` smaller and `high` larger.
"""

from collections.abc import Iterator
from dataclasses import dataclass
from fractions import Fraction

_SMALL = 8  # a series is summed at |q| below 2^−8, and squared from there on


@dataclass(frozen=True)
class Enclosure:
    """A positive number between low·2^power and high·2^power."""

    low: int
    high: int
    power: int

    def round_outward(self, bits: int) -> "Enclosure":
        """The same number, in this number of bits, a little wider."""
        cut = self.high.bit_length() - bits
        return (
            self if cut <= 0 else Enclosure(self.low >> cut, -(-self.high >> cut), self.power + cut)
        )

    def multiply(self, other: "Enclosure", bits: int) -> "Enclosure":
        return Enclosure(
            self.low * other.low, self.high * other.high, self.power + other.power
        ).round_outward(bits)

    def divide(self, other: "Enclosure", bits: int) -> "Enclosure":
        """The quotient; `other` has to be enclosed above 0."""
        shift = bits + other.high.bit_length()
        low, high = (self.low << shift) // other.high, -((-self.high << shift) // other.low)
        return Enclosure(low, high, self.power - other.power - shift).round_outward(bits)

    def bounds_in_units(self, power: int) -> tuple[int, int]:
        """(low, high) as whole multiples of 2^power."""
        shift = self.power - power
        if shift >= 0:
            return self.low << shift, self.high << shift
        return self.low >> -shift, -(-self.high >> -shift)

    @property
    def log2_upper_bound(self) -> int:
        """Integer at least log2 of the number."""
        return self.high.bit_length() + self.power


def enclose_exponential(q: Fraction, bits: int) -> Enclosure:
    """e^q for a rational q."""
    squarings = (abs(q.numerator) // q.denominator).bit_length() + _SMALL
    width = bits + squarings + 16  # as each squaring doubles what is not known
    # q/2^squarings lies between r and r + 1, over 2^width
    r = (q.numerator << width) // (q.denominator << squarings)
    term = total = 1 << width
    terms = 0
    while term not in (0, -1):
        terms += 1
        term = term * r // (terms << width)
        total += term
    # each term is off by less than 2, those left out by less than 1 together, and r + 1 in place of
    # r adds less than 2
    off = 2 * terms + 4
    value = Enclosure(total - off, total + off + 2, -width)
    for _ in range(squarings):
        value = value.multiply(value, width)
    return value.round_outward(bits)


def factorials(largest: int, bits: int) -> Iterator[Enclosure]:
    """0!, 1!, … up to largest!."""
    value = Enclosure(1, 1, 0)
    yield value
    for n in range(1, largest + 1):
        value = Enclosure(value.low * n, value.high * n, value.power).round_outward(bits)
        yield value
