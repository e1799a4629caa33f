"""Why care is needed: two small exact demonstrations, on the worst pairs of neighbours."""

import math

import streamlit as st

from dpviz import charts
from dpviz.candidates.leaks import naive_leak, threshold_leak
from dpviz.charts import candidates as drawn
from dpviz.charts.words import number
from dpviz.studies.pages.candidates import LARGEST_LEAK
from dpviz.ui.candidates import rules
from dpviz.ui.candidates.parameters import DEMONSTRATIONS, MOST_STEPS
from dpviz.ui.candidates.pools import price
from dpviz.ui.shell.show import heading, show

__all__ = ["leaks"]


def leaks(look: charts.Look) -> None:
    """The naive best of K (B.1) and thresholds that come down (B.2)."""
    epsilon = price()[0]
    if epsilon > LARGEST_LEAK:
        st.info(f"These demonstrations are drawn for an ε1 of at most {LARGEST_LEAK:g}.", icon=":material/info:")
        return
    stop = rules.stop_of()
    heading("Why the best of K runs is not free")
    st.html(
        '<p class="dp-how">One steady candidate always scores 0.9. K others score 0.8 or 0.95, and one person moves '
        "their odds by a factor of e<sup>ε1</sup> each. The steady one is published only if all K others come out low: "
        "each of them tells a little, and together they tell Kε1 (Liu & Talwar 2018, Appendix B.1).</p>"
    )
    with st.container(width=200):
        k = DEMONSTRATIONS.number_box("k")
    show(drawn.naive_leak_chart(naive_leak(MOST_STEPS, epsilon, stop), epsilon, k, look=look), "naive_leak")
    heading("Why a threshold must not come down")
    st.html(
        '<p class="dp-how">Trying a high threshold first and lowering it when runs fail looks harmless. But how far it '
        "came down tells how often runs failed, and each step is paid for (Appendix B.2).</p>"
    )
    with st.container(horizontal=True, width=460):
        steps = DEMONSTRATIONS.number_box("steps")
        failure = DEMONSTRATIONS.number_box("failure")
    most = 1 / (1 + math.exp(epsilon))
    if failure > most:
        st.info(
            f"With ε1 = {number(epsilon)} both outcomes of a run stay within e^ε1 only if it fails with a chance of at "
            f"most {number(most)}, which is used here.",
            icon=":material/info:",
        )
    leak = threshold_leak(steps, min(failure, most), stop, epsilon)
    show(drawn.threshold_leak_chart(leak, epsilon, look=look), "threshold_leak")
