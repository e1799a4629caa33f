"""Controls of the strip and the sidebar: each shows a value of the scenario, and edits it there."""

import math
from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from contextlib import contextmanager
from typing import Any, Literal

import streamlit as st

from dpviz.base import ParameterError, Registry, check_integer, check_number, markup
from dpviz.studies import LARGEST_SEED
from dpviz.web.session import SessionValue, state
from dpviz.web.widgets.text import escape_markdown, html, paragraph

Edit = Callable[[Any], object]
STAGE = "stage"  # where what is refused on the stage is told
MORE = ("more\u00a0privacy", "more\u00a0accuracy")
SMALL = tuple(float(f"{m}e{e}") for e in range(-12, -1) for m in (1, 2, 5))
"""Steps of a slider for a small probability, such as δ."""
_SMALL_BELOW = 1e-3  # as `dpviz.charts.number` has it


def setter(change: Callable[..., object], name: str, **more: Any) -> Edit:
    """Edit that hands its value to `change` under this name."""
    return lambda value: change(**{name: value}, **more)


def bind_control(
    key: str, value: object, edit: Edit, options: Collection[object] | None = None
) -> dict[str, Any]:
    """Key and callback that bind a control to its default `value`; `options`: a menu's options now."""
    # Streamlit may lose a value that a script writes into a control. So where it changes elsewhere,
    # or somebody empties the control, one with a new key replaces it, and late reports are ignored.
    values: dict[str, tuple[object, int]] = st.session_state.setdefault("dpviz.shown", {})
    before, number = values.get(key, (value, 0))
    number += before != value
    values[key] = (value, number)

    def changed() -> None:
        before, current = values.get(key, (None, 0))
        value = st.session_state.get(_numbered(key, number))
        if current != number or value == before:
            return
        if value is None or (options is not None and value not in options):
            values[key] = (before, number + 1)
            return
        values[key] = (value, number)  # shown already; if the scenario differs it is replaced
        edit(value)

    return {"key": _numbered(key, number), "on_change": changed}


def _numbered(key: str, number: int) -> str:
    return f"{key}~{number}" if number else key


def side_heading(text: str) -> None:
    html(markup('<h2 class="dp-side">{}</h2>', text))


# by place: why its section was opened last
_OPENED: SessionValue[dict[str, object]] = SessionValue("settings.opened", dict)


@contextmanager
def sidebar_section(
    title: str, chosen_value: object, place: str, *, is_open: bool = False
) -> Iterator[bool]:
    """A sidebar section with the chosen value, True where it is open: draw its controls only then.

    It opens where it `is_open` at first, and at each new notice.
    """
    side_heading(title)
    paragraph(chosen_value, "chosen")
    key, reason = f"settings_{place}_fold", state.notice_text(place) or is_open
    is_new = bool(reason) and reason != _OPENED.value.get(place)
    if is_new or key not in st.session_state:
        st.session_state[key] = bool(reason)
    _OPENED.value[place] = reason
    box = st.expander(f"Change: {title.lower()}", on_change="rerun", key=key)
    with box:
        yield bool(box.open)


def show_notice(place: str) -> None:
    if sentence := state.notice_text(place):
        st.error(escape_markdown(sentence))


def box_increment(value: float) -> float:
    """Step of a box: a tenth of the power of ten below the value."""
    return (
        max(float(10.0 ** (math.floor(math.log10(abs(value)) + 1e-9) - 1)), 1e-300)
        if value
        else 0.1
    )


def slider_and_box(
    key: str,
    value: float,
    edit: Edit,
    *,
    labels: tuple[str, str],
    helps: tuple[str | None, str | None],
    steps: Sequence[float],
    format_value: Callable[[Any], str] = "{:.10g}".format,
    ends: tuple[str, str] | None = MORE,
    **limits: Any,
) -> None:
    """A logarithmic slider and a box for any value; `limits` are the box's."""
    st.select_slider(
        labels[0],
        options=sorted({*steps, value}),
        format_func=format_value,
        value=value,
        help=helps[0],
        **bind_control(f"{key}_slider", value, edit),
    )
    if ends is not None:
        html(markup('<div class="dp-ends"><span>{}</span><span>{}</span></div>', *ends))
    number_box(labels[1], value, edit, key, help=helps[1], **limits)


def menu(
    label: str,
    options: Collection[str],
    value: str,
    edit: Edit,
    key: str,
    *,
    names: Callable[[str], str] | None = None,
    **more: Any,
) -> None:
    """A menu whose options have their registry's labels unless `names` gives others."""
    listed = list(options)
    st.selectbox(
        label,
        listed,
        format_func=names or (options.label if isinstance(options, Registry) else str),
        index=listed.index(value),
        **bind_control(key, value, edit, listed),
        **more,
    )


def choice_buttons(
    label: str, names: Mapping[Any, str], value: object, edit: Edit, key: str, **more: Any
) -> None:
    """Choices side by side, each with its name."""
    st.segmented_control(
        label,
        options=list(names),
        format_func=names.__getitem__,
        default=value,
        required=True,
        **bind_control(key, value, edit),
        **more,
    )


def seed_box(
    key: str, help: str | None, label: str = "Seed", width: int | Literal["stretch"] = 150
) -> int:
    seed = state.scenario().seed
    number_box(
        label,
        seed,
        setter(state.change_scenario, "seed"),
        key,
        low=0,
        high=LARGEST_SEED,
        help=help,
        width=width,
    )
    return seed


def advance_seed(increment: int = 1) -> None:
    state.change_scenario(seed=(state.scenario().seed + increment) % LARGEST_SEED)


def number_box(
    label: str,
    value: float,
    edit: Edit,
    key: str,
    *,
    called: str = "",
    low: float | None = None,
    high: float | None = None,
    above: bool = False,
    why: str = "",
    place: str | None = None,
    **more: Any,
) -> None:
    """A box for a number; a refused one changes nothing, and a notice says what is allowed."""
    integer = isinstance(value, int)
    called = called or label

    def given(new: Any) -> None:
        try:
            if integer:
                check_integer(called, new, low=low, high=high)
            else:
                check_number(called, new, low=low, high=high, above=above)
        except ParameterError as err:
            state.clear_notices()
            state.set_notice(
                place or key,
                f"{called} must be {err.allowed}{why}, not {new:,.10g}. It stays {value:,.10g}.",
            )
            return
        edit(new)

    step: dict[str, Any] = (
        {"step": 1} if integer else {"step": box_increment(value), "format": number_format(value)}
    )
    st.number_input(label, value=value, **{**step, **more, **bind_control(key, value, given)})
    if place is None:
        show_notice(key)


def number_format(value: float) -> str:
    """Format of a box: small numbers as 1e-6."""
    return "%e" if 0 < abs(value) < _SMALL_BELOW else "%.10g"
