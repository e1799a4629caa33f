"""Neighbours: what one person's data change."""

from functools import partial

import streamlit as st

from dpviz import ui
from dpviz.ui import neighbours

subject = neighbours.start()
study = neighbours.study(subject)
look = ui.look()
there = neighbours.there(study)
with st.container(key="neighbours_first"), ui.filling(lambda: study.jobs):
    ui.part("title", partial(neighbours.title, study), there)
    neighbours.who(study)
    told, shown = st.columns([1, 2.3], gap="medium")
    with told:
        ui.part("figures", partial(neighbours.figures, study), there)
    with shown:
        ui.part("lists", partial(neighbours.lists, study, look), there)
    ui.banner(None)
ui.part("losses", partial(neighbours.losses, study, look), there)
ui.part("guesses", partial(neighbours.guesses, study, look), there)
