"""The top of a page: the strip with its main controls, the title, and the note on privacy."""

from collections.abc import Callable
from typing import Any

import streamlit as st

from dpviz.base import ADDED, REPLACED, Scores, declared_parameters, join_markup, markup
from dpviz.pages.common import PageSubject
from dpviz.studies import Scenario
from dpviz.topk import TopKMechanism
from dpviz.web.session import state
from dpviz.web.widgets.controls import MORE, STAGE, Edit, number_box, setter, show_notice
from dpviz.web.widgets.data_source import data_name_html
from dpviz.web.widgets.print_header import page_name
from dpviz.web.widgets.slider_preview import PreviewedSlider, page_preview, slider, slider_stops
from dpviz.web.widgets.text import budget_text, html, live_text

_REAL = (
    "A real release must not use a known seed or plain floating-point noise. Use a library that"
    " avoids both, such as OpenDP."
)
_SCALES = {"sigma": "σ", "scale": "Scale"}
ILLUSTRATIONS = f"The releases shown here are illustrations. {_REAL}"


def show_control_strip(scenario: Scenario, controls: Callable[[Scenario], None]) -> None:
    with st.container(key="stage", gap=None):
        with st.container(
            key="stage_row", horizontal=True, vertical_alignment="center", gap="small"
        ):
            controls(scenario)
            before = state.previous_scenario()
            st.button(
                "Undo",
                icon=":material/undo:",
                key="undo",
                on_click=state.undo,
                disabled=before is None,
                help=(
                    "There is nothing to undo."
                    if before is None
                    else f"Undoes the last change: {_changed(before, scenario)}. Ctrl+Z"
                ),
                type="tertiary",
            )
            show_presenter_button()
        show_notice(STAGE)


def _changed(before: Scenario, now: Scenario) -> str:
    changes = {
        "the data": before.data != now.data or before.scores != now.scores,
        f"ε from {before.epsilon:.10g} to {now.epsilon:.10g}": before.epsilon != now.epsilon,
        f"k from {before.k:,} to {now.k:,}": before.k != now.k,
        "the mechanism": before.designs != now.designs,
    }
    return ", ".join(change for change, made in changes.items() if made) or "a setting"


def show_presenter_button() -> None:
    on = state.is_presenting()
    st.button(
        "Leave the presenter view" if on else "Presenter view",
        icon=":material/close_fullscreen:" if on else ":material/present_to_all:",
        key="presenter",
        on_click=state.toggle_presenting,
        help=(
            f"{'Shows all controls' if on else 'Shows large text and few controls, for a projector'}."
            " Key P"
        ),
        type="tertiary",
    )


def show_page_head(
    line_above: object, title: object, lead: object = "", line_below: object = ""
) -> None:
    """Head of a page or screen, of text or markup; an empty part takes no line."""
    pieces = (
        ("div", "over", line_above),
        ("h1", "title", title),
        ("p", "lead", lead),
        ("p", "sub", line_below),
    )
    html(
        join_markup(
            markup('<{tag} class="dp-{}">{}</{tag}>', kind, text, tag=tag)
            for tag, kind, text in pieces
            if text
        )
    )


def show_page_title(
    scenario: Scenario,
    scores: Scores,
    name: str,
    lead: object,
    subject: object,
    question: object,
    slider_value: float | None = None,
) -> None:
    """Page name, question, lead, mechanism and data; with `slider_value` they follow the slider."""
    below = markup(
        "{} · {} · {}", data_name_html(scenario), subject, ADDED if scores.monotonic else REPLACED
    )
    if slider_value is None:
        show_page_head(name, question, lead, below)
    else:
        show_page_head(
            name,
            live_text("heading", question, slider_value),
            live_text("lead", lead, slider_value),
            below,
        )


def show_not_private_banner(mechanism: str | None = "top_k") -> None:
    """Note that the page is not private; links to Neighbours with `mechanism` ("top_k": first
    design).
    """
    with st.container(key="banner", horizontal=True, vertical_alignment="center", gap="small"):
        html(
            markup('<div class="dp-banner">This page uses the raw scores and is not private.</div>')
        )
        if mechanism is not None and st.button(
            "What does one person change?", type="tertiary", key="to_neighbours"
        ):
            state.set_data_chosen()
            state.change_page_parameters(**{"neighbours.of": mechanism})
            st.switch_page("pages/neighbours.py")
        with st.popover("What this means", type="tertiary"):
            st.markdown(
                "- **Not private.** Every figure and chart here uses the raw scores. Showing them"
                " to"
                " others reveals something about the people in the data.\n- **Choosing ε reveals"
                " something.** An ε chosen by looking at private data depends on them. Use"
                " generated"
                " scores, public data, or past data that you may reveal.\n- **Your data stay"
                " here.** They stay in this session's memory on the server and are never in a link."
                " They"
                " are deleted when you close the page. Your browser tab keeps items and scores only"
                " if"
                f" you ask for it.\n- **Releases shown here are illustrations.** {_REAL}"
            )


def _edit_stated_noise(value: float) -> None:
    state.change_scenario(STAGE, designs=state.scenario().with_slider_value(value).designs)


def show_epsilon_and_k(scenario: Scenario, *, k: bool) -> None:
    """ε and k on the strip; without `k` the page is about one item only."""
    declared = {p.name: p for p in declared_parameters(TopKMechanism)}
    of = None if scenario.needs_data else PageSubject(scenario, state.scores(scenario))
    page, stated = page_name(), scenario.designs[0].stated_scale
    preview = None if of is None else page_preview(page, of)
    note = "" if preview is None else preview.note
    if page == "explore" and stated:
        show_budget_control(
            "epsilon",
            scenario.slider_value,
            _edit_stated_noise,
            preview=preview,
            labels=(f"{_SCALES[stated]}, the stated noise", f"{_SCALES[stated]}, exactly"),
            help=f"With more noise ε is smaller, and the list is right less often. {note}",
            high=1e9,
            ends=MORE[::-1],
        )
    else:
        show_budget_control(
            "epsilon",
            scenario.epsilon,
            setter(state.change_scenario, "epsilon", place=STAGE),
            preview=preview,
            labels=("ε, the privacy budget", "ε, exactly"),
            help=(
                "With a smaller ε one person's data change the list less, and the list is right"
                f" less often. {declared['epsilon'].help} {note} The box takes any value up to"
                " 10,000."
            ),
            high=max(10_000.0, scenario.epsilon),
        )
    if k:
        show_k_control(scenario, setter(state.change_scenario, "k", place=STAGE))


def show_k_control(scenario: Scenario, edit: Edit) -> None:
    """k on the strip, limited by the data only where somebody chose them."""
    k = state.scenario_as_chosen().k
    limits: dict[str, Any] = {}
    if state.is_data_chosen() and not scenario.needs_data:
        d = state.scores(scenario).d
        limits = {"high": max(d - 1, k), "why": f", as there are {d:,} items"}
    number_box("k, list length", k, edit, "k", called="k", low=1, place=STAGE, **limits)


def show_budget_control(
    key: str,
    value: float,
    edit: Edit,
    *,
    labels: tuple[str, str],
    help: str | None,
    high: float,
    ends: tuple[str, str] = MORE,
    preview: PreviewedSlider | None,
) -> None:
    """A budget on the strip, by slider and box."""
    stops = slider_stops(min(0.01, value / 10), 100.0, value) if preview is None else preview.values
    slider(
        f"{key}_slider",
        labels[0],
        stops,
        value,
        edit,
        ends=(f"{budget_text(stops[0])} {ends[0]}", f"{budget_text(stops[-1])} {ends[1]}"),
        help=help or "",
        mark="" if preview is None else preview.mark,
    )
    number_box(
        labels[1],
        value,
        edit,
        key,
        called=labels[1].partition(",")[0],
        low=0.0,
        above=True,
        high=high,
        place=STAGE,
    )
