"""Walkthroughs of noisy selection: counts get noise, and the largest are taken.

Symbols: rate = 1 / scale of the noise.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.random import Generator

from dpviz.base import NOISES, Floats, Ints, NoiseName
from dpviz.teaching.lesson import Sign, Walkthrough, WalkthroughMove, WalkthroughRow

_ONE_BY_ONE, _AT_ONCE = 6, 4  # so few counts get their noise one by one, more in so many moves
_ROWS = 12  # that are shown
_NAMED = 4  # of what comes out, in the sentence


def first_winner(winners: Ints, noisy_scores: Floats) -> int:
    """Outcome of a single winner: its index."""
    return int(winners[0])


@dataclass(frozen=True, eq=False)
class NoisySelection:
    """A selection to play; `outcome` and `end` get the items taken and the noisy counts."""

    names: Sequence[str]
    counts: Floats
    noise: NoiseName
    rate: float
    says: str  # its first sentence
    outcome: Callable[[Ints, Floats], int] = first_winner
    k: int = 1
    bar: int | None = None  # a row that keeps out all that lie below it
    lift: Floats | None = None  # added to the noise, for a row with the largest noise of many
    end: Callable[[Ints, Floats], str] | None = None

    def play(self, rng: Generator) -> Walkthrough:
        """Play a selection: one count after the other gets noise, then the largest are taken."""
        noise = (
            NOISES[self.noise].sample(rng, len(self.counts))
            + (0.0 if self.lift is None else self.lift)
        ) / self.rate
        noisy = self.counts + noise
        order = np.argsort(-noisy, kind="stable")
        taken = (
            order[: self.k]
            if self.bar is None
            else order[: min(self.k, int(np.flatnonzero(order == self.bar)[0]))]
        )
        seen = _seen(self, noisy)
        moves = [WalkthroughMove(self.says, tuple(_row(self, item) for item in seen))]
        groups = [
            group
            for group in np.array_split(seen, len(seen) if len(seen) <= _ONE_BY_ONE else _AT_ONCE)
            if len(group)
        ]
        for number, group in enumerate(groups, 1):
            done = set(seen[: sum(map(len, groups[:number]))].tolist())
            rows = (
                _row(self, i, noise[i] if i in done else 0.0, "now" if i in group else "")
                for i in seen
            )
            moves.append(WalkthroughMove(_gets(self, group, noise), tuple(rows)))
        won = set(taken.tolist())
        rows = (_row(self, i, noise[i], "won" if i in won else "out") for i in _by(noisy, seen))
        moves.append(WalkthroughMove(_taken(self, taken, noisy), tuple(rows)))
        return Walkthrough(tuple(moves), self.outcome(taken, noisy))

    def play_peeling(self, rng: Generator) -> Walkthrough:
        """Play peeling: the largest is taken out, the others get new noise, and so on."""
        moves = [
            WalkthroughMove(
                self.says,
                tuple(_row(self, i) for i in np.argsort(-self.counts, kind="stable")[:_ONE_BY_ONE]),
            )
        ]
        left, chosen = list(range(len(self.counts))), []
        for turn in range(1, self.k + 1):
            noise = np.zeros(len(self.counts))
            noise[left] = NOISES[self.noise].sample(rng, len(left)) / self.rate
            noisy = self.counts + noise
            best = sorted(left, key=noisy.__getitem__, reverse=True)[:_ONE_BY_ONE]
            chosen.append(best[0])
            rows = (_row(self, i, noise[i], "won" if i == best[0] else "") for i in best)
            says = (
                f"Turn {turn} of {self.k}: the remaining items get new noise."
                f" *{self.names[best[0]]}* is highest and goes on the list."
            )
            moves.append(WalkthroughMove(says, tuple(rows)))
            left.remove(best[0])
        taken = np.array(chosen)
        moves.append(
            WalkthroughMove(
                _taken(self, taken, self.counts), tuple(_row(self, i, 0.0, "won") for i in chosen)
            )
        )
        return Walkthrough(tuple(moves), self.outcome(taken, self.counts))


def _seen(of: NoisySelection, noisy: Floats) -> Ints:
    """Rows worth a look, by count: those that are taken, the bar, the largest."""
    wanted = [
        *np.argsort(-noisy, kind="stable")[: of.k].tolist(),
        *([] if of.bar is None else [of.bar]),
    ]
    wanted += np.argsort(-of.counts, kind="stable").tolist()
    return _by(of.counts, np.array(list(dict.fromkeys(wanted))[: max(_ROWS, of.k + 2)]))


def _by(values: Floats, items: Ints) -> Ints:
    return items[np.argsort(-values[items], kind="stable")]


def _row(of: NoisySelection, item: int, noise: float = 0.0, sign: Sign = "") -> WalkthroughRow:
    count = float(of.counts[item])
    shown = (
        f"{count:,.0f}"
        if not noise
        else f"{count:,.0f} {'+' if noise > 0 else '−'} {abs(noise):,.1f}"
    )
    return WalkthroughRow(of.names[item], count, shown, float(noise), sign)


def _gets(of: NoisySelection, group: Ints, noise: Floats) -> str:
    if len(group) > 1:
        return "Each of the next counts gets its own noise."
    moved = noise[group[0]]
    way = "up" if moved > 0 else "down"
    return f"*{of.names[group[0]]}* gets its noise and goes {way} by {abs(moved):,.1f}."


def _taken(of: NoisySelection, taken: Ints, noisy: Floats) -> str:
    names = ", ".join(f"*{of.names[item]}*" for item in taken)
    says = f"{names or 'Nothing'} {'are' if len(taken) > 1 else 'is'} published."
    if len(taken) > _NAMED:
        says = f"The {len(taken)} marked items are published."
    return says if of.end is None else f"{says} {of.end(taken, noisy)}"
