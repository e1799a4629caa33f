"""The controls of Neighbours: the mechanisms of every page in one menu, and the person.

Invariants: of many items only ticked and found ones are sent to the browser; nobody gets more items
than one person can count in.
"""

from functools import partial
from typing import Any

import streamlit as st

from dpviz.base import Scores, declared_parameters
from dpviz.candidates import CandidatePool
from dpviz.charts import count_text, number_text, shorten_text
from dpviz.gaps import THRESHOLD
from dpviz.margin import TOP_ONE
from dpviz.pages.gaps.study import read_gaps_settings
from dpviz.pages.neighbours.settings import (
    FAMILIES,
    FIRST,
    MOST_TICKED,
    NEIGHBOURS_PAGE,
    WAYS,
    WHO,
    chosen_mechanism_name,
    encode_item_indices,
    find_family,
    top_one_parameters,
)
from dpviz.pages.neighbours.study import NeighboursStudy
from dpviz.pages.neighbours.view import describe_settings
from dpviz.privacy.neighbours import max_items_per_person
from dpviz.studies import Design, Scenario, StepRefusal, result_or_refusal
from dpviz.topk import TOP_K
from dpviz.web import widgets as ui
from dpviz.web.screens.candidates import controls as candidates
from dpviz.web.screens.candidates.sections import require_loaded_study
from dpviz.web.screens.gaps.sparse import show_query_control_row
from dpviz.web.session import state
from dpviz.web.widgets import design_controls, print_header

_WHERE = "neighbours"
PAGE = ui.PageParameters(NEIGHBOURS_PAGE, place=_WHERE, tell=True)
_ALL = 400  # items that a menu holds; of more, the best and those found
_FOUND = 50
_KINDS = (
    "An average person counts in as many items as the scores' total divided by the number of"
    " people. That number is at least the largest score. A heavy person counts in up to ten times"
    " as many."
    " The items are spread in proportion to the scores. The worst person found comes from a search,"
    " so others may be worse."
)
_OF_POOLS = {"average": "Helps the best", "worst": WHO["worst"], "ticked": "Choose candidates"}


def set_up_neighbours_page() -> NeighboursStudy:
    """Draw everything around the page; ends the run where something must be loaded first."""
    state.open_page_scenario(FIRST, "neighbours")
    name = chosen_mechanism_name(state.scenario())
    family = find_family(name)
    if family.runs_on_candidates:
        ui.set_up_page_without_scores("neighbours", _sidebar, candidates.show_run_price_control)
        among = require_loaded_study()
        study = NeighboursStudy(scenario=among.scenario, table=among.table)
    else:
        scenario, scores = ui.set_up_page(
            "neighbours", show_mechanisms=_sidebar, with_k=family.has_k(name)
        )
        study = NeighboursStudy(scenario=scenario, scores=scores)
    if isinstance(mechanism := result_or_refusal(lambda: study.mechanism), StepRefusal):
        st.error(ui.escape_markdown(mechanism.reason))
        st.stop()
    if family.runs_on_candidates:
        print_header.set_page_provenance(None, describe_settings(study))
    return study


def _sidebar(scenario: Scenario) -> None:
    name = chosen_mechanism_name(scenario)
    family = find_family(name)
    told = "candidates" if family.runs_on_candidates else "designs"
    PAGE.current_settings()  # which tells what the link has wrong
    opened = any(state.notice_text(where) is not None for where in ("designs", _WHERE))
    label = family.menu.label(name)
    with ui.sidebar_section("Mechanism", label, told, is_open=opened) as is_open:
        if is_open:
            _mechanism(name)
    if family.runs_on_candidates:
        candidates.show_pool_controls()


def _mechanism(name: str) -> None:
    family, names = find_family(name), [entry for each in FAMILIES for entry in each.menu]
    ui.menu(
        "Mechanism",
        names,
        name,
        _choose,
        "neighbours.of",
        names=partial(_entry, known=state.scenario().data.names_known),
        label_visibility="collapsed",
    )
    if not family.runs_on_candidates:  # whose rules say it themselves
        ui.show_menu_help(family.menu, name)
    for menu, show_controls in _CONTROLS:
        if name in menu:
            show_controls(name)
    ui.show_notice("designs")
    ui.show_notice(_WHERE)
    if family.runs_on_candidates:
        candidates.show_rule_controls(name)
        ui.show_notice("candidates")


def _entry(name: str, known: bool) -> str:
    menu = find_family(name).menu
    known = known or menu[name].runs_on is not Scores
    return design_controls.mechanism_menu_label(menu, name, known, menu.label(name))


def _choose(name: str) -> None:
    page = {key: value for key, value in state.scenario().page.items() if key != f"{PAGE.prefix}of"}
    if not find_family(name).designed:
        state.change_scenario(_WHERE, page={**page, f"{PAGE.prefix}of": name})
        return
    first, *rest = state.scenario().designs
    design = first if first.mechanism == name else Design(mechanism=name)
    state.change_scenario(_WHERE, page=page, designs=(design, *rest))


def _threshold_controls(name: str) -> None:
    if state.scenario().needs_data:
        return
    with ui.show_refusals():
        settings = read_gaps_settings(state.scenario(), state.scores())
        with st.popover(
            f"Threshold {number_text(settings.threshold)} and split of ε", width="stretch"
        ):
            show_query_control_row(settings)
        ui.show_paragraph("Queries are asked in the order of the data.", "note")


def _one_item_controls(name: str) -> None:
    parameters = ui.PageParameters(top_one_parameters(name), place=_WHERE, tell=True)
    for declared in declared_parameters(TOP_ONE[name]):
        if declared.name == "epsilon":
            continue
        if declared.choices is not None:
            parameters.menu(declared.name, declared.label, str)
        else:
            parameters.number_box(declared.name)


_CONTROLS = (
    (
        TOP_K,
        lambda name: design_controls.show_design_parameters(
            0, state.scenario().designs[0], "neighbours."
        ),
    ),
    (THRESHOLD, _threshold_controls),
    (TOP_ONE, _one_item_controls),
)


def show_person_controls(study: NeighboursStudy) -> None:
    settings, pooled = study.settings, study.scores is None
    with st.container(horizontal=True, vertical_alignment="bottom", gap="medium", key="person"):
        kinds = _OF_POOLS if pooled else WHO
        PAGE.choice_buttons(
            "who",
            "Whose data?",
            kinds.__getitem__,
            settings.who if settings.who in kinds else "average",
            options=list(kinds),
            label_visibility="collapsed",
        )
        with st.popover("About this person", type="tertiary"):
            if study.scores is not None and study.scores.monotonic and settings.who != "worst":
                PAGE.choice_buttons(
                    "way", "Are her data in the data?", WAYS.__getitem__, settings.way
                )
            ui.show_paragraph(
                "She changes the chances of each run as much as its ε1 allows."
                if pooled
                else _KINDS
            )
    if settings.who != "ticked" or (pooled and "data" not in study.results):
        return
    hers, others = study.ticked_items_of_both_people
    if study.has_replacement:
        left, right = st.columns(2)
        with left:
            _tick("items", "Her items", study.data, hers)
        with right:
            _tick("other", "Items of the person who replaces her", study.data, others)
        return
    _tick(
        "items", "Candidates whose runs she improves" if pooled else "Her items", study.data, hers
    )


def _tick(name: str, label: str, of: Any, chosen: list[int]) -> None:
    order = list(range(of.d)) if isinstance(of, CandidatePool) else of.order.tolist()
    if of.d > _ALL:
        wanted = st.text_input(
            "Find an item by name",
            key=f"neighbours.find.{name}",
            placeholder="Type a part of its name",
        )
        matches = (i for i in order if wanted.casefold().strip() in of.label(i).casefold())
        order = list(
            dict.fromkeys([*chosen, *(i for i, _ in zip(matches, range(_FOUND), strict=False))])
        )
    most = min(MOST_TICKED, max_items_per_person(of))
    st.multiselect(
        label,
        options=order,
        default=chosen,
        format_func=lambda i: shorten_text(of.label(i), 60),
        max_selections=most,
        placeholder="Choose by name; type to search",
        **ui.bind_control(
            f"neighbours.{name}",
            chosen,
            lambda items: PAGE.change(**{name: encode_item_indices(items)}),
        ),
    )
    if of.contributions is not None:
        ui.show_paragraph(f"One person counts in at most {count_text(most, 'item')}.", "note")
