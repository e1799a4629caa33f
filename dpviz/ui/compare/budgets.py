"""The table of the smallest ε that each design needs, in multiples of the best."""

import html
import math
from collections.abc import Mapping, Sequence
from typing import Any

import pandas as pd
import streamlit as st

from dpviz.base.place import PROGRAM
from dpviz.base.rounding import rounded_up
from dpviz.charts.words import as_typed, number
from dpviz.studies.epsilon_table import PROBABILITIES, epsilon_table, with_multiples
from dpviz.topk.classes import EVENTS
from dpviz.ui.compare.marks import colour, in_words, named
from dpviz.ui.compare.parameters import PAGE
from dpviz.ui.compare.sides import Side, without_epsilon
from dpviz.ui.shell.badges import badge
from dpviz.ui.shell.paper import csv_with_about, shown_now
from dpviz.ui.shell.show import WAIT, folded, heading, table
from dpviz.ui.shell.text import times
from dpviz.ui.work.desk import desk
from dpviz.ui.work.job import Job, Step
from dpviz.ui.work.kept import Kept, kept

__all__ = ["ask_budgets", "budgets"]

Row = Mapping[str, Any]
"""A row of `epsilon_table`, with the number of its design."""

_STOPPED = '<span class="dp-why">not computed</span>'


def ask_budgets(of: Sequence[Side], event: str, place: int) -> list[Job]:
    """A job for each design, a step for each probability; equal designs share one."""
    wanted = [(f"{without_epsilon(side)} {event}", lambda side=side: _steps(side, event)) for side in of]
    return desk().ask("budgets", wanted, place=place)


def _steps(side: Side, event: str) -> Mapping[str, Step]:
    mechanism, scores = side.answer.mechanism, side.answer.scores

    def needed(probability: float) -> Step:
        return lambda progress, done: epsilon_table(
            [side.design], scores, mechanism.k, events=[event], probabilities=[probability], progress=progress
        )

    return {repr(probability): needed(probability) for probability in PROBABILITIES}


def budgets(of: Sequence[Side], jobs: Sequence[Job], event: str) -> None:
    """The section: a row a design, a column a probability; what is out of reach says why."""
    heading("The ε it takes")
    parts = [
        job.results[repr(p)].assign(number=side.number)
        for side, job in zip(of, jobs, strict=True)
        for p in PROBABILITIES
        if repr(p) in job.results
    ]
    complete = len(parts) == len(of) * len(PROBABILITIES)
    needed = _rows(of, parts, event)
    if needed:
        st.html(f'<p class="dp-says">{_says(needed, of, event, complete)}</p>')
    shares = f"{', '.join(map(as_typed, PROBABILITIES[:-1]))} and {as_typed(PROBABILITIES[-1])}"
    line = f"The smallest ε of each design for {EVENTS[event].label} in {shares} of releases, in multiples of the least"
    folded(line, "budgets", lambda: _table(of, event, needed, parts if complete else []))


def _table(of: Sequence[Side], event: str, needed: Sequence[Row], parts: Sequence[pd.DataFrame]) -> None:
    """The table, and once it is complete its download."""
    k = of[0].answer.mechanism.k
    figure = EVENTS[event].label
    heads = [f"<th>{as_typed(p)} of releases</th>" for p in PROBABILITIES]
    rows = [_row(side, needed) for side in of]
    table(f"Smallest ε for {figure}", [f"<th>Smallest ε for {figure} in …</th>", *heads], rows, "dp-designs")
    st.html(
        '<p class="dp-how">The smallest ε at which the figure reaches this share of releases, rounded up, with its '
        "estimated error bound, or the low end of its interval, counted against it; multiples are of "
        "the least, and a longer bar is more ε. "
        f"The same figures: <code>{PROGRAM} budget --figure {event}</code> with the scenario's file.</p>"
    )
    _reasons(needed, event, k)
    if parts:
        told = shown_now()
        st.download_button(
            "Table as CSV",
            data=lambda: csv_with_about(with_multiples(pd.concat(parts)).drop(columns="number"), told.line),
            file_name=f"{told.file_name('budget')}.csv",
            mime="text/csv",
            icon=":material/table:",
            key="budget_csv",
            on_click="ignore",
        )


def _rows(of: Sequence[Side], parts: Sequence[pd.DataFrame], event: str) -> list[Row]:
    """What is known, with multiples of the best: made anew only when something has come."""
    known: Kept[list[Row]] = kept("ε that goals take", 4)
    names = [(side.number, without_epsilon(side)) for side in of]
    key = f"{event} {names} {[(part['number'][0], part['probability'][0]) for part in parts]}"
    return known.once(key, lambda: _records(with_multiples(pd.concat(parts)))) if parts else []


def _records(table: pd.DataFrame) -> list[Row]:
    return [{str(name): value for name, value in row.items()} for row in table.to_dict("records")]


def _row(side: Side, needed: Sequence[Row]) -> str:
    own = {row["probability"]: row for row in needed if row["number"] == side.number}
    cells = []
    for p in PROBABILITIES:
        if p not in own:
            cells.append(f"<td>{_STOPPED if _stopped() else WAIT}</td>")
            continue
        epsilon, multiple = own[p]["epsilon"], own[p]["multiple"]
        if not math.isfinite(epsilon):
            cells.append('<td><span class="dp-why">out of reach</span></td>')
            continue
        most = max(row["multiple"] for row in needed if row["probability"] == p and math.isfinite(row["multiple"]))
        bar = f'<i style="width: {100 * multiple / most:.3g}%; background: {colour(side.number)}"></i>'
        cells.append(
            f'<td><div class="dp-cell">{number(rounded_up(epsilon))} <small>{times(multiple)}</small></div>'
            f'<div class="dp-bar" aria-hidden="true">{bar}</div></td>'
        )
    who = f"{named(side.number, side.label)}{badge(side.answer)}"
    return f'<tr><td class="dp-who">{who}</td>{"".join(cells)}</tr>'


def _stopped() -> bool:
    return any(job.cancelled for job in desk().jobs("budgets"))


def _says(needed: Sequence[Row], of: Sequence[Side], event: str, complete: bool) -> str:
    goal = 0.9
    own = [row for row in needed if row["probability"] == goal and row["epsilon"] < math.inf]
    if not complete:
        return "Not every goal was computed." if _stopped() else "The goals are being computed."
    if not own:
        return f"None of them has {EVENTS[event].label} in {as_typed(goal)} of releases, whatever ε is spent."
    own.sort(key=lambda row: row["epsilon"])
    best, worst = own[0], own[-1]
    least = number(rounded_up(best["epsilon"]))
    text = f"{EVENTS[event].label} in {as_typed(goal)} of releases takes ε = {least} with {_who(of, best)}"
    if len(own) > 1:
        text += f" and {worst['multiple']:.3g} times as much with {_who(of, worst)}"
    return text + "."


def _who(of: Sequence[Side], row: Row) -> str:
    return in_words(row["number"], of[row["number"]].label)


def _reasons(needed: Sequence[Row], event: str, k: int) -> None:
    """Why a goal is out of reach, once; ties point to OPTIMAL."""
    reasons = list(dict.fromkeys(row["reason"] for row in needed if row["reason"]))
    if event == "top" and reasons and any("tie" in reason for reason in reasons):
        with st.container(horizontal=True, vertical_alignment="center"):
            st.html(
                f'<p class="dp-how">Scores tie at rank {k:,}: the true top {k:,} is one of several equal choices, and '
                "no ε makes it likely. OPTIMAL counts every one of them.</p>"
            )
            st.button("Look at OPTIMAL", key="to_optimal", on_click=PAGE.change, kwargs={"event": "optimal"})
    elif reasons:
        st.html('<p class="dp-how">' + " ".join(html.escape(reason) for reason in reasons[:3]) + "</p>")
