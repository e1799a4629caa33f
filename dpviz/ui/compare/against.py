"""What ε buys: curves of one figure against ε, the ε that goals take, the theorems beside it, and what k costs.

All of it is computed beside the page and fills its places as it comes. Curves and goals do not depend on
the ε of now, so moving it leaves them as they are.
"""

from collections.abc import Callable, Mapping, Sequence
from functools import partial
from typing import TypeVar

import numpy as np
import streamlit as st

from dpviz import charts
from dpviz.base.progress import Progress
from dpviz.charts.topk.design_curves import Named, epsilon_curves, k_curves, shortfall_curves
from dpviz.topk.classes import EVENTS
from dpviz.topk.curves import FigureCurve, figures_by_k, spread_of_k, utility_curves
from dpviz.topk.promises import ShortfallCurve, promised_top, shortfall_curve
from dpviz.ui.compare.budgets import ask_budgets, budgets
from dpviz.ui.compare.figures import shown_events
from dpviz.ui.compare.parameters import PAGE
from dpviz.ui.compare.sides import Side, without_epsilon
from dpviz.ui.shell import state
from dpviz.ui.shell.controls import bound
from dpviz.ui.shell.show import computing, folded, heading, is_open, show
from dpviz.ui.work.desk import desk
from dpviz.ui.work.job import Done, Job, Step
from dpviz.ui.work.pending import filling, part, together

__all__ = ["against"]

GROUPS = ("curves", "budgets", "shortfalls")  # what comes first matters most
_RANGE = (1e-3, 1e4)  # of ε
_TOLERANCE = 5e-4  # of a curve: less than a pixel
_DRAWS = 2_000  # where a law is estimated, for each point of a curve
_SHORTFALL = 0.95
_POINTS = 61  # of a shortfall curve
Curve = TypeVar("Curve", FigureCurve, FigureCurve)


def against(of: Sequence[Side], look: charts.Look) -> None:
    """The section."""
    events = shown_events(of)
    event = _chosen(events)
    jobs = _ask(of)
    heading("What ε buys")
    with st.container(horizontal=True, vertical_alignment="center", gap="large"):
        PAGE.switch("event", "Figure", _label, event, options=events, label_visibility="collapsed")
        bounds = PAGE.read()[0].bounds
        st.toggle(
            "The papers' bounds",
            value=bounds,
            help="What the papers prove for any data, laid beside the exact law of these data.",
            **bound("bounds", bounds, lambda shown: PAGE.change(bounds=shown or None)),
        )
    draw = {
        "curves": partial(_curves, of, jobs["curves"], event, bounds, look),
        "budgets": partial(budgets, of, jobs["budgets"], event),
        **({"shortfalls": partial(_shortfalls, of, jobs["shortfalls"], look)} if bounds else {}),
    }
    with filling(lambda: desk().jobs(*GROUPS), "rest"):
        for group, section in draw.items():
            there = _goals_known if group == "budgets" else together
            part(group, section, partial(there, jobs[group]), alone=group != "budgets")
    part("by k", partial(_by_k, of, event, look), lambda: None, alone=True)
    state.write_link()


def _goals_known(jobs: Sequence[Job]) -> object:
    """The table fills as goals come; the sentence above it waits for all of them."""
    finished = [job.finished for job in jobs]
    return (finished, [len(job.results) for job in jobs]) if is_open("budgets") else all(finished)


def _shortfalls(of: Sequence[Side], jobs: Sequence[Job], look: charts.Look) -> None:
    heading("How far down the worst choice may lie")
    named = _done(of, jobs)
    if not named:
        computing("The shortfalls")
        return
    curves = {who: job.results["curve"] for who, job in named.items()}
    show(shortfall_curves(curves, _epsilon(of), look=look), "shortfalls")


def _by_k(of: Sequence[Side], event: str, look: charts.Look) -> None:
    line = "What a longer list costs: the chance of the figure above as k grows, at the same ε"
    folded(line, "by_k", lambda: _asked_by_k(of, event, look))


def _asked_by_k(of: Sequence[Side], event: str, look: charts.Look) -> None:
    """Its curves take as long as the others together, so they are asked for where somebody looks."""
    events = shown_events(of)
    key = f"{_epsilon(of)!r} {' '.join(events)}"
    jobs = _ask_each(of, "by k", key, lambda side: _k_steps(side, events), place=len(GROUPS))
    with filling(lambda: jobs, "by k"):
        part("by k drawn", partial(_draw_by_k, of, jobs, event, look), partial(together, jobs), alone=True)


def _draw_by_k(of: Sequence[Side], jobs: Sequence[Job], event: str, look: charts.Look) -> None:
    named = _done(of, jobs)
    if not named:
        computing("The curves over k")
        return
    by_k = {who: _of_event(job.results["curves"], event) for who, job in named.items()}
    show(k_curves(by_k, of[0].answer.mechanism.k, _epsilon(of), draws=_DRAWS, look=look), "by_k")


def _chosen(events: Sequence[str]) -> str:
    """The figure asked for; where scores tie, OPTIMAL is what one would mean."""
    usual = "optimal" if "optimal" in events else "top"
    event = PAGE.suited(event={"default": usual}).read()[0].event
    return event if event in events else usual


def _label(event: str) -> str:
    return EVENTS[event].label


def _epsilon(of: Sequence[Side]) -> float:
    return of[0].answer.mechanism.epsilon


def _curves(of: Sequence[Side], jobs: Sequence[Job], event: str, bounds: bool, look: charts.Look) -> None:
    named = _done(of, jobs)
    if not named:
        computing("The curves")
        return
    curves = {who: _of_event(job.results["curves"], event) for who, job in named.items()}
    promised = {}
    if bounds and event == "top":
        for who, curve in curves.items():
            x = np.geomspace(curve.x[0], curve.x[-1], 400)
            mechanism = of[who.number].answer.mechanism
            y = [promised_top(mechanism.replace(epsilon=float(e)), of[0].answer.scores.ranked) for e in x]
            if y[0] is not None:
                promised[who] = (x, np.array(y, float))
    show(epsilon_curves(curves, _epsilon(of), promised=promised, draws=_DRAWS, look=look), "epsilon_curves", brief=True)


def _done(of: Sequence[Side], jobs: Sequence[Job]) -> dict[Named, Job]:
    """The designs whose job has all its results, none while all of them may come together."""
    if not together(jobs):
        return {}
    pairs = zip(of, jobs, strict=True)
    return {Named(s.number, s.label): job for s, job in pairs if job.finished and job.results}


def _of_event(curves: Sequence[Curve], event: str) -> Curve:
    return next(curve for curve in curves if curve.event == event)


def _ask(of: Sequence[Side]) -> dict[str, list[Job]]:
    """The jobs of the section, the ones that matter most first."""
    events = shown_events(of)
    jobs = {"curves": _ask_each(of, "curves", " ".join(events), lambda side: _curve_steps(side, events))}
    jobs["budgets"] = ask_budgets(of, _chosen(events), GROUPS.index("budgets"))
    wanted = of if PAGE.read()[0].bounds else ()
    jobs["shortfalls"] = _ask_each(wanted, "shortfalls", "", _shortfall_steps)
    return jobs


def _ask_each(
    of: Sequence[Side], group: str, key: str, steps: Callable[[Side], Mapping[str, Step]], *, place: int | None = None
) -> list[Job]:
    """A job for each design; equal designs share one."""
    wanted = [(f"{without_epsilon(side)} {key}", lambda side=side: steps(side)) for side in of]
    return desk().ask(group, wanted, place=GROUPS.index(group) if place is None else place)


def _curve_steps(side: Side, events: Sequence[str]) -> Mapping[str, Step]:
    def curves(progress: Progress, done: Done) -> tuple[FigureCurve, ...]:
        return utility_curves(
            side.answer.mechanism,
            side.answer.scores,
            events=events,
            low=_RANGE[0],
            high=_RANGE[1],
            tolerance=_TOLERANCE,
            samples=_DRAWS,
            progress=progress,
        )

    return {"curves": curves}


def _shortfall_steps(side: Side) -> Mapping[str, Step]:
    def curve(progress: Progress, done: Done) -> ShortfallCurve:
        mechanism, scores = side.answer.mechanism, side.answer.scores
        epsilons = np.geomspace(0.01, 100.0, _POINTS).tolist()
        return shortfall_curve(mechanism, scores, epsilons, probability=_SHORTFALL, samples=_DRAWS, progress=progress)

    return {"curve": curve}


def _k_steps(side: Side, events: Sequence[str]) -> Mapping[str, Step]:
    def curves(progress: Progress, done: Done) -> tuple[FigureCurve, ...]:
        mechanism, scores = side.answer.mechanism, side.answer.scores
        ks = spread_of_k(scores.d, mechanism.k)
        return figures_by_k(mechanism, scores, ks, events=events, samples=_DRAWS, progress=progress)

    return {"curves": curves}
