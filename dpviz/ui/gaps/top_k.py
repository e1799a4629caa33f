"""The half on noisy top-k: one release with its gaps, and what the gaps are worth for measured values."""

from collections.abc import Callable
from functools import partial

import numpy as np
import streamlit as st

from dpviz import charts
from dpviz.base.scores import Scores
from dpviz.charts.gaps.gap_ratio import GapRatios, gap_ratio_chart
from dpviz.charts.gaps.gap_release import gap_release_chart
from dpviz.charts.words import percent
from dpviz.gaps.gap_experiment import measured_formula, measuring_error
from dpviz.gaps.noisy_top_k import GAPS, NoisyTopKWithGap
from dpviz.studies.scenario import Scenario
from dpviz.ui.gaps.gap_answers import KINDS, GapAnswer, compute_gaps
from dpviz.ui.gaps.worth_cards import SAME_RUN, next_seed, worth_cards
from dpviz.ui.shell import state
from dpviz.ui.shell.controls import seed_box
from dpviz.ui.shell.explain import explain
from dpviz.ui.shell.page import banner, title
from dpviz.ui.shell.show import folded, heading, show, waiting
from dpviz.ui.work.pending import filling, part, there

__all__ = ["top_k"]

_WHY = (
    "<b>Why they differ.</b> The formula takes the noise as it was before anything was selected. But an item is "
    "selected <i>because</i> its noisy score came out high, so among the selected ones the noise is no longer even "
    "around zero and the gaps between them are off. Where the scores are far apart compared with the noise, selection "
    "hardly matters and the two agree; where many scores lie close together, the gaps can do more harm than good."
)


def top_k(scenario: Scenario, scores: Scores, look: charts.Look, switch: Callable[[], None]) -> None:
    """The whole half; `switch` draws the choice between the halves."""
    answer = compute_gaps(scenario, scores)

    def head() -> None:
        title(scenario, scores, "Gaps", _lead(answer), GAPS.label("noisy_top_k_with_gap"))

    part("title", head, lambda: answer.now is None)
    banner("noisy_top_k_with_gap")
    switch()
    with filling(lambda: [answer.job]):
        heading("One release, with its gaps")
        _release(scores, scenario.epsilon, answer.k, look)
        heading("What the gaps are worth for measured values")
        part("worth", partial(_worth, answer), lambda: answer.now is None)
        line = "The error over k: by formula and simulated, and why they differ"
        part("ratios", partial(folded, line, "ratios", partial(_ratios, answer, look)), there(answer.job))
        explain("gap", "release", "distance", "top_k", "noise")


def _lead(answer: GapAnswer) -> str:
    now = answer.now
    start = "How far each item came out above the next costs no extra ε"
    if now is None or answer.k == 1:
        return f"{start}."
    if now.ratio.low > 1:
        return f"{start}, but here it makes measured values worse."
    if now.ratio.high < 1:
        return f"{start}, and here it makes measured values better."
    return f"{start}; here it hardly changes measured values."


@st.fragment
def _release(scores: Scores, epsilon: float, k: int, look: charts.Look) -> None:
    with st.container(horizontal=True, vertical_alignment="bottom"):
        st.button("Release again", icon=":material/casino:", on_click=next_seed, key="gaps_again")
        seed_box("gaps_seed", SAME_RUN)
    mechanism = NoisyTopKWithGap(epsilon=epsilon, k=k)
    release = mechanism.release(scores, rng=np.random.default_rng(state.scenario().seed))
    show(gap_release_chart(release, scores, look=look), "gap_release")
    state.write_link()
    if k == 1:
        chance = mechanism.gap_survival(scores, int(release.items[0]), float(release.gaps[0]))
        st.html(
            f'<p class="dp-how">It comes first with a gap above this one in {percent(chance)} of releases (exact).</p>'
        )


def _worth(answer: GapAnswer) -> None:
    st.html(
        '<p class="dp-how">Half of ε selects, with gaps; the other half measures the selected items. The gaps then '
        "correct the measurements, by the weights that are best for noise as it was before the selection.</p>"
    )
    formula = measured_formula(answer.k, monotonic=answer.scores.monotonic)
    worth_cards(measuring_error(answer.scores, answer.epsilon, answer.k), answer.now, formula)


def _ratios(answer: GapAnswer, look: charts.Look) -> None:
    if answer.now is None:
        waiting("The error over k")
        return
    kinds = {KINDS[kind]: _kind(answer, kind) for kind in (answer.scores.monotonic, not answer.scores.monotonic)}
    show(gap_ratio_chart(kinds, k=answer.k, own=KINDS[answer.scores.monotonic], look=look), "gap_ratio")
    st.html(f'<p class="dp-aside">{_WHY}</p>')


def _kind(answer: GapAnswer, monotonic: bool) -> GapRatios:
    grid = answer.grid
    known = {k: e for k in grid if (e := answer.experiment(k, monotonic)) is not None}
    return GapRatios.of(known, (grid[0], grid[-1]), partial(measured_formula, monotonic=monotonic))
