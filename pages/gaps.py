"""Gaps: what noisy max and sparse vector throw away."""

from dpviz import ui
from dpviz.ui import gaps

scenario, scores = ui.start("gaps", mechanisms=gaps.no_mechanism, first=gaps.FIRST, shown=gaps.shown)
gaps.halves(scenario, scores, ui.look())
