"""log P of each of a few sets, that it holds the largest noisy values: the same nodes serve all of
them.

Symbols as in `set_race`: A and B of a set are sums of log F and log S over its items, so a table of
nodes × levels is all that costs.
Invariants: what a set has outside the nodes is below e^(−_BEYOND) of its P, by A and B; sets of
which that does not hold, or of which e^(A + B) nears the smallest double, are not told, and looked
at one by one when asked for. Sets of the same levels come to the same figure.
"""

import math
from collections import Counter
from itertools import combinations

import numpy as np

from dpviz.base import Bools, Floats, Ints, Noise
from dpviz.base.former_names import former_members
from dpviz.numerics.blas_threads import single_blas_thread
from dpviz.numerics.equal_levels import group_equal_levels
from dpviz.numerics.quadrature import log_integrals
from dpviz.numerics.set_race import log_set_probability

_FEW = 250  # sets that are looked at together at most
_ONE = 4_000  # sets times items that take about as long together as one set alone
_BEYOND = 38.0
_WIDEST = 100.0  # levels that lie further apart share few nodes
_STEP = 0.5  # between nodes where the levels lie
_BESIDE = 2.0 ** np.arange(-1, 11)  # and how far beyond them further nodes lie
_LEAST = -600.0  # of A + B, so that doubles hold every factor that matters
_NOTHING = -1e300  # log 0, which a count of 0 may be multiplied by


class SetProbabilities:
    """log P of sets of items, kept; where sets of a size are few all of them come together, once
    that pays.

    Examples
    --------
    >>> from dpviz.base.noise import NOISES
    >>> chances = SetProbabilities(NOISES["gumbel"], np.array([1.0, 0.0, 0.0]))
    >>> round(math.exp(chances.log_probability(np.array([0]))), 6)
    0.576117
    """

    def __init__(self, noise: Noise, levels: Floats) -> None:
        self._noise, self._levels = noise, levels
        self._start = group_equal_levels(levels)[0]
        self._known: dict[bytes, float] = {}  # by how many of each level a set holds
        self._alone: Counter[int] = (
            Counter()
        )  # sets of each size that were not known when they were asked for

    def log_probability(self, ranks: Ints) -> float:
        """log P(these show more than all others), of at least one and not all."""
        chosen = np.zeros(len(self._levels), bool)
        chosen[ranks] = True
        (known,) = self._keys(chosen[None])
        if known not in self._known:
            self._look_at_all(int(np.count_nonzero(chosen)))
        if known not in self._known:
            self._known[known] = log_set_probability(
                self._noise, self._levels[chosen], self._levels[~chosen]
            )
        return self._known[known]

    def _look_at_all(self, size: int) -> None:
        """Where sets of this size are few, and as many were looked at alone as all together take."""
        d = len(self._levels)
        few = d <= _FEW and (number := math.comb(d, size)) <= _FEW
        self._alone[size] += 1
        if not few or self._alone[size] != 1 + number * d // _ONE:
            return
        chosen = np.zeros((number, d), bool)
        np.put_along_axis(chosen, np.array(list(combinations(range(d), size))), values=True, axis=1)
        found = log_set_probabilities(self._noise, self._levels, chosen).tolist()
        for known, log in zip(self._keys(chosen), found, strict=True):
            if not math.isnan(log):
                self._known.setdefault(known, log)

    def _keys(self, chosen: Bools) -> list[bytes]:
        return [
            row.tobytes() for row in np.add.reduceat(chosen.astype(np.int64), self._start, axis=1)
        ]


@single_blas_thread()
def log_set_probabilities(noise: Noise, levels: Floats, chosen: Bools) -> Floats:
    """log P of each set: that every one of its items shows more than all others.

    Examples
    --------
    >>> from dpviz.base.noise import NOISES
    >>> np.exp(log_set_probabilities(NOISES["gumbel"], np.array([1.0, 0.0]), np.eye(2) > 0)).round(6).tolist()
    [0.731059, 0.268941]
    """
    start, level, count = group_equal_levels(levels)
    inside, back = np.unique(
        np.add.reduceat(chosen.astype(float), start, axis=1), axis=0, return_inverse=True
    )
    race = _SetRaces(noise, level, inside, count - inside)
    found = np.full(len(inside), np.nan)
    if level[0] - level[-1] <= _WIDEST:
        shared, edges = race.shared_range()
        if shared.any():
            found[shared] = log_integrals(race.select_sets(shared).log_density, edges)
    return np.asarray(found[back.ravel()])


class _SetRaces:
    """How many items of each level each set holds, and leaves out, shape (sets, levels)."""

    def __init__(self, noise: Noise, level: Floats, inside: Floats, outside: Floats) -> None:
        self.noise, self.level, self.inside, self.outside = noise, level, inside, outside

    def select_sets(self, sets: Bools) -> "_SetRaces":
        return _SetRaces(self.noise, self.level, self.inside[sets], self.outside[sets])

    def _nodes(self) -> Floats:
        top, bottom = float(self.level[0]), float(self.level[-1])
        between = np.linspace(bottom, top, math.ceil((top - bottom) / _STEP) + 1)
        breaks = [self.level + at for at in (*self.noise.kinks, self.noise.start) if at > -math.inf]
        return np.unique(np.concatenate([between, bottom - _BESIDE, top + _BESIDE, *breaks]))

    def shared_range(self) -> tuple[Bools, Floats]:
        """Which sets have all of P but a negligible part among the nodes, and between which nodes
        they have it.
        """
        z = self._nodes()
        u = z[:, None] - self.level
        log_cdf, log_sf = self.noise.log_cdf(u), self.noise.log_sf(u)
        all_out, all_in = _sums(self.outside, log_cdf), _sums(self.inside, log_sf)
        with np.errstate(divide="ignore"):
            any_left = np.minimum(np.log(self.outside @ np.exp(log_sf).T), 0.0)
        best = (all_out + all_in).max(1)
        below, above = (
            all_out <= best[:, None] - _BEYOND,
            all_in + any_left <= best[:, None] - _BEYOND,
        )
        shared = below[:, 0] & above[:, -1] & (best > _LEAST)
        first = int(below[shared].sum(1).min(initial=len(z))) - 1
        last = len(z) - int(above[shared].sum(1).min(initial=len(z)))
        return shared, z[first : last + 1]

    def log_density(self, z: Floats) -> Floats:
        """log of each set's density at the nodes, shape (sets, nodes)."""
        u = z[:, None] - self.level
        log_cdf = self.noise.log_cdf(u)
        possible = np.isfinite(log_cdf)
        log_cdf = np.where(possible, log_cdf, _NOTHING)
        ratio = np.exp(
            np.minimum(np.where(possible, self.noise.log_pdf(u) - log_cdf, -np.inf), -_LEAST)
        )
        with np.errstate(divide="ignore"):
            slope = np.log(self.outside @ ratio.T)
        return _sums(self.outside, log_cdf) + _sums(self.inside, self.noise.log_sf(u)) + slope


def _sums(count: Floats, logs: Floats) -> Floats:
    """Σ over the levels, shape (sets, nodes)."""
    return np.asarray(count @ np.maximum(logs, _NOTHING).T)


__getattr__ = former_members(__name__, SetChances="SetProbabilities")  # in stored pickles
