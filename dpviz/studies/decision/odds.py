"""Odds that releases promise one person; with a δ no bound on beliefs holds for every output."""

from collections.abc import Iterable
from dataclasses import dataclass

from dpviz.privacy.odds import posterior_bound

PRIORS = (0.01, 0.1, 0.5)


@dataclass(frozen=True)
class AttackerOdds:
    """Bound on right guesses from 50/50, and on each prior belief; no beliefs with a δ."""

    epsilon: float
    guess: float
    beliefs: tuple[tuple[float, float], ...]


def attacker_odds(
    epsilon: float, guess: float, *, pure: bool = True, priors: Iterable[float] = PRIORS
) -> AttackerOdds:
    """Odds at this ε and guess bound.

    >>> promised = attacker_odds(0.1, 0.525)
    >>> promised.guess, [(p, round(after, 3)) for p, after in promised.beliefs]
    (0.525, [(0.01, 0.011), (0.1, 0.109), (0.5, 0.525)])
    """
    return AttackerOdds(
        epsilon, guess, tuple((p, posterior_bound(p, epsilon)) for p in priors) if pure else ()
    )
