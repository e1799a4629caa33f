"""Verdict on a plan against the limit of its question, however that limit was said.

Page, command, JSON and sheet show it and judge nothing themselves. A limit just met is kept.
"""

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Literal

from dpviz.studies.decision.costs import Cost
from dpviz.studies.decision.plans import Plan
from dpviz.studies.decision.question import Question
from dpviz.studies.decision.suggestions import AffordableOffer, Suggestion


@dataclass(frozen=True)
class DecisionVerdict:
    """Yes, no, or no limit that was set, and for no the nearest plan within the limit."""

    kind: Literal["yes", "no", "no limit"]
    meets_goal: bool
    nearest: AffordableOffer | Suggestion | None = None


def judge_plan(
    cost: Cost,
    question: Question,
    nearest_plan: AffordableOffer | Suggestion | None,
    *,
    meets_goal: bool,
) -> DecisionVerdict:
    kept = cost.is_within_limit(question)
    if kept is False:
        return DecisionVerdict("no", meets_goal, nearest_plan)
    return DecisionVerdict("yes" if kept else "no limit", meets_goal)


def nearest_plan_within_limit(
    question: Question,
    plans: Iterable[Plan],
    offer: AffordableOffer | None,
    helps: Iterable[Suggestion],
) -> AffordableOffer | Suggestion | None:
    """The plan within the limit that keeps most of what was asked for; None without any."""
    kept: list[tuple[float, AffordableOffer | Suggestion]] = [
        (1.0, Suggestion("plan", question, one.label, one.epsilon, one.cost))
        for one in sorted(plans, key=lambda one: one.sort_key(question))
        if one.cost is not None and one.cost.is_within_limit(question)
    ]
    kept += [
        (_share_kept(question, one.question), one)
        for one in helps
        if one.cost.is_within_limit(question)
    ]
    if offer is not None and offer.at_least:
        kept.append((offer.at_least / question.k / _least_right(question), offer))
    return max(kept, key=lambda pair: pair[0], default=(0.0, None))[1]


def _share_kept(question: Question, changed: Question) -> float:
    """Share of the lists, of their length and of their quality that a changed question keeps."""
    quality = _least_right(changed) * changed.parsed_goal.probability
    return (
        changed.releases
        / question.releases
        * (changed.k / question.k)
        * min(1.0, quality / (_least_right(question) * question.parsed_goal.probability))
    )


def _least_right(question: Question) -> float:
    return (question.parsed_goal.at_least or question.k) / question.k
