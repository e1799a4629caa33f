"""Candidates: choosing among private candidates, without paying for every try."""

from dpviz import ui
from dpviz.ui import candidates

ui.start_without_scores("candidates", candidates.sidebar)
view, asked, rule = candidates.view(), candidates.asked(), candidates.rule()
candidates.title(view, asked, rule)
ui.banner()
candidates.switch(view)
candidates.draw(view, asked, rule, ui.look())
