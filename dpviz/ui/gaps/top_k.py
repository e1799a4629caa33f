"""The half on noisy top-k: one release with its gaps, and what the gaps are worth for measured values."""

from collections.abc import Callable
from functools import partial

import streamlit as st

from dpviz import charts
from dpviz.base.markup import markup
from dpviz.gaps.noisy_top_k import GAPS
from dpviz.studies.pages.gaps import GapWorth
from dpviz.studies.study import known
from dpviz.ui.gaps.settings import SAME_RUN, next_seed
from dpviz.ui.shell import banner, explain, figures, folded, heading, paragraph, seed_box, show, state, title
from dpviz.ui.work import awaited, beside, filling, view
from dpviz.views.gaps import top_k as words

_WHY = markup(
    "<b>Why they differ.</b> The formula takes the noise as it was before anything was selected. But an item is "
    "selected <i>because</i> its noisy score came out high, so among the selected ones the noise is no longer even "
    "around zero and the gaps between them are off. Where the scores are far apart compared with the noise, selection "
    "hardly matters and the two agree; where many scores lie close together, the gaps can do more harm than good."
)


def top_k(study: GapWorth, look: charts.Look, switch: Callable[[], None]) -> None:
    """The whole half; `switch` draws the choice between the halves."""
    now, job = beside(study)
    subject = GAPS.label("noisy_top_k_with_gap")
    view("title", lambda: title(study.scenario, study.scores, "Gaps", words.lead(now), subject))
    banner("noisy_top_k_with_gap")
    switch()
    with filling(lambda: [job]):
        heading("One release, with its gaps")
        _release(study, look)
        heading("What the gaps are worth for measured values")
        view("worth", partial(_worth, now))
        line = "The error over k: by formula and simulated, and why they differ"
        ratios = partial(awaited, partial(_ratios, now, look), "The error over k")
        view("ratios", partial(folded, line, "ratios", ratios))
        explain("gap", "release", "distance", "top_k", "noise")


@st.fragment
def _release(study: GapWorth, look: charts.Look) -> None:
    with st.container(horizontal=True, vertical_alignment="bottom"):
        st.button("Release again", icon=":material/casino:", on_click=next_seed, key="gaps_again")
        seed_box("gaps_seed", SAME_RUN)
    study = study.replace(scenario=study.scenario.replace(seed=state.scenario().seed))
    show(words.release_chart(study, look), "gap_release")
    state.write_link()
    if study.k == 1:
        paragraph(words.survival(study))


def _worth(study: GapWorth) -> None:
    paragraph(
        "Half of ε selects, with gaps; the other half measures the selected items. The gaps then correct the "
        "measurements, by the weights that are best for noise as it was before the selection."
    )
    worth = words.worth(study.measured_alone, known(lambda: study.now), study.formula(study.k))
    figures(worth, "Error of measured values")


def _ratios(study: GapWorth, look: charts.Look) -> None:
    study.now  # noqa: B018 - before anything else there is nothing to draw
    show(words.ratio_chart(study, look), "gap_ratio")
    paragraph(_WHY, "aside")
