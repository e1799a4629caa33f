"""The best of J runs of Q, J drawn first: one law and one simulator for every such rule.

Symbols: miss(a) of `counts`; a level of mass p with mass A strictly above comes out with
probability miss(A) − miss(A + p), shared among its runs in proportion; of a continuous candidate k
with density f_k the share is ∫ −miss′(A(z)) f_k(z)/K dz.
Invariants: over any stretch of scores the shares must add up to the change of miss, which is known
exactly: that is how the integral is steered and its error bounded.
Source: Liu & Talwar 2018, proof of Thm 3.2 (geometric J).
"""

from abc import abstractmethod
from functools import partial

import numpy as np
from numpy.polynomial.legendre import leggauss
from numpy.random import Generator

from dpviz.base import Floats, Ints, Progress, repeated, tally
from dpviz.candidates.pool import CandidatePool
from dpviz.candidates.rules import CandidateRule, Releases, ScoreLaw, SelectionLaw
from dpviz.candidates.run_counts import RunsLaw
from dpviz.candidates.score_laws import Continuous

_POINTS, _WEIGHTS = leggauss(12)
_TOLERANCE = 1e-12
_HALVINGS = 45
_MOST_PANELS = (
    3000  # still unsettled at once: then the density has no bound that panels could follow
)
_AT_ONCE = 2_000_000
_STARTS = np.array([1e-17, 1e-12, 1e-8, 1e-5, 1e-3, 0.01, 0.05, 0.2, 0.35, 0.5])


class BestOfRuns(CandidateRule):
    """The base of rules that draw a number of runs J, make them, and publish the best."""

    @property
    @abstractmethod
    def count(self) -> RunsLaw:
        """The law of the number of runs."""

    def _law(self, pool: CandidatePool, progress: Progress) -> SelectionLaw:
        return best_of(pool, self.count, progress)

    def _sample(self, pool: CandidatePool, size: int, rng: Generator) -> Releases:
        return draw_best_of(pool, self.count, size, rng)


def best_of(pool: CandidatePool, count: RunsLaw, progress: Progress) -> SelectionLaw:
    """The law of the best of J runs; ⊥ where J = 0."""
    level = count.between(pool.level_above, pool.level_mass)
    candidate = share_levels(pool, level)
    bottom = float(count.miss(np.array(1.0)))
    smooth, error = _smooth_shares(pool, count, progress)
    progress(1.0)
    return SelectionLaw(
        pool=pool,
        candidate=candidate + smooth,
        bottom=bottom,
        score_law=ScoreLaw(pool.level, level, partial(_tail, pool, count)),
        runs=count,
        error=error + 1e-15 * max(1, len(pool.level)) ** 0.5,
    )


def _tail(pool: CandidatePool, count: RunsLaw, z: Floats) -> Floats:
    return 1 - count.miss(pool.mixture_tail(z))


def share_levels(pool: CandidatePool, level: Floats) -> Floats:
    """The probability of every level shared among the candidates that have runs there, shape (K,)."""
    owner, where, mass = pool.shares
    if not len(owner):
        return np.zeros(pool.size)
    shares = tally(owner, level[where] * (mass / pool.level_mass[where]), pool.size)
    return np.asarray(shares, float)


def _smooth_shares(pool: CandidatePool, count: RunsLaw, progress: Progress) -> tuple[Floats, float]:
    smooth, laws = list(pool.smooth), list(pool.smooth.values())
    shares = np.zeros(pool.size)
    if not smooth:
        return shares, 0.0
    edges = np.unique(np.concatenate([law.quantiles(_STARTS) for law in laws] + [pool.level]))
    left, right = edges[:-1], edges[1:]
    above, reached = pool.mixture_above(edges[-1:]), pool.mixture_tail(edges[:1])
    off = float(count.between(np.zeros(1), above)[0] + count.between(reached, 1 - reached)[0])
    worst = 0.0
    for halving in range(_HALVINGS):
        above, below = pool.mixture_tail(right), pool.mixture_above(left)
        known = count.between(above, np.maximum(below - above, 0.0))
        part = _panels(pool, count, laws, left, right)
        gap = np.abs(part.sum(axis=0) - known)
        rounding = 1e-15 * (1 + below * count.slope(above))  # of the known change
        fine = gap <= _TOLERANCE * known + rounding
        shares[smooth] += part[:, fine].sum(axis=1)
        worst += float(gap[fine].sum() + rounding[fine].sum())
        left, right, known = left[~fine], right[~fine], known[~fine]
        progress((halving + 1) / _HALVINGS)
        if not len(left) or len(left) > _MOST_PANELS:
            break
        middle = (left + right) / 2
        left, right = np.concatenate([left, middle]), np.concatenate([middle, right])
    if len(left):
        rough, bound = _by_mass(pool, count, laws, left, right)
        shares[smooth] += rough
        worst += bound
    return shares, worst + off + 1e-13


def _by_mass(
    pool: CandidatePool, count: RunsLaw, laws: list[Continuous], left: Floats, right: Floats
) -> tuple[Floats, float]:
    """Panels that no quadrature settles (a density without bound): −miss′ lies between its two ends
    there.
    """
    mass = (
        np.array([np.maximum(law.above(left) - law.tail(right), 0.0) for law in laws]) / pool.size
    )
    low, high = count.slope(pool.mixture_above(left)), count.slope(pool.mixture_tail(right))
    return (mass * (low + high) / 2).sum(axis=1), float((mass * np.abs(high - low) / 2).sum())


def _panels(
    pool: CandidatePool, count: RunsLaw, laws: list[Continuous], left: Floats, right: Floats
) -> Floats:
    """∫ −miss′(A) f_k/K over every panel, shape (continuous candidates, panels)."""
    half = (right - left)[:, None] / 2
    z = (left + right)[:, None] / 2 + half * _POINTS
    weight = half * _WEIGHTS * count.slope(pool.mixture_above(z)) / pool.size
    with np.errstate(invalid="ignore"):
        return np.array([(law.density(z) * weight).sum(axis=1) for law in laws])


def draw_best_of(pool: CandidatePool, count: RunsLaw, size: int, rng: Generator) -> Releases:
    """Draw J, make J runs of Q, keep the best; ties by a uniform number drawn with each run.

    Parameters
    ----------
    pool
        The candidates.
    count
        The law of the number of runs J.
    size
        How many releases.
    rng
        The source of all randomness.

    Returns
    -------
    Releases
        The candidate and the score of each release, and how many runs it took.
    """
    runs = count.sample(rng, size)
    candidate = np.full(size, -1, np.int64)
    score = np.full(size, -np.inf)
    start = 0
    while start < size:
        ends = np.cumsum(runs[start:])
        stop = start + max(1, int(np.searchsorted(ends, _AT_ONCE, side="right")))
        _best(pool, runs[start:stop], candidate[start:stop], score[start:stop], rng)
        start = stop
    return Releases(candidate, score, runs)


def _best(pool: CandidatePool, runs: Ints, candidate: Ints, score: Floats, rng: Generator) -> None:
    """Fill `candidate` and `score` of the releases whose numbers of runs are `runs`."""
    release = repeated(np.arange(len(runs)), runs)
    owner, made = pool.runs(rng, len(release))
    order = np.lexsort((rng.random(len(release)), made, release))
    best = order[np.cumsum(runs)[runs > 0] - 1]
    candidate[runs > 0], score[runs > 0] = owner[best], made[best]
