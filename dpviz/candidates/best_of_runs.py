"""The best of J runs of Q, J drawn first: one law and one simulator for every such rule.

Symbols: miss(a) as in `run_counts`; a level of mass p with mass A strictly above comes out with
probability miss(A) − miss(A + p), shared among its runs in proportion; the share of a continuous
candidate k with density f_k is ∫ −miss′(A(z)) f_k(z)/K dz.
Invariant: over any stretch of scores the shares add up to the change of miss, which is known
exactly; this steers the integral and bounds its error. Source: Liu & Talwar 2018, Thm 3.2.
"""

from abc import abstractmethod
from functools import partial

import numpy as np
from numpy.polynomial.legendre import leggauss
from numpy.random import Generator

from dpviz.base import Floats, Ints, Progress, repeat_values, tally
from dpviz.base.former_names import former_names
from dpviz.candidates.pool import CandidatePool
from dpviz.candidates.rules import CandidateRule, Releases, ScoreLaw, SelectionLaw
from dpviz.candidates.run_counts import RunCountLaw
from dpviz.candidates.score_laws import ContinuousScoreLaw

_POINTS, _WEIGHTS = leggauss(12)
_HALVINGS = 45
_STARTS = np.array([1e-17, 1e-12, 1e-8, 1e-5, 1e-3, 0.01, 0.05, 0.2, 0.35, 0.5])


@former_names(count="run_count")
class BestOfRuns(CandidateRule):
    """Base of the rules that draw a number of runs J, make them, and publish the best."""

    @property
    @abstractmethod
    def run_count(self) -> RunCountLaw:
        """The law of the number of runs."""

    def _law(self, pool: CandidatePool, progress: Progress) -> SelectionLaw:
        count = self.run_count
        level = count.miss_difference(pool.level_sf, pool.level_mass)
        smooth, error = _smooth_shares(pool, count, progress)
        progress(1.0)
        return SelectionLaw(
            pool=pool,
            candidate=candidate_mass_from_levels(pool, level) + smooth,
            bottom=float(count.miss_probability(np.array(1.0))),  # where J = 0
            score_law=ScoreLaw(pool.score_levels, level, partial(_tail, pool, count)),
            runs=count,
            error=error + 1e-15 * max(1, len(pool.score_levels)) ** 0.5,
        )

    def _sample(self, pool: CandidatePool, size: int, rng: Generator) -> Releases:
        runs = self.run_count.sample(rng, size)
        candidate, score = np.full(size, -1, np.int64), np.full(size, -np.inf)
        start = 0
        while start < size:
            fitting = int(np.searchsorted(np.cumsum(runs[start:]), 2_000_000, side="right"))
            stop = start + max(1, fitting)
            _best(pool, runs[start:stop], candidate[start:stop], score[start:stop], rng)
            start = stop
        return Releases(candidate, score, runs)


def _tail(pool: CandidatePool, count: RunCountLaw, z: Floats) -> Floats:
    return 1 - count.miss_probability(pool.mixture_tail(z))


def candidate_mass_from_levels(pool: CandidatePool, level_probability: Floats) -> Floats:
    """Probability of every level shared among the candidates with runs there, shape (K,)."""
    owner, where, mass = pool.mixture_atoms
    if not len(owner):
        return np.zeros(pool.size)
    return tally(
        owner, level_probability[where] * (mass / pool.level_mass[where]), pool.size
    ).astype(float)


def _smooth_shares(
    pool: CandidatePool, count: RunCountLaw, progress: Progress
) -> tuple[Floats, float]:
    smooth, laws = list(pool.continuous_laws), list(pool.continuous_laws.values())
    shares = np.zeros(pool.size)
    if not smooth:
        return shares, 0.0
    edges = np.unique(
        np.concatenate([law.quantiles(_STARTS) for law in laws] + [pool.score_levels])
    )
    left, right = edges[:-1], edges[1:]
    above, reached = pool.mixture_sf(edges[-1:]), pool.mixture_tail(edges[:1])
    off = float(
        count.miss_difference(np.zeros(1), above)[0]
        + count.miss_difference(reached, 1 - reached)[0]
    )
    worst = 0.0
    for halving in range(_HALVINGS):
        above, below = pool.mixture_tail(right), pool.mixture_sf(left)
        known = count.miss_difference(above, np.maximum(below - above, 0.0))
        part = _panels(pool, count, laws, left, right)
        gap = np.abs(part.sum(axis=0) - known)
        rounding = 1e-15 * (1 + below * count.negative_miss_slope(above))  # of the known change
        fine = gap <= 1e-12 * known + rounding
        shares[smooth] += part[:, fine].sum(axis=1)
        worst += float(gap[fine].sum() + rounding[fine].sum())
        left, right, known = left[~fine], right[~fine], known[~fine]
        progress((halving + 1) / _HALVINGS)
        if not len(left) or len(left) > 3000:  # so many where the density has no bound
            break
        middle = (left + right) / 2
        left, right = np.concatenate([left, middle]), np.concatenate([middle, right])
    if len(left):  # a density without bound: −miss′ lies between its two ends of a panel
        mass = np.array([np.maximum(law.sf(left) - law.tail(right), 0.0) for law in laws])
        low = count.negative_miss_slope(pool.mixture_sf(left)) / pool.size
        high = count.negative_miss_slope(pool.mixture_tail(right)) / pool.size
        shares[smooth] += (mass * (low + high) / 2).sum(axis=1)
        worst += float((mass * np.abs(high - low) / 2).sum())
    return shares, worst + off + 1e-13


@np.errstate(invalid="ignore")
def _panels(
    pool: CandidatePool,
    count: RunCountLaw,
    laws: list[ContinuousScoreLaw],
    left: Floats,
    right: Floats,
) -> Floats:
    """∫ −miss′(A) f_k/K over every panel, shape (continuous candidates, panels)."""
    half = (right - left)[:, None] / 2
    z = (left + right)[:, None] / 2 + half * _POINTS
    weight = half * _WEIGHTS * count.negative_miss_slope(pool.mixture_sf(z)) / pool.size
    return np.array([(law.density(z) * weight).sum(axis=1) for law in laws])


def _best(pool: CandidatePool, runs: Ints, candidate: Ints, score: Floats, rng: Generator) -> None:
    """Fill in the best of each release's runs; ties go by a uniform number drawn with each run."""
    release = repeat_values(np.arange(len(runs)), runs)
    owner, made = pool.sample_runs(rng, len(release))
    order = np.lexsort((rng.random(len(release)), made, release))
    best = order[np.cumsum(runs)[runs > 0] - 1]
    candidate[runs > 0], score[runs > 0] = owner[best], made[best]
