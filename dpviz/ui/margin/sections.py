"""The page on front groups, from the sentence that matters most to the theorems."""

from functools import partial

import streamlit as st

from dpviz import charts
from dpviz.charts.words import number
from dpviz.margin.compared import COMPARED
from dpviz.studies.pages.margin import FIRST, MOST_PEOPLE, MarginStudy, negative
from dpviz.studies.study import Refused, known
from dpviz.ui.margin.controls import page_for
from dpviz.ui.shell import explain, figures, folded, heading, lines, number_box, page, paragraph, plain, show, state
from dpviz.ui.work import awaited, beside, filling, view
from dpviz.views import margin


def draw(study: MarginStudy, look: charts.Look) -> None:
    """The page."""
    now, job = beside(study)
    view("title", partial(_title, now))
    page.banner("large_margin")
    with filling(lambda: [job]):
        view("figures", lambda: figures(margin.headlines(now)))
        view("front", partial(_front, now, look), "The front group")
        view("items", partial(_items, now, look), "The chance of each item")
        view("universe", partial(_universe, now, look))
        view("promise", partial(_promise, now, look))


def _title(study: MarginStudy) -> None:
    """What is looked at, and whether large margin is worth having there."""
    subject = f"Large margin at δ = {number(study.settings.delta)}"
    verdict = known(lambda: margin.verdict(study)) or ""
    page.title(study.scenario, study.scores, "Margin", verdict, subject, margin.heading(study))


def _front(study: MarginStudy, look: charts.Look) -> None:
    heading("Where the scores drop away")
    show(margin.front_chart(study, look), "margin-scores")
    if study.front.rank is None:
        with st.container(horizontal=True, vertical_alignment="center"):
            st.markdown("A larger ε or δ asks for a smaller margin.")
            st.button("Show an example with a clear front group", on_click=_show_example, type="tertiary")


def _show_example() -> None:
    state.change("page", data=FIRST.data, epsilon=FIRST.epsilon, k=FIRST.k, scores=None, page={})


def _items(study: MarginStudy, look: charts.Look) -> None:
    heading("Which item comes out, by mechanism")
    for sentence in margin.left_out(study):
        st.info(plain(sentence), icon=":material/info:")
    show(margin.items_chart(study, look), "margin-items")
    lines(COMPARED, summary="What these mechanisms are, and when to take which")
    explain("universe", "front_group", "distance", "epsilon", "delta", "sensitivity", "release")
    paragraph(margin.units(study.scores))


def _universe(study: MarginStudy, look: charts.Look) -> None:
    line = "What a larger universe does: the chance of a good item, from the listed items on, for each mechanism"
    folded(line, "universe", partial(awaited, partial(_curves, study, look), "The curve over the universe"))


def _curves(study: MarginStudy, look: charts.Look) -> None:
    if negative(study.scores):
        paragraph(
            "Some scores are below zero, so unlisted items of score zero would not come last, and there is no larger "
            "universe to look at. Shift the scores so that zero is the least an item can have."
        )
        return
    show(margin.universe_chart(study, look), "margin-universe")


def _promise(study: MarginStudy, look: charts.Look) -> None:
    line = "What the theorems say beforehand: how far below the best the item may be, and what nobody can beat"
    folded(line, "promise", partial(awaited, partial(_bounds, study, look), "The bounds"))


def _bounds(study: MarginStudy, look: charts.Look) -> None:
    bounds = study.limits
    show(margin.promise_chart(study, look), "margin-promise")
    if isinstance(bounds, Refused):
        paragraph(bounds.reason)
        return
    people = study.settings.people
    page_parameters = page_for(study.scenario, study.scores)
    number_box(
        "People in the data, for the lower bounds",
        people,
        lambda given: page_parameters.change(people=given),
        "margin.people",
        called="The number of people",
        low=2,
        high=MOST_PEOPLE,
        width=340,
        help="The lower bounds never pass half of the people.",
    )
    show(margin.limits_chart(study, bounds, look), "margin-limits")
