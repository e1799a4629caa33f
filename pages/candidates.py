"""Candidates: choosing among private candidates, without paying for every try."""

from functools import partial

from dpviz import ui
from dpviz.ui import candidates

ui.start_without_scores("candidates", candidates.sidebar, candidates.stage)
view, asked, rule = candidates.view(), candidates.asked(), candidates.rule()
candidates.describe(view, asked, rule)
candidates.title(view, asked, rule)
ui.banner(rule.name)
candidates.switch(view)
with ui.filling(candidates.under_way):
    draw = partial(candidates.draw, view, asked, rule, ui.look())
    ui.part("view", draw, candidates.known)
