"""Neighbouring places folded into bars, where there are more of them than one could see.

Symbols: places are whole numbers (ranks, queries, counts); bar j stands for places first_j …
last_j.
Invariants: bars lie side by side without a gap; all but the last fold equally many places.
"""

from dataclasses import dataclass

import numpy as np

from dpviz.base import Floats, Ints


@dataclass(frozen=True, eq=False)
class Fold:
    """Bars over places, at most so many.

    >>> fold = Fold.of(1, 5, most=3)
    >>> fold.first.tolist(), fold.last.tolist(), fold.mean(np.array([1.0, 3.0, 4.0, 4.0, 9.0])).tolist()
    ([1, 3, 5], [2, 4, 5], [2.0, 4.0, 9.0])
    """

    first: Ints
    last: Ints

    @classmethod
    def of(cls, start: int, end: int, most: int) -> "Fold":
        """The places start … end in at most `most` bars."""
        each = -(-(end - start + 1) // most)
        first = np.arange(start, end + 1, each)
        return cls(first, np.append(first[1:] - 1, end))

    @property
    def each(self) -> int:
        """How many places a bar folds."""
        return int(self.width[0])

    @property
    def middle(self) -> Floats:
        """Where a bar stands."""
        return (self.first + self.last) / 2

    @property
    def width(self) -> Ints:
        """How many places each bar folds."""
        return self.last - self.first + 1

    def sum(self, values: Floats) -> Floats:
        """The sum over each bar's places; values of shape (places,), the first of them at the first
        place.
        """
        return np.add.reduceat(
            values[: self.last[-1] - self.first[0] + 1], self.first - self.first[0]
        )

    def mean(self, values: Floats) -> Floats:
        """The mean over each bar's places."""
        return self.sum(values) / self.width
