"""The ε that each of several designs needs, beside each other: what the comparison is about.

Symbols: ε* = smallest ε at which a figure reaches a probability; multiple = ε* over the best design's.
Invariants: one row a design, event and probability; a goal that cannot be reached has an ε of infinity,
no multiple, and the reason in one sentence.
"""

import math
from collections.abc import Iterable, Sequence
from typing import TYPE_CHECKING

from dpviz.base.errors import ParameterError
from dpviz.base.progress import Progress, each, silent
from dpviz.base.scores import Scores
from dpviz.studies.scenario import Design
from dpviz.topk.budget import LARGEST_EPSILON, Goal, smallest_epsilon
from dpviz.topk.mechanism import TopKMechanism

if TYPE_CHECKING:
    import pandas as pd

__all__ = ["PROBABILITIES", "epsilon_table", "needed_epsilon", "with_multiples"]

PROBABILITIES = (0.5, 0.9, 0.99)


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
    progress: Progress = silent,
) -> "pd.DataFrame":
    """The smallest ε for every design, event and probability, and how many times the best design's it is.

    `events` are those of `smallest_epsilon`; `item` goes with the event "inclusion" alone, `at_least` with
    "hits", which the table calls "hits_at_least_9" and the like. Columns: design
    (its label), mechanism, parameters, k, event, probability, epsilon (inf where out of reach), multiple
    (NaN there) and reason (empty where reached). Raises `ParameterError` for what no design could have.

    >>> designs = [Design(), Design(parameters={"noise": "exponential"})]
    >>> epsilon_table(designs, Scores([2.0, 0.0]), 1, probabilities=[0.9])[["epsilon", "multiple"]].round(3)
       epsilon  multiple
    0    4.394     1.365
    1    3.219     1.000
    """
    import pandas as pd

    probabilities = tuple(probabilities)
    goals = [
        Goal.of(event, probability, item=item, at_least=at_least) for event in events for probability in probabilities
    ]
    if not designs or not goals:
        raise ParameterError("the table", f"{len(designs)} designs, {len(goals)} goals", "of at least one of each")
    wanted = [(design, goal) for design in designs for goal in goals]
    rows = []
    for (design, goal), part in each(wanted, progress):
        epsilon, reason = needed_epsilon(design.build(1.0, k), scores, goal, limit, part)
        rows.append(
            {
                "design": design.label_for(k, scores.contributions),
                "mechanism": design.mechanism,
                "parameters": design.text,
                "k": k,
                "event": goal.name,
                "probability": goal.probability,
                "epsilon": epsilon,
                "reason": reason,
            }
        )
    return with_multiples(pd.DataFrame(rows))


def with_multiples(table: "pd.DataFrame") -> "pd.DataFrame":
    """Rows of `epsilon_table`, or of several of them put together, with multiples of the best among them all."""
    table = table.drop(columns="multiple", errors="ignore").reset_index(drop=True)
    best = table.groupby(["event", "probability"])["epsilon"].transform("min")
    reached = table["epsilon"] < math.inf
    multiple = (table["epsilon"] / best).where(reached)
    table.insert(list(table.columns).index("reason"), "multiple", multiple)
    return table


def needed_epsilon(m: TopKMechanism, s: Scores, goal: Goal, limit: float, progress: Progress) -> tuple[float, str]:
    """(smallest ε, ""), or (inf, why) where the goal is out of reach."""
    try:
        epsilon = smallest_epsilon(
            m,
            s,
            event=goal.event,
            probability=goal.probability,
            item=goal.item,
            at_least=goal.at_least,
            limit=limit,
            progress=progress,
        )
    except ParameterError as err:
        if not err.parameter.startswith("probability"):
            raise
        return math.inf, str(err)  # the goal itself is sound, so it is the mechanism that cannot reach it
    return epsilon, ""
