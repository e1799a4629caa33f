"""Phrases of a decision: numbers rounded to the safe side, names, and parts of the question."""

import math
from collections.abc import Sequence

from dpviz.charts import (
    count_text,
    isolate_direction,
    join_with_and,
    percent_upper_bound,
    shorten_text,
    upper_bound_text,
)
from dpviz.charts import number_text as written
from dpviz.data import EXAMPLES, GENERATORS
from dpviz.privacy.composition_result import Total
from dpviz.studies.decision import (
    Cost,
    DecideStudy,
    Decision,
    Question,
    round_epsilon_up,
)

NAMES = 3  # of items in a sentence
_LONGEST = 36  # characters of a name in a sentence


def format_parameter(value: float) -> str:
    """A parameter, with at most four digits.

    >>> [format_parameter(value) for value in (0.19, 2.2800000000000002, 1e-6, math.inf, 0.0)]
    ['0.19', '2.28', '1×10⁻⁶', 'not reached', '0']
    """
    return written(value) if math.isfinite(value) else "not reached"


def format_smallest_epsilon(epsilon: float) -> str:
    """Smallest ε for a goal, rounded up so that it still reaches the goal.

    >>> format_smallest_epsilon(0.123001), format_smallest_epsilon(1.3725), format_smallest_epsilon(math.inf)
    ('0.1231', '1.373', 'not reached')
    """
    return format_parameter(round_epsilon_up(epsilon) if math.isfinite(epsilon) else epsilon)


def needed_epsilon_phrase(epsilon: float) -> str:
    """Smallest ε for a goal, as the verb after it.

    >>> needed_epsilon_phrase(1.3725), needed_epsilon_phrase(math.inf)
    ('needs ε = 1.373', 'is out of reach')
    """
    return (
        f"needs ε = {format_smallest_epsilon(epsilon)}"
        if math.isfinite(epsilon)
        else "is out of reach"
    )


def join_item_names(names: Sequence[str]) -> str:
    """Names in a sentence, cut where they are long and counted where they are many.

    >>> join_item_names(["Zoo", "Farm"]).replace("\\u2068", "").replace("\\u2069", "")
    'Zoo and Farm'
    """
    left = [f"{len(names) - NAMES:,} more"] if len(names) > NAMES else []
    return join_with_and(
        [*(isolate_direction(shorten_text(name, _LONGEST)) for name in names[:NAMES]), *left]
    )


def format_total(total: Total | None) -> str:
    """A total, never without its δ.

    >>> format_total(Total(1.5524, 1e-6, "rho")), format_total(Total(0.5, 0.0, "basic")), format_total(None)
    ('ε = 1.553 at δ = 1×10⁻⁶', 'ε = 0.5', 'more than any ε at this δ')
    >>> format_total(Total(0.0, 1e-6, "pure"))  # the δ covers all of it
    'δ = 1×10⁻⁶ alone'
    """
    if total is None:
        return "more than any ε at this δ"
    if not total.epsilon:
        return f"δ = {upper_bound_text(total.delta)} alone"
    return f"ε = {upper_bound_text(total.epsilon)}" + (
        f" at δ = {upper_bound_text(total.delta)}" if total.delta else ""
    )


def right_guesses_phrase(cost: Cost) -> str:
    """Bound on right guesses, with the attacker as subject.

    >>> right_guesses_phrase(Cost(None, 0.5831)), right_guesses_phrase(Cost(None, 0.9999))
    ('an attacker is right at most 59 times in 100', 'an attacker could be right every time')
    """
    return f"an attacker {right_guesses_verb_phrase(cost)}"


def right_guesses_verb_phrase(cost: Cost, *, compare_pure_guessing: bool = False) -> str:
    """Bound on right guesses as a verb; with `compare_pure_guessing` it is compared with pure
    guessing.
    """
    bound = percent_upper_bound(cost.guess)
    if bound == 100:
        return f"could be right every time{' (pure guessing: half the time)' if compare_pure_guessing else ''}"
    return f"is right at most {bound} times in 100{' (pure guessing: 50)' if compare_pure_guessing else ''}"


def data_label(decision: Decision | DecideStudy) -> str:
    """Name of the data: the person's, else their source."""
    data = decision.question.data
    if data.called:
        return data.called
    if data.source == "example":
        return f"{EXAMPLES[data.name].label} (made up)"
    return (
        f"{GENERATORS.label(data.name)}, generated"
        if data.source == "generated"
        else "data without a name"
    )


def list_contents_phrase(question: Question, d: int) -> str:
    """Contents of a list; the number of names is private where they were not known.

    >>> list_contents_phrase(Question(k=10), 1682)
    'The 10 best of 1,682 items'
    """
    return (
        f"The {question.k:,} best of {d:,} items"
        if question.data.names_known
        else f"At most {count_text(question.k, 'name')} of those that occur, the best"
    )


def release_count_phrase(decision: Decision | DecideStudy) -> str:
    """Number of releases, over what time, and the other lists that the total covers."""
    question = decision.question
    over = f" over {question.period}" if question.period else ""
    others = join_with_and(
        [
            f"{count_text(one.times, 'other list')} at {format_total(Total(*one.each, ''))}"
            for one in question.other_lists
        ]
        or [""]
    )
    return count_text(question.releases, "release") + over + (others and f", and {others}")


def covered_lists_phrase(question: Question) -> str:
    """All that the total covers, after "after".

    >>> covered_lists_phrase(Question(releases=12, also="1 at 2")), covered_lists_phrase(Question())
    ('all 12 lists and the 1 other list', 'the list')
    """
    lists = f"all {question.releases:,} lists" if question.releases > 1 else "the list"
    others = sum(one.times for one in question.other_lists)
    return lists + (f" and the {count_text(others, 'other list')}" if others else "")


def accepted_cost_phrase(question: Question) -> str:
    if question.most_right is not None:
        return f"an attacker is right at most {question.most_right} times in 100"
    return (
        f"ε = {format_parameter(question.most_epsilon)} at δ = {format_parameter(question.delta)}"
        if question.most_epsilon is not None
        else "not said"
    )


def data_drift_phrase(question: Question) -> str:
    """Allowed difference of the real data.

    >>> data_drift_phrase(Question(smaller=0.8, periods=2)), data_drift_phrase(Question())
    ('all scores ×0.8 to ×1, and 2 past periods', 'no change allowed for')
    """
    scale = (
        f"all scores ×{question.smaller:g} to ×{question.larger:g}"
        if (question.smaller, question.larger) != (1, 1)
        else ""
    )
    past = count_text(question.periods, "past period") if question.periods else ""
    return ", and ".join(filter(None, (scale, past))) or "no change allowed for"
