"""A mechanism from its registry, and the controls that the declarations of its parameters ask for.

A parameter with choices becomes a menu, a bounded number a slider, a chance that has to be small a
slider of powers of ten with a box, any other number a box.
"""

from collections.abc import Callable, Mapping
from functools import partial
from typing import Any

import streamlit as st

from dpviz.base import Described, Parameter, Registry, parameters_of
from dpviz.charts import number
from dpviz.studies import Design, Scenario
from dpviz.topk import TOP_K
from dpviz.web.session import state
from dpviz.web.widgets.controls import (
    SMALL,
    Edit,
    bound,
    menu,
    notice,
    number_box,
    settings,
    slider_and_box,
)
from dpviz.web.widgets.text import lines, paragraph

_WIDEST_SLIDER = 100.0


def mechanism(scenario: Scenario) -> None:
    """The mechanism, from the registry, and its own parameters."""
    design = scenario.designs[0]
    with settings(
        "Mechanism", design.label_for(scenario.k, scenario.data.contributions), "designs"
    ):
        design_editor(0, design, "", label_visibility="collapsed")
        notice("designs")


def design_editor(number: int, design: Design, prefix: str, **more: Any) -> None:
    """The mechanism of the design with this number, and its own parameters; `prefix` of keys,
    `more` for the menu.
    """

    called, known = _called(design), state.scenario().data.names_known
    menu(
        "Mechanism",
        TOP_K,
        design.mechanism,
        lambda name: put_design(number, Design(mechanism=name)),
        f"{prefix}mechanism",
        names=lambda name: marked(
            called if name == design.mechanism else TOP_K.label(name), TOP_K[name], known
        ),
        **more,
    )
    lines(TOP_K, design.mechanism)
    design_parameters(number, design, prefix)


def marked(label: str, entry: type[Described], names_known: bool) -> str:
    """The label of a mechanism in a menu, with what it needs where the names were not known
    beforehand.
    """
    return label if entry.holds(names_known) else f"{label} (needs known names)"


def put_design(number: int, design: Design) -> None:
    """Make this the scenario's design with this number."""
    now = state.scenario().designs
    state.change("designs", designs=(*now[:number], design, *now[number + 1 :]))


def design_parameters(number: int, design: Design, prefix: str) -> None:
    """The own parameters of the design with this number."""

    def edit(name: str, value: object) -> None:
        now = state.scenario().designs
        if number < len(now) and now[number].mechanism == design.mechanism:
            put_design(
                number,
                Design(
                    mechanism=design.mechanism, parameters={**now[number].parameters, name: value}
                ),
            )

    own_parameters(TOP_K[design.mechanism], design.parameters, edit, f"{prefix}{design.mechanism}")


def _called(design: Design) -> str:
    """What the page calls the mechanism for these scores."""
    scenario = state.scenario()
    contributions = None if scenario.needs_data else state.scores(scenario).contributions
    return design.build(scenario.epsilon, scenario.k).called(contributions)


def own_parameters(
    cls: type, values: Mapping[str, Any], edit: Callable[[str, object], None], key: str
) -> None:
    """The control that each declaration of `values` asks for; `edit` gets the name and the new
    value.
    """
    for declared in parameters_of(cls):
        if declared.name in values:
            _control(
                declared,
                values[declared.name],
                partial(edit, declared.name),
                f"{key}.{declared.name}",
            )


def _control(declared: Parameter, value: Any, edit: Edit, key: str) -> None:
    label, help = declared.label, declared.help or None
    choices = declared.choices
    if choices is not None:
        names = choices.label if isinstance(choices, Registry) else lambda name: str(choices[name])
        menu(label, choices, value, edit, key, names=names, help=help)
        if isinstance(choices, Registry):
            lines(choices, value)
        return
    low, high, above = declared.low, declared.high, declared.above
    bounded = low is not None and high is not None and high - low <= _WIDEST_SLIDER
    if bounded and not above and not declared.integer:
        step = (high - low) / 100  # type: ignore[operator]
        st.slider(
            label,
            min_value=low,
            max_value=high,
            value=value,
            step=step,
            format="%.4g",
            **bound(key, value, edit),
        )
        if help:
            paragraph(help, "note")
    elif (
        (low, above) == (0.0, True) and high is not None and high <= 1.0
    ):  # what matters of it is its power of ten
        steps = [step for step in SMALL if step <= high]
        labels, limits = (label, f"{label}, exactly"), {"low": low, "above": True, "high": high}
        slider_and_box(
            key,
            value,
            edit,
            labels=labels,
            helps=(help, None),
            steps=steps,
            shown=number,
            ends=None,
            **limits,
        )
    else:
        number_box(label, value, edit, key, low=low, high=high, above=above, help=help)
