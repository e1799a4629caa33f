"""Two careless choices: the best of all runs, and thresholds that come down.

Symbols: K candidates run R times each, F_k the law of a score; ε1 per run. Publishing the best
costs K·R·ε1, and some pairs of pools need all of it (B.1, with randomised response in place of its
laws ½ and e^ε/2, whose upper outcomes are further apart than e^ε). Lowering the threshold R times
costs more than R·ε1 (B.2). Source: Liu & Talwar 2018, App B.
"""

import math
from functools import partial

import numpy as np
from numpy.polynomial.legendre import leggauss

from dpviz.base import Floats, check_integer, check_kind, check_number, check_open_interval, tally
from dpviz.candidates.pool import CandidatePool
from dpviz.candidates.rules import ScoreLaw, SelectionLaw
from dpviz.candidates.run_counts import FixedRuns
from dpviz.numerics.running_sums import running_sum_relative_error, running_sums


def naive_epsilon(candidates: int, candidate_epsilon: float, repeats: int = 1) -> float:
    """Cost of publishing the best of all runs, and no less in the worst case: K·R·ε1.

    Parameters
    ----------
    candidates, repeats
        K ≥ 1, and R ≥ 1 runs of each candidate.
    candidate_epsilon
        ε1 above 0, the price of one run with its score.

    Returns
    -------
    float
        The total ε of one release.

    Examples
    --------
    >>> naive_epsilon(20, 0.5)
    10.0
    """
    candidates = check_integer("candidates", candidates, low=1)
    repeats = check_integer("repeats", repeats, low=1)
    epsilon = check_number("candidate_epsilon", candidate_epsilon, low=0.0, above=True)
    return candidates * repeats * epsilon


def naive_best(pool: CandidatePool, repeats: int = 1) -> SelectionLaw:
    """The law of the best of all K·R runs, for pools of atoms.

    Parameters
    ----------
    pool
        The K candidates, made of run scores or probabilities.
    repeats
        R ≥ 1 runs of each candidate.

    Returns
    -------
    SelectionLaw
        The law of the best run.

    Raises
    ------
    ParameterError
        For continuous candidates.
    """
    repeats = check_integer("repeats", repeats, low=1)
    check_kind("pool", pool, CandidatePool, "a dpviz CandidatePool")
    pool.check_discrete("for the naive best")
    atoms = _PoolAtoms(pool)
    # Π F_k(level)^R − Π F_k(level − )^R
    after = np.where(atoms.alive, np.exp(repeats * atoms.log_after), 0.0)
    won = np.maximum(np.diff(after, prepend=0.0), 0.0)
    shares = atoms.tie_shares(repeats)
    summed = tally(atoms.level, shares, len(won))
    scale = np.where(summed > 0, won / np.where(summed > 0, summed, 1.0), 0.0)
    candidate = np.asarray(tally(atoms.owner, shares * scale[atoms.level], pool.size), float)
    rounding = (
        running_sum_relative_error(len(won))
        * repeats
        * (pool.size + float(np.abs(atoms.log_after).max()))
    )
    return SelectionLaw(
        pool=pool,
        candidate=candidate,
        bottom=0.0,
        score_law=ScoreLaw(pool.score_levels, won, partial(_tail, pool, repeats)),
        runs=FixedRuns(pool.size * repeats),
        error=float(np.abs(summed - won).sum()) + rounding,
    )


def _tail(pool: CandidatePool, repeats: int, z: Floats) -> Floats:
    below = [1 - law.tail(np.asarray(z, float)) for law in pool.candidates]
    return np.asarray(1 - np.prod(below, axis=0) ** repeats, float)


class _PoolAtoms:
    """Every (candidate, level) with its mass, and Σ log F before and after each level."""

    def __init__(self, pool: CandidatePool) -> None:
        self.owner, self.level, mass = pool.mixture_atoms
        self.mass, self.levels = mass * pool.size, len(pool.score_levels)
        by_owner = np.lexsort((self.level, self.owner))
        sums = np.concatenate([np.cumsum(law.mass) for law in pool.candidates])
        first = np.append(True, np.diff(self.owner[by_owner]) > 0)
        after, below = np.empty(len(mass)), np.empty(len(mass))
        after[by_owner] = sums
        below[by_owner] = np.where(first, 0.0, np.append(0.0, sums[:-1]))
        self.below = below
        before = np.log(np.where(below > 0, below, 1.0))
        self.log_after = np.minimum(running_sums(self._at_levels(np.log(after) - before)), 0.0)
        self.alive = np.cumsum(self._at_levels((below == 0).astype(float))) > pool.size - 0.5
        self.log_others = np.append(0.0, self.log_after[:-1]) - self._at_levels(before)

    def _at_levels(self, values: Floats) -> Floats:
        return np.asarray(tally(self.level, values, self.levels), float)

    def tie_shares(self, repeats: int) -> Floats:
        # the tie is among runs with uniform numbers t, F⁻ = P(score < level): candidate k takes
        # ∫_0^1 R·p_k (F_k⁻ + t p_k)^(R−1) Π_{j≠k} (F_j⁻ + t p_j)^R dt
        others = np.where(self.alive, np.exp(repeats * np.minimum(self.log_others, 0.0)), 0.0)
        shares = np.zeros(len(self.owner))
        points, weights = leggauss(24)
        for t, weight in zip((points + 1) / 2, weights / 2, strict=True):
            reached = self.below + t * self.mass
            product = others * np.exp(repeats * self._at_levels(np.log(reached)))
            shares += weight * repeats * self.mass / reached * product[self.level]
        return shares


def naive_worst_pair(
    candidates: int, candidate_epsilon: float
) -> tuple[CandidatePool, CandidatePool]:
    """Two neighbouring pools on which publishing the best of K runs costs all of K·ε1 (B.1)."""
    candidates = check_integer("candidates", candidates, low=1)
    epsilon = check_number("candidate_epsilon", candidate_epsilon, low=0.0, above=True)
    # the steady one wins e^(Kε1) times as often with the neighbour
    labels = ["steady", *(f"candidate {k}" for k in range(1, candidates + 1))]
    pools = []
    for low in (1 / (1 + math.exp(epsilon)), 1 / (1 + math.exp(-epsilon))):
        others = [(np.array([0.8, 0.95]), np.array([low, 1 - low]))] * candidates
        pools.append(CandidatePool([np.array([0.9]), *others], labels=labels))
    return pools[0], pools[1]


def zero_score_probability(failure: float, stop: float, thresholds: int) -> float:
    """P(score 0 comes out) after R thresholds: q·(qγ/(p(1−γ)+γ))^R, q = 1 − p = `failure`."""
    failure = check_open_interval("failure", failure)
    stop = check_number("stop", stop, low=0.0, high=1.0, above=True)
    thresholds = check_integer("thresholds", thresholds, low=0)
    return failure * (failure * stop / ((1 - failure) * (1 - stop) + stop)) ** thresholds


def decreasing_thresholds_loss(
    failure: float, stop: float, thresholds: int, candidate_epsilon: float
) -> float:
    """Loss between neighbours when thresholds come down: at least (R + 1)·ε1 (B.2)."""
    epsilon = check_number("candidate_epsilon", candidate_epsilon, low=0.0, above=True)
    most = 1 / (1 + math.exp(epsilon))
    failure = check_number("failure", failure, low=0.0, high=most, above=True)
    go_on = 1 - check_number("stop", stop, low=0.0, high=1.0, above=True)
    thresholds = check_integer("thresholds", thresholds, low=0)
    # p(1−γ) + γ here, over that in the world where a run fails e^ε1 times as often
    ratio = (1 - failure * go_on) / (1 - math.exp(epsilon) * failure * go_on)
    return (thresholds + 1) * epsilon + thresholds * math.log(ratio)
