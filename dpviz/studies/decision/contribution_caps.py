"""Savings by a cap: the event log counted again with at most c items per person, or any number."""

from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace

import numpy as np

from dpviz.base import Progress, Scores, iterate_with_progress
from dpviz.studies import Design
from dpviz.studies.decision.costs import Cost
from dpviz.studies.decision.plans import cheapest_plan
from dpviz.studies.decision.question import Question

_MOST = (1, 2, 3, 5, 10, 20)  # items of each person


@dataclass(frozen=True, eq=False)
class RecountableLog:
    count: Callable[[int | None], Scores]
    key: str


@dataclass(frozen=True)
class CapOutcome:
    """The best plan under a cap of `most` items, or none; `same` of the k best stay the same."""

    most: int | None
    label: str
    epsilon: float
    cost: Cost
    same: int


def compute_cap_outcomes(
    question: Question, scores: Scores, log: RecountableLog, progress: Progress
) -> tuple[CapOutcome, ...]:
    """Best plan under each smaller cap, and without the one in force, that meets the goal."""
    found = []
    for (most, kept), part in iterate_with_progress(list(_counted(scores, log)), progress):
        asked = question.replace(data=replace(question.data, contributions=most))
        counted = asked.data.describe_scores(kept)
        # where nobody picked mechanisms, they are of another menu
        helped = [design for design in asked.designs if most is None or _gains(design, asked)]
        best = cheapest_plan(helped, asked, (counted,), part)
        if best is not None and best.cost is not None:
            top = [{one.label(int(i)) for i in one.order[: asked.k]} for one in (scores, counted)]
            found.append(
                CapOutcome(most, best.label, best.epsilon, best.cost, len(top[0] & top[1]))
            )
    return tuple(found)


def _counted(scores: Scores, log: RecountableLog) -> Iterator[tuple[int | None, Scores]]:
    """Caps with the scores they leave, up to the first cap that leaves out nothing."""
    if scores.contributions is not None:
        yield None, log.count(None)
    for most in _MOST:
        if most >= (scores.contributions or scores.d):
            return
        yield most, (kept := log.count(most))
        if np.array_equal(kept.values, scores.values):
            return


def _gains(design: Design, question: Question) -> bool:
    m = design.build(1.0, question.k)
    return (
        m.delta_spent > 0
        or m.epsilon_cost_factor(1) < 1
        or m.laplace_score_shifts(1, bool(question.data.monotonic)) is not None
    )
