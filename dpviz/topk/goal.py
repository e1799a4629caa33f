"""A goal: a figure of merit of a law, and the value that it should reach."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Self

import numpy as np

from dpviz.base import (
    Floats,
    ParameterError,
    check_choice,
    check_integer,
    check_number,
    store_fields,
)
from dpviz.topk.classes import EVENTS
from dpviz.topk.distribution import TopKDistribution


@dataclass(frozen=True, kw_only=True)
class Goal:
    probability: float
    event: str = "top"
    item: int | None = None
    at_least: int | None = None

    def __post_init__(self) -> None:
        probability = check_number("probability", self.probability, low=0.0, high=1.0, above=True)
        if probability == 1.0:
            raise ParameterError("probability", 1.0, "below 1: no private release is certain")
        store_fields(self, probability=probability)
        check_choice("figure", self.event, (*EVENTS, "share", "hits", "inclusion"))
        if (self.event == "inclusion") != (self.item is not None):
            raise ParameterError(
                "item", self.item, "an item index for the figure inclusion, and left out otherwise"
            )
        if (self.event == "hits") != (self.at_least is not None):
            raise ParameterError(
                "at_least", self.at_least, "a number for the figure hits, and left out otherwise"
            )
        if self.at_least is not None:
            store_fields(self, at_least=check_integer("at_least", self.at_least, low=1))

    @classmethod
    def for_event(
        cls,
        event: str,
        probability: float = 0.5,
        *,
        item: int | None = None,
        at_least: int | None = None,
    ) -> Self:
        """The goal for an event, which takes `item` and `at_least` only if it needs them."""
        return cls(
            event=event,
            probability=probability,
            item=item if event == "inclusion" else None,
            at_least=at_least if event == "hits" else None,
        )

    @property
    def name(self) -> str:
        """The event in one word, with its number of hits."""
        return self.event if self.at_least is None else f"{self.event}_at_least_{self.at_least}"

    def figure_value(self, dist: TopKDistribution) -> float:
        if self.event == "share":
            return dist.share
        if self.at_least is not None:
            return dist.hits_at_least(self.at_least)
        if self.item is not None:
            return float(dist.inclusion[self.item])
        return dist.event_probability(self.event)

    def certain_surplus(self, dist: TopKDistribution) -> float:
        """The certain part of the figure (low end of its bounds) less the goal."""
        low, _ = dist.bounds(np.array(self.figure_value(dist)))
        return float(low) - self.probability


def goal_figures(dist: TopKDistribution, goals: Sequence[Goal]) -> Floats:
    """The figures of several goals, shape (len(goals),); events are computed together."""
    names = [goal.event for goal in goals if goal.event in EVENTS]
    known = dict(zip(names, dist.event_probabilities(names), strict=True))
    return np.array(
        [known[goal.event] if goal.event in known else goal.figure_value(dist) for goal in goals],
        float,
    )
