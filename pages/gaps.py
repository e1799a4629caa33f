"""Gaps: what noisy max and sparse vector throw away."""

from dpviz import ui
from dpviz.ui import gaps

scenario, scores = ui.start("gaps", mechanisms=gaps.controls)
gaps.show_page(scenario, scores, ui.look())
