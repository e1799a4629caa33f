"""Neighbours: what one person's data change."""

from functools import partial

from dpviz import ui
from dpviz.ui import neighbours

subject = neighbours.start()
study = neighbours.study(subject)
look = ui.look()
there = neighbours.there(study)
ui.part("title", partial(neighbours.title, study), there)
ui.banner(None)
neighbours.who(study)
with ui.filling(lambda: study.jobs):
    ui.part("figures", partial(neighbours.figures, study), there)
    ui.part("lists", partial(neighbours.lists, study, look), there)
    ui.part("losses", partial(neighbours.losses, study, look), there)
    ui.part("guesses", partial(neighbours.guesses, study, look), there)
