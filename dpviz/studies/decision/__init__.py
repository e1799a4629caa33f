"""Decisions on ε: the question in a person's words, and everything computed to answer it."""

from dpviz.studies.decision.costs import WEAK, Cost, other_lists_cost, plan_cost, round_epsilon_up
from dpviz.studies.decision.curve_shape import CurveShape, curve_shape
from dpviz.studies.decision.decide_study import DecideStudy, GoalOutOfReach
from dpviz.studies.decision.decided_plan import AttackerOdds, attacker_odds
from dpviz.studies.decision.decision import Decision, Utility
from dpviz.studies.decision.design_menus import (
    ALLOWED,
    design_menu,
    design_menu_key,
    excluded_mechanisms_text,
    have_same_mechanisms,
    is_default_menu,
)
from dpviz.studies.decision.goals import (
    default_goal,
    describe_goal,
    describe_goal_and_probability,
    goal_text,
    read_goal,
    rescale_goal,
)
from dpviz.studies.decision.plans import Plan, PlanWithCurves, is_exclusion_reason
from dpviz.studies.decision.question import DECIDED_ON, ON_PAGE, PREFIX, UNITS, Question
from dpviz.studies.decision.question_answer import decide
from dpviz.studies.decision.score_scaling import ScaledGoalProbability
from dpviz.studies.decision.suggestions import (
    AffordableOffer,
    CapOutcome,
    RecountableLog,
    Suggestion,
)
from dpviz.studies.decision.verdict import DecisionVerdict
from dpviz.studies.decision.wrong_lists import (
    MisplacedItem,
    WrongList,
    WrongLists,
    likely_wrong_lists,
)

__all__ = [
    "ALLOWED",
    "DECIDED_ON",
    "ON_PAGE",
    "PREFIX",
    "UNITS",
    "WEAK",
    "AffordableOffer",
    "AttackerOdds",
    "CapOutcome",
    "Cost",
    "CurveShape",
    "DecideStudy",
    "Decision",
    "DecisionVerdict",
    "GoalOutOfReach",
    "MisplacedItem",
    "Plan",
    "PlanWithCurves",
    "Question",
    "RecountableLog",
    "ScaledGoalProbability",
    "Suggestion",
    "Utility",
    "WrongList",
    "WrongLists",
    "attacker_odds",
    "curve_shape",
    "decide",
    "default_goal",
    "describe_goal",
    "describe_goal_and_probability",
    "design_menu",
    "design_menu_key",
    "excluded_mechanisms_text",
    "goal_text",
    "have_same_mechanisms",
    "is_default_menu",
    "is_exclusion_reason",
    "likely_wrong_lists",
    "other_lists_cost",
    "plan_cost",
    "read_goal",
    "rescale_goal",
    "round_epsilon_up",
]
