"""The utility of a rule's releases: score, place among all runs, and their change with γ.

Symbols: Q = a uniform candidate, run once; γ = stop probability. The mean score is given that
something comes out; `within` counts nothing (⊥) as a miss.
Invariant: pools of atoms only. Source: Liu & Talwar 2018, Thm 3.2 (random stopping falls below the
top-p quantile with probability ≤ γ/p).
"""

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass

import numpy as np

from dpviz.base import (
    Floats,
    ParameterError,
    Progress,
    ReadOnlyArrays,
    check_open_interval,
    ignore_progress,
    iterate_with_progress,
    tally,
)
from dpviz.candidates.naive_choice import naive_best, naive_epsilon
from dpviz.candidates.pool import CandidatePool
from dpviz.candidates.rules import CandidateRule, SelectionLaw, check_run_privacy

_TAIL = 0.1  # of the runs, at the low end, that columns leave out


@dataclass(frozen=True)
class RuleUtility:
    """Mean score, P(within the top share), P(⊥) and mean number of runs of a rule."""

    score: float | None
    within: float
    bottom: float
    runs: float
    error: float


def top_quantile(pool: CandidatePool, share: float) -> float:
    """The largest score z with P(a run of Q scores ≥ z) > `share`."""
    share = check_open_interval("share", share)
    pool.check_discrete()
    return float(pool.score_levels[pool.level_sf + pool.level_mass > share][-1])


def rule_utility(law: SelectionLaw, share: float) -> RuleUtility:
    quantile = top_quantile(law.pool, share)
    scores, mass = law.score_law.scores, law.score_law.mass
    out = float(mass.sum())
    return RuleUtility(
        score=float(scores @ mass) / out if out > 0 else None,
        within=float(mass[scores >= quantile].sum()),
        bottom=law.bottom,
        runs=law.runs.mean,
        error=law.error,
    )


def mean_score_error(utility: RuleUtility, pool: CandidatePool) -> float:
    """Bound on the error of the mean score.

    Each level counts from the mean on, where chances are summed from the outside and wrong by
    `error` at most; the sum is over their range, and divided by the chance that a score comes out.
    """
    levels, out = pool.score_levels, 1.0 - utility.bottom - utility.error
    if out <= 0.0:
        return math.inf
    rounding = 2.0**-52 * len(levels) * float(np.abs(levels).max())
    return utility.error * float(np.ptp(levels)) / out + rounding


@dataclass(frozen=True, eq=False)
class StopProbabilityCurve(ReadOnlyArrays):
    """Utility over stop probabilities, arrays of shape (n,)."""

    stop: Floats
    score: Floats
    within: Floats
    bottom: Floats
    runs: Floats
    error: float

    def figure_at(self, name: str, stop: float) -> float | None:
        """A figure at this stop probability, by its field's name; None beyond the curve."""
        if not self.stop[0] <= stop <= self.stop[-1]:
            return None
        return float(np.interp(np.log(stop), np.log(self.stop), getattr(self, name)))


def stop_probability_curve(
    make: Callable[[float], CandidateRule],
    pool: CandidatePool,
    share: float,
    stops: Sequence[float],
    progress: Progress = ignore_progress,
) -> StopProbabilityCurve:
    utilities = [
        rule_utility(make(stop).distribution(pool, progress=part), share)
        for stop, part in iterate_with_progress(stops, progress)
    ]
    lowest = float(pool.score_levels[0])
    return StopProbabilityCurve(
        stop=np.array(stops, float),
        score=np.array([lowest if u.score is None else u.score for u in utilities]),
        within=np.array([u.within for u in utilities]),
        bottom=np.array([u.bottom for u in utilities]),
        runs=np.array([u.runs for u in utilities]),
        error=max(u.error for u in utilities),
    )


@dataclass(frozen=True)
class RulePrice:
    """The cost and the utility of a way to choose."""

    name: str
    epsilon: float | None
    delta: float | None
    utility: RuleUtility
    problem: ParameterError | None = None


def rule_prices(
    rules: Sequence[CandidateRule],
    pool: CandidatePool,
    candidate_epsilon: float,
    candidate_delta: float,
    share: float,
    progress: Progress = ignore_progress,
) -> list[RulePrice]:
    """Cost and utility of every rule, one run of Q, and the naive best of K."""
    epsilon, delta = check_run_privacy(candidate_epsilon, candidate_delta)
    level, mass = pool.score_levels, pool.level_mass
    within = min(1.0, float(mass[level >= top_quantile(pool, share)].sum()))
    one = RuleUtility(float(level @ mass), within, 0.0, 1.0, 1e-15 * len(level) ** 0.5)
    table = [RulePrice("one", epsilon, delta, one)]
    for done, rule in enumerate(rules):
        worth = rule_utility(rule.distribution(pool), share)
        try:
            table.append(RulePrice(rule.name, *rule.total_epsilon(epsilon, delta), worth))
        except ParameterError as err:
            table.append(RulePrice(rule.name, None, None, worth, err))
        progress((done + 1) / (len(rules) + 1))
    total = naive_epsilon(pool.size, epsilon), min(1.0, pool.size * delta)
    naive = RulePrice("naive", *total, rule_utility(naive_best(pool), share))
    progress(1.0)
    return [*table, naive]


@dataclass(frozen=True, eq=False)
class ScoreBins(ReadOnlyArrays):
    """Masses of scores in n bins: of what comes out, and of one run of Q."""

    edges: Floats
    out: Floats
    run: Floats
    below: tuple[float, float]
    single: bool


def score_bins(law: SelectionLaw, bin_limit: int = 60) -> ScoreBins:
    """The scores of a law in up to `bin_limit` bins, each a whole number of steps of their grid."""
    pool, drawn = law.pool, law.score_law
    pool.check_discrete()
    drawn_sf = np.append(np.cumsum(drawn.mass[::-1])[::-1], 0.0)[1:]
    visible = (pool.level_sf < 1 - _TAIL) | np.isin(
        pool.score_levels, drawn.scores[drawn_sf < 1 - _TAIL]
    )
    level = pool.score_levels[int(np.argmax(visible)) :]
    step = float(np.diff(level).min()) if len(level) > 1 else 1.0
    spread = float(level[-1] - level[0])
    width = step * max(1, int(np.ceil((spread / step + 1) / bin_limit)))
    edges = level[0] - step / 2 + width * np.arange(np.floor((spread + step / 2) / width) + 2)
    where = np.searchsorted(edges, level, side="right") - 1
    run, run_below = _binned(pool.score_levels, pool.level_mass, edges)
    out, out_below = _binned(drawn.scores, drawn.mass, edges)
    return ScoreBins(
        edges, out, run, (out_below, run_below), single=len(np.unique(where)) == len(level)
    )


def _binned(scores: Floats, mass: Floats, edges: Floats) -> tuple[Floats, float]:
    where = np.searchsorted(edges, scores, side="right") - 1
    inside = where >= 0
    bins = tally(np.minimum(where[inside], len(edges) - 2), mass[inside], len(edges) - 1)
    return bins.astype(float), float(mass[~inside].sum())
