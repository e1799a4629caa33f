"""A decision on ε: what is asked, in a person's words, and everything computed to answer it.

`question` is what people say (read it first), `goals` how they write how good it must be, `menu`
what is searched where nobody picks mechanisms; `answer` computes the `decision`, step by step,
`at_once` in one call: `needs` what each mechanism needs on all `data_sets`, `costs` what a plan
costs, `helps` what would help where none will do, `caps` what a cap on the items of each person
would save. `curve_shape` says where more ε buys most, `misses` what goes wrong when it does,
`promises` what ε means for a person. Sheets and code of a decision are in `dpviz.export.decision`.
"""

from dpviz.studies.decision.answer import DecideStudy
from dpviz.studies.decision.at_once import decide
from dpviz.studies.decision.caps import Cap, Log
from dpviz.studies.decision.costs import Cost, tidy_epsilon
from dpviz.studies.decision.curve_shape import CurveShape, curve_shape
from dpviz.studies.decision.data_sets import Drift
from dpviz.studies.decision.decision import Decision, Utility
from dpviz.studies.decision.goals import default_goal, goal_text, goal_words, read_goal
from dpviz.studies.decision.helps import Help, Offer
from dpviz.studies.decision.menu import ALLOWED, menu_for, not_searched
from dpviz.studies.decision.misses import Miss, Misses, Often, likely_misses
from dpviz.studies.decision.needs import Need, Plan, left_out
from dpviz.studies.decision.promises import Odds, odds
from dpviz.studies.decision.question import DECIDED_ON, UNITS, Question

__all__ = [
    "ALLOWED",
    "DECIDED_ON",
    "UNITS",
    "Cap",
    "Cost",
    "CurveShape",
    "DecideStudy",
    "Decision",
    "Drift",
    "Help",
    "Log",
    "Miss",
    "Misses",
    "Need",
    "Odds",
    "Offer",
    "Often",
    "Plan",
    "Question",
    "Utility",
    "curve_shape",
    "decide",
    "default_goal",
    "goal_text",
    "goal_words",
    "left_out",
    "likely_misses",
    "menu_for",
    "not_searched",
    "odds",
    "read_goal",
    "tidy_epsilon",
]
