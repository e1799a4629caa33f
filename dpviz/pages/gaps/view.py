"""Gaps in words and pictures, one half of the page at a time: `top_k` what the gaps are worth,
`sparse` the queries.

Invariants: the noise of the releases shown is one seed's, scaled by ε as the mechanism scales it;
what is simulated says so, with its interval, while the laws of sparse vectors are exact.
"""

from dpviz.base import ParameterError, Progress, silent
from dpviz.gaps import GAPS
from dpviz.pages.common import Asked, Hand, PageStep, PageView, Subject, Takeaway
from dpviz.pages.gaps import sparse, top_k
from dpviz.pages.gaps.study import CUSTOM, FIRST, GAPS_PAGE, GapWorth, QueryStudy
from dpviz.studies import Shown, setting
from dpviz.studies.epsilon_range import reach

_BEYOND = 20.0


def described(of: Subject) -> Shown:
    """The open half: noisy top-k, or both sparse vectors with how they are asked."""
    values, _ = GAPS_PAGE.values_on(of.scenario.page)
    if _is_top_k(of):
        return Shown(mechanism=GAPS.label("noisy_top_k_with_gap"))
    by = "threshold" if values["by"] == "value" else "quantile"
    asked = (by, "split", *(("share",) if values["split"] == CUSTOM else ()), "order", "confidence")
    settings = tuple(setting(GAPS_PAGE.declared[name], values[name]) for name in asked)
    return Shown(mechanism="Sparse vector with gap, plain and adaptive", settings=settings)


def slider(of: Subject, progress: Progress = silent) -> Takeaway:
    """The half that the scenario's page has open. Raises `ParameterError` for settings that cannot
    be used.
    """
    queries = QueryStudy.of(of.scenario, of.known)
    if queries.settings.half == "top_k":
        return top_k.slider(GapWorth.of(of.scenario, of.known), progress)
    return sparse.slider(queries, progress)


def holds(of: Subject) -> str:
    """What the file holds of the data, in words."""
    half = top_k if _is_top_k(of) else sparse
    held: str = half.holds(of.scenario, of.known)
    return held


def step(of: Subject, epsilon: float, asked: Asked) -> PageStep:
    """The half that is open at this ε, under the hand."""
    if _is_top_k(of):
        return top_k.step(GapWorth.of(of.scenario, of.known).at(epsilon), asked)
    return sparse.step(QueryStudy.of(of.scenario, of.known).at(epsilon), asked)


def reached(of: Subject) -> tuple[float, float] | None:
    """As far as the release changes; that of top-k, and on: values get better after the choice is
    right.
    """
    if _is_top_k(of):
        low, high = reach(of.scenario.mechanisms[0], of.known)
        return low, _BEYOND * high
    try:
        return sparse.reach(QueryStudy.of(of.scenario, of.known))
    except ParameterError:  # which the page says
        return None


def _is_top_k(of: Subject) -> bool:
    """Which half is open."""
    return bool(GAPS_PAGE.values_on(of.scenario.page)[0]["half"] == "top_k")


PAGE = PageView(
    title="Gaps",
    slider=slider,
    holds=holds,
    shown=described,
    settings=GAPS_PAGE.names,
    first=FIRST,
    hand=Hand(step, reached, seeded=True),
)
