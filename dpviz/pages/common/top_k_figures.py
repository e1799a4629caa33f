"""Headline figures of a law of k items, as every view says them."""

import math

import numpy as np

from dpviz.charts import count_text, number_text, percent, power_of_ten, upper_bound_text
from dpviz.studies import LawStudy
from dpviz.topk import EVENTS, TopKDistribution, event_bounds, log_count_within


def select_event(law: LawStudy, given: object = None) -> str:
    """The given event if the law has it, else TOP, or OPTIMAL where scores tie."""
    return (
        given
        if isinstance(given, str) and given in law.events
        else "optimal"
        if "optimal" in law.events
        else "top"
    )


def law_column_headings(law: LawStudy) -> tuple[tuple[str, str], ...]:
    return (
        *((EVENTS[name].label, event_meaning(law, name)) for name in law.events),
        ("Right on average", f"of {law.k:,}"),
        ("Worst rank", ideal_rank_note(law.k)),
    )


def law_cells(law: LawStudy) -> list[str]:
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


def ideal_rank_note(k: int) -> str:
    return f"on average (ideal: {k:,})"


def event_meaning(law: LawStudy, event: str, *, alike: bool = False) -> str:
    """Meaning of an event, the same for equal events; `alike` counts the choices that tie."""
    k, scores = law.k, law.scores
    a, b = event_bounds(event, scores.rescaled_scores_and_sensitivity[0], k)
    if event == "optimal":
        return f"as good as the true top {k:,}: ties count"
    shorter = law.mechanism.shorter
    if b > k or (shorter and a < k):
        best_items = f"best {a:,} items" if a > 1 else "best item"
        ending = "; fewer items are allowed" if shorter else ""
        return f"the {best_items}, none below rank {b:,}{ending}"
    exactly = f"exactly the true top {k:,}" if k > 1 else "exactly the true top item"
    above, best = scores.tie_counts(k)
    if not alike or best == k:
        return exactly
    choices = power_of_ten(
        float(log_count_within(np.array(above), np.array(best), k)) / math.log(10)
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
