"""Random neighbouring pools up to the edge of (ε1, δ1)-DP, and the laws of their outputs."""

import math

import numpy as np

from dpviz.candidates import CandidatePool
from dpviz.candidates.score_laws import DiscreteScoreLaw

BOTTOM = (-1, -math.inf)  # nothing is published


def laws(rng, outcomes, epsilon, delta=0.0):
    """Two score laws over the same outcomes: ratios e^ε, e^(−ε) and 1, then δ1 moved apart."""
    kind = rng.choice([-1, 0, 1], outcomes, p=[0.4, 0.2, 0.4])
    kind[rng.permutation(outcomes)[:2]] = (-1, 1)
    weight = rng.gamma(rng.uniform(0.05, 1.0), size=outcomes) + 1e-4
    still = rng.uniform(0, 0.5) if (kind == 0).any() else 0.0
    total = {
        1: (1 - still) / (1 + math.exp(epsilon)),
        0: still,
        -1: (1 - still) / (1 + math.exp(-epsilon)),
    }
    p = np.empty(outcomes)
    for which, mass in total.items():
        here = kind == which
        if here.any():
            p[here] = mass * weight[here] / weight[here].sum()
    q = p * np.exp(epsilon * kind)
    if delta:
        first, second = rng.permutation(outcomes)[:2]
        p, q = (1 - delta) * p, (1 - delta) * q
        p[first] += delta
        q[second] += delta
    return p, q


def pools(rng, epsilon, delta=0.0, candidates=2, outcomes=4):
    """Two pools whose candidates are neighbours one by one; some scores tie across candidates."""
    pairs = []
    for _ in range(candidates):
        scores = rng.permutation(2 * outcomes)[:outcomes].astype(float)
        pairs.append((scores, *laws(rng, outcomes, epsilon, delta)))
    return (
        CandidatePool([(scores, p) for scores, p, _ in pairs]),
        CandidatePool([(scores, q) for scores, _, q in pairs]),
    )


def outcomes(rule, pool):
    """P(outcome) for every (candidate, score) and `BOTTOM`: what a person sees."""
    law = rule.distribution(pool)
    by_score = dict(zip(law.score_law.scores.tolist(), law.score_law.mass.tolist(), strict=True))
    level = dict(zip(pool.score_levels.tolist(), pool.level_mass.tolist(), strict=True))
    seen = {BOTTOM: law.bottom}
    for k, candidate in enumerate(pool.candidates):
        assert isinstance(candidate, DiscreteScoreLaw)
        for score, mass in zip(candidate.scores.tolist(), candidate.mass.tolist(), strict=True):
            seen[k, score] = by_score.get(score, 0.0) * mass / pool.size / level[score]
    return seen
