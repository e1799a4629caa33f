"""What everything stands on: array types, errors, progress, parameters, menus, scores and noise.

Read `scores` first (what is selected from), then `noise` (five families behind every mechanism), then
`parameters` and `registry` (how a thing is declared once and appears in every menu). The floors above take from here
what they share; how a parameter is declared (`parameters`) and how HTML is made (`markup`) they take from its module.
"""

from dpviz.base.arrays import Bools, Floats, Ints, repeated, tally
from dpviz.base.errors import Cancelled, ParameterError, Terminated, WorkLost, inert
from dpviz.base.frames import Column, Frame, pd
from dpviz.base.law import Ceiling, Compared, ExactLaw, Law, LawOfOne, Output
from dpviz.base.noise import NOISES, Noise, log1mexp
from dpviz.base.parameters import (
    check,
    check_choice,
    check_flag,
    check_generator,
    check_inside,
    check_integer,
    check_labels,
    check_number,
)
from dpviz.base.progress import Progress, each, portion, rising, silent, time_left, without_progress
from dpviz.base.registry import Registry, discover
from dpviz.base.scores import ADDED, AS_COUNTS, REPLACED, Scores, check_scores, check_top_k, differences, tied

__all__ = [
    "ADDED",
    "AS_COUNTS",
    "NOISES",
    "REPLACED",
    "Bools",
    "Cancelled",
    "Ceiling",
    "Column",
    "Compared",
    "ExactLaw",
    "Floats",
    "Frame",
    "Ints",
    "Law",
    "LawOfOne",
    "Noise",
    "Output",
    "ParameterError",
    "Progress",
    "Registry",
    "Scores",
    "Terminated",
    "WorkLost",
    "check",
    "check_choice",
    "check_flag",
    "check_generator",
    "check_inside",
    "check_integer",
    "check_labels",
    "check_number",
    "check_scores",
    "check_top_k",
    "differences",
    "discover",
    "each",
    "inert",
    "log1mexp",
    "pd",
    "portion",
    "repeated",
    "rising",
    "silent",
    "tally",
    "tied",
    "time_left",
    "without_progress",
]
