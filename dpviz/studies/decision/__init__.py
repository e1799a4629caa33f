"""A decision on ε: what is asked, in a person's words, and everything computed to answer it.

`question` is what people say, and how they write how good it must be (read it first); `answer` computes the `Decision`,
step by step. `curve_shape` says where more ε buys most, `misses` what goes wrong when it does, `promises`
what ε means for one person and what all releases and a cap come to. Sheets and code of a decision are in
`dpviz.reports.decision`.
"""

from dpviz.studies.decision.answer import Decision, Need, Utility, decide
from dpviz.studies.decision.curve_shape import CurveShape, curve_shape
from dpviz.studies.decision.misses import Miss, Misses, Often, likely_misses
from dpviz.studies.decision.promises import Cap, Odds, caps, odds
from dpviz.studies.decision.question import (
    ALLOWED,
    DECIDED_ON,
    UNITS,
    Question,
    default_goal,
    goal_text,
    goal_words,
    read_goal,
)

__all__ = [
    "ALLOWED",
    "DECIDED_ON",
    "UNITS",
    "Cap",
    "CurveShape",
    "Decision",
    "Miss",
    "Misses",
    "Need",
    "Odds",
    "Often",
    "Question",
    "Utility",
    "caps",
    "curve_shape",
    "decide",
    "default_goal",
    "goal_text",
    "goal_words",
    "likely_misses",
    "odds",
    "read_goal",
]
