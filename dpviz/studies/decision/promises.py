"""What an ε promises one person, in odds, and what a cap on how much one person counts would save.

Symbols: p = what somebody believes beforehand; c = in how many items one person can count at most.
Invariant: posterior bounds are those of pure ε-DP; no cap is told that a mechanism does not turn into a smaller ε.
"""

from collections.abc import Iterable
from dataclasses import dataclass

from dpviz.base import Scores
from dpviz.privacy.odds import guess_bound, posterior_bound
from dpviz.studies import Design

PRIORS = (0.01, 0.1, 0.5)
_LADDER = (1, 2, 3, 5, 10, 20, 50, 100, 200, 500, 1000)


@dataclass(frozen=True)
class Odds:
    """Of one ε: how often a guess at 50/50 can be right at most, and what each prior belief can become at most."""

    epsilon: float
    guess: float
    beliefs: tuple[tuple[float, float], ...]


def odds(epsilon: float, priors: Iterable[float] = PRIORS) -> Odds:
    """The odds of a pure ε.

    >>> told = odds(0.1)
    >>> round(told.guess, 3), [(p, round(after, 3)) for p, after in told.beliefs]
    (0.525, [(0.01, 0.011), (0.1, 0.109), (0.5, 0.525)])
    """
    return Odds(epsilon, guess_bound(epsilon), tuple((p, posterior_bound(p, epsilon)) for p in priors))


@dataclass(frozen=True)
class Cap:
    """The smallest ε for the goal if each person counted in at most so many items.

    Parameters
    ----------
    contributions
        How many.
    design
        The index of the design that needs it.
    label
        What people call that design.
    epsilon
        The smallest ε.
    """

    contributions: int
    design: int
    label: str
    epsilon: float


def caps(designs: Iterable[tuple[Design, float]], scores: Scores, k: int) -> tuple[Cap, ...]:
    """What a cap would save: for each design with the ε it needs now, as if the scores stayed as they are.

    A law depends on ε over the unit price alone, so the ε needed goes as the price does. Only caps below what holds
    now that save something are told, the tightest first.

    >>> told = caps([(Design(), 1.0)], Scores([9, 4, 2], monotonic=True), 2)
    >>> [(cap.contributions, cap.epsilon) for cap in told]
    [(1, 0.5)]
    """
    known = [(i, design, design.build(1.0, k), epsilon) for i, (design, epsilon) in enumerate(designs)]
    now = min((epsilon for *_, epsilon in known), default=0.0)
    saving: list[Cap] = []
    for c in _LADDER:
        if c >= (scores.d if scores.contributions is None else scores.contributions):
            break
        saved = (
            (epsilon * m.unit_price(c) / m.unit_price(scores.contributions), i, design)
            for i, design, m, epsilon in known
        )
        epsilon, i, design = min(saved, key=lambda each: each[:2], default=(now, 0, Design()))
        if epsilon < now * (1 - 1e-9):
            saving.append(Cap(c, i, design.label_for(k, c), epsilon))
    return tuple(saving)
