"""The controls of the sidebar: k, ε, the mechanism and its parameters, all made from declarations.

ε has two controls, a slider in logarithmic steps and a box for any value; both show the scenario's ε.
A parameter with choices becomes a menu, a bounded number a slider, any other a number box.
"""

import math
from collections.abc import Callable, Mapping
from typing import Any

import streamlit as st

from dpviz.base.parameters import Parameter, parameters
from dpviz.base.registry import Registry
from dpviz.studies.scenario import Design, Scenario
from dpviz.topk.mechanism import TOP_K, TopKMechanism
from dpviz.ui.shell import state
from dpviz.ui.shell.text import plain

__all__ = ["heading", "mechanism", "on", "parameter_control", "place", "release"]

_MANTISSAS = (1.0, 1.1, 1.2, 1.4, 1.6, 1.8, 2.0, 2.2, 2.5, 2.8, 3.0, 3.5, 4.0, 4.5, 5.0, 5.5, 6.0, 7.0, 8.0, 9.0)
STEPS = (*(float(f"{m * 10.0**e:.3g}") for e in (-2, -1, 0, 1) for m in _MANTISSAS), 100.0)
_BOX_LOW, _BOX_HIGH = 1e-6, 10_000.0
_WIDEST_SLIDER = 100.0


def place(key: str, value: Any) -> str:
    """The key of the control that shows `value`; the control is given the value as its default.

    Streamlit may lose a value that a script writes into a control: runs are interrupted, and the browser
    goes on reporting what it knew. So nothing is written: where the value changes other than by the
    control itself, the control is replaced by a new one under a new key, and what the old one may
    still report is left unheard.
    """
    placed = _placed()
    shown, number = placed.get(key, (value, 0))
    placed[key] = (value, number if shown == value else number + 1)
    return _numbered(key, placed[key][1])


def on(key: str, act: Callable[[Any], object]) -> Callable[[], None]:
    """A callback for the control with this key: acts on its new value. An emptied control is filled again."""
    number = _placed().get(key, (None, 0))[1]

    def changed() -> None:
        shown, current = _placed().get(key, (None, 0))
        value = st.session_state.get(_numbered(key, number))
        if current != number or value == shown:
            return
        if value is None:
            _placed()[key] = (shown, number + 1)
            return
        _placed()[key] = (value, number)  # it shows that already; should the scenario differ, `place` replaces it
        act(value)

    return changed


def _placed() -> dict[str, tuple[Any, int]]:
    """By key: what the control shows, and how often it was replaced."""
    held: dict[str, tuple[Any, int]] = st.session_state.setdefault("dpviz.placed", {})
    return held


def _numbered(key: str, number: int) -> str:
    return f"{key}~{number}" if number else key


def heading(text: str) -> None:
    """A small heading in the sidebar."""
    st.html(f'<h2 class="dp-side">{text}</h2>')


def release(scenario: Scenario, *, k: bool = True) -> None:
    """k and ε: how much comes out, and at what price. The slider has ε itself among its steps, wherever it lies.

    Without `k` a page has no control for it: it is about one item only.
    """
    heading("Release")
    declared = {p.name: p for p in parameters(TopKMechanism)}
    boxes = st.columns(2) if k else [st.container()]
    if k:
        highest = None if scenario.needs_data else state.scores(scenario).d - 1
        boxes[0].number_input(
            "k, items out",
            min_value=1,
            max_value=None if highest is None else max(highest, scenario.k),
            step=1,
            value=scenario.k,
            key=place("k", scenario.k),
            on_change=on("k", lambda k: _edit(k=k)),
            help=declared["k"].help,
        )
    st.select_slider(
        "ε, the privacy budget",
        options=sorted({*STEPS, scenario.epsilon}),
        format_func=lambda value: f"{value:.10g}",
        value=scenario.epsilon,
        key=place("epsilon_slider", scenario.epsilon),
        on_change=on("epsilon_slider", lambda epsilon: _edit(epsilon=epsilon)),
        help="Smaller ε: one person's data change the answer less, and the answer is right less often. "
        + declared["epsilon"].help,
    )
    st.html('<div class="dp-ends"><span>more privacy</span><span>more accuracy</span></div>')
    boxes[-1].number_input(
        "ε, exactly",
        min_value=min(_BOX_LOW, scenario.epsilon),
        max_value=max(_BOX_HIGH, scenario.epsilon),
        step=_step(scenario.epsilon),
        format="%.10g",
        value=scenario.epsilon,
        key=place("epsilon", scenario.epsilon),
        on_change=on("epsilon", lambda epsilon: _edit(epsilon=epsilon)),
        help="Any value up to 10,000; the slider goes from 0.01 to 100.",
    )
    _told("release")


def _step(epsilon: float) -> float:
    """A tenth of the power of ten below ε: what + and − of the box add."""
    return float(10.0 ** (math.floor(math.log10(epsilon) + 1e-9) - 1))


def _edit(**changes: Any) -> None:
    state.change("release", **changes)


def mechanism(scenario: Scenario) -> None:
    """The mechanism, from the registry, and its own parameters."""
    heading("Mechanism")
    design = scenario.designs[0]
    st.selectbox(
        "Mechanism",
        options=list(TOP_K),
        format_func=TOP_K.label,
        index=list(TOP_K).index(design.mechanism),
        key=place("mechanism", design.mechanism),
        on_change=on("mechanism", lambda name: _choose_design(name, {})),
        label_visibility="collapsed",
    )
    for declared in _own(TOP_K[design.mechanism]):

        def edit(value: Any, name: str = declared.name) -> None:
            now = state.scenario().designs[0]
            if now.mechanism == design.mechanism:
                _choose_design(now.mechanism, {**now.parameters, name: value})

        parameter_control(declared, design.parameters[declared.name], edit, f"{design.mechanism}.{declared.name}")
    _told("mechanism")


def _own(cls: type) -> list[Parameter]:
    """The parameters that a design has for itself: ε and k belong to the scenario."""
    return [p for p in parameters(cls) if p.name not in {"epsilon", "k"}]


def _choose_design(name: str, chosen: Mapping[str, Any]) -> None:
    first = Design(mechanism=name, parameters=chosen)
    state.change("mechanism", designs=(first, *state.scenario().designs[1:]))


def parameter_control(declared: Parameter, value: Any, edit: Callable[[Any], None], key: str) -> None:
    """The control that a declaration asks for; `edit` gets the new value."""
    told: dict[str, Any] = {"key": place(key, value), "on_change": on(key, edit), "help": declared.help or None}
    if declared.choices is not None:
        choices = declared.choices
        name = choices.label if isinstance(choices, Registry) else lambda choice: str(choices[choice])
        st.selectbox(declared.label, options=list(choices), index=list(choices).index(value), format_func=name, **told)
        return
    told["value"] = value
    low, high = declared.low, declared.high
    if declared.integer:
        told |= {"min_value": None if low is None else int(low), "max_value": None if high is None else int(high)}
        st.number_input(declared.label, step=1, **told)
    elif low is not None and high is not None and high - low <= _WIDEST_SLIDER and not declared.above:
        st.slider(declared.label, min_value=low, max_value=high, step=(high - low) / 100, format="%.4g", **told)
    else:
        lowest = math.nextafter(low, math.inf) if low is not None and declared.above else low
        st.number_input(declared.label, min_value=lowest, max_value=high, format="%.10g", **told)


def _told(where: str) -> None:
    sentence = state.notice(where)
    if sentence:
        st.error(plain(sentence))
