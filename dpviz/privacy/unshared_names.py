"""Privacy losses where the worlds have different names, and each runs on its own.

Invariant: where names were not known beforehand, a score of 0 here and not in the neighbour is a
name that this world lacks: a mechanism that needs names cannot publish it here.
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
    """The items that each world has; None where they agree, or the mechanism may run on all.

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
    return replace(
        scores, values=scores.values[items], labels=[scores.label(item) for item in items.tolist()]
    )


@dataclass(frozen=True, eq=False)
class OwnItemsLaw(ReadOnlyArrays):
    """The law of one world's own items, on the items of both."""

    scores: Scores
    items: Ints
    own: Any

    def _placed(self, values: Floats | float) -> Floats:
        placed = np.zeros(self.scores.d)
        placed[self.items] = values
        return placed

    @property
    def chances(self) -> Floats:
        """P(it comes out) of every item, shape (d,); ½ ± ½ where there is no law."""
        return self._placed(0.5 if self.own is None else self.own.chances[: len(self.items)])

    def bounds(self, probability: Floats) -> tuple[Floats, Floats]:
        low, high = self.own.bounds(probability[self.items])
        return self._placed(low), self._placed(high)

    @property
    def error(self) -> Floats:
        """A bound on the error of each chance: 0 for items that cannot come out."""
        return self._placed(0.5 if self.own is None else self.own.error)

    @property
    def draws(self) -> int:
        return int(self.own.draws)

    def log_probability(self, answer: Iterable[int]) -> float:
        wanted = np.array(
            [check_integer("answer", item, low=0, high=self.scores.d - 1) for item in answer],
            np.int64,
        )
        if not np.isin(wanted, self.items).all():
            return -math.inf
        return float(self.own.log_probability(np.searchsorted(self.items, wanted).tolist()))

    @property
    def k(self) -> int:
        return len(self.items) if self.own is None else int(self.own.requested_count)

    @property
    def law(self) -> Any:
        return self.own.law

    @property
    def whole(self) -> bool:
        return bool(self.own.whole)

    @property
    def seen(self) -> str:
        return getattr(self.own, "seen", "which items come out")


def own_items_loss(
    mechanism: Any, worlds: tuple[Scores, Scores], items: tuple[Ints, Ints], progress: Progress
) -> PrivacyLoss:
    """The loss where each world runs on its own items, infinite if an unshared name comes out."""
    laws: list[Any] = []  # they have all the attributes of laws of sets
    for at, world, own in zip((0.0, 0.25), worlds, items, strict=True):
        law = None
        if len(own) > getattr(mechanism, "k", 1):
            law = mechanism.exact_law(select_items(world, own), portion(progress, at, at + 0.25))
        laws.append(OwnItemsLaw(world, own, law))
    dist, other = laws
    ceiling, rest = mechanism.privacy_ceiling(*worlds), portion(progress, 0.5, 1.0)
    sets = all(isinstance(law.own, TopKDistribution | GapLaw) for law in laws)
    if not sets or math.comb(dist.scores.d, dist.k) > MOST_SETS:
        return event_loss(dist, other, None, ceiling, rest)
    return enumerated_loss(dist, other, ceiling, rest)
