"""Candidates: choosing among private candidates, without paying for every try."""

from dpviz import ui
from dpviz.ui import candidates

ui.start_without_scores("candidates", candidates.controls, candidates.stage)
candidates.show_page(ui.look())
