"""What the page Decide has asked, read off the scenario: the question, with a goal that follows k."""

import math

from dpviz.studies.decision import ALLOWED, Question, goal_text, read_goal
from dpviz.studies.decision.question import PREFIX
from dpviz.studies.design import Design
from dpviz.studies.scenario import Scenario
from dpviz.topk.budget import Goal

__all__ = ["allowed", "fitting", "follow", "question"]


def question(scenario: Scenario) -> Question:
    """The question that the scenario holds. Raises `ParameterError` where a part of it cannot be."""
    return Question.of(fitting(scenario), designs=allowed(scenario))


def allowed(scenario: Scenario) -> tuple[Design, ...] | None:
    """The designs that are looked at: None for the scenario's own, once a question was asked or there are several."""
    own = f"{PREFIX}goal" in scenario.page
    return None if own or len(scenario.designs) > 1 else ALLOWED


def fitting(scenario: Scenario) -> Scenario:
    """The scenario with a goal about its k, and a design taken that is there."""
    page = dict(scenario.page)
    goal = page.get(f"{PREFIX}goal")
    if isinstance(goal, str):
        page[f"{PREFIX}goal"] = follow(goal, scenario.k)
    taken = page.get(f"{PREFIX}taken")
    if isinstance(taken, int) and taken >= len(scenario.designs):
        del page[f"{PREFIX}taken"]
    return scenario.replace(page=page)


def follow(goal: str, k: int) -> str:
    """A goal about another number of items, made one about k: as large a share of them may be wrong.

    >>> follow("18 of 20 in 0.9", 10), follow("top in 0.5", 3), follow("1 of 20 in 0.9", 1)
    ('9 of 10 in 0.9', 'top in 0.5', '1 of 1 in 0.9')
    """
    least, of, rest = (goal.split(maxsplit=2)[0], goal.partition(" of ")[2].split(" ")[0], goal.partition(" in ")[2])
    if not (least.isdecimal() and of.isdecimal()) or int(of) == k or not 1 <= int(least) <= int(of):
        return goal
    told = read_goal(goal, int(of))
    kept = max(1, k - math.floor(k * (int(of) - int(least)) / int(of)))
    return goal_text(Goal(event="hits", at_least=kept, probability=told.probability), k) if rest else goal
