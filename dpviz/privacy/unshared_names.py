"""Privacy losses where the worlds have different names, and each runs on its own.

Invariant: where names were not known beforehand, a score of 0 here and not in the neighbour is a
name that this world lacks: a mechanism that needs names cannot publish it here.
"""

import math
from dataclasses import replace
from typing import Any

import numpy as np

from dpviz.base import (
    Floats,
    Ints,
    OutcomeComparison,
    Progress,
    RevealingOutput,
    Scores,
    portion,
)
from dpviz.gaps.gap_law import GapLaw
from dpviz.privacy.loss import PrivacyLoss
from dpviz.privacy.outcomes import comparison_loss
from dpviz.privacy.top_k_loss import MOST_SETS, enumerated_loss
from dpviz.topk import TopKDistribution


def own_items_by_world(mechanism: Any, scores: Any, neighbour: Any) -> tuple[Ints, Ints] | None:
    """The items that each world has; None where they agree, or the mechanism may run on all."""
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


def scatter_item_values(values: Floats | float, items: Ints | None, size: int) -> Floats:
    """Figures of one world's items, in place among those of both: 0 for items that it lacks."""
    if items is None:
        return np.asarray(values)
    placed = np.zeros(size)
    placed[items] = values
    return placed


def own_items_loss(
    mechanism: Any, worlds: tuple[Scores, Scores], items: tuple[Ints, Ints], progress: Progress
) -> PrivacyLoss:
    """The loss where each world runs on its own items, infinite if an unshared name comes out."""
    laws: list[Any] = []
    for at, world, own in zip((0.0, 0.25), worlds, items, strict=True):
        law = None
        if len(own) > getattr(mechanism, "k", 1):
            law = mechanism.exact_law(select_items(world, own), portion(progress, at, at + 0.25))
        laws.append(law)
    scores, ceiling = worlds[0], mechanism.privacy_ceiling(*worlds)
    sets = all(isinstance(law, TopKDistribution | GapLaw) for law in laws)
    if sets and math.comb(scores.d, laws[0].k) <= MOST_SETS:
        dist, other = laws
        rest = portion(progress, 0.5, 1.0)
        return enumerated_loss(dist, other, ceiling, rest, scores, items)
    # ½ ± ½ where there is no law
    known = [(0.5, 0.5) if law is None else (law.chances, law.error) for law in laws]
    (p, error), (q, other_error) = (
        [scatter_item_values(figure, own, scores.d) for figure in figures]
        for figures, own in zip(known, items, strict=True)
    )

    def told(at: int) -> RevealingOutput:
        return RevealingOutput(f"{scores.label(at)} among the chosen", (at,))

    seen = getattr(laws[0], "seen", "which items come out")
    progress(1.0)
    both = OutcomeComparison(p, q, error, other_error, told, seen, events=True)
    return comparison_loss(both, ceiling)
