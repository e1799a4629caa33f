"""The data panel: where the scores come from.

Sources are a registry; each draws its own controls and hands over a specification or scores.
Invariant: data that cannot be used leave what was there, and one sentence stands where they came in.
"""

import math
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np
import streamlit as st

from dpviz.base.errors import ParameterError
from dpviz.base.registry import Registry
from dpviz.base.scores import Scores
from dpviz.data import DEFAULT_EXAMPLE, EXAMPLES, GENERATORS
from dpviz.studies.scenario import DataSpec, Scenario
from dpviz.topk.classes import log_set_count
from dpviz.ui.shell import event_log, incoming, origin, person, state
from dpviz.ui.shell.controls import bound, heading, notice, own_parameters
from dpviz.ui.shell.explain import lines

__all__ = ["SOURCES", "draw"]


@dataclass(frozen=True)
class Source:
    """A way in for scores: its controls, and what choosing it does at once, if anything."""

    draw: Callable[[Scenario], None]
    choose: Callable[[Scenario], None] | None = None


SOURCES: Registry[Source] = Registry("source")


def draw(scenario: Scenario) -> None:
    """The data section of the sidebar."""
    heading("Data")
    source = scenario.data.source if scenario.data.source in SOURCES else "upload"
    chosen = st.session_state.get(state.DATA_FROM, source)
    if SOURCES[chosen].choose is not None:  # it shows at once what it stands for, so it cannot stand for anything else
        chosen = source
    st.selectbox(
        "Scores from",
        options=list(SOURCES),
        format_func=SOURCES.label,
        index=list(SOURCES).index(chosen),
        label_visibility="collapsed",
        **bound("data_from", chosen, _choose),
    )
    lines(SOURCES, chosen)
    SOURCES[chosen].draw(scenario)
    notice("data")
    _said_of_pages(scenario)
    if not scenario.needs_data:
        scores = state.scores(scenario)
        origin.shown_line(scenario)
        person.one_person(scenario, scores, counting=chosen == "events" and event_log.log_open())
        if tied := _tie_note(scores, scenario.k):
            st.html(tied)


def _said_of_pages(scenario: Scenario) -> None:
    """What goes along to other pages; a page that is about an example of its own offers it again."""
    if not state.chosen():
        st.html('<p class="dp-note">This page\'s own example. Data that you choose go along to every page.</p>')
        return
    st.html('<p class="dp-note">The data you chose go along to every page.</p>')
    first = state.opening()
    own, now = first.data, scenario.data
    if own.name != DEFAULT_EXAMPLE and (own.source, own.name) != (now.source, now.name):
        back: dict[str, Any] = {"data": own, "epsilon": first.epsilon, "k": first.k, "scores": None}
        name = f"This page's own example: {EXAMPLES.label(own.name)}"
        st.button(name, on_click=_use, kwargs=back, width="stretch", key="own_example")


def _use(**changes: Any) -> None:
    st.session_state.pop(state.DATA_FROM, None)
    state.change("data", **changes)


def _choose(name: str) -> None:
    st.session_state[state.DATA_FROM] = name
    state.forget()
    choose = SOURCES[name].choose
    if choose is not None:
        choose(state.scenario())


def _example(scenario: Scenario) -> None:
    current = scenario.data.name if scenario.data.source == "example" else next(iter(EXAMPLES))
    st.selectbox(
        "Example",
        options=list(EXAMPLES),
        format_func=EXAMPLES.label,
        index=list(EXAMPLES).index(current),
        label_visibility="collapsed",
        **bound("example", current, _use_example),
    )
    lines(EXAMPLES, current)


def _use_example(name: str) -> None:
    state.change("data", data=DataSpec(source="example", name=name), k=EXAMPLES[name].k, scores=None)


def _generated(scenario: Scenario) -> None:
    if scenario.data.source != "generated":
        return
    spec = scenario.data
    st.selectbox(
        "Shape of the scores",
        options=list(GENERATORS),
        format_func=GENERATORS.label,
        index=list(GENERATORS).index(spec.name),
        label_visibility="collapsed",
        **bound("generator", spec.name, _open_generator),
    )
    epsilon, k = GENERATORS[spec.name].opens
    opens = f"Opens at ε = {epsilon:.10g} and k = {k:,}, where the answer is neither sure nor hopeless."
    st.html(f'<p class="dp-note">{opens}</p>')
    lines(GENERATORS, spec.name)

    def edit(name: str, value: object) -> None:
        now = state.scenario().data
        if (now.source, now.name) == ("generated", spec.name):
            _use_generator(now.name, {**now.parameters, name: value})

    own_parameters(GENERATORS[spec.name], spec.parameters, edit, spec.name)


def _open_generator(name: str) -> None:
    """A shape as it comes, where there is something to see of it."""
    epsilon, k = GENERATORS[name].opens
    _use_generator(name, {}, epsilon=epsilon, k=k)


def _use_generator(name: str, chosen: dict[str, Any], **more: Any) -> None:
    try:
        spec = DataSpec(source="generated", name=name, parameters=chosen)
    except ParameterError as err:
        state.tell("data", str(err))
        return
    state.change("data", data=spec, scores=None, **more)


def _most_top(a: int, b: int, k: int) -> str:
    """The chance that ties fall as they lie, of all ways to fill the k − a places that the b − a of them share."""
    log_ways = float(log_set_count(np.array(a), np.array(b), k))
    return f"1/{round(math.exp(log_ways)):,}" if log_ways < math.log(1e6) else "less than one in a million"


def _tie_note(scores: Scores, k: int) -> str:
    if k >= scores.d:
        return ""
    a, b = scores.tied(k)
    if b == k:
        return ""
    return (
        f'<p class="dp-note">Ranks {a + 1:,} to {b:,} have the same score: which of them are in the true top {k:,} is '
        f"settled by their order in the data. All of them come out equally often, so TOP stops at {_most_top(a, b, k)} "
        "whatever ε is; OPTIMAL counts every one of them.</p>"
    )


SOURCES.add(
    "example",
    Source(_example, lambda scenario: _use_example(next(iter(EXAMPLES)))),
    label="An example",
    says="Scores made up for trying things out.",
)
SOURCES.add(
    "generated",
    Source(_generated, lambda scenario: _open_generator(next(iter(GENERATORS)))),
    label="Generated scores",
    says="Scores of a shape and size of your choice.",
)
SOURCES.add(
    "upload",
    Source(incoming.upload),
    label="A file of scores",
    says="One score an item, from a file; it stays in this session.",
)
SOURCES.add("paste", Source(incoming.pasted), label="Pasted scores", says="One score a line, from anywhere.")
SOURCES.add(
    "events",
    Source(event_log.event_log),
    label="An event log, counted",
    says="Who did what, counted into how many people each item has.",
)
SOURCES.add("edit", Source(incoming.edited), label="A table to edit", says="The scores of now, to be changed by hand.")
