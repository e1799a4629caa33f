"""The parameters that a page adds to the scenario, with their controls.

Invariant: a refused value, of a control or a link, never enters the scenario.
"""

from collections.abc import Callable, Sequence
from typing import Any, Generic, TypeVar

import streamlit as st

from dpviz.base import Check, DeclaredParameters, ParameterError
from dpviz.web.session import state
from dpviz.web.widgets.controls import (
    bind_control,
    box_increment,
    choice_buttons,
    menu,
    number_box,
    number_format,
    setter,
    slider_and_box,
)

P = TypeVar("P")


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
            setter(self.change, name),
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
        choice_buttons(label, names, value, setter(self.change, name), self.prefix + name, **more)

    def percent_box(
        self,
        name: str,
        value: float,
        label: str,
        ends: tuple[float, float],
        *,
        step: float = 1.0,
        **more: Any,
    ) -> None:
        low, high = ends
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
        st.number_input(
            declared.label,
            value=value,
            step=step if step is not None else 1 if declared.integer else box_increment(value),
            format=None if declared.integer else number_format(value),
            help=declared.help or None,
            **self.bind_control(name, value, check=check),
        )
        return value

    def slider_and_box(
        self,
        name: str,
        box: str,
        steps: Sequence[float],
        ends: tuple[str, str],
        check: Check | None = None,
    ) -> None:
        """A logarithmic slider and a box for any value."""
        declared = self.declared[name]
        slider_and_box(
            self.prefix + name,
            self._value(name),
            lambda given: self.change(check, **{name: given}),
            labels=(declared.label, box),
            helps=(declared.help or None, None),
            steps=steps,
            ends=ends,
        )

    def _value(self, name: str) -> Any:
        return self.values()[name]
