"""The controls of the page: the mechanisms of every page in one menu, and whose data are looked at.

Invariants: of many items only those that are ticked or found are sent to the browser; nobody is
given more items than one person can count in.
"""

from functools import partial
from typing import Any

import streamlit as st

from dpviz.base import Scores, parameters_of
from dpviz.candidates import CandidatePool
from dpviz.charts import count, number, trimmed
from dpviz.gaps import THRESHOLD
from dpviz.margin import TOP_ONE
from dpviz.pages.gaps.study import read as read_gaps
from dpviz.pages.neighbours.settings import (
    FAMILIES,
    FIRST,
    MOST_TICKED,
    NEIGHBOURS_PAGE,
    WAYS,
    WHO,
    family_of,
    name_on,
    of_one_item,
    written,
)
from dpviz.pages.neighbours.study import NeighboursStudy
from dpviz.pages.neighbours.view import described
from dpviz.privacy.neighbours import most_items
from dpviz.studies import Design, Refused, unless_refused
from dpviz.topk import TOP_K
from dpviz.web.screens import candidates
from dpviz.web.screens.gaps.sparse import choices
from dpviz.web.session import state
from dpviz.web.widgets import (
    PageParameters,
    controls,
    design_controls,
    lines,
    paragraph,
    plain,
    print_header,
    refused_here,
)
from dpviz.web.widgets.page_start import start as start_page
from dpviz.web.widgets.page_start import start_without_scores

_WHERE = "neighbours"
PAGE = PageParameters(NEIGHBOURS_PAGE, where=_WHERE, tell=True)
_ALL = 400  # items that a menu holds; of more, the best and those found
_FOUND = 50
_KINDS = (
    "An average person counts in as many items as the scores' total over the people behind them"
    " gives, of whom there are at least as many as the largest score says; a heavy one in up to ten"
    " times as many. Which ones: spread in proportion to the scores. The worst found is searched"
    " for: no proof that nobody is worse."
)
_POOLS = "A person changes the law of each run by as much as its price ε1 allows."
_OF_POOLS = {"average": "Helps the best", "worst": WHO["worst"], "ticked": "Tick candidates"}


def start() -> NeighboursStudy:
    """Everything around the page, its sidebar included; ends the run where something must be loaded
    first.
    """
    state.open_on(FIRST, "neighbours")
    name = name_on(state.scenario())
    family = family_of(name)
    if family.pooled:
        start_without_scores("neighbours", lambda scenario: _sidebar(name), candidates.stage)
        among = candidates.loaded()
        study = NeighboursStudy(scenario=among.scenario, table=among.table)
    else:
        scenario, scores = start_page(
            "neighbours", mechanisms=lambda scenario: _sidebar(name), k=family.has_k(name)
        )
        study = NeighboursStudy(scenario=scenario, scores=scores)
    if isinstance(mechanism := unless_refused(lambda: study.mechanism), Refused):
        st.error(plain(mechanism.reason))
        st.stop()
    if family.pooled:
        print_header.describe(None, described(study))
    return study


def _sidebar(name: str) -> None:
    """The menu, and the controls of the mechanism that is chosen."""
    family = family_of(name)
    told = "candidates" if family.pooled else "designs"
    opened = any(state.notice(where) is not None for where in ("designs", _WHERE))
    with controls.settings("Mechanism", family.menu.label(name), told, opened=opened):
        _mechanism(name)
    if family.pooled:
        candidates.pool_controls()


def _mechanism(name: str) -> None:
    """The menu, and the parameters of what is chosen."""
    family, names = family_of(name), [entry for each in FAMILIES for entry in each.menu]
    st.selectbox(
        "Mechanism",
        options=names,
        index=names.index(name),
        format_func=partial(_entry, known=state.scenario().data.names_known),
        label_visibility="collapsed",
        **controls.bound("neighbours.of", name, _choose),
    )
    if not family.pooled:  # whose rules say it themselves
        lines(family.menu, name)
    for menu, show_controls in _CONTROLS:
        if name in menu:
            show_controls(name)
    controls.notice("designs")
    PAGE.read()  # which tells what the link has wrong
    controls.notice(_WHERE)
    if family.pooled:
        candidates.rule_controls(name)
        controls.notice("candidates")


def _entry(name: str, known: bool) -> str:
    menu = family_of(name).menu
    entry = menu[name]
    return design_controls.marked(menu.label(name), entry, known or entry.runs_on is not Scores)


def _choose(name: str) -> None:
    page = {key: value for key, value in state.scenario().page.items() if key != f"{PAGE.prefix}of"}
    if not family_of(name).designed:
        state.change(_WHERE, page={**page, f"{PAGE.prefix}of": name})
        return
    first, *rest = state.scenario().designs
    design = first if first.mechanism == name else Design(mechanism=name)
    state.change(_WHERE, page=page, designs=(design, *rest))


def _threshold_controls(name: str) -> None:
    if state.scenario().needs_data:
        return
    with refused_here():
        settings = read_gaps(state.scenario(), state.scores())
        with st.popover(
            f"Threshold {number(settings.threshold)}, and the split of ε", width="stretch"
        ):
            choices(settings)
        paragraph("Queries are asked in the order given.", "note")


def _one_item_controls(name: str) -> None:
    parameters = PageParameters(of_one_item(name), where=_WHERE, tell=True)
    for declared in parameters_of(TOP_ONE[name]):
        if declared.name == "epsilon":
            continue
        if declared.choices is not None:
            parameters.menu(declared.name, declared.label, str)
        else:
            parameters.number_box(declared.name)


_CONTROLS = (
    (
        TOP_K,
        lambda name: design_controls.design_parameters(
            0, state.scenario().designs[0], "neighbours."
        ),
    ),
    (THRESHOLD, _threshold_controls),
    (TOP_ONE, _one_item_controls),
)


def person(study: NeighboursStudy) -> None:
    """The kind of person, whether her data are among these, and her items where they are ticked."""
    settings, pooled = study.settings, study.scores is None
    with st.container(horizontal=True, vertical_alignment="bottom", gap="medium", key="person"):
        kinds = _OF_POOLS if pooled else WHO
        value = settings.who if settings.who in kinds else "average"
        PAGE.switch(
            "who",
            "Whose data?",
            kinds.__getitem__,
            value,
            options=list(kinds),
            label_visibility="collapsed",
        )
        with st.popover("Who she is", type="tertiary"):
            if study.scores is not None and study.scores.monotonic and settings.who != "worst":
                PAGE.switch("way", "Are her data among these?", WAYS.__getitem__, settings.way)
            paragraph(_POOLS if pooled else _KINDS)
    if settings.who != "ticked" or (pooled and "data" not in study.results):
        return
    hers, others = study.ticked
    if study.replaced:
        left, right = st.columns(2)
        with left:
            _tick("items", "Her items", study.data, hers)
        with right:
            _tick("other", "Items of the person who replaces her", study.data, others)
        return
    _tick(
        "items",
        "Candidates whose runs she makes better" if pooled else "Her items",
        study.data,
        hers,
    )


def _tick(name: str, label: str, of: Any, chosen: list[int]) -> None:
    order = list(range(of.d)) if isinstance(of, CandidatePool) else of.order.tolist()
    if of.d > _ALL:
        wanted = st.text_input(
            "Find an item by name",
            key=f"neighbours.find.{name}",
            placeholder="type a part of its name",
        )
        sought = wanted.casefold().strip()
        matches = (i for i in order if sought in of.label(i).casefold())
        order = list(
            dict.fromkeys([*chosen, *(i for i, _ in zip(matches, range(_FOUND), strict=False))])
        )
    most = min(MOST_TICKED, most_items(of))
    st.multiselect(
        label,
        options=order,
        default=chosen,
        format_func=lambda i: trimmed(of.label(i), 60),
        max_selections=most,
        placeholder="Choose by name; type to search",
        **controls.bound(
            f"neighbours.{name}", chosen, lambda items: PAGE.change(**{name: written(items)})
        ),
    )
    if of.contributions is not None:
        paragraph(f"One person counts in at most {count(most, 'item')}.", "note")
