"""Claims of Liu & Talwar 2018 on a choice among candidates that are (ε1, δ1)-private.

Symbols: a pair has the extreme masses of `private_candidates.neighbouring_pool_pairs`, of which δ1 is moved to a
score that the neighbour never has, and the other way round; γ is the chance to stop, T the limit,
δ(ε) that of the choice.
"""

import math
from collections.abc import Iterator
from itertools import islice

import numpy as np

from dpviz import CandidatePool, KnownThreshold, RandomStopping, privacy_loss
from dpviz.base import Floats
from dpviz.candidates import CandidateRule, limit_for_delta
from dpviz.export.reproduction.claims.claim import Finding, Vectors, register_claim
from dpviz.export.reproduction.claims.private_candidates import neighbouring_pool_pairs

_E1, _D1, _E0, _D2 = 0.5, 1e-4, 0.1, 1e-3
_STOPS = (0.1, 1e-3)
_EVERY = 16  # of the extreme pairs: it is δ1 that tells
_ONLY = (
    (3.0, -1.0),
    (-1.0, 3.0),
    (3.0, 4.0),
)  # the scores that only the one has, and only the other


def approximate_pairs() -> Iterator[tuple[CandidatePool, CandidatePool]]:
    """Pools of one candidate and neighbours of theirs, (ε1, δ1)-close both ways."""
    for pair in islice(neighbouring_pool_pairs(_E1), 0, None, _EVERY):
        masses = [pool.candidates[0].mass for pool in pair]
        for only in _ONLY:
            one, other = (_mixed(p, at) for p, at in zip(masses, only, strict=True))
            yield one, other


def _mixed(mass: Floats, only: float) -> CandidatePool:
    return CandidatePool([(np.array([0.0, 1.0, 2.0, only]), np.append((1 - _D1) * mass, _D1))])


def largest_pair_delta(rule: CandidateRule, epsilon: float) -> float:
    """The largest δ(ε) of the rule over `approximate_pairs`, both ways."""
    return max(
        privacy_loss(rule, *ordered).delta(epsilon)
        for one, other in approximate_pairs()
        for ordered in ((one, other), (other, one))
    )


def _finding(shares: list[float], why: str) -> Finding:
    cases = f"Over {sum(1 for _ in approximate_pairs()):,} extreme pairs and γ = 0.1, 0.001"
    return Finding(
        values={"the largest δ over the bound": max(shares)}, error=1e-9, why=f"{cases}{why}"
    )


@register_claim(
    "candidates.theorem_3_1c",
    where="Theorem 3.1c",
    says=(
        "Of (ε1, δ1)-private candidates the known threshold is (2ε1 + ε0, 3e^(2ε1+ε0)·δ1/γ)-private"
        " (ε1 = 0.5, δ1 = 10⁻⁴, ε0 = 0.1)."
    ),
    printed="at most 1× that δ",
    high=1.0,
    unit="×",
    seconds=0.7,
)
def _theorem_3_1c(vectors: Vectors) -> Finding:
    total = 2 * _E1 + _E0
    shares = [
        largest_pair_delta(KnownThreshold(threshold=1.0, stop=stop, epsilon0=_E0), total)
        / (3 * math.exp(total) * _D1 / stop)
        for stop in _STOPS
    ]
    return _finding(
        shares,
        ". What tells is a score that only one side has: it comes out with at most "
        f"δ1/γ, and the factor 3e^{total:.1f} = {3 * math.exp(total):.1f} is not needed for it.",
    )


@register_claim(
    "candidates.theorem_3_4",
    where="Theorem 3.4",
    says=(
        "With a hard stop at T = log(1/δ2)/γ random stopping is (3ε1 + 3√(2δ1), √(2δ1)·T +"
        " δ2)-private (ε1 = 0.5, δ1 = 10⁻⁴, δ2 = 10⁻³)."
    ),
    printed="at most 1× that δ",
    high=1.0,
    unit="×",
    seconds=0.7,
)
def _theorem_3_4(vectors: Vectors) -> Finding:
    root = math.sqrt(2 * _D1)
    limits = [limit_for_delta(stop, _D2) for stop in _STOPS]
    shares = [
        largest_pair_delta(RandomStopping(stop=stop, limit=limit), 3 * _E1 + 3 * root)
        / (root * limit + _D2)
        for stop, limit in zip(_STOPS, limits, strict=True)
    ]
    return _finding(
        shares,
        f" (T = {limits[0]:,}, {limits[1]:,}). What tells is a score that only one side has: it "
        "comes out with at most δ1/γ, where the proof counts the root of δ1 once a run.",
    )
