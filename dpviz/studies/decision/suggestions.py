"""Suggestions: the best offer within the cost, easier questions, and savings by a cap on items."""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace

import numpy as np

from dpviz.base import ParameterError, Progress, Scores, iterate_with_progress, portion, round_down
from dpviz.studies import Design
from dpviz.studies.decision.costs import (
    Cost,
    affordable_epsilon,
    affordable_release_count,
    plan_cost,
)
from dpviz.studies.decision.design_menus import ALLOWED
from dpviz.studies.decision.goals import goal_text, rescale_goal
from dpviz.studies.decision.plans import Plan, cheapest_plan, is_exclusion_reason
from dpviz.studies.decision.question import Question
from dpviz.studies.decision.score_scaling import scale_scores
from dpviz.topk import Goal, TopKDistribution, TopKMechanism

_SHORTER = (2, 5, 10)  # a list so many times shorter
_MAY_BE_WRONG = (10, 5, 2)  # one of so many
_MOST = (1, 2, 3, 5, 10, 20)  # items of each person, under a cap
_LESS, _APART = 9, 1.5  # smaller values of ε of shorter lists, and the factor between them


@dataclass(frozen=True)
class AffordableOffer:
    label: str
    epsilon: float
    cost: Cost
    chance: float
    at_least: int


@dataclass(frozen=True)
class Suggestion:
    changes: str
    question: Question
    label: str
    epsilon: float
    cost: Cost
    instead_of: Cost | None = None


def best_affordable_offer(
    question: Question, designs: Sequence[Design], vectors: Sequence[Scores], progress: Progress
) -> AffordableOffer | None:
    if question.most_right is None and question.most_epsilon is None:
        return None
    offers = []
    for design, _ in iterate_with_progress(designs, progress):
        epsilon = None if design.stated_scale else affordable_epsilon(design, question)
        if epsilon is None:
            continue
        for spent in _worth_looking_at(design.build(epsilon, question.k), vectors):
            laws = [
                design.build(spent, question.k).distribution(one)
                for one in scale_scores(vectors, question.smaller)
            ]
            chance = min(question.parsed_goal.figure_value(law) for law in laws)
            at_least = min(_right(law, question.parsed_goal.probability) for law in laws)
            offers.append(
                AffordableOffer(
                    question.label(design),
                    spent,
                    plan_cost(design, spent, question),
                    chance,
                    at_least,
                )
            )
    return max(offers, key=lambda offer: (offer.chance, offer.at_least), default=None)


def _worth_looking_at(m: TopKMechanism, vectors: Sequence[Scores]) -> Iterator[float]:
    """The affordable ε, and smaller ones where more ε may make shorter lists worse."""
    yield m.epsilon
    for step in range(1, _LESS if m.shorter else 0):
        less = m.replace(epsilon=round_down(m.epsilon / _APART**step))
        try:
            less.check_scores(vectors[0])
        except ParameterError as err:
            if err.parameter != "delta":
                raise
            return  # its δ is too large for so small an ε
        yield less.epsilon


def _right(law: TopKDistribution, share: float) -> int:
    """Items that are right at least in this share of releases."""
    low, _ = law.bounds(np.cumsum(law.hits[::-1]))  # at least k, k − 1, …, 0 of them
    return int(np.sum(low >= share)) - 1


def suggest_changes(
    question: Question, plans: Sequence[Plan], vectors: Sequence[Scores], progress: Progress
) -> tuple[Suggestion, ...]:
    """Fewer releases, a shorter list or an easier goal: the smallest change that is enough."""
    places = [at for at, plan in enumerate(plans) if not is_exclusion_reason(plan.reason)]
    if not places:
        return ()
    now = min(plans[at].sort_key(question) for at in places)
    found = []
    fewer = [
        (releases, at)
        for at in places
        if (cost := plans[at].cost) is not None
        and cost.is_within_limit(question) is False
        and (
            releases := affordable_release_count(
                question.designs[at].build(plans[at].epsilon, question.k), question
            )
        )
    ]
    if fewer:
        releases, at = max(fewer, key=lambda pair: pair[0])
        asked, plan = question.replace(releases=releases, counts_in=None), plans[at]
        cost = plan_cost(plan.design, plan.epsilon, asked)
        found.append(Suggestion("releases", asked, plan.label, plan.epsilon, cost))
    shorter = [  # of which as large a share may be wrong
        question.replace(k=k, goal=rescale_goal(question.goal_text, k))
        for k in dict.fromkeys(question.k // times for times in _SHORTER)
        if 1 <= k < question.k
    ]
    for changes, asked_for, start, stop in [
        ("k", shorter, 0.0, 0.5),
        ("goal", _easier(question, vectors), 0.5, 1.0),
    ]:
        for asked, part in iterate_with_progress(asked_for, portion(progress, start, stop)):
            best = cheapest_plan([asked.designs[at] for at in places], asked, vectors, part)
            if best is None or best.cost is None:
                continue
            kept = best.cost.is_within_limit(question)
            if kept or (kept is None and best.sort_key(asked) < now):
                found.append(Suggestion(changes, asked, best.label, best.epsilon, best.cost))
                break
    return tuple(found)


def suggest_fixed_name_list(
    question: Question, plans: Sequence[Plan], vectors: Sequence[Scores], progress: Progress
) -> tuple[Suggestion, ...]:
    """The best plan with a list of names that was fixed before the data, where there is none."""
    now = min(plans, key=lambda one: one.sort_key(question))
    if vectors[0].names_known or now.cost is None or any(question.k >= one.d for one in vectors):
        return ()
    asked = question.replace(data=replace(question.data, items_known=True), designs=ALLOWED)
    listed = [replace(one, names_known=True) for one in vectors]
    best = cheapest_plan(asked.designs, asked, listed, progress)
    return (
        ()
        if best is None or best.cost is None or best.sort_key(asked) >= now.sort_key(question)
        else (Suggestion("names", asked, best.label, best.epsilon, best.cost, now.cost),)
    )


def _easier(question: Question, vectors: Sequence[Scores]) -> list[Question]:
    """Goals that ask for less: any choice among ties, then more wrong items."""
    k, goal = question.k, question.parsed_goal
    tied = any(one.tie_counts(k).at_or_above > k for one in vectors)
    goals = (
        [Goal(event="optimal", probability=goal.probability)]
        if goal.event == "top" and tied
        else []
    )
    now = k + 1 if goal.at_least is None else goal.at_least
    shares = [min(goal.probability, 0.9)] if goal.event != "share" else []
    goals += [
        Goal(event="hits", at_least=k - k // of, probability=share)
        for share in shares
        for of in _MAY_BE_WRONG
        if k - k // of < now and k // of
    ]
    return [question.replace(goal=goal_text(one, k)) for one in goals]


@dataclass(frozen=True, eq=False)
class RecountableLog:
    count: Callable[[int | None], Scores]
    key: str


@dataclass(frozen=True)
class CapOutcome:
    """The best plan under a cap of `most` items, or none; `same` of the k best stay the same."""

    most: int | None
    label: str
    epsilon: float
    cost: Cost
    same: int


def compute_cap_outcomes(
    question: Question, scores: Scores, log: RecountableLog, progress: Progress
) -> tuple[CapOutcome, ...]:
    """Best plan under each smaller cap, and without the one in force, that meets the goal."""
    found = []
    for (most, kept), part in iterate_with_progress(list(_counted(scores, log)), progress):
        asked = question.replace(data=replace(question.data, contributions=most))
        counted = asked.data.with_person_metadata(kept)
        # where nobody picked mechanisms, they are of another menu
        helped = [
            design
            for design in asked.designs
            if most is None or _gains(design.build(1.0, asked.k), asked)
        ]
        best = cheapest_plan(helped, asked, (counted,), part)
        if best is not None and best.cost is not None:
            top = [{one.label(int(i)) for i in one.order[: asked.k]} for one in (scores, counted)]
            found.append(
                CapOutcome(most, best.label, best.epsilon, best.cost, len(top[0] & top[1]))
            )
    return tuple(found)


def _counted(scores: Scores, log: RecountableLog) -> Iterator[tuple[int | None, Scores]]:
    """Caps with the scores they leave, up to the first cap that leaves out nothing."""
    if scores.contributions is not None:
        yield None, log.count(None)
    for most in _MOST:
        if most >= (scores.contributions or scores.d):
            return
        yield most, (kept := log.count(most))
        if np.array_equal(kept.values, scores.values):
            return


def _gains(m: TopKMechanism, question: Question) -> bool:
    return (
        m.delta_spent > 0
        or m.epsilon_cost_factor(1) < 1
        or m.laplace_score_shifts(1, bool(question.data.monotonic)) is not None
    )
