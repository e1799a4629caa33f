"""Where the candidates come from: built-in ones that are really run, a table typed by hand, a run table uploaded.

Each source draws its own controls and asks for a pool under a key; the pool is made beside the page and
kept in the session under that key. Uploaded and typed tables never go into a link.
"""

from collections.abc import Callable
from dataclasses import dataclass

import streamlit as st

from dpviz.studies.pages.candidates import Asked, Made, Pools, built_in
from dpviz.studies.scenario import Scenario
from dpviz.ui.candidates import tables
from dpviz.ui.candidates.parameters import PAGE, POOLS
from dpviz.ui.shell import state, takeaway
from dpviz.ui.shell.controls import heading, on_stage, seed_box

__all__ = ["SOURCES", "Asked", "Made", "asked", "draw", "pools", "price", "stage"]


@dataclass(frozen=True)
class Source:
    """A way in for candidates: its controls, and the pool it stands for (None: something must be loaded first)."""

    draw: Callable[[], None]
    ask: Callable[[], Asked | None]


def draw(view: str) -> None:
    """The sidebar's sections on candidates and on one run; demonstrations bring their own candidates."""
    if view != "leaks":
        _candidates()
    takeaway.among(pools())
    if view in {"leaks", "percentile"}:
        return
    heading("One run")
    with st.popover("If runs are not pure: δ1", width="stretch", icon=":material/tune:"):
        PAGE.number_box("delta1", step=1e-6)
        st.caption(PAGE.declared["delta1"].help)


def stage(scenario: Scenario) -> None:
    """What governs the page: the price of one run."""
    declared = PAGE.declared["epsilon1"]
    on_stage(
        "pc.epsilon1",
        price()[0],
        lambda epsilon: PAGE.change(epsilon1=epsilon),
        labels=(declared.label, "ε1, exactly"),
        help=declared.help,
        high=declared.high or 1e4,
    )


def _candidates() -> None:
    heading("Candidates")
    SOURCES[PAGE.menu("pool", "Candidates from", POOLS.__getitem__, label_visibility="collapsed")].draw()


def price() -> tuple[float, float]:
    """(ε1, δ1) of one run."""
    page = PAGE.read()[0]
    return page.epsilon1, page.delta1


def asked() -> Asked | None:
    """The pool that the controls ask for; None where a table must be loaded first."""
    return SOURCES[PAGE.read()[0].pool].ask()


def pools() -> Pools | None:
    """The pool that is asked for at any price of a run; None where a table must be loaded first."""
    source, now = PAGE.read()[0].pool, asked()
    if source == "built_in":
        scenario = state.scenario()
        return Pools(lambda epsilon: built_in(scenario, epsilon))
    if now is None:
        return None
    own = tables.uploaded() if source == "uploaded" else None
    return Pools(
        lambda epsilon: now,
        anew=False,
        own=None if own is None else own.pool,
        empirical=source == "uploaded",
        key=now.key,
    )


def _built_in() -> None:
    st.html(
        '<p class="dp-note">Logistic regressions with differential privacy, ten settings, trained on made-up people '
        "and really run; a run's score is its accuracy on other people, who are public.</p>"
    )
    with st.popover("How they are made", width="stretch", icon=":material/model_training:"):
        PAGE.number_box("people", step=100)
        PAGE.number_box("runs", step=100)
        seed_box("pc.seed", None, width=None)
        st.caption(
            "Output perturbation with four strengths of regularisation, and noisy gradient descent with 3, 10 or 30 "
            "steps of two lengths (Chaudhuri, Monteleoni & Sarwate 2011). The same seed gives the same runs."
        )


def _ask(of: tables.TablePool | None) -> Asked | None:
    if of is None:
        return None
    made = Made(of.pool, of.key, of.name, of.empirical, "")
    return Asked(of.key, of.name, of.pool.size, lambda progress: made)


SOURCES = {
    "built_in": Source(_built_in, lambda: built_in(state.scenario())),
    "typed": Source(tables.draw_typed, lambda: _ask(tables.typed())),
    "uploaded": Source(tables.draw_upload, lambda: _ask(tables.uploaded())),
}
