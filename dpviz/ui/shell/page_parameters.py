"""The parameters of this page: kept in the scenario under a prefix of their own, checked by their declarations.

Invariant: a value that its declaration refuses never gets into the scenario by a control; one from a link
counts as not given, and the sentence that says why stands in the sidebar.
"""

import math
from collections.abc import Callable, Sequence
from typing import Any

import streamlit as st

from dpviz.base.errors import ParameterError
from dpviz.base.parameters import Parameter
from dpviz.ui.shell import state
from dpviz.ui.shell.controls import on, place
from dpviz.ui.shell.text import plain

__all__ = ["WHERE", "change", "choose", "log_pair", "number_box", "refused", "told", "value"]

WHERE = "candidates"
_PREFIX = "pc."  # other pages have parameters of the same names
Check = Callable[[object], Any]


def value(name: str, default: Any, check: Check | None = None) -> Any:
    """A parameter of this page, of its default's type."""
    held = state.scenario().page.get(_PREFIX + name, default)
    if isinstance(default, float) and type(held) is int:
        held = float(held)
    if type(held) is not type(default):
        return default
    if check is None or held == default:
        return held
    try:
        return check(held)
    except ParameterError as err:
        state.tell(WHERE, f"{err} The value in the link is left out.")
        return default


def change(check: Check | None = None, **values: Any) -> bool:
    """Set parameters of this page; what `check` refuses is told, and nothing changes."""
    state.forget()
    try:
        if check is not None:
            values = {name: given if given is None else check(given) for name, given in values.items()}
    except ParameterError as err:
        state.tell(WHERE, str(err))
        return False
    state.change_page(**{_PREFIX + name: given for name, given in values.items()})
    return True


def refused(err: ParameterError) -> None:
    """Tell in the sidebar why something was left as it was."""
    state.tell(WHERE, str(err))


def told() -> None:
    """What is to be said about the controls of this page."""
    sentence = state.notice(WHERE)
    if sentence:
        st.error(plain(sentence))


def choose(name: str, label: str, options: Sequence[str], shown: Callable[[str], str], **more: Any) -> str:
    """A menu."""
    held = str(value(name, options[0]))
    held = held if held in options else options[0]
    key = _PREFIX + name
    st.selectbox(
        label,
        options=options,
        index=list(options).index(held),
        format_func=shown,
        key=place(key, held),
        on_change=on(key, lambda given: change(**{name: given})),
        **more,
    )
    return held


def number_box(
    declared: Parameter,
    default: Any,
    *,
    name: str | None = None,
    step: float | int | None = None,
    check: Check | None = None,
) -> Any:
    """A box for a declared parameter; the library, not the box, says what is allowed: `check` may ask for more."""
    name = name or declared.name
    held = value(name, default, declared.check)
    key = _PREFIX + name
    st.number_input(
        declared.label,
        value=held,
        step=step if step is not None else 1 if declared.integer else _step(held),
        format=None if declared.integer else "%.10g",
        key=place(key, held),
        on_change=on(key, lambda given: change(check or declared.check, **{name: given})),
        help=declared.help or None,
    )
    return held


def log_pair(
    declared: Parameter,
    default: float,
    ends: tuple[str, str],
    steps: Sequence[float],
    box: str,
    check: Check | None = None,
) -> float:
    """A slider in logarithmic steps and a box for any value, both for one parameter."""
    name = declared.name
    held: float = value(name, default, declared.check)
    key = _PREFIX + name

    def act(given: float) -> None:
        change(check or declared.check, **{name: given})

    st.select_slider(
        declared.label,
        options=sorted({*steps, held}),
        format_func=lambda given: f"{given:.10g}",
        value=held,
        key=place(f"{key}.slider", held),
        on_change=on(f"{key}.slider", act),
        help=declared.help or None,
    )
    st.html(f'<div class="dp-ends"><span>{ends[0]}</span><span>{ends[1]}</span></div>')
    st.number_input(
        box,
        value=held,
        step=_step(held),
        format="%.10g",
        key=place(key, held),
        on_change=on(key, act),
    )
    return held


def _step(held: float) -> float:
    """A tenth of the power of ten below: what + and − add."""
    return float(10.0 ** (math.floor(math.log10(abs(held)) + 1e-9) - 1)) if held else 0.1
