"""What an ε promises one person, in odds.

Symbols: p = what somebody believes beforehand.
Invariant: posterior bounds are those of pure ε-DP; with a δ no bound holds for every output, and there are none.
"""

from collections.abc import Iterable
from dataclasses import dataclass

from dpviz.privacy.odds import guess_bound, posterior_bound

PRIORS = (0.01, 0.1, 0.5)


@dataclass(frozen=True)
class Odds:
    """How often a guess at 50/50 can be right at most, and what each prior belief can become at most: none with a δ."""

    epsilon: float
    guess: float
    beliefs: tuple[tuple[float, float], ...]


def odds(epsilon: float, delta: float = 0.0, priors: Iterable[float] = PRIORS) -> Odds:
    """The odds of (ε, δ).

    >>> promised = odds(0.1)
    >>> round(promised.guess, 3), [(p, round(after, 3)) for p, after in promised.beliefs]
    (0.525, [(0.01, 0.011), (0.1, 0.109), (0.5, 0.525)])
    """
    beliefs = () if delta else tuple((p, posterior_bound(p, epsilon)) for p in priors)
    return Odds(epsilon, guess_bound(epsilon, min(delta, 1.0)), beliefs)
