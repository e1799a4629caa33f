"""Why care is needed: two small exact demonstrations, on the worst pairs of neighbours."""

import math
from dataclasses import dataclass

import streamlit as st

from dpviz import charts
from dpviz.base.parameters import Parameter, check, parameter, parameters
from dpviz.candidates.leaks import naive_leak, threshold_leak
from dpviz.charts import candidates as drawn
from dpviz.charts.words import number
from dpviz.ui.candidates import rules
from dpviz.ui.candidates.pools import price
from dpviz.ui.shell.page_parameters import number_box
from dpviz.ui.shell.show import heading, show

__all__ = ["leaks"]

_MOST = 16
_LARGEST_EPSILON = 10.0


@dataclass(frozen=True, kw_only=True)
class _Demonstration:
    """The sizes of the demonstrations."""

    k: int = parameter(8, low=1, high=_MOST, integer=True, label="Candidates K")
    steps: int = parameter(8, low=1, high=_MOST, integer=True, label="Steps R down")
    failure: float = parameter(
        0.1, low=0.0, above=True, high=0.5, label="Chance that a run fails", help="At most 1/(1 + e^ε1)."
    )

    def __post_init__(self) -> None:
        check(self)


_DECLARED: dict[str, Parameter] = {declared.name: declared for declared in parameters(_Demonstration)}


def leaks(look: charts.Look) -> None:
    """The naive best of K (B.1) and thresholds that come down (B.2)."""
    epsilon = price()[0]
    if epsilon > _LARGEST_EPSILON:
        st.info(f"These demonstrations are drawn for an ε1 of at most {_LARGEST_EPSILON:g}.", icon=":material/info:")
        return
    stop = rules.stop_of()
    heading("Why the best of K runs is not free")
    st.html(
        '<p class="dp-how">One steady candidate always scores 0.9. K others score 0.8 or 0.95, and one person moves '
        "their odds by a factor of e<sup>ε1</sup> each. The steady one is published only if all K others come out low: "
        "each of them tells a little, and together they tell Kε1 (Liu & Talwar 2018, Appendix B.1).</p>"
    )
    with st.container(width=200):
        k = number_box(_DECLARED["k"], _DECLARED["k"].default, name="leak.k")
    show(drawn.naive_leak_chart(naive_leak(_MOST, epsilon, stop), epsilon, k, look=look), "naive_leak")
    heading("Why a threshold must not come down")
    st.html(
        '<p class="dp-how">Trying a high threshold first and lowering it when runs fail looks harmless. But how far it '
        "came down tells how often runs failed, and each step is paid for (Appendix B.2).</p>"
    )
    with st.container(horizontal=True, width=460):
        steps = number_box(_DECLARED["steps"], _DECLARED["steps"].default, name="leak.steps")
        failure = number_box(_DECLARED["failure"], _DECLARED["failure"].default, name="leak.failure")
    most = 1 / (1 + math.exp(epsilon))
    if failure > most:
        st.info(
            f"With ε1 = {number(epsilon)} both outcomes of a run stay within e^ε1 only if it fails with probability at "
            f"most {number(most)}, which is used here.",
            icon=":material/info:",
        )
    leak = threshold_leak(steps, min(failure, most), stop, epsilon)
    show(drawn.threshold_leak_chart(leak, epsilon, look=look), "threshold_leak")
