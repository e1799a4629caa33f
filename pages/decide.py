"""Decide: an ε that a team can defend."""

from dpviz import web
from dpviz.web.screens import decide

question, scores = decide.start()
decide.show_page(question, scores, web.look())
