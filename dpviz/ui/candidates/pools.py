"""Where the candidates come from: built-in ones that are really run, a table typed by hand, a run table uploaded.

Each source draws its own controls and asks for a pool under a key; the pool is made beside the page and
kept in the session under that key. Uploaded and typed tables never go into a link.
"""

from collections.abc import Callable
from dataclasses import dataclass

import streamlit as st

from dpviz.base.progress import Progress
from dpviz.base.registry import Registry
from dpviz.candidates.pool import CandidatePool
from dpviz.candidates.trained_runs import GRID, logistic_regression_runs
from dpviz.ui.candidates import tables
from dpviz.ui.candidates.run_price import PAGE
from dpviz.ui.shell import state
from dpviz.ui.shell.controls import STEPS, heading, on, place
from dpviz.ui.shell.page_parameters import choose, log_pair, number_box, value

__all__ = ["SOURCES", "Asked", "Made", "asked", "draw", "price"]


@dataclass(frozen=True, eq=False)
class Made:
    """A pool that is there: its key, what it is called, whether it stands for runs."""

    pool: CandidatePool
    key: str
    name: str
    empirical: bool
    note: str


@dataclass(frozen=True)
class Asked:
    """A pool that is wanted: its key, what it is called, its number of candidates, and how it is made."""

    key: str
    name: str
    size: int
    make: Callable[[Progress], Made]


@dataclass(frozen=True)
class Source:
    """A way in for candidates: its controls, and the pool it stands for (None: something must be loaded first)."""

    draw: Callable[[], None]
    ask: Callable[[], Asked | None]


SOURCES: Registry[Source] = Registry("source of candidates")


def draw(view: str) -> None:
    """The sidebar's sections on candidates and on what one run costs; demonstrations bring their own candidates."""
    if view != "leaks":
        _candidates()
    heading("One run")
    log_pair(PAGE["epsilon1"], 0.5, ("more privacy", "more accuracy"), STEPS, "ε1, exactly")
    if view in {"leaks", "percentile"}:
        return
    with st.popover("If runs are not pure: δ1", width="stretch", icon=":material/tune:"):
        number_box(PAGE["delta1"], 0.0, step=1e-6)
        st.caption(PAGE["delta1"].help)


def _candidates() -> None:
    heading("Candidates")
    held = choose("pool", "Candidates from", list(SOURCES), SOURCES.label, label_visibility="collapsed")
    SOURCES[held].draw()


def price() -> tuple[float, float]:
    """(ε1, δ1) of one run."""
    return value("epsilon1", 0.5, PAGE["epsilon1"].check), value("delta1", 0.0, PAGE["delta1"].check)


def asked() -> Asked | None:
    """The pool that the controls ask for; None where a table must be loaded first."""
    name = str(value("pool", "built_in"))
    return SOURCES[name if name in SOURCES else "built_in"].ask()


def _built_in() -> None:
    st.html(
        '<p class="dp-note">Logistic regressions with differential privacy, ten settings, trained on made-up people '
        "and really run; a run's score is its accuracy on other people, who are public.</p>"
    )
    with st.popover("How they are made", width="stretch", icon=":material/model_training:"):
        number_box(PAGE["people"], PAGE["people"].default, step=100)
        number_box(PAGE["runs"], PAGE["runs"].default, step=100)
        seed = state.scenario().seed
        st.number_input(
            "Seed",
            value=seed,
            step=1,
            min_value=0,
            max_value=2**32 - 1,
            key=place("pc.seed", seed),
            on_change=on("pc.seed", lambda given: state.change(seed=given)),
        )
        st.caption(
            "Output perturbation with four strengths of regularisation, and noisy gradient descent with 3, 10 or 30 "
            "steps of two lengths (Chaudhuri, Monteleoni & Sarwate 2011). The same seed gives the same runs."
        )


def _ask_built_in() -> Asked:
    people = value("people", PAGE["people"].default, PAGE["people"].check)
    runs = value("runs", PAGE["runs"].default, PAGE["runs"].check)
    epsilon, delta = price()
    seed = state.scenario().seed
    name = "Private logistic regressions"
    key = f"built-in runs {people} {runs} {epsilon!r} {delta!r} {seed}"

    def make(progress: Progress) -> Made:
        made = logistic_regression_runs(
            people=people, epsilon=epsilon, delta=delta, runs=runs, seed=seed, progress=progress
        )
        note = f"without privacy the accuracy would be {made.accuracy_without_privacy:.3g}"
        return Made(made.pool, key, name, True, note)

    return Asked(key, name, len(GRID), make)


def _ask(held: tables.Held | None) -> Asked | None:
    if held is None:
        return None
    made = Made(held.pool, held.key, held.name, held.empirical, "")
    return Asked(held.key, held.name, held.pool.size, lambda progress: made)


SOURCES.add("built_in", Source(_built_in, _ask_built_in), label="Private models, really run")
SOURCES.add("typed", Source(tables.draw_typed, lambda: _ask(tables.typed())), label="A table to type")
SOURCES.add("uploaded", Source(tables.draw_upload, lambda: _ask(tables.uploaded())), label="A file of runs")
