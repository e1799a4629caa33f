"""Page parameters of Decide, and the question that a scenario holds."""

from dataclasses import dataclass

from dpviz.base import parameter
from dpviz.studies import GOAL, DeclaredParameters, Design, Scenario
from dpviz.studies.decision import (
    ALLOWED,
    PREFIX,
    Question,
    design_menu,
    have_same_mechanisms,
    is_default_menu,
    rescale_goal,
)

ANSWER = "answer"
SCREENS = {
    "published": "What is published?",
    "protected": "Who is protected?",
    "cost": "How much privacy risk is acceptable?",
    "good": "How good must the list be?",
    "data": "Which data do you decide on?",
    "names": "Is there a list of all possible items?",
    ANSWER: "The answer",
    "allowed": "Which mechanisms may be used?",
}
"""Every screen: questions, the answer, and mechanisms, an advanced choice."""
QUESTIONS = tuple(SCREENS)[: tuple(SCREENS).index(ANSWER)]


@dataclass(frozen=True, kw_only=True)
class DecideSettings:
    """The screen that is open, and whether the sheet has a digest of the data."""

    screen: str = parameter("published", choices=SCREENS, label="The screen")
    digest: bool = parameter(False, label="Whether there is a digest")


DECIDE_PAGE = DeclaredParameters(DecideSettings, PREFIX, by_label=True)


def read_question(scenario: Scenario) -> Question:
    """Question of the scenario; raises `ParameterError` where a part is not allowed."""
    return Question.from_scenario(
        repair_goal_and_taken_design(scenario), designs=designs_unless_chosen(scenario)
    )


def designs_unless_chosen(scenario: Scenario) -> tuple[Design, ...] | None:
    """ALLOWED where nobody chose designs; None for the scenario's own."""
    return None if GOAL in scenario.page or len(scenario.designs) > 1 else ALLOWED


def repair_goal_and_taken_design(scenario: Scenario) -> Scenario:
    """The scenario with a goal for its k, and without a `taken` that is not there."""
    page = dict(scenario.page)
    goal = page.get(GOAL)
    if isinstance(goal, str):
        page[GOAL] = rescale_goal(goal, scenario.k)
    taken = page.get(f"{PREFIX}taken")
    if isinstance(taken, int) and (taken >= len(scenario.designs) or _other_menu(scenario)):
        del page[f"{PREFIX}taken"]
    return scenario.replace(page=page)


def _other_menu(scenario: Scenario) -> bool:
    """True if its designs are a menu that nobody picked, and not that of its data."""
    return (
        scenario.page.get(f"{PREFIX}picked") is not True
        and is_default_menu(scenario.designs)
        and not have_same_mechanisms(design_menu(scenario.data, scenario.k), scenario.designs)
    )
