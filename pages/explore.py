"""Explore: one mechanism on one score vector."""

from functools import partial

import streamlit as st

from dpviz import charts, ui

chosen, scores = ui.start("explore")
scenario, playing = ui.played(chosen)
answer = ui.compute(scenario.mechanisms[0], scores)
drawn = ui.ten(answer)
look = ui.look()

with ui.filling(ui.under_way):
    with st.container(key="explore_first"):
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

    ui.heading("Look closer")
    by_rank = partial(ui.all_scores, scenario, answer, look)
    kinds = partial(ui.class_map, answer, look)
    many = partial(ui.draws, answer, look)
    if scores.d > charts.MOST_NAMED:
        ui.folded(
            f"All {scores.d:,} scores by rank, with the chance of each",
            "all_scores",
            partial(ui.part, "all_scores", by_rank, ui.there(answer.job, "inclusion_bounds")),
        )
    ui.folded(
        "Every kind of answer: how many of the best are in, and how far down the worst item lies",
        "class_map",
        partial(ui.part, "class_map", kinds, lambda: (answer.grid is None, answer.job.finished), alone=True),
        opened=ui.asked_for("measure", "h", "t"),
    )
    ui.folded(
        "A hundred releases drawn, or one in full",
        "draws",
        partial(ui.part, "draws", many, ui.there(answer.job, "hits"), alone=True),
        opened=ui.asked_for("draws"),
    )
