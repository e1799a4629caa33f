"""Range of the cut-off of a noisy top-k, and the items that it leaves undecided.

Symbols: item i shows q_i + N_i; z = the (k+1)-th largest of these, the cut-off; S_i(z) = P(q_i +
N_i > z), F_i = 1 − S_i; r = e^λ tilts every item's odds from S:F to rS:F.
Invariants: z lies in [low, high], every item above the window is in and every item below is out,
all together but for a chance of at most `outside`. Levels are relative to q_(k+1), so none of this
depends on how large the scores are. Method: P(at most K exceed z) ≤ Π(F + rS)·r^(−K) for r ≤ 1, and
with r ≥ 1 for "at least" (Chernoff).
"""

import math
from dataclasses import dataclass

import numpy as np

from dpviz.base import (
    Bools,
    Floats,
    Ints,
    Noise,
    ReadOnlyArrays,
    cached_property,
    repeat_values,
)
from dpviz.numerics.cutoff.level_condensation import (
    InterpolationLevels,
    Rule,
    condense_levels,
    group_equal_levels,
    has_kink_between,
)
from dpviz.numerics.interval_search import bisect
from dpviz.numerics.log_binomials import log_sum_exp

_TOLERANCE = 1e-13  # of each of the four things that `outside` bounds
_FARTHEST = 1e4  # levels beyond this from q_(k+1) are decided, whatever the noise
_STEEPEST = 690.0  # of λ, so that e^λ stays a number
_STEP = 4.0
_BISECTIONS = 60
_TILTINGS = 80
_MANY = 300  # levels of a window from which they are condensed
# below the least cut-off; there chances are e^q times what all share, but for as little as e^−this
_FAR = 8.0


@dataclass(frozen=True)
class CutoffWindow(ReadOnlyArrays):
    noise: Noise
    k: int
    first: int
    last: int
    level: Floats
    count: Floats
    low: float
    high: float
    centre: float
    spread: float
    variance: float
    outside: float

    @property
    def selected_undecided_count(self) -> int:
        """Number of undecided items that are in."""
        return self.k - self.first

    @property
    def wide_cell_level(self) -> float | None:
        """Level below which condensation cells are wide; None where no item is condensed."""
        return None if len(self.level) <= _MANY else self.low - _FAR

    def kink_mask(self, level: Floats) -> Bools:
        """True where a kink of the noise may lie in [low, high]; elsewhere chances are smooth."""
        return has_kink_between(self.noise, level, self.low, self.high)

    def level_groups(self, cuts: Ints) -> tuple[Ints, Floats, Floats]:
        """(start, level, count) with groups cut at the given ranks; `start` counts from `first`."""
        return group_equal_levels(repeat_values(self.level, self.count), cuts - self.first)

    def condensed_level_groups(self, cuts: Ints) -> tuple[Ints, Floats, Floats]:
        """The same groups as products are evaluated on them: few, with counts not whole."""
        start, level, count = self.level_groups(cuts)
        if self.wide_cell_level is None:
            return start, level, count
        begins = np.unique(np.clip(cuts - self.first, 0, self.last - self.first))
        at = np.searchsorted(start, begins)
        block, level, count = condense_levels(
            level, count, at, self.wide_cell_level, self._known, self.kink_mask(level)
        )
        return begins[block], level, count

    @cached_property
    def _known(self) -> dict[tuple[int, int], Rule]:
        return {}

    def interpolation_levels(self, level: Floats, count: Floats) -> InterpolationLevels:
        """Points at which to evaluate a function that is wanted for items at these levels."""
        far = self.wide_cell_level
        kept = None if far is None else self.kink_mask(level)
        return InterpolationLevels(level, count, far, kept)


CondensedWindow = CutoffWindow  # the former name, in stored pickles


def solve_tilt_and_variance(
    sf: Floats,
    cdf: Floats,
    count: Floats,
    target: float,
    log_tilt: Floats,
    *,
    tolerance: float,
) -> tuple[Floats, Floats]:
    """Tilt of each row that brings its expected count near a target: bracketed Newton."""
    below, above = np.full(len(log_tilt), -_STEEPEST), np.full(len(log_tilt), _STEEPEST)
    variance = np.zeros(len(log_tilt))
    for _ in range(_TILTINGS):
        tilted = np.exp(log_tilt)[:, None] * sf
        tilted /= cdf + tilted
        mean = tilted @ count
        tilted *= tilted
        variance = mean - tilted @ count
        miss = mean - target
        done = np.abs(miss) <= tolerance
        if done.all():
            break
        above = np.where(miss > 0, np.minimum(above, log_tilt), above)
        below = np.where(miss > 0, below, np.maximum(below, log_tilt))
        step = log_tilt - np.clip(miss / np.maximum(variance, 1e-12), -_STEP, _STEP)
        step = np.where((step <= below) | (step >= above), 0.5 * (below + above), step)
        log_tilt = np.where(done, log_tilt, step)
    return log_tilt, np.maximum(variance, 0.0)


def solve_single_tilt(
    sf: Floats, cdf: Floats, count: Floats, target: float, *, rounds: int, tolerance: float
) -> float:
    """λ of `solve_tilt_and_variance` for a single row, from 0 on, in plain numbers: arrays of one
    are slow.
    """
    log_r, below, above = 0.0, -_STEEPEST, _STEEPEST
    for _ in range(rounds):
        tilted = np.exp(log_r) * sf
        tilted /= cdf + tilted
        mean = float(tilted @ count)
        if abs(mean - target) <= tolerance:
            break
        tilted *= tilted
        variance = mean - float(tilted @ count)
        if mean > target:
            above = min(above, log_r)
        else:
            below = max(below, log_r)
        step = log_r - min(max((mean - target) / max(variance, 1e-12), -_STEP), _STEP)
        log_r = step if below < step < above else 0.5 * (below + above)
    return log_r


def cutoff_window(noise: Noise, descending_levels: Floats, k: int) -> CutoffWindow:
    """Window of items at `descending_levels`, shape (d,), relative to that of rank k."""
    descending_levels = np.clip(descending_levels, -_FARTHEST, _FARTHEST)
    # union bounds: z is at least the least of the top k+1, and at most the largest of the others
    log_p = math.log(_TOLERANCE / (k + 1))
    lowest = float(noise.quantile(np.array(log_p), np.array(-math.exp(log_p))))
    low = float(descending_levels[k]) + max(lowest, noise.start)
    high = math.log(noise.tail / _TOLERANCE) + log_sum_exp(descending_levels[k:])
    first, last = _undecided(noise, descending_levels, k, low, high)
    _, values, count = group_equal_levels(descending_levels[first:last])
    low, high, centre, spread, variance = _narrow_range(noise, values, count, k - first, low, high)
    narrow_first, narrow_last = _undecided(noise, descending_levels, k, low, high)
    first, last = max(first, narrow_first), min(last, narrow_last)
    _, values, count = group_equal_levels(descending_levels[first:last])
    return CutoffWindow(
        noise, k, first, last, values, count, low, high, centre, spread, variance, 8 * _TOLERANCE
    )


def _undecided(noise: Noise, level: Floats, k: int, low: float, high: float) -> tuple[int, int]:
    """(first, last): ranks before `first` exceed `high`, those from `last` on are below `low`."""
    first, beyond = count_decided_best_and_worst(
        noise, level[: k + 1], level[k:], low, high, _TOLERANCE
    )
    return min(first, k), max(len(level) - beyond, k + 1)


def count_decided_best_and_worst(
    noise: Noise,
    best_levels: Floats,
    worst_levels: Floats,
    low: float,
    high: float,
    tolerance: float,
) -> tuple[int, int]:
    """(first, last): the first of `best_levels` exceed `high` and the last of `worst_levels` are
    below `low`.
    """
    failing = np.cumsum(np.exp(noise.log_cdf(high - best_levels)))
    passing = np.cumsum(np.exp(noise.log_sf(low - worst_levels))[::-1])
    first, last = (np.searchsorted(sums, tolerance, side="right") for sums in (failing, passing))
    return int(first), int(last)


def _narrow_range(
    noise: Noise, level: Floats, count: Floats, choose: int, low: float, high: float
) -> tuple[float, float, float, float, float]:
    """(low, high, centre, spread, variance) of z, narrowed from a range that is right but wide."""
    a, b = low, high
    for _ in range(_BISECTIONS):
        centre = 0.5 * (a + b)
        passing = noise.tails(centre - level)[0] @ count
        a, b = (centre, b) if passing > choose + 0.5 else (a, centre)
        if b - a < 1e-6 * (high - low):
            break
    sf, cdf, pdf = noise.tails(centre - level)
    density = max(float(pdf @ count), 1e-9)
    variance = float((sf * cdf) @ count)
    spread = min(math.sqrt(variance) / density + 1e-6, 3.0)

    def end(limit: float) -> float:
        """Point nearest to `centre`, to a sixteenth of a step, beyond which z is negligible."""
        sign, room = (1.0 if limit > centre else -1.0), abs(limit - centre)
        target = choose + max(sign, 0.0)

        def negligible(away: float) -> bool:
            sf, cdf, _ = noise.tails(centre + sign * away - level)
            log_r = solve_single_tilt(
                sf, cdf, count, target, rounds=12, tolerance=1e-2 + 1e-3 * target
            )
            log_r = sign * max(sign * log_r, 0.0)
            bound = np.log(cdf + np.exp(log_r) * sf) @ count - log_r * target
            return bool(bound <= math.log(_TOLERANCE))

        inside, outside = 0.0, min(6 * spread, room)
        while outside < room and not negligible(outside):
            inside, outside = outside, min(1.5 * outside + 1e-9, room)
        return centre + sign * bisect(negligible, inside, outside, rounds=4)[1]

    return end(low), end(high), centre, spread, variance
