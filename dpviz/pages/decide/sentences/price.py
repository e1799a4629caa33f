"""Price of a decision in words: the answer, totals, needs of each mechanism, odds, and help."""

import math
from collections.abc import Mapping
from typing import NamedTuple

from dpviz.base import ParameterError
from dpviz.charts import (
    count_text,
    input_percent_text,
    percent,
    percent_upper_bound,
    upper_bound_text,
    upper_percent_text,
)
from dpviz.pages.decide.sentences.phrases import (
    accepted_cost_phrase,
    format_parameter,
    format_smallest_epsilon,
    format_total,
    guess_count_phrase,
    right_guesses_phrase,
)
from dpviz.studies.decision import (
    AffordableOffer,
    CapOutcome,
    Cost,
    DecideStudy,
    Decision,
    Plan,
    PlanWithCurves,
    Question,
    Suggestion,
    describe_goal,
    is_exclusion_reason,
)


class CompositionWords(NamedTuple):
    """Name of a way of composition in a table, and in a sentence after "by"."""

    title: str
    phrase: str


WAYS: Mapping[str, CompositionWords] = {
    "basic": CompositionWords("Basic composition", "basic composition"),
    "pure": CompositionWords("As little as ε allows", "optimal composition"),
    "rho": CompositionWords("By ρ (zCDP)", "ρ"),
    "own loss": CompositionWords("By the noise's own loss", "the noise's own loss"),
    "bounded range": CompositionWords(
        "Bounded range, if fixed in advance", "bounded range, if fixed in advance"
    ),
}
"""Each way of `dpviz.privacy.composition`."""


def answer_title(decision: Decision | DecideStudy) -> str:
    if decision.do_not_publish:
        return "Do not publish this"
    return (
        "A random list meets this goal"
        if _by_chance(decision)
        else f"{format_total(decision.total)} in total"
    )


def _by_chance(decision: Decision | DecideStudy) -> bool:
    """True if no ε was given and any ε would meet the goal."""
    plan = (
        decision.chosen_plan_with_curves if isinstance(decision, Decision) else decision.chosen_plan
    )
    return decision.question.epsilon is None and plan.is_met_by_chance


FAILED = (
    "Something failed; there is no answer yet",
    "Whether a plan reaches the goal is not known. Try again below, or ask about fewer items.",
)
"""Title and first sentence after a failed computation, which says nothing about plans."""


def no_answer_texts(why: ParameterError) -> tuple[str, str]:
    """Title and first sentence of a question without an answer; the reason follows on the page."""
    if why.code == "unreachable":
        return (
            "No plan reaches this goal",
            "Do not publish this as it is asked for. What would help stands below.",
        )
    return (
        "This question has no answer",
        "Why stands below. Change what is asked, or publish nothing of this kind.",
    )


def answer_sentence(decision: Decision | DecideStudy) -> str:
    question, cost = decision.question, decision.cost
    after = f"all {question.releases:,} releases" if question.releases > 1 else "the release"
    total = (
        "There is no total at this δ"
        if cost.total is None
        else f"In total {format_total(cost.total)}"
    )
    spent = (
        f"after {after}, whoever knows everything else and guesses whether one {question.unit} is"
        f" in the data is right {guess_count_phrase(cost)} times; a coin is right about 50. {total}."
    )
    if not decision.do_not_publish:
        fits = " That is within what is accepted." if decision.is_within_limit else ""
        chance = (
            "Any ε is enough for this goal. It asks next to nothing of the data, so ask for more. "
        )
        return f"{chance if _by_chance(decision) else ''}{spent[0].upper()}{spent[1:]}{fits}"
    if decision.is_within_limit is False:
        return f"Do not publish this: {spent} Accepted is {accepted_cost_phrase(question)}."
    return (
        f"Do not publish this: {spent} That hardly protects anybody. Ask for less, as below, or"
        " publish nothing."
    )


def smallest_total_phrase(decision: Decision) -> str:
    by = "" if decision.total is None else f", by {WAYS[decision.total.way].phrase}"
    return f"{format_total(decision.total)}{by}"


def totals_phrase(decision: Decision) -> str:
    return "; ".join(
        f"ε = {epsilon}{'' if delta == '0' else f' at δ = {delta}'} by {WAYS[name].phrase}"
        for name, epsilon, delta, reason in composition_totals(decision)
        if not reason
    )


def composition_totals(decision: Decision) -> list[tuple[str, str, str, str]]:
    """Name, ε and δ of each way, or the reason why it does not hold."""
    return [
        (way.name, "", "", way.reason)
        if way.total is None
        else (way.name, upper_bound_text(way.total.epsilon), upper_bound_text(way.total.delta), "")
        for way in decision.account.ways
    ]


def rho_phrase(decision: Decision) -> str:
    """ρ of one release: its own, else that of any release of this ε."""
    own_rho, of_any, beside = (
        decision.mechanism.zcdp,
        decision.epsilon**2 / 2,
        decision.mechanism.zcdp_delta,
    )
    rho = (
        f"{upper_bound_text(of_any)} (ε²/2, which any release of this ε has)"
        if own_rho is None
        else upper_bound_text(own_rho)
    )
    return f"{rho}, beside δ = {upper_bound_text(beside)}" if beside else rho


def full_participation_sentence(decision: Decision) -> str:
    """Cost to a person who is in every release; "" where one unit can be in all."""
    if decision.everyone is None:
        return ""
    question, cost = decision.question, decision.everyone
    return (
        f"One {question.unit} counts in {count_text(question.releases_per_unit, 'release')} of {question.releases:,}:"
        f" {format_total(decision.total)}, {right_guesses_phrase(decision.cost)}. A person who is in all of"
        f" them: {format_total(cost.total)}, {right_guesses_phrase(cost)}."
    )


def need_rows(decision: Decision) -> list[tuple[int, PlanWithCurves, list[str]]]:
    """Place, plan and cells of each mechanism, the cheapest first."""
    return [
        (place, need, need_cells(need, need.multiple))
        for place, need in sorted(
            enumerate(decision.needs, 1), key=lambda row: row[1].sort_key(decision.question)
        )
    ]


def need_cells(need: PlanWithCurves | Plan, multiple: float) -> list[str]:
    """Total of all releases, its multiple, bound on right guesses, and ε of one release."""
    if need.reason:
        return [format_parameter(math.inf), "", "", ""]
    return [
        format_total(need.total).removeprefix("ε = "),
        f"× {multiple:,.2f}" if math.isfinite(multiple) else "",
        f"≤ {percent_upper_bound(need.guess_bound)}",
        format_smallest_epsilon(need.smallest),
    ]


def minimised_quantity(question: Question) -> str:
    """Quantity that the chosen plan minimises, in the unit of the limit.

    >>> minimised_quantity(Question()), minimised_quantity(Question(most_right=60))
    ('the smallest total', 'the fewest right guesses')
    """
    return "the smallest total" if question.most_right is None else "the fewest right guesses"


def mechanism_reason(decision: Decision) -> str:
    need, question, allowed = (
        decision.chosen_plan_with_curves,
        decision.question,
        len(decision.needs),
    )
    searched = sum(not is_exclusion_reason(each.reason) for each in decision.needs)
    among = f"{allowed} allowed" if searched == allowed else f"{searched} that were searched"
    if allowed == 1:
        return "The only one that was allowed."
    if not need.meets_goal:
        return (
            f"{'Taken' if question.taken is None else 'Chosen by hand'} among {allowed}; it does"
            " not reach the goal."
        )
    if question.taken is None:
        by_hand = "" if question.epsilon is None else " ε was set by hand."
        return f"Of the {among} it meets the goal with {minimised_quantity(question)}.{by_hand}"
    if question.most_right is None:
        return (
            f"Chosen by hand among {allowed}; for the goal its total is {need.multiple:,.2f} times"
            " the smallest."
        )
    return (
        f"Chosen by hand among {allowed}; for the goal a guesser is right about at most"
        f" {percent_upper_bound(need.guess_bound)} of 100, with the best about at most"
        f" {percent_upper_bound(min(each.guess_bound for each in decision.needs))}."
    )


def guess_bounds(question: Question, one: Cost, every: Cost) -> list[tuple[float, str]]:
    """Bound on right guesses after one release and, if there are several, after all."""
    after_one, after_all = (
        (one.guess, "after one release"),
        (every.guess, f"after all {question.releases:,}"),
    )
    return [after_one, after_all] if question.releases > 1 else [after_one]


def guess_sentence(guess: float, after: str) -> str:
    bound = percent_upper_bound(guess)
    people = f"at most {bound} of 100 people" if bound < 100 else "perhaps nearly all of 100 people"
    return f"{after}: right about {people}, where blind guessing is right about 50."


def belief_sentence(decision: Decision) -> str:
    pairs = zip(decision.odds.beliefs, decision.total_odds.beliefs, strict=True)
    more, pure = decision.question.releases > 1, decision.total is None or not decision.total.delta
    parts = [
        f"from {input_percent_text(p)} to {upper_percent_text(one)}"
        + (f" ({upper_percent_text(every)} after all)" if more and pure else "")
        for (p, one), (_, every) in pairs
    ]
    unit = decision.question.unit
    if not decision.odds.beliefs:
        return (
            f"How far somebody who suspects that a certain {unit} is in the data can come to"
            " believe it has no limit for every single list, as there is a δ; how often a guesser"
            " is right has one, which is above."
        )
    return (
        f"Whoever suspects that a certain {unit} is in the data can come to believe it at most,"
        f" whatever {'one release shows' if more and not pure else 'comes out'}:"
        f" {', '.join(parts)}."
    )


def offer_sentence(question: Question, offer: AffordableOffer) -> str:
    best = (
        f"at least {offer.at_least:,} of the {question.k:,} right"
        if offer.at_least
        else "not one surely right"
    )
    return (
        f"The best that the accepted cost buys: {offer.label} at ε = {format_parameter(offer.epsilon)}, with"
        f" {best} in {input_percent_text(question.parsed_goal.probability)} of releases; the goal is met with"
        f" {percent(offer.chance)}."
    )


def help_sentence(help: Suggestion) -> str:
    """One change that would help, with its cost."""
    asked = help.question
    what = {
        "names": "a list of names that was fixed before the data were, for the same goal",
        "releases": f"{count_text(asked.releases, 'release')} instead of more",
        "k": (
            f"a list of {asked.k:,} ({describe_goal(asked.parsed_goal, asked.k)} in"
            f" {input_percent_text(asked.parsed_goal.probability)})"
        ),
        "goal": (
            f"{describe_goal(asked.parsed_goal, asked.k)} in {input_percent_text(asked.parsed_goal.probability)} of"
            " releases"
        ),
    }[help.changes]
    instead = (
        "" if help.instead_of is None else f" instead of {format_total(help.instead_of.total)}"
    )
    return (
        f"{what[0].upper()}{what[1:]}: {format_total(help.cost.total)}{instead},"
        f" {right_guesses_phrase(help.cost)} ({help.label} at ε = {format_parameter(help.epsilon)} each)."
    )


def cap_sentences(of: Decision | DecideStudy) -> tuple[str, ...]:
    """Each cap that saves something; empty without a log."""
    if not of.caps:
        return ()
    now = min(
        one.sort_key(of.question)[:2]
        for one in (of.needs if isinstance(of, Decision) else of.plans.values())
    )
    saving = [cap for cap in of.caps if cap.cost.sort_key(of.question) < now]
    return (
        ("The log was counted again with few items of each: no cap makes it cost less.",)
        if not saving
        else tuple(_cap(of.question, cap) for cap in saving)
    )


def _cap(question: Question, cap: CapOutcome) -> str:
    return (
        f"At most {count_text(cap.most, 'item')} of each {question.unit}, counted again from the log:"
        f" {format_total(cap.cost.total)}, {right_guesses_phrase(cap.cost)} ({cap.label} at ε ="
        f" {format_parameter(cap.epsilon)} each). Of the {question.k:,} best, {cap.same:,} stay the same."
    )


def help_sentences(decision: Decision | DecideStudy) -> tuple[str, ...]:
    """The offer and the changes that would help."""
    first = () if decision.offer is None else (offer_sentence(decision.question, decision.offer),)
    return first + tuple(map(help_sentence, decision.helps))
