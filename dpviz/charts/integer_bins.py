"""Neighbouring integers folded into bars, if there are too many to see."""

from dataclasses import dataclass

import numpy as np

from dpviz.base import Floats, Ints


@dataclass(frozen=True, eq=False)
class IntegerBins:
    """Bars over places: bar j holds `first[j]` to `last[j]`, and all but the last equally many.

    >>> fold = IntegerBins.from_range(1, 5, most=3)
    >>> fold.first.tolist(), fold.last.tolist(), fold.mean(np.array([1.0, 3.0, 4.0, 4.0, 9.0])).tolist()
    ([1, 3, 5], [2, 4, 5], [2.0, 4.0, 9.0])
    """

    first: Ints
    last: Ints

    @classmethod
    def from_range(cls, start: int, end: int, most: int) -> "IntegerBins":
        """Places start … end in at most `most` bars."""
        first = np.arange(start, end + 1, -(-(end - start + 1) // most))
        return cls(first, np.append(first[1:] - 1, end))

    @property
    def bin_size(self) -> int:
        return int(self.widths[0])

    @property
    def centres(self) -> Floats:
        return (self.first + self.last) / 2

    @property
    def widths(self) -> Ints:
        return self.last - self.first + 1

    def sum(self, values: Floats) -> Floats:
        """Sum over each bar's places; `values` (places,) begin at the first place."""
        return np.add.reduceat(
            values[: self.last[-1] - self.first[0] + 1], self.first - self.first[0]
        )

    def mean(self, values: Floats) -> Floats:
        return self.sum(values) / self.widths
