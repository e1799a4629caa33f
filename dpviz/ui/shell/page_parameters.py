"""The parameters that a page adds to the scenario, declared once as the fields of a frozen dataclass.

They are kept in the scenario under the page's prefix, so a link has them, and checked by their declarations.
Invariant: a value that its declaration refuses never gets into the scenario by a control; one from a link
counts as not given, and why is handed over for the page to say.
"""

from collections.abc import Callable, Mapping, Sequence
from copy import copy
from dataclasses import replace
from typing import Any, Generic, TypeVar

import streamlit as st

from dpviz.base.errors import ParameterError
from dpviz.base.parameters import Parameter, parameters
from dpviz.ui.shell import state
from dpviz.ui.shell.controls import bound, number_box, slider_and_box, tenth

__all__ = ["PageParameters"]

P = TypeVar("P")
Check = Callable[[object], Any]


class PageParameters(Generic[P]):
    """The declared parameters of `cls`, under a prefix; what a control gives that is refused is told at `where`.

    `checks` go before a declaration's own; `by_label` makes sentences call a parameter by its label. Where `tell`,
    it is also told there that a value in the link was refused.
    """

    def __init__(
        self,
        cls: type[P],
        prefix: str = "",
        *,
        where: str = "page",
        checks: Mapping[str, Check] | None = None,
        by_label: bool = False,
        tell: bool = False,
    ) -> None:
        self.cls, self.prefix, self.where = cls, prefix, where
        self.checks = dict(checks or {})
        self.declared: dict[str, Parameter] = {p.name: p for p in parameters(cls)}
        self._by_label, self._tell = by_label, tell

    def suited(self, **changes: Mapping[str, Any]) -> "PageParameters[P]":
        """With some declarations changed, as the data at hand ask for: suited(size={"high": 9, "default": 3})."""
        own = copy(self)
        own.declared = self.declared | {
            name: replace(self.declared[name], **change) for name, change in changes.items() if name in self.declared
        }
        return own

    def check(self, name: str, value: object) -> Any:
        """The value, if it is allowed; raises `ParameterError` else."""
        declared = self.declared[name]
        called = replace(declared, name=declared.label) if self._by_label else declared
        if name in self.checks:
            value = self.checks[name](value)
        if isinstance(declared.default, bool):
            if not isinstance(value, bool):
                raise ParameterError(called.name, value, "True or False")
            return value
        if isinstance(declared.default, str) and declared.choices is None:
            return value  # a text is read by a check of its own
        return called.check(value)

    def values(self) -> tuple[dict[str, Any], dict[str, ParameterError]]:
        """Every value by name, the default where none is given or it is refused; and why it is, by name."""
        page, values, refused = state.scenario().page, {}, {}
        for name, declared in self.declared.items():
            values[name] = declared.default
            if self.prefix + name in page:
                try:
                    values[name] = self.check(name, page[self.prefix + name])
                except ParameterError as err:
                    refused[name] = err
                    if self._tell:
                        state.tell(self.where, f"{err} The value in the link is left out.")
        return values, refused

    def read(self) -> tuple[P, dict[str, ParameterError]]:
        """The same as an instance."""
        values, refused = self.values()
        return self.cls(**values), refused

    def change(self, check: Check | None = None, /, **values: Any) -> None:
        """Set parameters (None takes one out); where `check` or a declaration refuses one, nothing changes."""
        state.forget()
        try:
            for name, value in values.items():
                if value is not None:
                    values[name] = self.check(name, value)
                    if check is not None:
                        check(values[name])
        except ParameterError as err:
            state.tell(self.where, str(err))
            return
        state.change_page(**{self.prefix + name: value for name, value in values.items()})

    def bound(self, name: str, value: object, check: Check | None = None) -> dict[str, Any]:
        """What binds a control to a parameter."""
        return bound(self.prefix + name, value, lambda given: self.change(check, **{name: given}))

    def menu(self, name: str, label: str, shown: Callable[[str], str], **more: Any) -> str:
        """A menu of a parameter's choices; the one that is chosen."""
        value, options = self._value(name), list(self.declared[name].choices or ())
        st.selectbox(
            label, options=options, index=options.index(value), format_func=shown, **self.bound(name, value), **more
        )
        return str(value)

    def switch(self, name: str, label: str, shown: Callable[[str], str], value: str, **more: Any) -> None:
        """The choices of a parameter side by side, unless `options` names some of them."""
        options: Sequence[str] = more.pop("options", list(self.declared[name].choices or ()))
        st.segmented_control(
            label,
            options=options,
            format_func=shown,
            default=value,
            required=True,
            **self.bound(name, value),
            **more,
        )

    def percent_box(
        self, name: str, value: float, label: str, ends: tuple[float, float], *, step: float = 1.0, **more: Any
    ) -> None:
        """A box for a share, in per cent."""

        def edit(given: Any) -> None:
            self.change(**{name: given / 100})

        low, high = ends
        more = {"step": step, "format": "%.4g", **more}
        number_box(label, 100 * value, edit, self.prefix + name, low=low, high=high, **more)

    def number_box(self, name: str, *, step: float | None = None, check: Check | None = None) -> Any:
        """A box for a number: the library, not the box, says what is allowed, and `check` may ask for more."""
        declared, value = self.declared[name], self._value(name)
        st.number_input(
            declared.label,
            value=value,
            step=step if step is not None else 1 if declared.integer else tenth(value),
            format=None if declared.integer else "%.10g",
            help=declared.help or None,
            **self.bound(name, value, check=check),
        )
        return value

    def slider_and_box(
        self, name: str, box: str, steps: Sequence[float], ends: tuple[str, str], check: Check | None = None
    ) -> None:
        """A slider in logarithmic steps and a box for any value."""
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
        return self.values()[0][name]
