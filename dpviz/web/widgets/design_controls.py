"""Controls for a mechanism and, from their declarations, its parameters."""

from collections.abc import Callable, Collection, Mapping
from functools import partial
from typing import Any

import streamlit as st

from dpviz.base import Parameter, Registry, declared_parameters
from dpviz.charts import number_text
from dpviz.studies import Design
from dpviz.studies.stated_rule import STATED_PARAMETERS, design_with_stated_noise
from dpviz.topk import TOP_K
from dpviz.web.session import state
from dpviz.web.widgets.controls import (
    SMALL,
    Edit,
    bind_control,
    menu,
    number_box,
    slider_and_box,
)
from dpviz.web.widgets.elements import show_menu_help, show_paragraph

_WIDEST_SLIDER = 100.0


def design_editor(number: int, design: Design, key_prefix: str, **more: Any) -> None:
    """Menu and parameters of a design; `key_prefix` is for keys, `more` for the menu."""
    scenario = state.scenario()
    called = design.build(scenario.epsilon, scenario.k).called(
        None if scenario.needs_data else state.scores(scenario).contributions
    )
    menu(
        "Mechanism",
        TOP_K,
        design.mechanism,
        lambda name: replace_scenario_design(number, Design(mechanism=name)),
        f"{key_prefix}mechanism",
        names=lambda name: mechanism_menu_label(
            TOP_K,
            name,
            scenario.data.names_known,
            called if name == design.mechanism else TOP_K.label(name),
        ),
        **more,
    )
    show_menu_help(TOP_K, design.mechanism)
    show_design_parameters(number, design, key_prefix)


def mechanism_menu_label(menu: Registry[Any], name: str, names_known: bool, label: str) -> str:
    """Label in a menu, with the field's names, and a remark where known names are needed."""
    remark = "" if menu[name].guarantee_holds(names_known) else " (needs a catalogue)"
    return menu.searchable_label(name, label + remark)


def replace_scenario_design(number: int, design: Design) -> None:
    now = state.scenario().designs
    state.change_scenario("designs", designs=(*now[:number], design, *now[number + 1 :]))


def show_design_parameters(number: int, design: Design, key_prefix: str) -> None:
    def edit(name: str, value: object) -> None:
        now = state.scenario().designs
        if number < len(now) and now[number].mechanism == design.mechanism:
            replace_scenario_design(
                number,
                Design(
                    mechanism=design.mechanism, parameters={**now[number].parameters, name: value}
                ),
            )

    show_parameter_controls(
        TOP_K[design.mechanism],
        design.parameters,
        edit,
        f"{key_prefix}{design.mechanism}",
        hidden_names=("noise",) if design.stated_scale else ("names_known",),
    )
    can_state = TOP_K[design.mechanism].noise_scales and (
        design.mechanism != "one_shot" or design.parameters["noise"] == "laplace"
    )
    if can_state:
        stated = design.stated_scale is not None
        st.checkbox(
            "The noise is stated",
            value=stated,
            help="ε then follows from the noise.",
            **bind_control(
                f"{key_prefix}{design.mechanism}.stated", stated, partial(_state, number)
            ),
        )


def _state(number: int, on: bool) -> None:
    """Have the noise of a design stated as it is now, or its ε set again."""
    scenario = state.scenario()
    design = scenario.designs[number]
    replace_scenario_design(
        number,
        design_with_stated_noise(design, scenario.epsilon, scenario.k, state.scores(scenario))
        if on
        else Design(
            mechanism=design.mechanism,
            parameters={
                name: value
                for name, value in design.parameters.items()
                if name not in STATED_PARAMETERS
            },
        ),
    )


def show_parameter_controls(
    cls: type,
    values: Mapping[str, Any],
    edit: Callable[[str, object], None],
    key: str,
    hidden_names: Collection[str] = (),
) -> None:
    """A control for each declared parameter in `values`; `edit` gets its name and new value."""
    for declared in declared_parameters(cls):
        if declared.name not in hidden_names and (declared.name in values or declared.is_flag):
            _control(
                declared,
                values.get(declared.name, declared.default),
                partial(edit, declared.name),
                f"{key}.{declared.name}",
            )


def _control(declared: Parameter, value: Any, edit: Edit, key: str) -> None:
    label, help = declared.label, declared.help or None
    if declared.is_flag:
        st.checkbox(label, value=value, help=help, **bind_control(key, value, edit))
        return
    if (choices := declared.choices) is not None:
        menu(
            label,
            choices,
            value,
            edit,
            key,
            names=choices.label
            if isinstance(choices, Registry)
            else lambda name: str(choices[name]),
            help=help,
        )
        if isinstance(choices, Registry):
            show_menu_help(choices, value)
        return
    low, high, above = declared.low, declared.high, declared.above
    bounded = low is not None and high is not None and high - low <= _WIDEST_SLIDER
    if bounded and not above and not declared.integer:
        st.slider(
            label,
            min_value=low,
            max_value=high,
            value=value,
            step=(high - low) / 100,  # type: ignore[operator]
            format="%.4g",
            **bind_control(key, value, edit),
        )
        if help:
            show_paragraph(help, "note")
    elif (low, above) == (0.0, True) and high is not None and high <= 1.0:
        slider_and_box(
            key,
            value,
            edit,
            labels=(label, f"{label}, exactly"),
            helps=(help, None),
            stops=[step for step in SMALL if step <= high],
            format_value=number_text,
            end_labels=None,
            low=low,
            above=True,
            high=high,
            below=declared.below,
        )
    else:
        number_box(label, value, edit, key, low=low, high=high, above=above, help=help)
