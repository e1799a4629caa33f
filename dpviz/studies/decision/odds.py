"""What releases promise one person, in odds.

Symbols: p = what somebody believes beforehand.
Invariant: posterior bounds are those of pure ε-DP; with a δ no bound holds for every output, and
there are none. How often a guess is right is what the cost of the same releases says.
"""

from collections.abc import Iterable
from dataclasses import dataclass

from dpviz.privacy.odds import posterior_bound

PRIORS = (0.01, 0.1, 0.5)


@dataclass(frozen=True)
class AttackerOdds:
    """How often a guess at 50/50 can be right at most, and what each prior belief can become at
    most: none with a δ.
    """

    epsilon: float
    guess: float
    beliefs: tuple[tuple[float, float], ...]


def attacker_odds(
    epsilon: float, guess: float, *, pure: bool = True, priors: Iterable[float] = PRIORS
) -> AttackerOdds:
    """The odds that releases promise.

    Examples
    --------
    >>> promised = attacker_odds(0.1, 0.525)
    >>> promised.guess, [(p, round(after, 3)) for p, after in promised.beliefs]
    (0.525, [(0.01, 0.011), (0.1, 0.109), (0.5, 0.525)])
    """
    return AttackerOdds(
        epsilon, guess, tuple((p, posterior_bound(p, epsilon)) for p in priors) if pure else ()
    )
