"""The page Decide, an ε that a team can defend; read `settings` first: the screens, one question each.

`asked` has the question as the scenario holds it and changes it, `screens` the controls of each question; `answer` is
the last screen, `beside` two decisions side by side, `take` what can be taken along: the sheet, the code, the scenario.
"""

from dpviz import charts
from dpviz.base.scores import Scores
from dpviz.studies.decision import Question
from dpviz.ui.decide.answer import answer
from dpviz.ui.decide.asked import screen, start
from dpviz.ui.decide.screens import ask, without_data
from dpviz.ui.decide.settings import ANSWER

__all__ = ["show", "start"]


def show(question: Question, scores: Scores | None, look: charts.Look) -> None:
    """The screen that is open."""
    opened = screen()
    if opened != ANSWER:
        ask(opened, question, scores)
    elif scores is None:
        without_data()
    else:
        answer(question, scores, look)
