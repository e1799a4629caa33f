"""Margin: one item, when a clear front group stands apart."""

from functools import partial

from dpviz import ui
from dpviz.ui import margin

scenario, scores = ui.start("margin", mechanisms=margin.controls, first=margin.FIRST, k=False, shown=margin.shown)
study = margin.study(scenario, scores)
look = ui.look()
ui.part("title", partial(margin.title, study), lambda: (study.laws is None, ui.there(study.job, "half", "front")()))
ui.banner("large_margin")
with ui.filling(lambda: [study.job]):
    ui.part("figures", partial(margin.figures, study), ui.there(study.job, "law large_margin", "law gumbel", "front"))
    ui.part("front", partial(margin.front, study, look), lambda: study.front is None)
    ui.part("items", partial(margin.items, study, look), lambda: study.laws is None)
    ui.part("universe", partial(margin.universe, study, look), ui.there(study.job, "far"))
    ui.part("promise", partial(margin.promise, study, look), ui.there(study.job, "limits"))
