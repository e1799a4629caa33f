"""What one person can change of the scores: told in one line, asked where it is told, never read off the data.

Symbols: Δ, how far one person moves a score; c, in how many items one person can count.
Invariants: whole numbers from 0 up are offered as counts and taken for them only where somebody says so; an answer
changes the specification and the scores together.
"""

from collections.abc import Callable
from dataclasses import replace
from typing import Any

import streamlit as st

from dpviz.base.markup import markup
from dpviz.base.scores import ADDED, AS_COUNTS, REPLACED, Scores
from dpviz.data.ingest.kept import NAMES_LEAK
from dpviz.studies.scenario import Scenario
from dpviz.ui.shell import state
from dpviz.ui.shell.controls import bound, number_box
from dpviz.ui.shell.text import paragraph

_WAYS = {False: "Any number", True: "At most so many"}


def one_person(scenario: Scenario, scores: Scores, *, counting: bool) -> None:
    """What one person can change, and the questions about it; an event log that is open (`counting`) has its own."""
    paragraph(markup("<strong>{:,} items.</strong> {}", scores.d, scores.change), "note")
    if scenario.data.items_known is False and not counting:
        paragraph(NAMES_LEAK, "note")
    if scenario.data.source == "uploaded" and not scores.monotonic and scores.may_be_counts:
        paragraph(AS_COUNTS, "note")
        said: dict[str, Any] = {"monotonic": True}
        st.button(f"They are counts: {ADDED}", on_click=_say, kwargs=said, width="stretch", key="as_counts")
    with st.popover("What one person can change", width="stretch", icon=":material/person:"):
        st.radio(
            "Two data sets are neighbours if they differ by",
            options=[True, False],
            format_func=lambda monotonic: ADDED if monotonic else REPLACED,
            index=0 if scores.monotonic else 1,
            **bound("monotonic", scores.monotonic, lambda monotonic: _say(monotonic=monotonic)),
            captions=[
                "All scores then move the same way, as counts do, and half the noise is enough.",
                "Scores may move both ways at once.",
            ],
        )
        number_box(
            "Sensitivity Δ: how much one person changes a score at most",
            scores.sensitivity,
            lambda sensitivity: _say(sensitivity=sensitivity),
            "sensitivity",
            called="Δ",
            low=0.0,
            above=True,
        )
        st.caption("That nobody can change a score by more than this is for you to make sure of.")
        if not counting:
            ask_items("contributions", scores.contributions, scores.d, lambda most: _say(contributions=most))
            st.caption(
                "Where it is few, some mechanisms need less noise. Know it beforehand or keep to it when you count; "
                "never read it off the data, for that is private itself."
            )


def ask_items(key: str, most: int | None, d: int, edit: Callable[[int | None], object]) -> None:
    """In how many items one person can count: any number (None) or at most so many, at first all `d` of them."""
    st.radio(
        "In how many items can one person count?",
        options=list(_WAYS),
        format_func=_WAYS.get,
        index=int(most is not None),
        horizontal=True,
        **bound(f"{key}_said", most is not None, lambda said: edit(d if said else None)),
    )
    if most is not None:
        number_box("At most so many items", most, edit, key, called="The number of items", low=1)


def _say(**said: Any) -> None:
    scenario = state.scenario()
    with state.refusals("data"):
        spec = replace(scenario.data, **said)
        scores = None if scenario.scores is None else replace(scenario.scores, **said)
        state.change("data", data=spec, scores=scores)
