"""What the page on decisions adds to the scenario beside the question itself: the open screen, and a digest or none.

Invariant: the question is `dpviz.studies.decision.Question`, in the scenario under the same prefix.
"""

from dataclasses import dataclass

from dpviz.base.parameters import parameter
from dpviz.studies.decision import ALLOWED
from dpviz.studies.decision.question import PREFIX
from dpviz.studies.design import Design
from dpviz.ui.shell.page_parameters import PageParameters

__all__ = ["ANSWER", "MENU", "PAGE", "SCREENS", "WHERE", "Settings"]

WHERE = "decide"
ANSWER = "answer"
SCREENS = {
    "published": "What is published?",
    "protected": "Who is protected?",
    "good": "How good must it be?",
    "data": "On which data is this decided?",
    "allowed": "Which mechanisms are allowed?",
    ANSWER: "The answer",
}
MENU = (*ALLOWED, Design(mechanism="peeling"), Design(mechanism="peeling", parameters={"noise": "exponential"}))
"""Designs to choose from; those of a link come on top."""


@dataclass(frozen=True, kw_only=True)
class Settings:
    """The screen that is open, and whether the sheet has a digest of the data."""

    screen: str = parameter("published", choices=SCREENS, label="The screen")
    digest: bool = parameter(False, label="Whether there is a digest")


PAGE = PageParameters(Settings, PREFIX, where=WHERE, by_label=True, tell=True)
