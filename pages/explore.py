"""Explore: one mechanism on one score vector."""

from dpviz import ui
from dpviz.ui import explore

scenario, scores = ui.start("explore", seen=explore.seen)
explore.show_page(scenario, scores, ui.look())
