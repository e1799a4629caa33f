"""The privacy loss of a choice among private candidates: which run is published, with its score.

Symbols: two pools, candidate by candidate the laws of one run with and without a person; ε1 = the largest loss of
a single run; the ceiling is the rule's total at ε1.
Invariant: runs of equal score are shared among candidates in proportion. Where scores are continuous the output is
taken to be a range of scores, and nothing bounds ε1, so the ceiling is infinite.
"""

import math

import numpy as np

from dpviz.base.arrays import Floats, Ints
from dpviz.base.errors import ParameterError
from dpviz.base.progress import Progress, portion
from dpviz.candidates.laws import Continuous
from dpviz.candidates.pool import CandidatePool
from dpviz.candidates.rules import CandidateRule, SelectionLaw
from dpviz.privacy.loss import Ceiling, Output, PrivacyLoss
from dpviz.privacy.outcomes import outcome_loss

__all__ = ["candidates_loss", "single_run_epsilon"]

_RELATIVE = 1e-12
_TINY = 1e-12  # a total at ε1 = 0 is that at next to nothing
_QUANTILES = np.concatenate([10.0 ** np.arange(-12, -2), np.linspace(0.01, 0.5, 50)])


def candidates_loss(
    rule: CandidateRule, pool: CandidatePool, neighbour: CandidatePool, progress: Progress
) -> PrivacyLoss:
    """Exact for pools of runs or probabilities; at least where scores are continuous."""
    law = rule.distribution(pool, progress=portion(progress, 0.0, 0.5))
    other = rule.distribution(neighbour, progress=portion(progress, 0.5, 1.0))
    ceiling = _ceiling(rule, single_run_epsilon(pool, neighbour))
    if _continuous(pool) or _continuous(neighbour):
        return _ranges(law, other, ceiling)
    candidate, level = _outputs(pool, neighbour)
    p, q = (np.append(_chances(w, candidate, level), w.bottom) for w in (law, other))

    def output(at: int) -> Output:
        if at == len(candidate):
            return Output("nothing")
        return Output(f"{pool.label(int(candidate[at]))} with score {level[at]:g}", (int(candidate[at]),))

    # a run's chance is a product and right to a relative error; that of nothing may be what is left to 1
    nothing = law.bottom > 0 or other.bottom > 0
    error, other_error = (np.append(_RELATIVE * side[:-1], w.error * nothing) for w, side in ((law, p), (other, q)))
    return outcome_loss(p, q, error, other_error, output, ceiling, "the run, with its score")


def single_run_epsilon(pool: CandidatePool, neighbour: CandidatePool) -> float:
    """ε1: the largest loss of one run of any candidate; infinite where scores are continuous.

    >>> one, other = (CandidatePool([(np.array([0.0, 1.0]), np.array([p, 1 - p]))]) for p in (0.5, 0.25))
    >>> round(single_run_epsilon(one, other), 6)
    0.693147
    """
    if _continuous(pool) or _continuous(neighbour):
        return math.inf
    worst = 0.0
    for law, other in zip(pool.candidates, neighbour.candidates, strict=True):
        if not np.array_equal(law.scores, other.scores):
            return math.inf
        worst = max(worst, float(np.abs(np.log(law.mass / other.mass)).max()))
    return worst


def _continuous(pool: CandidatePool) -> bool:
    return any(isinstance(law, Continuous) for law in pool.candidates)


def _ceiling(rule: CandidateRule, epsilon: float) -> Ceiling:
    if epsilon == math.inf:
        return Ceiling(math.inf)
    try:
        return Ceiling(*rule.total_epsilon(max(epsilon, _TINY)))
    except ParameterError:  # no theorem covers these parameters, so nothing is promised
        return Ceiling(math.inf)


def _outputs(pool: CandidatePool, neighbour: CandidatePool) -> tuple[Ints, Floats]:
    """Every (candidate, score) that either pool has."""
    pairs = [
        (k, score)
        for k, laws in enumerate(zip(pool.candidates, neighbour.candidates, strict=True))
        for score in np.union1d(laws[0].scores, laws[1].scores).tolist()
    ]
    candidate, level = zip(*pairs, strict=True)
    return np.array(candidate, np.int64), np.array(level, float)


def _chances(law: SelectionLaw, candidate: Ints, level: Floats) -> Floats:
    """P(a run of this candidate with this score comes out): the chance of the score, shared in proportion."""
    pool = law.pool
    score_chance = dict(zip(law.score_law.scores.tolist(), law.score_law.mass.tolist(), strict=True))
    level_mass = dict(zip(pool.level.tolist(), pool.level_mass.tolist(), strict=True))
    own = [dict(zip(run.scores.tolist(), run.mass.tolist(), strict=True)) for run in pool.candidates]
    return np.array(
        [
            score_chance.get(score, 0.0) * own[k].get(score, 0.0) / pool.size / level_mass.get(score, 1.0)
            for k, score in zip(candidate.tolist(), level.tolist(), strict=True)
        ]
    )


def _ranges(law: SelectionLaw, other: SelectionLaw, ceiling: Ceiling) -> PrivacyLoss:
    """Ranges of scores between quantiles of single runs."""
    runs = [run for world in (law, other) for run in world.pool.candidates]
    smooth = [run.quantiles(_QUANTILES) for run in runs if isinstance(run, Continuous)]
    edges = np.unique(np.concatenate([*smooth, law.pool.level, other.pool.level]))
    masses = []
    for world in (law, other):
        above = np.concatenate([[1.0 - world.bottom], world.score_law.tail(edges), [0.0]])
        masses.append(np.append(np.maximum(-np.diff(above), 0.0), world.bottom))

    def output(at: int) -> Output:
        if at == len(edges) + 1:
            return Output("nothing")
        low = f"of at least {edges[at - 1]:g}" if at else "of any size"
        return Output(f"a score {low}" + (f" and below {edges[at]:g}" if at < len(edges) else ""))

    p, q = masses
    return outcome_loss(p, q, 2 * law.error, 2 * other.error, output, ceiling, "a range of scores")
