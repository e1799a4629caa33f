"""Explore: one mechanism on one score vector."""

from dpviz import ui
from dpviz.ui import explore

scenario, scores = ui.start("explore")
explore.draw(scenario, scores, ui.look())
