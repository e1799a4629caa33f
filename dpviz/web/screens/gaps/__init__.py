"""The page on gaps: noisy top-k, or sparse vector (`sparse`, with one release of it in `run`).

What it computes is `dpviz.pages.gaps.study`, what it says `dpviz.pages.gaps.view`.
"""

from collections.abc import Callable
from functools import partial

import streamlit as st

from dpviz import charts
from dpviz.base import ParameterError, Scores, markup
from dpviz.gaps import GAPS
from dpviz.pages.gaps import top_k as words
from dpviz.pages.gaps.study import HALVES, GapWorth, read
from dpviz.studies import Refused, Scenario, known, unless_refused
from dpviz.web.screens.gaps import sparse
from dpviz.web.screens.gaps.run import PAGE, SAME_RUN
from dpviz.web.session import state
from dpviz.web.widgets import (
    banner,
    beside,
    explain,
    figures,
    filling,
    folded_view,
    heading,
    next_seed,
    paragraph,
    plain,
    seed_box,
    show,
    title,
    view,
)

__all__ = ["controls", "show_page"]

_WHY = markup(
    "<b>Why they differ.</b> The formula takes the noise as it was before anything was selected."
    " But an item is selected <i>because</i> its noisy score came out high, so among the selected"
    " ones the noise is no longer even around zero and the gaps between them are off. Where the"
    " scores are far apart compared with the noise, selection hardly matters and the two agree;"
    " where many scores lie close together, the gaps can do more harm than good."
)


def controls(scenario: Scenario) -> None:
    """In the sidebar how queries are asked; the mechanisms of this page are not the menu's."""
    if scenario.needs_data:
        return
    settings = unless_refused(partial(read, scenario, state.scores(scenario)))
    if (
        not isinstance(settings, Refused) and settings.half != "top_k"
    ):  # what is refused stands on the page
        sparse.controls(settings)


def show_page(scenario: Scenario, scores: Scores, look: charts.Look) -> None:
    """The page, from its title to its last chart."""
    try:
        settings = read(scenario, scores)
    except ParameterError as err:
        title(scenario, scores, "Gaps", "", "gaps", words.question(scenario))
        banner()
        st.error(plain(str(err)))
        others = {
            name: value for name, value in scenario.page.items() if not name.startswith(PAGE.prefix)
        }
        st.button(
            "Start this page anew", on_click=state.change, kwargs={"page": others}, key="gaps_anew"
        )
        return

    def switch() -> None:
        PAGE.switch(
            "half",
            "What is looked at",
            HALVES.__getitem__,
            settings.half,
            label_visibility="collapsed",
        )

    if settings.half == "top_k":
        _top_k(GapWorth.of(scenario, scores), look, switch)
    else:
        sparse.sparse_vector(scenario, scores, settings, look, switch)
    state.write_link()


def _top_k(study: GapWorth, look: charts.Look, switch: Callable[[], None]) -> None:
    """The whole half; `switch` draws the choice between the halves."""
    now, job = beside(study)
    subject = GAPS.label("noisy_top_k_with_gap")
    at = study.scenario.epsilon
    asked = words.question(study.scenario)
    view(
        "title",
        lambda: title(study.scenario, study.scores, "Gaps", words.lead(now), subject, asked, at),
    )
    switch()
    with filling(lambda: [job]):
        _release(study, look)
        banner("noisy_top_k_with_gap")
        heading("What the gaps are worth for measured values")
        view("worth", partial(_worth, now))
        line = "The error over k: by formula and simulated, and why they differ"
        folded_view("ratios", line, partial(_ratios, now, look), "The error over k")
        explain("gap", "release", "distance", "top_k", "noise")


@st.fragment
def _release(study: GapWorth, look: charts.Look) -> None:
    study = study.replace(scenario=study.scenario.replace(seed=state.scenario().seed))
    show(
        words.release_chart(study, look),
        "gap_release",
        brief=True,
        leads=True,
        at=study.scenario.epsilon,
    )
    with st.container(horizontal=True, vertical_alignment="bottom"):
        st.button("Release again", icon=":material/casino:", on_click=next_seed, key="gaps_again")
        seed_box("gaps_seed", SAME_RUN)
    state.write_link()
    if study.k == 1:
        paragraph(words.survival(study))


def _worth(study: GapWorth) -> None:
    paragraph(
        "Half of ε selects, with gaps; the other half measures the selected items. The gaps then"
        " correct the measurements, by the weights that are best for noise as it was before the"
        " selection."
    )
    worth = words.worth(study.measured_alone, known(lambda: study.now), study.formula(study.k))
    figures(worth, "Error of measured values", study.scenario.epsilon)


def _ratios(study: GapWorth, look: charts.Look) -> None:
    study.now  # noqa: B018 - before anything else there is nothing to show
    show(words.ratio_chart(study, look), "gap_ratio")
    paragraph(_WHY, "aside")
