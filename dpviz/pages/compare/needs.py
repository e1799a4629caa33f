"""Compare: the smallest ε of each design for a goal, as rows and in sentences."""

import math
from collections.abc import Mapping, Sequence
from typing import Any

from dpviz.charts import input_percent_text, upper_bound_text
from dpviz.pages.compare.study import ComparedDesign, Sentence
from dpviz.studies import PROBABILITIES, SmallestEpsilonStudy, epsilon_rows
from dpviz.topk import EVENTS

SmallestEpsilonRows = Sequence[tuple[ComparedDesign, Mapping[str, Any]]]
GOAL = 0.9  # the probability whose ε is told first


def smallest_epsilon_rows(
    of: Sequence[ComparedDesign], studies: Sequence[SmallestEpsilonStudy]
) -> list[tuple[ComparedDesign, dict[str, Any]]]:
    come = [
        (side, study.goal_with_probability(float(probability)), need)
        for side, study in zip(of, studies, strict=True)
        for probability, need in study.smallest_epsilons.ready_results().items()
    ]
    law = of[0].law
    rows = epsilon_rows(
        [(side.design, goal) for side, goal, _ in come],
        [need for *_, need in come],
        law.k,
        law.scores.contributions,
    )
    return [(side, row) for (side, *_), row in zip(come, rows, strict=True)]


def goal_table_caption(event: str) -> str:
    shares = f"{', '.join(map(input_percent_text, PROBABILITIES[:-1]))} and {input_percent_text(PROBABILITIES[-1])}"
    return f"The smallest ε of each mechanism for {EVENTS[event].label} in {shares} of releases"


def smallest_epsilon_sentence(needed: SmallestEpsilonRows, event: str) -> Sentence:
    """ε of the best design for one goal, and the multiple of the worst."""
    label, share = EVENTS[event].label, input_percent_text(GOAL)
    column = _reached(needed)
    if not column and not any(
        side.law.mechanism.guarantee_holds(side.law.scores.names_known) for side, _ in needed
    ):
        return ("No mechanism here is valid. Each needs a list of all possible items.",)
    if not column:
        return (f"No mechanism here reaches {label} in {share} of releases, at any ε.",)
    column.sort(key=_epsilon)
    (best, least), (worst, most) = column[0], column[-1]
    start = (
        f"{label} in {share} of releases needs ε = {upper_bound_text(least['epsilon'], digits=3)}"
        " with "
    )
    return (
        (start, best, ".")
        if len(column) == 1
        else (start, best, f", and {most['multiple']:.3g} times as much with ", worst, ".")
    )


def known_names_sentence(
    now: SmallestEpsilonRows, known: SmallestEpsilonRows, event: str
) -> Sentence:
    """Smallest ε for one goal with a list of all possible items, against the one without."""
    best = min(_reached(known), key=_epsilon, default=None)
    if best is None:
        return ()
    label, share, least = EVENTS[event].label, input_percent_text(GOAL), _epsilon(best)
    start = f"With a list of all possible items, {label} in {share} of releases would need ε = "
    said: Sentence = (f"{start}{upper_bound_text(least, digits=3)} with ", best[0])
    held = min(map(_epsilon, _reached(now)), default=None)
    return (
        (*said, ".")
        if held is None
        else (*said, f". Without one it needs {held / least:.3g} times as much.")
    )


def _reached(needed: SmallestEpsilonRows) -> list[tuple[ComparedDesign, Mapping[str, Any]]]:
    return [
        one for one in needed if one[1]["probability"] == GOAL and math.isfinite(one[1]["epsilon"])
    ]


def _epsilon(one: tuple[ComparedDesign, Mapping[str, Any]]) -> float:
    return float(one[1]["epsilon"])
