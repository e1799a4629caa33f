"""The mechanisms of every page in one menu, each with its controls, and how they begin this page."""

from dataclasses import dataclass
from typing import Any

import streamlit as st

from dpviz.base.errors import ParameterError
from dpviz.base.parameters import parameters
from dpviz.base.scores import Scores
from dpviz.candidates import CANDIDATES
from dpviz.charts.words import number
from dpviz.gaps.sparse.mechanism import THRESHOLD
from dpviz.margin.one_item import TOP_ONE
from dpviz.reports.shown import neighbours as shown
from dpviz.studies.pages.neighbours import FAMILIES, Family, family_of, name_on, of_one_item
from dpviz.studies.scenario import Design, Scenario
from dpviz.topk.mechanism import TOP_K
from dpviz.ui import candidates as candidates_page
from dpviz.ui.candidates import pools, rules
from dpviz.ui.candidates.pools import Asked
from dpviz.ui.gaps import settings as gaps_settings
from dpviz.ui.gaps.choices import choices
from dpviz.ui.neighbours.settings import FIRST, PAGE, WHERE, read
from dpviz.ui.shell import controls, state
from dpviz.ui.shell.explain import lines
from dpviz.ui.shell.page_parameters import PageParameters
from dpviz.ui.shell.start import start as start_page
from dpviz.ui.shell.start import start_without_scores
from dpviz.ui.shell.text import plain

__all__ = ["Subject", "start"]


@dataclass(frozen=True, eq=False)
class Subject:
    """What is released: a mechanism on scores, or a rule among candidates whose pool is still to be made."""

    family: Family
    name: str
    mechanism: Any
    scenario: Scenario
    scores: Scores | None
    asked: Asked | None = None

    @property
    def label(self) -> str:
        """What people call it."""
        if self.family.menu is TOP_K and self.scores is not None:
            return self.scenario.designs[0].label_for(self.scenario.k, self.scores.contributions)
        return self.family.menu.label(self.name)

    @property
    def epsilon(self) -> float:
        """ε of the release; of one run, for candidates."""
        return self.scenario.epsilon if self.asked is None else pools.price()[0]


def _own(name: str) -> PageParameters[Any]:
    return PageParameters.of(of_one_item(name), where=WHERE, tell=True)


def _one_item_controls(name: str) -> None:
    own = _own(name)
    for declared in parameters(TOP_ONE[name]):
        if declared.name == "epsilon":
            continue
        if declared.choices is not None:
            own.menu(declared.name, declared.label, str)
        else:
            own.number_box(declared.name)


def _threshold_controls(name: str) -> None:
    if state.scenario().needs_data:
        return
    scores = state.scores()
    try:
        settings = gaps_settings.read(scores)
    except ParameterError as err:
        st.error(plain(str(err)))
        return
    with st.popover(f"Threshold {number(settings.threshold)}, and the split of ε", width="stretch"):
        choices(scores, settings, None)
    st.html('<p class="dp-note">Queries are asked in the order given.</p>')


def _design_controls(name: str) -> None:
    def edit(parameter: str, value: object) -> None:
        first, *rest = state.scenario().designs
        if first.mechanism == name:
            changed = Design(mechanism=name, parameters={**first.parameters, parameter: value})
            state.change("designs", designs=(changed, *rest))

    design = state.scenario().designs[0]
    controls.own_parameters(TOP_K[name], design.parameters, edit, f"neighbours.{name}")


_CONTROLS = ((TOP_K, _design_controls), (THRESHOLD, _threshold_controls), (TOP_ONE, _one_item_controls))


def _choose(name: str) -> None:
    page = {key: value for key, value in state.scenario().page.items() if key != f"{PAGE.prefix}of"}
    if family_of(name).menu is not TOP_K:
        state.change(WHERE, page={**page, f"{PAGE.prefix}of": name})
        return
    first, *rest = state.scenario().designs
    design = first if first.mechanism == name else Design(mechanism=name)
    state.change(WHERE, page=page, designs=(design, *rest))


def _menu(name: str) -> None:
    controls.heading("Mechanism")
    names = [entry for family in FAMILIES for entry in family.menu]
    st.selectbox(
        "Mechanism",
        options=names,
        index=names.index(name),
        format_func=lambda entry: family_of(entry).menu.label(entry),
        label_visibility="collapsed",
        **controls.bound("neighbours.of", name, _choose),
    )
    if family_of(name).menu is not CANDIDATES:  # whose rules say it themselves
        lines(family_of(name).menu, name)
    for menu, draw in _CONTROLS:
        if family_of(name).menu is menu:
            draw(name)
    controls.notice("designs")
    read()  # which tells what the link has wrong
    controls.notice(WHERE)


def start() -> Subject:
    """Everything around the page, its sidebar included; ends the run where something must be loaded first."""
    state.open_on(FIRST)
    name = name_on(state.scenario())
    family = family_of(name)
    if family.menu is CANDIDATES:
        return _start_with_candidates(name, family)
    scenario, scores = start_page(
        "neighbours",
        mechanisms=lambda scenario: _menu(name),
        first=FIRST,
        k=family.menu is not TOP_ONE,
        shown=shown,
    )
    try:
        mechanism = family.build(name, scenario, scores)
    except ParameterError as err:
        st.error(plain(str(err)))
        st.stop()
    return Subject(family, name, mechanism, scenario, scores)


def _start_with_candidates(name: str, family: Family) -> Subject:
    def sidebar(scenario: Scenario) -> None:
        _menu(name)
        pools.draw("outcome")
        rules.draw_rule(name)
        controls.notice("candidates")

    scenario = start_without_scores("neighbours", sidebar, candidates_page.stage, first=FIRST)
    asked = candidates_page.asked()
    try:
        rule = rules.build(name)
    except ParameterError as err:
        st.error(plain(str(err)))
        st.stop()
    candidates_page.describe("outcome", asked, rule)
    return Subject(family, name, rule, scenario, None, asked)
