"""Controls: each shows a value of the scenario or a page's own parameter, and edits it there.

Invariant: a refused value, of a control or a link, never enters the scenario.
"""

import math
from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from contextlib import contextmanager
from typing import Any, Generic, Literal, TypeVar

import streamlit as st

from dpviz.base import (
    Check,
    DeclaredParameters,
    ParameterError,
    Registry,
    check_integer,
    check_number,
)
from dpviz.studies import LARGEST_SEED
from dpviz.web.session import SessionValue, state
from dpviz.web.widgets.elements import escape_markdown, show_markup, show_paragraph

P = TypeVar("P")
Edit = Callable[[Any], object]
STAGE = "stage"  # where what is refused on the stage is told
MORE = ("more\u00a0privacy", "more\u00a0accuracy")
SMALL = tuple(float(f"{m}e{e}") for e in range(-12, -1) for m in (1, 2, 5))
"""Steps of a slider for a small probability, such as δ."""
_SMALL_BELOW = 1e-3  # as `dpviz.charts.number` has it


def edit_for_keyword(change: Callable[..., object], name: str, **more: Any) -> Edit:
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


def button(
    label: str, key: str, act: Callable[..., None], *given: object, icon: str = "", **more: Any
) -> None:
    """A button that calls `act` with what is `given`; `icon` is the name of a Material symbol."""
    symbol = f":material/{icon}:" if icon else None
    st.button(label, key=key, on_click=act, args=given, icon=symbol, **more)


def show_side_heading(text: str) -> None:
    show_markup('<h2 class="dp-side">{}</h2>', text)


# by place: why its section was opened last
_OPENED: SessionValue[dict[str, object]] = SessionValue("settings.opened", dict)


@contextmanager
def sidebar_section(
    title: str, chosen_value: object, notice_place: str, *, is_open: bool = False
) -> Iterator[bool]:
    """A sidebar section with the chosen value, True where it is open: draw its controls only then.

    It opens where it `is_open` at first, and at each new notice.
    """
    show_side_heading(title)
    show_paragraph(chosen_value, "chosen")
    key, reason = f"settings_{notice_place}_fold", state.notice_text(notice_place) or is_open
    is_new = bool(reason) and reason != _OPENED.value.get(notice_place)
    if is_new or key not in st.session_state:
        st.session_state[key] = bool(reason)
    _OPENED.value[notice_place] = reason
    box = st.expander(f"Change: {title.lower()}", on_change="rerun", key=key)
    with box:
        yield bool(box.open)


def show_notice(notice_place: str) -> None:
    if sentence := state.notice_text(notice_place):
        st.error(escape_markdown(sentence))


def slider_and_box(
    key: str,
    value: float,
    edit: Edit,
    *,
    labels: tuple[str, str],
    helps: tuple[str | None, str | None],
    stops: Sequence[float],
    format_value: Callable[[Any], str] = "{:.10g}".format,
    end_labels: tuple[str, str] | None = MORE,
    **limits: Any,
) -> None:
    """A logarithmic slider and a box for any value; `limits` are the box's."""
    st.select_slider(
        labels[0],
        options=sorted({*stops, value}),
        format_func=format_value,
        value=value,
        help=helps[0],
        **bind_control(f"{key}_slider", value, edit),
    )
    if end_labels is not None:
        show_markup('<div class="dp-ends"><span>{}</span><span>{}</span></div>', *end_labels)
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


def radio(
    label: str, names: Mapping[Any, str], value: object, edit: Edit, key: str, **more: Any
) -> None:
    """Choices below each other, each with its name; a value that has none is no choice yet."""
    options = list(names)
    st.radio(
        label,
        options,
        index=options.index(value) if value in names else None,
        format_func=names.__getitem__,
        **bind_control(key, value, edit, options),
        **more,
    )


def seed_box(
    key: str, help: str | None, label: str = "Seed", width: int | Literal["stretch"] = 150
) -> int:
    seed = state.scenario().seed
    number_box(
        label,
        seed,
        edit_for_keyword(state.change_scenario, "seed"),
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
    parameter_name: str = "",
    low: float | None = None,
    high: float | None = None,
    above: bool = False,
    below: bool = False,
    why: str = "",
    notice_place: str | None = None,
    **more: Any,
) -> None:
    """A box for a number; a refused one changes nothing, and a notice says what is allowed."""
    integer = isinstance(value, int)
    parameter_name = parameter_name or label

    def given(new: Any) -> None:
        try:
            if integer:
                check_integer(parameter_name, new, low=low, high=high)
            else:
                check_number(parameter_name, new, low=low, high=high, above=above, below=below)
        except ParameterError as err:
            state.clear_notices()
            state.set_notice(
                notice_place or key,
                f"{parameter_name} must be {err.allowed}{why}, not {new:,.10g}. It stays {value:,.10g}.",
            )
            return
        edit(new)

    step: dict[str, Any] = (
        {"step": 1} if integer else {"step": _increment(value), "format": _number_format(value)}
    )
    st.number_input(label, value=value, **{**step, **more, **bind_control(key, value, given)})
    if notice_place is None:
        show_notice(key)


def _number_format(value: float) -> str:
    """Format of a box: small numbers as 1e-6."""
    return "%e" if 0 < abs(value) < _SMALL_BELOW else "%.10g"


def _increment(value: float) -> float:
    """Step of a box: a tenth of the power of ten below the value."""
    return (
        max(float(10.0 ** (math.floor(math.log10(abs(value)) + 1e-9) - 1)), 1e-300)
        if value
        else 0.1
    )


# ---- parameters of a page --------------------------------------------------------------------------


class PageParameters(Generic[P]):
    """Parameters of a page with controls; refusals are notices at `place`, of links with `tell`."""

    def __init__(
        self, parameters: DeclaredParameters[P], *, place: str = "page", tell: bool = False
    ) -> None:
        self.of, self._where, self._tell = parameters, place, tell
        self.prefix, self.declared = parameters.prefix, parameters.declared

    def values(self) -> dict[str, Any]:
        """Every value in the session's scenario, by name."""
        values, refused = self.of.read_values(state.scenario().page)
        if self._tell:
            for err in refused.values():
                state.set_notice(self._where, f"{err} The value in the link is ignored.")
        return values

    def current_settings(self) -> P:
        """Same values as an instance."""
        return self.of.cls(**self.values())

    def change(self, check: Check | None = None, /, **values: Any) -> None:
        """Set parameters (None removes one), unless `check` or a declaration refuses one."""
        state.clear_notices()
        try:
            for name, value in values.items():
                if value is not None:
                    values[name] = self.of.check(name, value)
                    if check is not None:
                        check(values[name])
        except ParameterError as err:
            state.set_notice(self._where, self._sentence(err, name, value))
            return
        state.change_page_parameters(
            **{self.prefix + name: value for name, value in values.items()}
        )

    def _sentence(self, err: ParameterError, name: str, value: object) -> str:
        """Notice for a refused number, in the words of its box."""
        called, stays = self.declared[name].label, self._value(name)
        if err.parameter not in {name, called} or not all(
            isinstance(each, int | float) for each in (value, stays)
        ):
            return str(err)
        return f"{called} must be {err.allowed}, not {value:,.10g}. It stays {stays:,.10g}."

    def bind_control(self, name: str, value: object, check: Check | None = None) -> dict[str, Any]:
        return bind_control(
            self.prefix + name, value, lambda given: self.change(check, **{name: given})
        )

    def menu(self, name: str, label: str, format_choice: Callable[[str], str], **more: Any) -> str:
        """Show a menu of a parameter's choices, and return the chosen one."""
        value, options = str(self._value(name)), self.declared[name].choices or ()
        menu(
            label,
            options,
            value,
            edit_for_keyword(self.change, name),
            self.prefix + name,
            names=format_choice,
            **more,
        )
        return value

    def choice_buttons(
        self, name: str, label: str, format_choice: Callable[[str], str], value: str, **more: Any
    ) -> None:
        """A parameter's choices side by side; `options` may limit them."""
        options: Sequence[str] = more.pop("options", list(self.declared[name].choices or ()))
        names = {option: format_choice(option) for option in options}
        choice_buttons(
            label, names, value, edit_for_keyword(self.change, name), self.prefix + name, **more
        )

    def percent_box(
        self,
        name: str,
        value: float,
        label: str,
        percent_range: tuple[float, float],
        *,
        step: float = 1.0,
        **more: Any,
    ) -> None:
        low, high = percent_range
        number_box(
            label,
            100 * value,
            lambda given: self.change(**{name: given / 100}),
            self.prefix + name,
            low=low,
            high=high,
            **{"step": step, "format": "%.4g", **more},
        )

    def number_box(
        self, name: str, *, step: float | None = None, check: Check | None = None
    ) -> Any:
        """Show a box for a number; the declaration limits it, and `check` may too."""
        declared, value = self.declared[name], self._value(name)
        more: dict[str, Any] = {} if step is None else {"step": step}
        number_box(
            declared.label,
            value,
            lambda given: self.change(check, **{name: given}),
            self.prefix + name,
            notice_place=self._where,
            help=declared.help or None,
            **more,
        )
        return value

    def _value(self, name: str) -> Any:
        return self.values()[name]
