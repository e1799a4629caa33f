"""Decide: an ε that a team can defend."""

from dpviz import web
from dpviz.web.screens import decide

question, scores = decide.set_up_decide_page()
decide.show_page(question, scores, web.current_look())
