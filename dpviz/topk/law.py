"""Base of the laws of the chosen set of ranks, and tables of classes.

Symbols: within(a,b) = P(ranks 1..a are all in, none worse than b is in), 0 ≤ a ≤ k ≤ b ≤ d.
Invariants: `error` bounds the error of any single figure, rounding, truncation and quadrature
included. An estimated law has `draws` instead.
"""

from abc import ABC, abstractmethod
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from typing import Any, ClassVar, Protocol

import numpy as np
from numpy.random import Generator

from dpviz.base import (
    Floats,
    Ints,
    ReadOnlyArrays,
    Scores,
    ValueEquality,
    cached_property,
    state_without_progress,
    tally,
)
from dpviz.numerics.hypergeometric import hypergeometric_mixture, hypergeometric_tail
from dpviz.topk.classes import (
    ClassScore,
    classes_of_rank_lists,
    classes_of_rank_sets,
    log_class_size,
)

Draw = Callable[[int, Generator], Ints]
"""draw(size, rng): sets as ascending 0-based ranks, shape (size, k)."""


@dataclass(frozen=True, eq=False)
class ClassTable(ReadOnlyArrays, ValueEquality):
    """Classes with non-negligible mass, as parallel arrays, and a bound on the mass not listed."""

    h: Ints
    t: Ints
    probability: Floats
    missing: float


def row_chunks(size: int, width: int, cells: int = 2_000_000) -> Iterator[slice]:
    """Slices of `size` rows of `width` entries each, with about `cells` entries together."""
    rows = max(1, cells // max(1, width))
    for start in range(0, size, rows):
        yield slice(start, min(start + rows, size))


class RankLaw(ReadOnlyArrays, ABC):
    d: int
    k: int
    error: float
    alike_in_classes: ClassVar[bool] = False  # True if the members of a class are equally likely
    shorter: ClassVar[bool] = False  # True if fewer than k may come out

    def __getstate__(self) -> dict[str, Any]:
        return state_without_progress(self)

    @property
    def draws(self) -> int:
        """Number of draws behind an estimated law; 0 for an exact one."""
        return 0

    @abstractmethod
    def within_table(self, complete_ranks: Ints, worst_ranks: Ints) -> Floats:
        """P(best `complete_ranks[i]` ranks in, none worse than `worst_ranks[j]`), a row for each i.

        Complete ranks lie in 0..k, worst ranks in k..d.
        """

    def within_pairs(self, complete_ranks: Ints, worst_ranks: Ints) -> Floats:
        """The same for pairs: `complete_ranks[i]` with `worst_ranks[i]`."""
        a_levels, row = np.unique(complete_ranks, return_inverse=True)
        b_levels, column = np.unique(worst_ranks, return_inverse=True)
        return np.asarray(self.within_table(a_levels, b_levels)[row, column])

    def rough_within_table(self, complete_ranks: Ints, worst_ranks: Ints) -> Floats:
        """`within_table` to about 1e-3, to find the mass quickly."""
        return self.within_table(complete_ranks, worst_ranks)

    def full_length_within(self, complete_rank: int, worst_rank: int) -> float:
        """P(the best `complete_rank` ranks in, none worse than `worst_rank`, list as long as can be)."""
        return self.within(complete_rank, worst_rank)

    def mean_worst_rank_excess(self) -> float:
        """Mean of max(t, k) − k for the worst rank t: Σ_{b=k}^{d−1} P(a rank after b is in)."""
        within = self.within_table(np.array([0]), np.arange(self.k, self.d))
        return float(np.sum(1.0 - np.clip(within, 0.0, 1.0)))

    def best_list_probabilities(self) -> Floats:
        """P(the list is exactly the best j) for j = 0..k, or an upper bound; shape (k + 1,)."""
        return self.length()

    def length(self) -> Floats:
        """P(exactly j come out) for j = 0..k, shape (k + 1,)."""
        return np.asarray(np.eye(self.k + 1)[self.k])

    @abstractmethod
    def inclusion(self) -> Floats:
        """P(rank r is in), shape (d,)."""

    @abstractmethod
    def hits(self, hit_rank_count: int) -> Floats:
        """P(exactly j of the ranks 1..best are in) for j = 0..k, shape (k + 1,); best in k..d."""

    def hits_at_least(self, hit_rank_count: int, least_hits: int) -> float | None:
        """P(`least_hits` or more of the ranks 1..best are in); None unless it is faster than
        `hits`.
        """
        return None

    @abstractmethod
    def log_probability(self, ranks: Ints) -> float:
        """log P of a set of ascending 0-based ranks, k of them or fewer if the law is `shorter`."""

    @abstractmethod
    def classes(self) -> ClassTable:
        """The table of classes; computed when first needed."""

    def within(self, a: int, b: int) -> float:
        """within(a,b) as one figure in [0, 1]."""
        return float(np.clip(self.within_table(np.array([a]), np.array([b]))[0, 0], 0.0, 1.0))


class ClassTableLaw(RankLaw):
    """A law with masses on classes: sums over them give within."""

    def within_table(self, complete_ranks: Ints, worst_ranks: Ints) -> Floats:
        table = self.classes()
        a_levels, a_back = np.unique(complete_ranks, return_inverse=True)
        b_levels, b_back = np.unique(np.maximum(worst_ranks, self.k), return_inverse=True)
        # C(h,t) counts if h ≥ a and t ≤ b, the exact top-k always
        other = (table.t > self.k) | (table.h < self.k - (not self.shorter))
        row = np.searchsorted(a_levels, table.h[other], side="right")
        column = np.searchsorted(b_levels, table.t[other], side="left")
        shape = (len(a_levels) + 1, len(b_levels) + 1)
        mass = tally(row * shape[1] + column, table.probability[other], shape[0] * shape[1])
        upward = np.cumsum(mass.reshape(shape)[::-1], axis=0)[::-1][1:]
        within = np.cumsum(upward, axis=1)[:, :-1] + table.probability[~other].sum()
        return np.asarray(within[np.ix_(a_back, b_back)])


@dataclass(frozen=True, eq=False)
class ClassLaw(ClassTableLaw):
    """Exact law: a probability for each class, and a uniform member of it."""

    d: int
    k: int
    h: Ints
    t: Ints
    probability: Floats
    missing: float
    error: float
    log_class: Callable[[int, int], float] = field(repr=False)
    alike_in_classes: ClassVar[bool] = True

    def classes(self) -> ClassTable:
        return ClassTable(self.h, self.t, self.probability, self.missing)

    def inclusion(self) -> Floats:
        """Ranks 1..h and t are in, h+1 is not, a body rank with probability (k−h−1)/(t−h−2)."""
        h, t, p = self.h, self.t, self.probability
        share = np.where(t > self.k, p * (self.k - h - 1) / np.maximum(t - h - 2, 1), 0.0)
        size, last = self.d + 1, np.maximum(h + 1, t - 1)
        # the first ranks alone take nothing away, so that no digits are lost
        complete = np.cumsum(tally(h, p, size)[::-1])[::-1][1:]
        body = np.cumsum(tally(h + 1, share, size) - tally(last, share, size))
        chance: Floats = complete + (body + tally(t - 1, p, size))[: self.d]
        return np.clip(chance, 0.0, 1.0)

    def hits(self, hit_rank_count: int) -> Floats:
        """All k if t ≤ best; otherwise ranks 1..h plus a hypergeometric number from the body."""
        out = hypergeometric_mixture(*self._beyond(hit_rank_count), self.k)
        out[self.k] += self.probability[self.t <= hit_rank_count].sum()
        return out

    def hits_at_least(self, hit_rank_count: int, least_hits: int) -> float:
        return float(self.probability[self.t <= hit_rank_count].sum()) + hypergeometric_tail(
            *self._beyond(hit_rank_count), least_hits
        )

    def _beyond(self, best: int) -> tuple[Ints, Ints, Ints, Ints, Floats]:
        """Of classes with t > best: body size, body ranks ≤ `best`, chosen in body, h, mass."""
        far = self.t > best
        h, t = self.h[far], self.t[far]
        return t - h - 2, best - h - 1, self.k - h - 1, h, self.probability[far]

    def log_probability(self, ranks: Ints) -> float:
        h, t = (int(v[0]) for v in classes_of_rank_sets(ranks[None, :], self.k))
        return self.log_class(h, t) - float(log_class_size(np.array(h), np.array(t), self.k))


class ListedLaw(ClassTableLaw):
    """A law that lists its sets: rows of `ranks`, padded with −1 if short, each with a weight."""

    ranks: Ints

    @property
    @abstractmethod
    def weight(self) -> Floats:
        """P(each row), times the number of draws where rows are draws."""

    @cached_property
    def _table(self) -> ClassTable:
        k, base = self.k, max(self.d, self.k) + 1
        h, t = (classes_of_rank_lists if self.shorter else classes_of_rank_sets)(self.ranks, k)
        code, back = np.unique(h * base + t, return_inverse=True)
        return ClassTable(code // base, code % base, self._sums(back, self.weight, len(code)), 0.0)

    def classes(self) -> ClassTable:
        return self._table

    def inclusion(self) -> Floats:
        row, column = np.nonzero(self.ranks >= 0)
        return np.minimum(self._sums(self.ranks[row, column], self.weight[row], self.d), 1.0)

    def hits(self, hit_rank_count: int) -> Floats:
        right = ((self.ranks >= 0) & (self.ranks < hit_rank_count)).sum(1)
        return self._sums(right, self.weight, self.k + 1)

    def _sums(self, place: Ints, weight: Floats, size: int) -> Floats:
        return tally(place, weight, size) / max(1, self.draws)


class SelectionMechanism(Protocol):
    @property
    def k(self) -> int:
        """Number of items that come out."""

    @property
    def epsilon(self) -> float:
        """The cost of one release."""

    @property
    def key(self) -> str:
        """A text that identifies the mechanism."""

    def largest_list_size(self, scores: Scores) -> int:
        """Largest number of items that can come out."""

    @property
    def exponential_rounds(self) -> int | None:
        """Number of rounds if the law is that of exponential mechanisms in turn; otherwise None."""

    @property
    def class_score(self) -> ClassScore | None:
        """The weight of C(h,t) if it alone decides the chance of a set; otherwise None."""

    def epsilon_cost_factor(self, contributions: int | None) -> float:
        """The share of its working ε that a release costs."""

    def class_loss(self, x: Floats, h: Ints, t: Ints) -> Floats | None:
        """The loss of C(h,t) on ranked scores if it is the same for all members; otherwise None."""

    def sample(self, scores: Scores, size: int = 1, *, rng: Generator | int) -> Ints:
        """Independent releases, item indices of shape (size, k)."""
