"""Candidates: choosing among private candidates, without paying for every try."""

from dpviz import ui
from dpviz.ui import candidates

ui.start_without_scores("candidates", candidates.sidebar)
chosen = candidates.chosen()
candidates.title(chosen)
ui.banner()
candidates.cards(chosen)
candidates.view(chosen, ui.look())
