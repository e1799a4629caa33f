"""A decision on ε: what is asked, in a person's words, and everything computed to answer it.

`question` is what people say (read it first), `goals` how they write how good it must be,
`design_menus` what is searched where nobody picks mechanisms; `decide_study` computes the
`decision`, step by step, `entry_point` in one call: `plans` what each mechanism needs on all
`score_scaling`, `costs` what a plan costs, `suggestions` what would help where none will do,
`contribution_caps` what a cap on the items of each person would save. `curve_shape` says where more
ε buys most, `wrong_lists` what goes wrong when it does, `odds` what ε means for a person. Sheets
and code of a decision are in `dpviz.export.decision`.
"""

from dpviz.studies.decision.contribution_caps import Cap, Log
from dpviz.studies.decision.costs import Cost, tidy_epsilon
from dpviz.studies.decision.curve_shape import CurveShape, curve_shape
from dpviz.studies.decision.decide_study import DecideStudy
from dpviz.studies.decision.decision import Decision, Utility
from dpviz.studies.decision.design_menus import ALLOWED, menu_for, not_searched
from dpviz.studies.decision.entry_point import decide
from dpviz.studies.decision.goals import default_goal, goal_text, goal_words, read_goal
from dpviz.studies.decision.odds import Odds, odds
from dpviz.studies.decision.plans import Need, Plan, left_out
from dpviz.studies.decision.question import DECIDED_ON, UNITS, Question
from dpviz.studies.decision.score_scaling import Drift
from dpviz.studies.decision.suggestions import Help, Offer
from dpviz.studies.decision.wrong_lists import Miss, Misses, Often, likely_misses

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
