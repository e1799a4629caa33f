"""Walkthroughs decided item by item: coins, ranks of a list, runs."""

from collections.abc import Callable, Sequence

import numpy as np
from numpy.random import Generator

from dpviz.base import Bools, Floats, Ints
from dpviz.teaching.lesson import Sign, Walkthrough, WalkthroughMove, WalkthroughRow

_ENDS = 4  # answers that are told one by one at either end of a long run


def play_permute_and_flip(
    names: Sequence[str], votes: Floats, epsilon: float, rng: Generator
) -> Walkthrough:
    """Play permute-and-flip: in random order each flips its coin, and the first heads wins."""
    heads = np.exp(epsilon * (votes - votes.max()))
    order = rng.permutation(len(votes)).tolist()

    def rows(signs: dict[int, Sign]) -> tuple[WalkthroughRow, ...]:
        return tuple(
            WalkthroughRow(
                names[i],
                100 * heads[i],
                f"{100 * heads[i]:.0f}\u00a0of\u00a0100",  # in one line on a phone, too
                sign=signs.get(i, ""),
            )
            for i in order
        )

    moves = [
        WalkthroughMove(
            "The places are shuffled. Each has a coin. The bar shows how often it shows heads.",
            rows({}),
        )
    ]
    signs: dict[int, Sign] = {}
    for item in order:
        won = bool(rng.random() < heads[item])
        told = (
            "heads, so it wins and nobody else flips" if won else ("tails, so the next place flips")
        )
        moves.append(
            WalkthroughMove(
                f"*{names[item]}* flips its coin: {told}.",
                rows(signs | {item: "won" if won else "now"}),
            )
        )
        if won:  # at the latest the best, which always shows heads
            break
        signs[item] = "out"
    return Walkthrough(tuple(moves), item)


def play_canonical_list(
    names: Sequence[str], values: Floats, ranks: Ints, outcome_of_ranks: Callable[[Ints], int]
) -> Walkthrough:
    """Play the choice of a list by its best missing and its worst included rank."""
    chosen = sorted(ranks.tolist())
    k, worst = len(chosen), chosen[-1]
    ahead = next(n for n, rank in enumerate([*chosen, -1]) if rank != n)
    between = [rank for rank in chosen if ahead <= rank < worst]
    last = max(worst + 2, k + 2)

    def rows(
        sure: int, more: Sequence[int] = (), end: int | None = None
    ) -> tuple[WalkthroughRow, ...]:
        inside = {*range(sure), *more, *([] if end is None else [end])}
        return tuple(
            WalkthroughRow(
                names[n], float(values[n]), f"{values[n]:,.0f}", sign="won" if n in inside else ""
            )
            for n in range(last)
        )

    moves = [
        WalkthroughMove(f"The sorted file, best first. A release is a list of {k} items.", rows(0)),
        WalkthroughMove(
            f"A random choice decides how many of the first are all in: {ahead}.", rows(ahead)
        ),
    ]
    if worst >= ahead:
        moves.append(
            WalkthroughMove(
                f"It also decides the worst item in the list: *{names[worst]}*.",
                rows(ahead, end=worst),
            )
        )
    for number in range(1, len(between) + 1):
        says = (
            f"Between the two an item is drawn, all equally likely: *{names[between[number - 1]]}*."
        )
        moves.append(WalkthroughMove(says, rows(ahead, between[:number], worst)))
    moves.append(WalkthroughMove("The list is complete.", rows(0, chosen)))
    return Walkthrough(tuple(moves), outcome_of_ranks(ranks))


def sparse_vector_moves(
    names: Sequence[str],
    counts: Floats,
    threshold: float,
    noisy_threshold: float,
    noisy_counts: Floats,
    answers: Bools,
) -> tuple[WalkthroughMove, ...]:
    """Moves of a sparse vector: noisy counts against a noisy threshold, until a yes ends it."""
    asked = len(noisy_counts)
    told = range(asked) if asked <= 2 * _ENDS else [*range(_ENDS), *range(asked - _ENDS, asked)]

    def rows(upto: int, sign: Sign = "") -> tuple[WalkthroughRow, ...]:
        first = max(0, min(upto - 4, len(names) - 7))
        return tuple(
            WalkthroughRow(
                names[n],
                float(counts[n]),
                f"{counts[n]:,.0f}" if n > upto else f"{noisy_counts[n]:,.1f} with its noise",
                float(noisy_counts[n] - counts[n]) if n <= upto else 0.0,
                sign if n == upto else "out" if n < upto else "",
            )
            for n in range(first, min(first + 7, len(names)))
        )

    moves = [
        WalkthroughMove(
            f"The threshold is {threshold:,.0f}. Every count is compared with it.",
            rows(-1),
            threshold,
        ),
        WalkthroughMove(
            f"The threshold gets its noise once. Now it is {noisy_threshold:,.1f}.",
            rows(-1),
            noisy_threshold,
        ),
    ]
    for before, n in zip([-1, *told], told, strict=False):
        skipped = "Others get a no before. " if n > before + 1 else ""
        ends = (
            "reaches the threshold. It gets a yes, and the run ends"
            if answers[n]
            else "stays below. It gets a no, and the run goes on"
        )
        says = f"{skipped}*{names[n]}* gets its noise and {ends}."
        moves.append(
            WalkthroughMove(says, rows(n, "won" if answers[n] else "now"), noisy_threshold)
        )
    return tuple(moves)


def play_unprotected_best_run(names: Sequence[str], scores: Floats) -> Walkthrough:
    """Play runs one after the other, of which the best is published."""

    def rows(done: int, signs: dict[int, Sign]) -> tuple[WalkthroughRow, ...]:
        ran = [(float(score), f"{score:.2f}") for score in scores[:done]]
        shown = [*ran, *[(0.0, "")] * (len(names) - done)]
        return tuple(
            WalkthroughRow(name, *shown[n], sign=signs.get(n, "")) for n, name in enumerate(names)
        )

    moves = [WalkthroughMove("Nothing has run yet.", rows(0, {}))]
    for n, name in enumerate(names):
        says = f"*{name}* runs and scores {scores[n]:.2f}."
        moves.append(WalkthroughMove(says, rows(n + 1, {n: "now"})))
    best = int(np.argmax(scores))
    signs: dict[int, Sign] = {n: "won" if n == best else "out" for n in range(len(names))}
    says = f"Only the best run is published: *{names[best]}*."
    moves.append(WalkthroughMove(says, rows(len(names), signs)))
    return Walkthrough(tuple(moves), best)
