"""Table of the ε that each of several designs needs.

Symbols: ε* = smallest ε at which a figure reaches a probability; multiple = ε* over the best
design's. A goal out of reach has an infinite ε, no multiple, and a reason.
"""

import math
from collections.abc import Iterable, Sequence
from typing import Any

from dpviz.base import (
    Frame,
    ParameterError,
    Progress,
    Scores,
    ignore_progress,
    iterate_with_progress,
    pd,
    unknown_names_warning,
)
from dpviz.studies.design import Design
from dpviz.topk import LARGEST_EPSILON, Goal, Looked, TopKMechanism, smallest_epsilon

PROBABILITIES = (0.5, 0.9, 0.99)
NAMES_NEEDED = unknown_names_warning("The mechanism")
"""Reason for a mechanism without an ε where names were not known beforehand."""


def epsilon_table(
    designs: Sequence[Design],
    scores: Scores,
    k: int,
    *,
    events: Iterable[str] = ("top",),
    probabilities: Iterable[float] = PROBABILITIES,
    item: int | None = None,
    at_least: int | None = None,
    limit: float = LARGEST_EPSILON,
    progress: Progress = ignore_progress,
) -> Frame:
    """Smallest ε for every design, event and probability, and its multiple of the best."""
    probabilities = tuple(probabilities)
    goals = [
        Goal.for_event(event, probability, item=item, at_least=at_least)
        for event in events
        for probability in probabilities
    ]
    if not designs or not goals:
        raise ParameterError(
            "the table", f"{len(designs)} designs, {len(goals)} goals", "of at least one of each"
        )
    wanted = [(design, goal) for design in designs for goal in goals]
    needs = [
        smallest_epsilon_or_reason(design.build(1.0, k), scores, goal, limit, part)
        for (design, goal), part in iterate_with_progress(wanted, progress)
    ]
    return pd.DataFrame(epsilon_rows(wanted, needs, k, scores.contributions))


def epsilon_rows(
    design_goals: Sequence[tuple[Design, Goal]],
    smallest_epsilons: Sequence[tuple[float, str]],
    k: int,
    contributions: int | None,
) -> list[dict[str, Any]]:
    least: dict[Goal, float] = {}
    for (_, goal), (epsilon, _) in zip(design_goals, smallest_epsilons, strict=True):
        least[goal] = min(epsilon, least.get(goal, math.inf))
    return [
        {
            "design": design.label_for_data(k, contributions),
            "mechanism": design.mechanism,
            "parameters": design.parameter_text,
            "k": k,
            "event": goal.name,
            "probability": goal.probability,
            "epsilon": epsilon,
            "multiple": epsilon / least[goal] if math.isfinite(epsilon) else math.nan,
            "reason": reason,
        }
        for (design, goal), (epsilon, reason) in zip(design_goals, smallest_epsilons, strict=True)
    ]


def smallest_epsilon_or_reason(
    m: TopKMechanism,
    scores: Scores | Sequence[Scores],
    goal: Goal,
    limit: float,
    progress: Progress,
    report_law: Looked = lambda at, law: None,
) -> tuple[float, str]:
    """Smallest ε for a goal, or infinity and the reason."""
    if not all(
        m.guarantee_holds(vector.names_known)
        for vector in ([scores] if isinstance(scores, Scores) else scores)
    ):
        return math.inf, NAMES_NEEDED
    try:
        epsilon = smallest_epsilon(
            m,
            scores,
            figure=goal.event,
            probability=goal.probability,
            item=goal.item,
            at_least=goal.at_least,
            limit=limit,
            progress=progress,
            looked=report_law,
        )
    except ParameterError as err:
        if err.code != "unreachable":
            raise
        return math.inf, str(err)
    return epsilon, ""
