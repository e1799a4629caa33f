"""Decide: an ε that a team can defend."""

from dpviz import ui
from dpviz.ui import decide

question, scores = decide.start()
decide.show_page(question, scores, ui.look())
