"""The law of the items that noisy top-k with gap releases, and what its gaps show beside them.

Symbols: b = noise scale, b = 2kΔ/ε (kΔ/ε for monotonic scores); levels = (f − f_[k+1])/b by rank.
That one Laplace variable exceeds the maximum of many: density f, cdf F; q = the location of the
one, x_j those of the others, shifted so that the largest is 0; P = ∫ f(z − q) Π_j F(z − x_j) dz.
Invariants: the items are those of the k largest noisy scores, so their law is that race's; the gaps
tell more than any finite list of outputs, so what is compared is a lower bound. P is right to a
relative 1e-11, however small: panels start where Π F no longer is negligible, which leaves at most
some hundred kinks; locations well below that enter through power sums.
"""

import math
from collections.abc import Iterable, Sequence

import numpy as np
from numpy.random import Generator

from dpviz.base import (
    NOISES,
    ExactLaw,
    Floats,
    Ints,
    OutcomeComparison,
    Plottable,
    Progress,
    RevealingOutput,
    Scores,
    check_generator,
    check_integer,
    ignore_progress,
    portion,
)
from dpviz.base.caching import cached_property
from dpviz.gaps.noisy_top_draws import draw_noisy_top
from dpviz.numerics.cutoff.cutoff_race import CutoffRace, relative_levels
from dpviz.numerics.item_race import item_win_probabilities
from dpviz.numerics.quadrature import log_integral

_LAPLACE = NOISES["laplace"]
_MOST_ITEMS = 60  # whose gaps are compared
_MOST_SETS = 5_000  # that a privacy loss lists
_GAPS = np.array(
    [0.0, 0.25, 0.5, 1.0, 1.5, 2.0, 3.0, 4.0, 6.0, 8.0, 12.0, 16.0]
)  # in scales of the noise
_RELATIVE = 2e-10


class GapLaw(ExactLaw, Plottable):
    """Which k items noisy top-k with gap releases, in whatever order and with whatever gaps.

    Made by `mechanism.distribution(scores)`.
    """

    incomplete_list_probability = 0.0
    seen = "the set of items, without order and gaps"
    whole = False
    class_score = None  # no set's chance goes by its class alone

    _made_of = "scores", "scale", "k", "_levels"

    def __init__(
        self, scores: Scores, k: int, epsilon: float, scale: float, progress: Progress
    ) -> None:
        self.scores, self.scale = scores, scale
        self.k = k
        self._levels = relative_levels(scores, k, epsilon / (2 * k))
        self.law = CutoffRace(self._levels, k, _LAPLACE, progress)

    @property
    def requested_count(self) -> int:
        """How many names are asked for."""
        return self.k

    @cached_property
    def _by_rank(self) -> tuple[Floats, float]:
        """P(rank r is in), and its error: one integral gives them all for one item."""
        if self.k == 1:
            return item_win_probabilities(_LAPLACE, self._levels)
        inclusion = self.law.inclusion()
        return inclusion, self.law.error

    @property
    def chances(self) -> Floats:
        """P(item is among the k), in item order."""
        return self._by_rank[0][self.scores.rank]

    @property
    def error(self) -> float:  # type: ignore[override]
        """A bound on the error of a figure."""
        return self._by_rank[1]

    @property
    def names(self) -> Sequence[str]:
        """What the items are called."""
        return self.scores.names

    def draw(self, size: int, rng: Generator | int) -> Ints:
        """The items of `size` releases, shape (size, k), each row sorted by index."""
        size, rng = check_integer("size", size, low=0), check_generator(rng)
        return np.sort(draw_noisy_top(self.scores.values, self.scale, self.k, size, rng)[0], axis=1)

    def log_probability(self, answer: Iterable[int]) -> float:
        """log P of one set of k items."""
        return self.law.log_probability(self.scores.rank[list(answer)])

    def compare_outcomes(
        self, other: "GapLaw", progress: Progress = ignore_progress
    ) -> OutcomeComparison | None:
        """With one item: which item wins, and in which of some ranges its gap lies."""
        if self.k > 1 or _MOST_ITEMS < self.scores.d <= _MOST_SETS:
            return None
        if self.scores.d > _MOST_SETS:
            return OutcomeComparison(
                self.chances,
                other.chances,
                self.error,
                other.error,
                self._item,
                self.seen,
                whole=False,
            )
        gaps = _GAPS * self.scale
        beyond = [
            law._survival(gaps, portion(progress, at, at + 0.5))
            for at, law in ((0.0, self), (0.5, other))
        ]
        p, q = (
            np.append(-np.diff(chance, axis=1), chance[:, -1:], axis=1).ravel() for chance in beyond
        )
        error, other_error = (_RELATIVE * chance.ravel() for chance in beyond)

        def output(at: int) -> RevealingOutput:
            item, which = divmod(at, len(gaps))
            above = f"with a gap above {gaps[which]:.4g}"
            below = f" and at most {gaps[which + 1]:.4g}" if which + 1 < len(gaps) else ""
            return RevealingOutput(f"{self.scores.label(item)} {above}{below}", (item,))

        return OutcomeComparison(
            p, q, error, other_error, output, "the item and a range of its gap", whole=False
        )

    def _item(self, at: int) -> RevealingOutput:
        return RevealingOutput(self.scores.label(at), (at,))

    def _survival(self, gaps: Floats, progress: Progress) -> Floats:
        """P(each item wins with a gap above each of `gaps`), shape (d, gaps)."""
        rows = []
        for item in range(self.scores.d):
            rows.append(
                [gap_survival(self.scores.values, self.scale, item, gap) for gap in gaps.tolist()]
            )
            progress((item + 1) / self.scores.d)
        return np.array(rows)


def gap_survival(values: Floats, scale: float, item: int, gap: float) -> float:
    """P(one item shows the largest noisy value, by more than a gap): see
    `NoisyTopKWithGap.gap_survival`.
    """
    others = np.delete(values, item)
    top = float(others.max())
    return math.exp(
        log_laplace_win_probability(
            (float(values[item]) - top - gap) / scale, (others - top) / scale
        )
    )


_FAR = 45.0  # e^-45 of the integral may lie beyond an edge
_BELOW = 3.0
_POWERS = 12  # (½e^-3)^12 is below 1e-19
_LOWEST = -740.0  # e^q below this is no double


def log_laplace_win_probability(q: float, others: Floats) -> float:
    """log P(q + noise > every x_j + noise); −inf where P is below the smallest double.

    >>> round(float(np.exp(log_laplace_win_probability(0.0, np.zeros(3)))), 12)
    0.25
    """
    if q < _LOWEST:
        return float("-inf")
    values, times = np.unique(others, return_counts=True)
    low = max(q - _FAR, _least(values, times, _FAR + max(0.0, -q)))
    high = max(q, 0.0) + _FAR + np.log(len(others))
    near = values > low - _BELOW
    direct, count = values[near], times[near]
    powers = np.arange(1, _POWERS + 1)
    sums = np.array([times[~near] @ np.exp(p * (values[~near] - low)) * 0.5**p / p for p in powers])

    def log_density(z: Floats) -> Floats:
        far = np.exp(-np.outer(z - low, powers)) @ sums
        close = _LAPLACE.log_cdf(z[:, None] - direct) @ count
        return np.asarray(_LAPLACE.log_pdf(z - q) + close - far)

    kinks = np.append(values[values > low], q)
    steps = np.linspace(low, high, 2 + int((high - low) / 4))
    edges = np.unique(np.concatenate([kinks[(kinks > low) & (kinks < high)], steps]))
    return min(0.0, log_integral(log_density, edges))


def _least(values: Floats, times: Ints, need: float) -> float:
    """A z below which Π F ≤ e^−need: log F(u) ≤ −½·min(1, e^(−u)) for every u."""

    def exponent(z: float) -> float:
        return 0.5 * float(times @ np.exp(-np.maximum(z - values, 0.0)))

    low, high = float(values[0]) - 1.0, float(np.log(times.sum())) + 1.0
    if exponent(low) < need:  # too few to hold z up
        return -2 * need
    for _ in range(60):
        middle = (low + high) / 2
        low, high = (middle, high) if exponent(middle) >= need else (low, middle)
    return low
