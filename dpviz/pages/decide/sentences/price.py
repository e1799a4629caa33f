"""Price of a decision in words: the answer, totals, needs of each mechanism, odds, and help."""

import math
from collections.abc import Mapping
from typing import NamedTuple

from dpviz.base import ParameterError
from dpviz.charts import (
    count_text,
    join_with_and,
    percent,
    percent_upper_bound,
    stated_percent_text,
    upper_bound_text,
    upper_percent_text,
)
from dpviz.pages.decide.sentences.phrases import (
    accepted_cost_phrase,
    covered_lists_phrase,
    format_parameter,
    format_smallest_epsilon,
    format_total,
    right_guesses_phrase,
    right_guesses_verb_phrase,
)
from dpviz.studies.decision import (
    WEAK,
    AffordableOffer,
    Cost,
    DecideStudy,
    Decision,
    GoalOutOfReach,
    Plan,
    PlanWithCurves,
    Question,
    Suggestion,
    describe_goal_and_probability,
    is_exclusion_reason,
    other_lists_cost,
)
from dpviz.studies.stated_rule import stated_rule_sentences
from dpviz.topk import Goal

_RANDOM = 0.01  # a smaller chance of the goal is told as next to none


class CompositionWords(NamedTuple):
    """Name of a way of composition in a table, and in a sentence after "by"."""

    title: str
    phrase: str


WAYS: Mapping[str, CompositionWords] = {
    "basic": CompositionWords("Basic composition", "basic composition"),
    "pure": CompositionWords("Optimal composition", "optimal composition"),
    "rho": CompositionWords("By ρ (zCDP)", "ρ"),
    "own loss": CompositionWords("By the noise's own loss", "the noise's own loss"),
    "bounded range": CompositionWords(
        "Bounded range, if fixed in advance", "bounded range, if fixed in advance"
    ),
}
"""Each way of `dpviz.privacy.composition`."""


_VERDICTS = {
    "yes": "Yes: this stays within your limit",
    "no": "Not within your limit",
    "no limit": "No limit was set",
}


def verdict_phrase(kind: str, *, meets_goal: bool = True, total: str = "") -> str:
    """Verdict without its full stop, with the `total` that it takes where no limit was set.

    >>> verdict_phrase("yes"), verdict_phrase("yes", meets_goal=False)
    ('Yes: this stays within your limit', 'This stays within your limit, but misses the goal')
    """
    said = _VERDICTS[kind]
    if kind == "no limit" and total:
        said += f". It would take {total} in total"
    if kind == "no" or meets_goal:
        return said
    missed = (
        ". The plan misses the goal" if said == _VERDICTS["no limit"] else ", but misses the goal"
    )
    return said.replace("Yes: this", "This") + missed


def answer_title(decision: Decision | DecideStudy) -> str:
    """Beginning of the verdict, without its full stop."""
    verdict, total = decision.verdict, format_total(decision.total)
    return verdict_phrase(verdict.kind, meets_goal=verdict.meets_goal, total=total)


def nearest_plan_or_warning(decision: Decision | DecideStudy) -> str:
    """Nearest plan within the limit, or a warning that holds under any limit."""
    if decision.verdict.kind == "no":
        return nearest_plan_sentence(decision.question, decision.verdict.nearest)
    if decision.chosen_plan.is_met_by_chance and decision.question.epsilon is None:
        return "A random list would meet this goal, so ask for more."
    return "It promises hardly any protection." if decision.cost.guess >= WEAK else ""


def verdict_sentence(decision: Decision | DecideStudy) -> str:
    """Verdict in a sentence or two, the same for page, command, JSON and sheet."""
    return f"{answer_title(decision)}. {nearest_plan_or_warning(decision)}".strip()


def nearest_plan_sentence(
    question: Question, nearest_plan: AffordableOffer | Suggestion | None
) -> str:
    alone = other_lists_cost(question) if nearest_plan is None and question.also else None
    if alone is not None and not alone.is_within_limit(question):
        return "The other lists alone are not within it."
    if nearest_plan is None:
        return (
            "No plan that was tried meets the goal within it. You may also decide not to publish."
        )
    plan = (
        _offered_quality(question, nearest_plan)
        if isinstance(nearest_plan, AffordableOffer)
        else _change_phrase(nearest_plan)
    )
    return (
        f"The nearest plan that is: {plan} ({nearest_plan.label} at ε ="
        f" {format_parameter(nearest_plan.epsilon)} each)."
    )


FAILED = (
    "Something failed; there is no answer yet",
    "It is not known if a plan reaches the goal. Try again below, or ask about fewer items.",
)
"""Title and first sentence after a failed computation, which says nothing about plans."""


def no_answer_title_and_sentence(error: ParameterError) -> tuple[str, str]:
    """Title and first sentence of a question without an answer; the reason follows on the page."""
    if isinstance(error, GoalOutOfReach):
        return (
            f"No: {error.args[1]} this goal",
            "Change the goal or the list as suggested below. You may also decide not to publish.",
        )
    return (
        "This question has no answer",
        "The reason stands below. Change that answer, then look here again.",
    )


def answer_sentence(decision: Decision | DecideStudy) -> str:
    return f"{verdict_sentence(decision)} {cost_sentence(decision)}"


def cost_sentence(decision: Decision | DecideStudy) -> str:
    """Right guesses after all releases, and their total and the limit where there is one."""
    question = decision.question
    said = (
        f"After {covered_lists_phrase(question)}, an attacker who guesses about one {question.unit}"
        f" {right_guesses_verb_phrase(decision.cost, compare_pure_guessing=True)}."
    )
    if decision.verdict.kind == "no limit":
        return said
    return (
        f"{said} In total that is {format_total(decision.total)}."
        f" Your limit: {accepted_cost_phrase(question)}."
    )


def composed_total_phrase(decision: Decision) -> str:
    by = "" if decision.total is None else f", by {WAYS[decision.total.way].phrase}"
    return f"{format_total(decision.total)}{by}"


def totals_phrase(decision: Decision) -> str:
    return "; ".join(
        f"ε = {epsilon}{'' if delta == '0' else f' at δ = {delta}'} by {WAYS[name].phrase}"
        for name, epsilon, delta, reason in composition_total_rows(decision)
        if not reason
    )


def composition_total_rows(decision: Decision) -> list[tuple[str, str, str, str]]:
    return [
        (way.name, "", "", way.reason)
        if way.total is None
        else (way.name, upper_bound_text(way.total.epsilon), upper_bound_text(way.total.delta), "")
        for way in decision.account.ways
    ]


def rho_phrase(decision: Decision) -> str:
    """ρ of one release: its own, else that of any release of this ε."""
    m, beside = decision.mechanism, decision.mechanism.zcdp_delta
    rho = (
        f"{upper_bound_text(decision.epsilon**2 / 2)} (ε²/2, which any release of this ε has)"
        if m.zcdp is None
        else upper_bound_text(m.zcdp)
    )
    return f"{rho}, beside δ = {upper_bound_text(beside)}" if beside else rho


def full_participation_sentence(decision: Decision) -> str:
    """Cost to a person who is in every release; "" where one unit can be in all."""
    if decision.everyone is None:
        return ""
    question, cost = decision.question, decision.everyone
    return (
        f"One {question.unit} counts in {count_text(question.releases_per_unit, 'release')} of"
        f" {question.releases:,}: {format_total(decision.total)},"
        f" {right_guesses_phrase(decision.cost)}. A person in all of them:"
        f" {format_total(cost.total)}, {right_guesses_phrase(cost)}."
    )


def plan_rows(decision: Decision) -> list[tuple[int, PlanWithCurves, list[str]]]:
    """Place, plan and cells of each mechanism, the cheapest first."""
    return [
        (place, need, plan_cells(need, need.multiple))
        for place, need in sorted(
            enumerate(decision.needs, 1), key=lambda row: row[1].sort_key(decision.question)
        )
    ]


def plan_cells(plan: PlanWithCurves | Plan, multiple: float) -> list[str]:
    """Total of all releases, its multiple, bound on right guesses, and ε of one release."""
    if plan.reason:
        return [format_parameter(math.inf), "", "", ""]
    return [
        format_total(plan.total).removeprefix("ε = "),
        f"× {multiple:,.2f}" if math.isfinite(multiple) else "",
        f"≤ {percent_upper_bound(plan.guess_bound)}",
        format_parameter(plan.epsilon)
        if plan.design.stated_scale
        else format_smallest_epsilon(plan.smallest),
    ]


def minimised_quantity(question: Question) -> str:
    """Quantity that the chosen plan minimises, in the unit of the limit.

    >>> minimised_quantity(Question()), minimised_quantity(Question(most_right=60))
    ('the smallest total', 'the fewest right guesses')
    """
    return "the smallest total" if question.most_right is None else "the fewest right guesses"


def mechanism_reason(decision: Decision) -> str:
    need, question = decision.chosen_plan_with_curves, decision.question
    allowed = len(decision.needs)
    if rule := stated_rule_sentences(decision.mechanism, upper_bound_text):
        return " ".join(rule)
    if allowed == 1:
        return "The only one that was allowed."
    if question.taken is None and need.meets_goal:
        searched = sum(not is_exclusion_reason(each.reason) for each in decision.needs)
        among = f"{allowed} allowed" if searched == allowed else f"{searched} that were searched"
        by_hand = "" if question.epsilon is None else " ε was set by hand."
        return f"Of the {among} it needs {minimised_quantity(question)} for the goal.{by_hand}"
    best = min(each.guess_bound for each in decision.needs)
    compared = (
        f"for the goal its total is {need.multiple:,.2f} times the smallest"
        if question.most_right is None and math.isfinite(need.multiple)
        else f"for the goal {right_guesses_phrase(Cost(None, need.guess_bound))}, with the best at"
        f" most {percent_upper_bound(best)} times"
    )
    chosen = "Used" if question.taken is None else "Chosen by hand"
    return f"{chosen} among {allowed}; {compared if need.meets_goal else 'it does not reach the goal'}."


def guess_bounds_with_occasions(
    question: Question, one_release: Cost, all_releases: Cost
) -> list[tuple[float, str]]:
    """Bound on right guesses after one release and, if there are several, after all."""
    after_one, after_all = (
        (one_release.guess, "after one list"),
        (all_releases.guess, f"after {covered_lists_phrase(question)}"),
    )
    return [after_one, after_all] if question.releases > 1 or question.also else [after_one]


def right_guesses_sentence(right_guess_bound: float, occasion: str) -> str:
    said = right_guesses_verb_phrase(Cost(None, right_guess_bound), compare_pure_guessing=True)
    return f"{occasion}: an attacker {said}."


def belief_sentence(decision: Decision) -> str:
    if not decision.odds.beliefs:
        return (
            "Very rarely a list may reveal more. The bound on right guesses already includes that."
        )
    one, every = (
        [f"from {stated_percent_text(p)} to {upper_percent_text(most)}" for p, most in odds]
        for odds in (decision.odds.beliefs, decision.total_odds.beliefs)
    )
    question = decision.question
    # of a person who is replaced, the attacker tells two records apart
    of = "is in the data" if question.data.monotonic else "has a certain record"
    said = (
        f"The most revealing list can raise a suspicion that a certain {question.unit} {of} at most"
        f" {join_with_and(one)}."
    )
    pure = decision.total is None or not decision.total.delta
    return f"{said} All lists together: {join_with_and(every)}." if every != one and pure else said


def offer_sentence(question: Question, offer: AffordableOffer) -> str:
    chance = percent(offer.chance)
    by = f"{offer.label} at ε = {format_parameter(offer.epsilon)}"
    if question.parsed_goal.event == "share":
        return (
            f"The best within your limit is {by}: {chance} of the true top {question.k:,} appear on"
            " average."
        )
    if not offer.at_least and offer.chance < _RANDOM:
        return f"Within your limit almost no list meets the goal: {chance}, with {by}."
    said = f"The best within your limit is {by}: it meets the goal in {chance} of releases."
    if not offer.at_least:
        return said
    found = _offered_quality(question, offer)
    return f"{said} {found[0].upper()}{found[1:]}."


def _offered_quality(question: Question, offer: AffordableOffer) -> str:
    share = question.parsed_goal.probability
    goal = Goal(event="hits", at_least=offer.at_least, probability=share)
    return describe_goal_and_probability(goal, question.k)


def _change_phrase(help: Suggestion) -> str:
    """One change of the question, in the middle of a sentence."""
    asked = help.question
    goal = describe_goal_and_probability(asked.parsed_goal, asked.k)
    return {
        "plan": "the cheapest one for the same goal",
        "names": "a catalogue, which is a list of all possible items that was fixed before the data",
        "releases": f"only {count_text(asked.releases, 'list')}",
        "k": f"a list of only {asked.k:,} ({goal})",
        "goal": goal,
    }[help.changes]


def suggestion_sentence(suggestion: Suggestion) -> str:
    what = _change_phrase(suggestion)
    instead = (
        ""
        if suggestion.instead_of is None
        else f" instead of {format_total(suggestion.instead_of.total)}"
    )
    return (
        f"{what[0].upper()}{what[1:]}: {format_total(suggestion.cost.total)}{instead},"
        f" {right_guesses_phrase(suggestion.cost)} ({suggestion.label} at ε = {format_parameter(suggestion.epsilon)}"
        " each)."
    )


def contribution_cap_sentences(decision: Decision | DecideStudy) -> tuple[str, ...]:
    """Each cap that saves something in the figures told; empty without a log."""
    if not decision.caps:
        return ()
    plans = decision.needs if isinstance(decision, Decision) else decision.plans.values()
    now = min(_told_cost(one, decision.question) for one in plans)
    limits = {None: "No limit of items"} | {
        cap.most: f"At most {count_text(cap.most, 'item')}" for cap in decision.caps if cap.most
    }
    return tuple(
        f"{limits[cap.most]} per {decision.question.unit}, counted again:"
        f" {format_total(cap.cost.total)}, {right_guesses_phrase(cap.cost)} ({cap.label} at ε ="
        f" {format_parameter(cap.epsilon)} each). Of the {decision.question.k:,} best, {cap.same:,} stay"
        " the same."
        for cap in decision.caps
        if _told_cost(cap.cost, decision.question) < now
    ) or (f"Counted again under other limits per {decision.question.unit}, the log costs no less.",)


def _told_cost(cost: Plan | Cost, question: Question) -> tuple[float, float]:
    """Its sort key, with right guesses as they are told."""
    first, second, *_ = cost.sort_key(question)
    return first if question.most_right is None else percent_upper_bound(min(first, 1.0)), second


def suggestion_sentences(decision: Decision | DecideStudy) -> tuple[str, ...]:
    first = () if decision.offer is None else (offer_sentence(decision.question, decision.offer),)
    return first + tuple(map(suggestion_sentence, decision.helps))
