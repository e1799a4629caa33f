"""The law of a list of k items in words: its events, the number right, and the worst rank."""

import math
from collections.abc import Sequence

import numpy as np

from dpviz.base import Floats
from dpviz.charts import (
    count_text,
    number_text,
    percent,
    power_of_ten_text,
    release_frequency_text,
    upper_bound_text,
)
from dpviz.studies import LawStudy
from dpviz.topk import EVENTS, TopKDistribution, event_bounds, log_set_count_within


def list_length_phrase(
    length: Sequence[float] | Floats, full_list_chance: tuple[float, float, float], method: str
) -> str:
    """Length of lists that may be shorter than k, as the end of a sentence.

    >>> list_length_phrase([0.1, 0.1, 0.8], (0.8, 0.8, 0.8), "exact")
    '1.7 of 2 items on average, both in 80 of 100 releases'
    """
    k, often = len(length) - 1, release_frequency_text(*full_list_chance)
    if k == 1:
        return f"one item in {often}"
    mean = number_text(
        round(float(np.asarray(length) @ np.arange(k + 1)), 2 if method == "exact" else 1)
    )
    return f"{mean} of {k:,} items on average, {'both' if k == 2 else f'all {k:,}'} in {often}"


def select_event(law: LawStudy, preferred_event: object = None) -> str:
    """The given event if the law has it, else TOP, or OPTIMAL where scores tie."""
    return (
        preferred_event
        if isinstance(preferred_event, str) and preferred_event in law.events
        else "optimal"
        if "optimal" in law.events
        else "top"
    )


def law_column_headings(law: LawStudy) -> tuple[tuple[str, str], ...]:
    return (
        *((EVENTS[name].label, event_meaning(law, name)) for name in law.events),
        ("Right on average", f"of {law.k:,}"),
        ("Worst rank", ideal_worst_rank_note(law.k)),
    )


def law_figure_cells(law: LawStudy) -> list[str]:
    """Chance of each event, average number right, and average worst rank."""
    about = "" if law.distribution.method == "exact" else " (estimated)"
    return [
        text + about
        for text in (
            *(percent(*law.event_probability[name]) for name in law.events),
            format_expected_hits(law),
            format_worst_rank(law),
        )
    ]


def format_expected_hits(law: LawStudy) -> str:
    return number_text(round(law.expected_hits, 2 if law.distribution.method == "exact" else 1))


def right_on_average_sentence(law: LawStudy) -> str:
    return (
        f"At ε = {law.mechanism.epsilon:.10g}, on average {format_expected_hits(law)} of the top"
        f" {law.k:,} are right."
    )


def format_worst_rank(law: LawStudy) -> str:
    exact = law.worst_rank < 100 and law.distribution.method == "exact"
    return number_text(round(law.worst_rank, 2 if exact else 1))


def ideal_worst_rank_note(k: int) -> str:
    return f"on average (ideal: {k:,})"


def true_top_phrase(k: int) -> str:
    """The k best items by their true scores.

    >>> true_top_phrase(10), true_top_phrase(1)
    ('the true top 10', 'the true top item')
    """
    return f"the true top {k:,}" if k > 1 else "the true top item"


def event_meaning(law: LawStudy, event: str, *, show_tie_count: bool = False) -> str:
    """Meaning of an event, the same for equal events; `show_tie_count` counts the choices that tie."""
    k, scores = law.k, law.scores
    a, b = event_bounds(event, scores.rescaled_scores_and_sensitivity[0], k)
    if event == "optimal":
        return f"as good as {true_top_phrase(k)} (ties count)"
    shorter = law.mechanism.shorter
    if b > k or (shorter and a < k):
        best_items = f"best {a:,} items" if a > 1 else "best item"
        ending = "; fewer items are allowed" if shorter else ""
        return f"the {best_items}, none below rank {b:,}{ending}"
    exactly = f"exactly {true_top_phrase(k)}"
    above, best = scores.tie_counts(k)
    if not show_tie_count or best == k:
        return exactly
    choices = power_of_ten_text(
        float(log_set_count_within(np.array(above), np.array(best), k)) / math.log(10)
    )
    return f"{exactly}; of {choices} equally good lists, the first in the data"


def event_regions(law: LawStudy) -> dict[str, tuple[int, int]]:
    """Events that heatmaps outline, each as (a, b): ranks 1..a all in, none worse than b."""
    return {
        name: event_bounds(name, law.scores.rescaled_scores_and_sensitivity[0], law.k)
        for name in ("top", "great", "good")
    }


def method_phrase(law: TopKDistribution) -> str:
    return (
        f"estimated from {count_text(law.draws, 'simulated release')}"
        if law.method == "estimated"
        else f"exact, error at most {upper_bound_text(max(law.error, 1e-16))}"
    )
