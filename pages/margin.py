"""Margin: one item, when a clear front group stands apart."""

from dpviz import ui
from dpviz.ui import margin

scenario, scores = ui.start("margin", mechanisms=margin.controls, first=margin.FIRST, k=False)
study = margin.study(scenario, scores)
margin.title(study)
ui.banner()
ui.pending(study.job)
margin.figures(study)
margin.front(study, ui.look())
margin.items(study, ui.look())
margin.universe(study, ui.look())
margin.promise(study, ui.look())
