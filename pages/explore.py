"""Explore: one mechanism on one score vector."""

from functools import partial

import streamlit as st

from dpviz import ui

chosen, scores = ui.start("explore")
scenario, playing = ui.played(chosen)
answer = ui.compute(scenario.mechanisms[0], scores)
drawn = ui.ten(answer)
look = ui.look()

with st.container(key="explore_first"), ui.filling(lambda: [answer.job, drawn]):
    ui.part("question", partial(ui.question, scenario, scores, answer), ui.there(answer.job, "all_right"))
    told, shown = st.columns([1, 1.72], gap="medium")
    with told:
        headline = partial(ui.headline, answer, events=("top", "optimal", "great", "good"))
        ui.part("headline", headline, ui.there(answer.job))
        ui.part("ten", partial(ui.releases, answer, drawn), ui.there(drawn))
        with st.container(horizontal=True, gap="small"):
            ui.others()
            ui.play(chosen, answer)
    with shown:
        picture = partial(ui.picture, scenario, answer, look, playing=playing)
        ui.part("picture", picture, ui.there(answer.job, "inclusion_bounds", "hits"))
    ui.banner()
    ui.explain(*ui.WORDS)

wanted, law = st.columns([1, 1.72], gap="medium")
with wanted:
    ui.goal(scenario, answer)
with law:
    hits = partial(ui.law_of_hits, scenario, answer, look, playing=playing)
    ui.part("hits", hits, ui.there(answer.job))

ui.closer(scenario, answer, look)
