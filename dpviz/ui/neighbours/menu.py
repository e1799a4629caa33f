"""The mechanisms of every page in one menu, each with its controls, and how they begin this page.

A family is a menu of the library with how its entries are built from the scenario and what people call their answers.
Invariant: an entry that is added to a menu of the library is on this one too.
"""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import streamlit as st

from dpviz.base.errors import ParameterError
from dpviz.base.parameters import parameters
from dpviz.base.registry import Registry
from dpviz.base.scores import Scores
from dpviz.candidates import CANDIDATES
from dpviz.charts.words import number
from dpviz.gaps.noisy_top_k import GAPS
from dpviz.gaps.sparse.mechanism import THRESHOLD
from dpviz.margin.one_item import TOP_ONE
from dpviz.studies.about import Shown, own_settings
from dpviz.studies.scenario import Design, Scenario
from dpviz.topk.mechanism import TOP_K
from dpviz.ui import candidates as candidates_page
from dpviz.ui.candidates import pools, rules
from dpviz.ui.candidates.pools import Asked
from dpviz.ui.gaps import settings as gaps_settings
from dpviz.ui.gaps.choices import choices
from dpviz.ui.neighbours.settings import FIRST, PAGE, WHERE, WHO, read
from dpviz.ui.shell import controls, state
from dpviz.ui.shell.explain import lines
from dpviz.ui.shell.page_parameters import PageParameters
from dpviz.ui.shell.start import start as start_page
from dpviz.ui.shell.start import start_without_scores
from dpviz.ui.shell.text import plain

__all__ = ["FAMILIES", "Family", "Subject", "family_of", "start"]


@dataclass(frozen=True, eq=False)
class Family:
    """A menu; `noun` and `verb` say what is counted: of 100 published lists, 41 include an item."""

    menu: Registry[Any]
    noun: str
    verb: str
    build: Callable[[str, Scenario, Scores], Any]
    controls: Callable[[str], None]


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
    """The parameters of a mechanism for one item; δ is that of the page on front groups."""
    return PageParameters(TOP_ONE[name], "", where=WHERE, by_label=True, tell=True)


def _one_item(name: str, scenario: Scenario, scores: Scores) -> Any:
    values, _ = _own(name).values()
    return TOP_ONE[name](**{**values, "epsilon": scenario.epsilon})


def _one_item_controls(name: str) -> None:
    own = _own(name)
    for declared in parameters(TOP_ONE[name]):
        if declared.name == "epsilon":
            continue
        if declared.choices is not None:
            own.menu(declared.name, declared.label, str)
        else:
            own.number_box(declared.name)


def _threshold(name: str, scenario: Scenario, scores: Scores) -> Any:
    return gaps_settings.read(scores).mechanism(THRESHOLD[name], scenario.epsilon, scenario.k, scores)


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


FAMILIES = (
    Family(TOP_K, "published lists", "include", lambda name, of, scores: of.mechanisms[0], _design_controls),
    Family(
        GAPS,
        "published lists",
        "include",
        lambda name, of, scores: GAPS[name](epsilon=of.epsilon, k=of.k),
        lambda name: None,
    ),
    Family(THRESHOLD, "runs", "report", _threshold, _threshold_controls),
    Family(TOP_ONE, "releases", "name", _one_item, _one_item_controls),
    Family(CANDIDATES, "releases", "publish a run of", lambda name, of, scores: rules.build(name), lambda name: None),
)


def family_of(name: str) -> Family:
    """The family that has this name on its menu."""
    return next(family for family in FAMILIES if name in family.menu)


def chosen() -> str:
    """The name that is chosen, on whichever menu it is."""
    of = read().of
    return of if any(of in family.menu for family in FAMILIES) else state.scenario().designs[0].mechanism


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
    family_of(name).controls(name)
    controls.notice("designs")
    controls.notice(WHERE)


def start() -> Subject:
    """Everything around the page, its sidebar included; ends the run where something must be loaded first."""
    state.open_on(FIRST)
    name = chosen()
    family = family_of(name)
    if family.menu is CANDIDATES:
        return _start_with_candidates(name, family)
    scenario, scores = start_page(
        "neighbours",
        mechanisms=lambda scenario: _menu(name),
        first=FIRST,
        k=family.menu is not TOP_ONE,
        shown=lambda scenario, scores: _shown(name, family, scenario, scores),
    )
    try:
        mechanism = family.build(name, scenario, scores)
    except ParameterError as err:
        st.error(plain(str(err)))
        st.stop()
    return Subject(family, name, mechanism, scenario, scores)


def _shown(name: str, family: Family, scenario: Scenario, scores: Scores) -> Shown:
    """What prints and exports are told to show."""
    own = family.menu is TOP_K
    mechanism = scenario.designs[0].label_for(scenario.k, scores.contributions) if own else family.menu.label(name)
    whose = ("Whose data", WHO[read().who].lower())
    settings = own_settings(scenario.designs[0]) if own else ()
    return Shown(mechanism=mechanism, settings=(*settings, whose), k=1 if family.menu is TOP_ONE else None)


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
