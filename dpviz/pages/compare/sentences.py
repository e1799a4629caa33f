"""Compare in words; a `Sentence` keeps its designs as parts, to be shown by letter."""

import math
from collections.abc import Mapping, Sequence
from typing import Any

from dpviz.charts import (
    LIGHT,
    release_frequency_text,
    stated_percent_text,
    upper_bound_text,
)
from dpviz.charts.topk.design_curves import NamedDesign
from dpviz.pages import common
from dpviz.pages.compare.study import (
    STARTING,
    ComparedDesign,
    Sentence,
)
from dpviz.studies import (
    PROBABILITIES,
    BoundedProbability,
    SmallestEpsilonStudy,
    epsilon_rows,
)
from dpviz.topk import EVENTS, LARGEST_EPSILON

SmallestEpsilonRows = Sequence[tuple[ComparedDesign, Mapping[str, Any]]]
GOAL = 0.9  # the probability whose ε is told first


def smallest_epsilon_rows(
    designs: Sequence[ComparedDesign], studies: Sequence[SmallestEpsilonStudy]
) -> list[tuple[ComparedDesign, dict[str, Any]]]:
    come = [
        (side, study.goal_with_probability(float(probability)), need)
        for side, study in zip(designs, studies, strict=True)
        for probability, need in study.smallest_epsilons.ready_results().items()
    ]
    law = designs[0].law
    rows = epsilon_rows(
        [(side.design, goal) for side, goal, _ in come],
        [need for *_, need in come],
        law.k,
        law.scores.contributions,
    )
    return [(side, row) for (side, *_), row in zip(come, rows, strict=True)]


def goal_table_caption(event: str) -> str:
    shares = f"{', '.join(map(stated_percent_text, PROBABILITIES[:-1]))} and {stated_percent_text(PROBABILITIES[-1])}"
    return f"The smallest ε of each mechanism for {EVENTS[event].label} in {shares} of releases"


def smallest_epsilon_sentence(rows: SmallestEpsilonRows, event: str) -> Sentence:
    """ε of the best design for one goal, and the multiple of the worst."""
    label, share = EVENTS[event].label, stated_percent_text(GOAL)
    column = _reached(rows)
    if not column:
        return (_without_epsilon([side for side, _ in rows], f"{label} in {share} of releases"),)
    column.sort(key=_epsilon)
    (best, least), (worst, most) = column[0], column[-1]
    start = (
        f"{label} in {share} of releases needs ε = {upper_bound_text(least['epsilon'], digits=3)}"
        " with "
    )
    return (
        (start, best, ".")
        if len(column) == 1
        else (
            start,
            best,
            f", and {common.format_three_digits(most['multiple'])} times as much with ",
            worst,
            ".",
        )
    )


def _without_epsilon(designs: Sequence[ComparedDesign], goal: str) -> str:
    """Sentence on mechanisms of which none has a smallest ε."""
    known = designs[0].law.scores.names_known
    valid = [side for side in designs if side.law.mechanism.guarantee_holds(known)]
    if not valid:
        return "No mechanism here is valid. Each needs a list of all possible items."
    searched = [side for side in valid if not side.law.mechanism.states_noise]
    if not searched:
        return "No smallest ε is sought: the noise is stated, and ε follows from it."
    which = "here" if len(searched) == len(designs) else "that was searched"
    return f"No mechanism {which} reaches {goal}, at any ε up to {LARGEST_EPSILON:,.0f}."


def known_names_sentence(
    rows: SmallestEpsilonRows, known_name_rows: SmallestEpsilonRows, event: str
) -> Sentence:
    """Smallest ε for one goal with a list of all possible items, against the one without."""
    best = min(_reached(known_name_rows), key=_epsilon, default=None)
    if best is None:
        return ()
    label, share, least = EVENTS[event].label, stated_percent_text(GOAL), _epsilon(best)
    start = f"With a list of all possible items, {label} in {share} of releases would need ε = "
    said: Sentence = (f"{start}{upper_bound_text(least, digits=3)} with ", best[0])
    held = min(map(_epsilon, _reached(rows)), default=None)
    return (
        (*said, ".")
        if held is None
        else (
            *said,
            f". Without one it needs {common.format_three_digits(held / least)} times as much.",
        )
    )


def _reached(needed: SmallestEpsilonRows) -> list[tuple[ComparedDesign, Mapping[str, Any]]]:
    return [
        one for one in needed if one[1]["probability"] == GOAL and math.isfinite(one[1]["epsilon"])
    ]


def _epsilon(one: tuple[ComparedDesign, Mapping[str, Any]]) -> float:
    return float(one[1]["epsilon"])


def named_design(design: ComparedDesign) -> NamedDesign:
    return NamedDesign(design.number, design.label)


def sentence_text(sentence: Sentence) -> str:
    return "".join(
        part if isinstance(part, str) else named_design(part).lettered_label(LIGHT)
        for part in sentence
    )


def page_heading(k: int, d: int) -> str:
    return f"Which mechanism finds the {'best' if k == 1 else f'{k:,} best'} of {d:,} items?"


def lead_sentence(designs: Sequence[ComparedDesign]) -> Sentence:
    event, k = common.select_event(designs[0].law), designs[0].law.k
    what = "exactly" if event == "top" else "as good as"
    return (
        f"The list is {what} {common.true_top_phrase(k)}",
        *best_and_worst_phrase([(side.law.event_probability[event], side) for side in designs]),
    )


def best_and_worst_phrase(chances: Sequence[tuple[BoundedProbability, ComparedDesign]]) -> Sentence:
    ranked = sorted(chances, key=lambda pair: -pair[0].value)
    (high, best), (low, worst) = ranked[0], ranked[-1]
    start: Sentence = (f" in {release_frequency_text(*high)} with ", best)
    return (
        (*start, ".")
        if worst is best
        else (*start, f", and in {release_frequency_text(*low)} with ", worst, ".")
    )


def design_remarks(designs: Sequence[ComparedDesign]) -> list[Sentence]:
    """Designs with the chances of an earlier one, and where the designs come from."""
    said: list[Sentence] = [
        (later, " gives the same chances as ", twin, ".")
        for later in designs
        for twin in [side for side in designs[: later.number] if later.has_same_chances(side)][:1]
    ]
    if tuple(side.design for side in designs) == STARTING:
        said.append(
            (
                f"These {len(designs)} are only a beginning. Choose others in the settings, under Mechanisms.",
            )
        )
    return said
