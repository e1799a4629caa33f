"""Quality of the lists in words: chance of the goal, effect of other data, and likely errors."""

import math
from collections.abc import Callable, Mapping

from dpviz.charts import (
    count_text,
    join_with_and,
    number_text,
    percent,
    percent_upper_bound,
    power_of_ten_text,
    release_frequency_text,
    upper_bound_text,
)
from dpviz.charts.decision.goal_drift import missed_goal_sentence
from dpviz.pages.common import list_length_phrase
from dpviz.pages.decide.sentences.basis import contribution_limit_phrase, neighbouring_relation_text
from dpviz.pages.decide.sentences.phrases import (
    NAMES,
    data_label,
    format_parameter,
    join_item_names,
    release_count_phrase,
)
from dpviz.pages.decide.sentences.price import composed_total_phrase
from dpviz.studies.decision import (
    DecideStudy,
    Decision,
    Question,
    Utility,
    WrongList,
    describe_goal,
    describe_goal_and_probability,
)

_RARE = 1e-3  # a list that appears less often is no likely error
_DRIFTS = {0.8: "20 % smaller", 0.99: "1 % smaller", 1.0: "unchanged", 1.2: "20 % larger"}


def goal_sentence(decision: Decision) -> str:
    said = describe_goal_and_probability(decision.question.parsed_goal, decision.question.k)
    return f"{said[0].upper()}{said[1:]}"


def exactness_phrase(utility: Utility) -> str:
    return (
        f"exact, error below {power_of_ten_text(math.ceil(math.log10(max(utility.error, 1e-15))))}"
        if utility.method == "exact"
        else (
            f"estimated from {utility.draws:,} draws, 95 % interval {percent(utility.low)} to"
            f" {percent(utility.high)}"
        )
    )


def outcome_phrase(question: Question, utility: Utility) -> str:
    """Frequency of the goal, or the expected share, as the end of a sentence.

    A goal that is just missed is not told as met by rounding.
    """
    goal, bounds = question.parsed_goal, (utility.chance, utility.low, utility.high)
    if goal.event == "share":
        return f"{percent(*bounds)} of the true top {question.k:,} appear on average"
    often = release_frequency_text(*bounds)
    if utility.chance < goal.probability <= round(utility.chance, 2):
        often = f"{math.floor(1000 * utility.chance)} of 1,000 releases"
    return f"{describe_goal(goal, question.k)} in {often}"


def plan_sentence(decision: Decision | DecideStudy) -> str:
    said = outcome_phrase(decision.question, decision.utility)
    return (
        f"{said[0].upper()}{said[1:]}, with {decision.chosen_plan.label} at ε ="
        f" {format_parameter(decision.epsilon)}{release_delta_suffix(decision)} for each release."
        f" {shorter_list_sentence(decision)}".strip()
    )


def release_delta_suffix(decision: Decision | DecideStudy) -> str:
    """δ of one release after its ε; "" where it has none."""
    spent = decision.mechanism.delta_spent
    return f" and δ = {upper_bound_text(spent)}" if spent else ""


def utility_list_length_phrase(utility: Utility) -> str:
    """Number of items on a list; "" where it is always k."""
    return (
        ""
        if utility.length is None
        else list_length_phrase(utility.length, utility.whole, utility.method)
    )


def shorter_list_sentence(decision: Decision | DecideStudy) -> str:
    said = utility_list_length_phrase(decision.utility)
    return f"The list may be shorter: {said}." if said else ""


def goal_chance_sentence(decision: Decision) -> str:
    result, k = decision.utility, decision.question.k
    wrong = "As many wrong" if result.length is None else "At most as many wrong"
    said = (
        f"{goal_figure_name(decision.question).capitalize()}:"
        f" {percent(result.chance, result.low, result.high)} ({exactness_phrase(result)}). Of the true"
        f" top {k:,}, on average {format_missed_item_count(result)} are missing (drop rate"
        f" {percent(result.drop_rate)}). {wrong} items stand in their places (spurious rate"
        f" {percent(result.spurious_rate)}). {shorter_list_sentence(decision)}"
    )
    return said.strip()


def goal_figure_name(question: Question) -> str:
    return "chance of the goal" if question.parsed_goal.event != "share" else "expected share"


def format_missed_item_count(utility: Utility) -> str:
    """Average number of missing items, to two digits."""
    return number_text(utility.missed, digits=2)


def drift_sentence(decision: Decision) -> str:
    chance = {
        point.factor: percent(point.chance, point.low, point.high) for point in decision.drift
    }
    said = join_with_and(
        [f"{chance[factor]} ({change})" for factor, change in _DRIFTS.items() if factor in chance]
    )
    question = decision.question
    return (
        f"As all scores change, the {goal_figure_name(question)}{hardest_data_phrase(question)} is"
        f" {said}. {missed_goal_sentence(decision.lost_below)}"
    )


def hardest_data_phrase(question: Question) -> str:
    return " on the hardest of the data" if question.periods else ""


def _wrong(decision: Decision, miss: WrongList) -> str:
    """Errors of a list, as the beginning of a sentence."""
    missing, instead = (
        [decision.labels[item] for item in items] for items in (miss.missing, miss.instead)
    )
    said = f"{join_item_names(missing)} {'is' if len(missing) == 1 else 'are'} missing"
    if instead:
        verb = "appears" if len(instead) == 1 else "appear"
        said = f"{join_item_names(instead)} {verb} instead of {join_item_names(missing)}"
    if decision.utility.length is None:
        return said
    return f"{said}, on a list of {count_text(miss.length, 'item')}"


def likely_error_sentences(decision: Decision) -> tuple[str, ...]:
    """Likeliest wrong lists and items, each with its chance."""
    lines = [
        f"{_wrong(decision, miss)}: {release_frequency_text(miss.probability, miss.low, miss.high)}"
        + (f" (one of {format_parameter(miss.alike)} equally likely)." if miss.alike > 1 else ".")
        for miss in decision.misses.lists
        if miss.probability >= _RARE
    ]
    if not lines:
        lines.append("No single wrong list appears in more than 1 of 1,000 releases.")
    for start, items in (
        ("Most often missing", decision.misses.missing[:NAMES]),
        ("Most often wrongly on the list", decision.misses.instead[:NAMES]),
    ):
        named = [
            f"{join_item_names([decision.labels[each.item]])}"
            f" {percent(each.probability, each.low, each.high)}"
            for each in items
        ]
        lines += [f"{start}: {', '.join(named)}."] if named else []
    return tuple(lines)


def hits_sentence(decision: Decision) -> str:
    chance = dict(enumerate(decision.utility.hits))
    likeliest = sorted(chance, key=lambda j: -chance[j])[:NAMES]
    often = [
        f"{j:,} {'is' if j == 1 else 'are'} right in {release_frequency_text(chance[j])}"
        for j in sorted(likeliest, reverse=True)
        if chance[j] > _RARE or j == likeliest[0]
    ]
    most = "the" if decision.utility.length is None else "at most"
    return f"Of {most} {count_text(decision.question.k, 'item')}, {join_with_and(often)}."


SIDE_BY_SIDE: Mapping[str, Callable[[Decision], str]] = {
    "Goal": goal_sentence,
    "Mechanism": lambda d: d.chosen_plan_with_curves.label,
    "All releases": lambda d: f"{release_count_phrase(d)}: {composed_total_phrase(d)}",
    "ε of one release": lambda d: f"{format_parameter(d.epsilon)}{release_delta_suffix(d)}",
    "On these data": lambda d: percent(d.utility.chance, d.utility.low, d.utility.high),
    "Missing on average": lambda d: f"{format_missed_item_count(d.utility)} of {d.question.k:,}",
    "An attacker is right": lambda d: f"at most {percent_upper_bound(d.cost.guess)} times in 100",
    "Length": lambda d: utility_list_length_phrase(d.utility) or f"always {d.question.k:,}",
    "Likeliest miss": lambda d: likely_error_sentences(d)[0],
    "Unit of privacy": lambda d: d.question.unit,
    "Neighbouring data": neighbouring_relation_text,
    "Contributions": lambda d: contribution_limit_phrase(d.question),
    "Decided on": data_label,
}
"""Rows that two decisions are compared by."""
