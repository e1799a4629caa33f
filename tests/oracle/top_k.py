"""The laws of the top-k mechanisms, from mechanisms.md 1 and 3–7, in exact arithmetic and balls.

Symbols: x = f/Δ_eff ranked, rationals; class (h, t): how many top ranks are all in, and the worst
rank in. A `Truth` tells within, inclusion by 0-based rank, the classes, and log P of a set of
0-based ranks.
Invariants: scores, Δ, ε and γ are the rationals that the floats are; nothing is pruned.
"""

import math
from abc import ABC, abstractmethod
from collections.abc import Sequence
from itertools import combinations, permutations, product

from flint import arb, fmpq

from dpviz import Canonical, JointExponential, OneShot, Peeling, Scores, TopKMechanism
from dpviz.base.arrays import cached_property
from tests.oracle.balls import exact, precise
from tests.oracle.races import largest_sets, log_exact_set, log_winner, winners

Class = tuple[int, int]
Ranks = tuple[int, ...]


def ranked(scores: Scores) -> tuple[list[fmpq], list[int]]:
    """x in descending order, and the item at each rank; ties keep input order."""
    values = [exact(value) for value in scores.values.tolist()]
    order = sorted(range(len(values)), key=lambda i: -values[i])
    unit = exact(scores.sensitivity) / (2 if scores.monotonic else 1)
    return [values[i] / unit for i in order], order


def class_of(ranks: Ranks, k: int) -> Class:
    """(h, t) of a set of 0-based ranks; the exact top-k is (k − 1, k)."""
    chosen = sorted(ranks)
    if chosen == list(range(k)):
        return k - 1, k
    return next(h for h, rank in enumerate(chosen) if rank != h), chosen[-1] + 1


class Truth(ABC):
    """The law of the k chosen of d ranks."""

    d: int
    k: int
    most_classes = 400  # that are worth listing
    spread = fmpq(0)  # between the noisy levels; log P of a set is an integral over all of it

    @abstractmethod
    def within(self, events: Sequence[tuple[int, int]]) -> list[arb]:
        """P(ranks 1..a are all in, none worse than b is in), for every (a, b)."""

    @abstractmethod
    def inclusion(self, ranks: Sequence[int]) -> list[arb]:
        """P(that 0-based rank is in)."""

    @abstractmethod
    def log_probability(self, ranks: Ranks) -> arb:
        """log P of one set of 0-based ranks."""

    @cached_property
    def classes(self) -> dict[Class, arb]:
        """Every class with its probability: second differences of within."""
        k, d = self.k, self.d
        events = [(a, b) for a in range(k + 1) for b in range(k, d + 1)]
        chance = dict(zip(events, self.within(events), strict=True))
        top = chance[k, k]
        found = {(k - 1, k): top}
        for h, t in product(range(k), range(k + 1, d + 1)):
            here, more = (chance[a, t] - chance[a, t - 1] for a in (h, h + 1))
            found[h, t] = here - more
        return found


class _Classes(Truth):
    """Canonical: equally likely members."""

    def __init__(self, x: list[fmpq], m: Canonical) -> None:
        self.d, self.k, self.noise = len(x), m.k, m.noise
        d, k, gamma = self.d, self.k, exact(m.gamma)
        pairs = product(range(k), range(k + 1, d + 1))
        self.size = {(k - 1, k): 1, **{(h, t): math.comb(t - h - 2, k - 1 - h) for h, t in pairs}}
        rate = -exact(m.epsilon) / 2
        loss = {(h, t): (1 - gamma) * x[h] - gamma * x[t - 1] for h, t in self.size}
        if m.rounded:  # a millionth of a person is rounding of the scores
            loss = {c: (each - fmpq(1, 10**6)).ceil() for c, each in loss.items()}
        self.score = {c: rate * each for c, each in loss.items()}
        self.spread = max(self.score.values()) - min(self.score.values())

    @cached_property
    def classes(self) -> dict[Class, arb]:
        found = winners(self.noise, list(self.score.values()), list(self.size.values()))
        return dict(zip(self.score, found, strict=True))

    def within(self, events: Sequence[tuple[int, int]]) -> list[arb]:
        top, every = (self.k - 1, self.k), self.classes.items()
        return [
            sum((p for c, p in every if c == top or (c[0] >= a and c[1] <= b)), arb(0))
            for a, b in events
        ]

    def inclusion(self, ranks: Sequence[int]) -> list[arb]:
        every = self.classes.items()
        return [sum((p * self._share(c, rank + 1) for c, p in every), arb(0)) for rank in ranks]

    def _share(self, c: Class, rank: int) -> fmpq:
        """The part of the members of a class that hold a 1-based rank."""
        h, t = c
        if t == self.k:
            return fmpq(int(rank <= self.k))
        if rank <= h or rank == t:
            return fmpq(1)
        if rank == h + 1 or rank > t:
            return fmpq(0)
        return fmpq(self.k - h - 1, t - h - 2)

    def log_probability(self, ranks: Ranks) -> arb:
        own, scores, sizes = class_of(ranks, self.k), list(self.score), list(self.size.values())
        at = scores.index(own)
        found = log_winner(self.noise, list(self.score.values()), sizes, at)
        return found - arb(self.size[own]).log()


class _Largest(Truth):
    """One-shot, and whatever has its law."""

    most_classes = 8

    def __init__(self, x: list[fmpq], m: OneShot | Peeling) -> None:
        self.d, self.k, self.noise = len(x), m.k, m.noise
        self.levels = [exact(m.epsilon) / (2 * m.k) * value for value in x]
        self.spread = self.levels[0] - self.levels[-1]

    def within(self, events: Sequence[tuple[int, int]]) -> list[arb]:
        return largest_sets(self.noise, self.levels, self.k, events, [])[0]

    def inclusion(self, ranks: Sequence[int]) -> list[arb]:
        return largest_sets(self.noise, self.levels, self.k, [], ranks)[1]

    def log_probability(self, ranks: Ranks) -> arb:
        return log_exact_set(self.noise, self.levels, ranks)


class _Sets(Truth):
    """Every set of ranks with its weight."""

    def __init__(self, d: int, k: int, mass: dict[Ranks, arb]) -> None:
        self.d, self.k, self.mass = d, k, mass

    def within(self, events: Sequence[tuple[int, int]]) -> list[arb]:
        every = self.mass.items()
        return [
            sum((p for y, p in every if y[:a] == tuple(range(a)) and y[-1] < b), arb(0))
            for a, b in events
        ]

    @cached_property
    def classes(self) -> dict[Class, arb]:
        found: dict[Class, arb] = {}
        for ranks, p in self.mass.items():
            own = class_of(ranks, self.k)
            found[own] = found.get(own, arb(0)) + p
        return found

    def inclusion(self, ranks: Sequence[int]) -> list[arb]:
        return [sum((p for y, p in self.mass.items() if rank in y), arb(0)) for rank in ranks]

    def log_probability(self, ranks: Ranks) -> arb:
        return self.mass[tuple(sorted(ranks))].log()


class _Peeled(_Sets):
    """A chain over the sets taken so far."""

    def __init__(self, x: list[fmpq], m: Peeling) -> None:
        self.d, self.k, self.noise = len(x), m.k, m.noise
        self.levels = [exact(m.epsilon) / (2 * m.k) * value for value in x]
        self.spread = self.levels[0] - self.levels[-1]
        super().__init__(len(x), m.k, self._chain())

    def _left(self, taken: Ranks) -> list[int]:
        return [i for i in range(len(self.levels)) if i not in taken]

    def _chain(self) -> dict[Ranks, arb]:
        reached: dict[Ranks, arb] = {(): arb(1)}
        for _ in range(self.k):
            following: dict[Ranks, arb] = {}
            for taken, mass in reached.items():
                left = self._left(taken)
                chances = winners(self.noise, [self.levels[i] for i in left], [1] * len(left))
                for i, p in zip(left, chances, strict=True):
                    further = tuple(sorted((*taken, i)))
                    following[further] = following.get(further, arb(0)) + mass * p
            reached = following
        return reached

    def log_probability(self, ranks: Ranks) -> arb:
        """The chain over the subsets of the set alone, each step right relative to itself."""
        reached: dict[Ranks, arb] = {(): arb(1)}
        for size in range(self.k):
            for taken in combinations(sorted(ranks), size):
                left = self._left(taken)
                levels = [self.levels[i] for i in left]
                for i in set(ranks) - set(taken):
                    step = log_winner(self.noise, levels, [1] * len(left), left.index(i)).exp()
                    further = tuple(sorted((*taken, i)))
                    reached[further] = reached.get(further, arb(0)) + reached[taken] * step
        return reached[tuple(sorted(ranks))].log()


def _joint(x: list[fmpq], m: JointExponential) -> _Sets:
    """P ∝ exp(−ε/2·max_l (x_[l] − y_l)/2), over sets or ordered lists."""
    answers = combinations if m.over == "sets" else permutations
    mass: dict[Ranks, arb] = {}
    for listed in answers(range(len(x)), m.k):
        loss = max(x[place] - x[rank] for place, rank in enumerate(listed)) / 2
        y = tuple(sorted(listed))
        mass[y] = mass.get(y, arb(0)) + (arb(-exact(m.epsilon) / 2 * loss)).exp()
    total = sum(mass.values(), arb(0))
    return _Sets(len(x), m.k, {y: w / total for y, w in mass.items()})


def truth(mechanism: TopKMechanism, scores: Scores) -> Truth:
    """The law that the definitions give."""
    x, _ = ranked(scores)
    with precise(256):
        if isinstance(mechanism, Canonical):
            return _Classes(x, mechanism)
        if isinstance(mechanism, JointExponential):
            return _joint(x, mechanism)
        if isinstance(mechanism, Peeling) and mechanism.noise != "gumbel":
            return _Peeled(x, mechanism)
        if isinstance(mechanism, OneShot | Peeling):
            return _Largest(x, mechanism)
    raise TypeError(f"no oracle for {type(mechanism).__name__}")
