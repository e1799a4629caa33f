"""Margin: one item, when a clear front group stands apart."""

from dpviz import ui
from dpviz.ui import margin

scenario, scores = ui.start("margin", mechanisms=margin.controls, k=False)
margin.show_page(scenario, scores, ui.look())
