"""Worlds that do not have the same names, and mechanisms that need to know all names: each runs on
those it has.

Symbols: a world's own items are those of both worlds but for the names that the other world alone
has.
Invariants: where names were not known beforehand, a score of 0 here and not in the neighbour is a
name that this world lacks. A mechanism that needs names cannot publish it here, so where it comes
out in the other its loss is infinite.
"""

import math
from collections.abc import Iterable
from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from dpviz.base import Floats, Ints, Progress, ReadOnlyArrays, Scores, check_integer, portion
from dpviz.gaps.gap_law import GapLaw
from dpviz.privacy.loss import PrivacyLoss
from dpviz.privacy.outcomes import event_loss
from dpviz.privacy.top_k_loss import MOST_SETS, enumerated_loss
from dpviz.topk import TopKDistribution


def own_items_by_world(mechanism: Any, scores: Any, neighbour: Any) -> tuple[Ints, Ints] | None:
    """The items that each of two worlds has; None where they have the same, or the mechanism may
    run on all.

    >>> from dpviz import OneShot, Scores
    >>> here, there = (Scores(counts, names_known=False) for counts in ([3, 1, 0], [3, 0, 1]))
    >>> [items.tolist() for items in own_items_by_world(OneShot(epsilon=1.0, k=1), here, there)]
    [[0, 1], [0, 2]]
    """
    if mechanism.guarantee_holds(scores.names_known):
        return None
    lacks, lacks_there = (world.values == 0 for world in (scores, neighbour))
    if (lacks == lacks_there).all():
        return None
    return np.flatnonzero(~lacks | lacks_there), np.flatnonzero(~lacks_there | lacks)


def select_items(scores: Scores, items: Ints) -> Scores:
    """The scores of some items."""
    return replace(
        scores, values=scores.values[items], labels=[scores.label(item) for item in items.tolist()]
    )


@dataclass(frozen=True, eq=False)
class OwnItemsLaw(ReadOnlyArrays):
    """What comes out of a world's own items, told of the items of both worlds."""

    scores: Scores
    items: Ints
    own: Any

    def _placed(self, values: Floats | float) -> Floats:
        """Figures of its own items, and 0 for the others."""
        placed = np.zeros(self.scores.d)
        placed[self.items] = values
        return placed

    @property
    def chances(self) -> Floats:
        """P(it comes out) of every item, shape (d,); where nothing is said of it ½, with as large
        an error.
        """
        return self._placed(0.5 if self.own is None else self.own.chances[: len(self.items)])

    def bounds(self, probability: Floats) -> tuple[Floats, Floats]:
        """(low, high) of such chances."""
        low, high = (self._placed(side) for side in self.own.bounds(probability[self.items]))
        return low, high

    @property
    def error(self) -> Floats:
        """A bound on the error of each chance: there is none of what cannot come out."""
        return self._placed(0.5 if self.own is None else self.own.error)

    @property
    def draws(self) -> int:
        """How many draws figures rest on; 0 where they are exact."""
        return int(self.own.draws)

    def log_probability(self, answer: Iterable[int]) -> float:
        """log P(just these items come out)."""
        wanted = np.array(
            [check_integer("answer", item, low=0, high=self.scores.d - 1) for item in answer],
            np.int64,
        )
        if not np.isin(wanted, self.items).all():
            return -math.inf
        return float(self.own.log_probability(np.searchsorted(self.items, wanted).tolist()))

    @property
    def k(self) -> int:
        """How many items are asked for."""
        return len(self.items) if self.own is None else int(self.own.requested_count)

    @property
    def law(self) -> Any:
        """The law by rank, of its own items."""
        return self.own.law

    @property
    def seen(self) -> str:
        """What an output is taken to be, in words."""
        return getattr(self.own, "seen", "which items come out")


def own_items_loss(
    mechanism: Any, worlds: tuple[Scores, Scores], items: tuple[Ints, Ints], progress: Progress
) -> PrivacyLoss:
    """The privacy loss where each world runs on its own items: infinite where one has a name that
    may come out.

    Exact by enumeration where sets are few, else at least so large, by the chances of single items.
    """
    parts = portion(progress, 0.0, 0.25), portion(progress, 0.25, 0.5)
    enough = getattr(mechanism, "k", 1) + 1
    laws: list[Any] = [  # they have what is asked of laws of sets
        OwnItemsLaw(
            world,
            own,
            mechanism.exact_law(select_items(world, own), part) if len(own) >= enough else None,
        )
        for world, own, part in zip(worlds, items, parts, strict=True)
    ]
    dist, other = laws
    ceiling, rest = mechanism.privacy_ceiling(*worlds), portion(progress, 0.5, 1.0)
    sets = all(isinstance(law.own, TopKDistribution | GapLaw) for law in laws)
    if not sets or math.comb(dist.scores.d, dist.k) > MOST_SETS:
        return event_loss(dist, other, None, ceiling, rest)
    loss = enumerated_loss(dist, other, ceiling, rest)
    return loss if dist.own.whole else replace(loss, method="at least", error=0.0)
