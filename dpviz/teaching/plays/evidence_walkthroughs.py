"""Walkthroughs that put known things together: details of a row, lists of many weeks."""

from collections.abc import Callable, Sequence

import numpy as np
from numpy.random import Generator

from dpviz.base import Ints
from dpviz.teaching.lesson import Walkthrough, WalkthroughMove, WalkthroughRow

_SHOWN = 8  # releases that are told one by one


def play_reidentification(
    people: int,
    details: Sequence[tuple[str, int]],
    rng: Generator,
    outcome_of_matches: Callable[[int], int],
) -> Walkthrough:
    """Play the people who still fit, as one detail after the other is known."""
    rows = [WalkthroughRow("Nothing known", float(people), f"{people:,}", sign="now")]
    moves = [
        WalkthroughMove(
            f"A town has {people:,} people. If we know nothing, it may be any of them.", tuple(rows)
        )
    ]
    others = people - 1
    for name, kinds in details:
        others = int(rng.binomial(others, 1 / kinds))
        rows = [WalkthroughRow(one.name, one.value, one.shown) for one in rows] + [
            WalkthroughRow(f"and {name}", float(others + 1), f"{others + 1:,}", sign="now")
        ]
        fit = "nobody else fits" if not others else f"{others + 1:,} people still fit"
        moves.append(WalkthroughMove(f"Now we also know the {name}, and {fit}.", tuple(rows)))
    return Walkthrough(tuple(moves), outcome_of_matches(others))


def play_growing_evidence(
    names: tuple[str, str],
    winners: Ints,
    log_odds: tuple[float, float],
    outcome_of_wins: Callable[[int], int],
) -> Walkthrough:
    """Play winners, 0 or 1: after each, how many times as likely all are by the first law."""
    odds = np.exp(np.cumsum(np.where(winners == 0, *log_odds))).tolist()
    shown = min(_SHOWN, len(winners))

    def rows(upto: int) -> tuple[WalkthroughRow, ...]:
        told = [*range(min(upto + 1, shown)), *([upto] if upto >= shown else [])]
        return tuple(
            WalkthroughRow(
                f"{n + 1}: {names[winners[n]]}",
                odds[n],
                f"{odds[n]:.2f} times",
                sign="now" if n == upto else "",
            )
            for n in told
        )

    moves = [
        WalkthroughMove(
            "Before the first list both are equally likely.",
            (WalkthroughRow("none yet", 1.0, "1 time"),),
        )
    ]
    for n in range(shown):
        way = "up" if log_odds[winners[n]] > 0 else "down"
        moves.append(
            WalkthroughMove(f"*{names[winners[n]]}* wins, and the number goes {way}.", rows(n))
        )
    if len(winners) > shown:
        moves.append(
            WalkthroughMove(
                f"The lists go on, up to number {len(winners)}.", rows(len(winners) - 1)
            )
        )
    return Walkthrough(tuple(moves), outcome_of_wins(int((winners == 0).sum())))


def play_membership_guess(
    names: tuple[str, str],
    is_member: bool,
    winners: Ints,
    log_odds: tuple[float, float],
    rng: Generator,
) -> Walkthrough:
    """Play a reader who compares lists with two laws and says which one they fit better."""
    record = play_growing_evidence(names, winners, log_odds, lambda _: 0)
    total = float(np.where(winners == 0, *log_odds).sum())
    said = bool(rng.random() < 0.5) if total == 0 else total > 0
    last = record.moves[-1].rows
    right = "He is right" if said is is_member else "He is wrong"
    says = f"He says that she {'eats' if said else 'does not eat'} there. {right} this time."
    return Walkthrough((*record.moves, WalkthroughMove(says, last)), int(said is not is_member))
