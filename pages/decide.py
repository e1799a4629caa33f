"""Decide: an ε that a team can defend."""

from dpviz import web
from dpviz.web.screens.decide import screens
from dpviz.web.screens.decide.question import set_up_decide_page

question, scores = set_up_decide_page()
screens.show_page(question, scores, web.current_look())
