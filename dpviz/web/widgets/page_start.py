"""The beginning of every page: style, strip with the main controls, sidebar and data."""

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from functools import cache
from typing import Any

import streamlit as st

from dpviz.base import APP_FOLDER, Scores, WorkLost, declared_parameters, unknown_names_warning
from dpviz.charts.look import DARK, LIGHT, css_colour_variables
from dpviz.pages import NAMES, load_page_view
from dpviz.pages.common import PageSubject
from dpviz.studies import Scenario, provenance
from dpviz.topk import TopKMechanism
from dpviz.web.server.static_files import read_asset
from dpviz.web.session import run_deferred_work, state
from dpviz.web.widgets import (
    data_panel,
    design_controls,
    navigation,
    person_questions,
    print_header,
    tab_storage,
    takeaway,
)
from dpviz.web.widgets.controls import (
    MORE,
    STAGE,
    Edit,
    button,
    edit_for_keyword,
    number_box,
    show_notice,
    sidebar_section,
)
from dpviz.web.widgets.elements import (
    add_style_rules,
    budget_text,
    data_name_html,
    escape_markdown,
    is_dark,
    show_paragraph,
)
from dpviz.web.widgets.slider_preview import (
    PreviewedSlider,
    enable_slider_preview,
    previewed_page_slider,
    slider,
    slider_stops,
)

_SCALES = {"sigma": "σ", "scale": "Scale"}
_EPSILON_HELP = next(p.help for p in declared_parameters(TopKMechanism) if p.name == "epsilon")


@contextmanager
def _stop_without_memory() -> Iterator[None]:
    """End the page with a sentence where the server has no room for what its link asks."""
    try:
        yield
    except WorkLost as lost:
        st.error(escape_markdown(str(lost)))
        st.stop()


def _show_mechanism_section(scenario: Scenario) -> None:
    design = scenario.designs[0]
    label = design.label_for_data(scenario.k, scenario.data.contributions)
    with sidebar_section("Mechanism", label, "designs") as is_open:
        if is_open:
            design_controls.design_editor(0, design, "", label_visibility="collapsed")
            show_notice("designs")


@_stop_without_memory()
def set_up_page(
    page: str,
    *,
    show_mechanisms: Callable[[Scenario], None] = _show_mechanism_section,
    with_k: bool = True,
    adjust_scenario: Callable[[Scenario], Scenario] = lambda scenario: scenario,
) -> tuple[Scenario, Scores]:
    """Draw everything around a page, and return its scenario and scores, if they are here."""

    def sidebar(scenario: Scenario) -> None:
        opened = scenario.data.source == "uploaded" or state.DATA_FROM in st.session_state
        name = data_name_html(scenario)
        with sidebar_section("Data", name, "data", is_open=opened) as is_open:
            if is_open:
                data_panel.show_data_section(scenario, asks_to_confirm=scenario.needs_data)
        show_mechanisms(scenario)

    preview: PreviewedSlider | None = None

    def on_stage(scenario: Scenario) -> None:
        nonlocal preview
        shown = adjust_scenario(scenario)
        if not scenario.needs_data:
            preview = previewed_page_slider(page, PageSubject(shown, state.scores(scenario)))
        _show_epsilon_and_k(page, shown, preview, k=with_k)

    scenario = set_up_page_without_scores(page, sidebar, on_stage)
    if scenario.needs_data:
        data_panel.ask_for_data(scenario)
        st.stop()
    scores = state.scores(scenario)
    if with_k and (wanted := state.scenario_as_chosen().k) != scenario.k:
        st.info(
            f"The example has only {scores.d:,} items, so its charts use k = {scenario.k:,}. Your"
            f" k = {wanted:,} is kept for your own data.",
            icon=":material/info:",
        )
    if scenario.scores is not None:
        person_questions.ask_if_people_counts()
    shown = load_page_view(page).describe_settings if page in NAMES else None
    described = shown and shown(PageSubject(scenario, scores))
    print_header.set_page_provenance(scores, described)
    enable_slider_preview(preview)
    if unheld := provenance.mechanisms_needing_known_names(scenario, scores, described):
        st.warning(escape_markdown(unknown_names_warning(unheld)), icon=":material/badge:")
    return scenario, scores


@_stop_without_memory()
def set_up_page_without_scores(
    page: str, show_sidebar: Callable[[Scenario], None], show_strip: Callable[[Scenario], None]
) -> Scenario:
    """Draw everything around a page without scores; `show_strip` and `show_sidebar` draw its
    controls.
    """
    set_up_page_without_scenario(page)
    state.open_page_scenario(load_page_view(page).first_scenario if page in NAMES else None, page)
    run_deferred_work()
    scenario = state.scenario()
    show_control_strip(scenario, show_strip)
    with st.sidebar:
        show_sidebar(scenario)
        if st.button("Share or save", icon=":material/link:", width="stretch", key="share"):
            takeaway.open_share_dialog()
    if scenario.data.source == "uploaded" or tab_storage.GIVEN.value:
        tab_storage.sync_tab_storage(scenario)
    state.write_changed_link()
    if (before := state.PREVIOUS_PAGE_EPSILON.value) is not None:
        with st.container(key="epsilon_told"):
            show_paragraph(
                f"ε is now {scenario.epsilon:.10g} instead of {before:.10g}, as this page opens"
                " with its own example.",
                "note",
            )
    if sentence := state.notice_text("page"):
        st.info(escape_markdown(sentence), icon=":material/info:")
    return scenario


def set_up_page_without_scenario(page: str) -> None:
    """Set up navigation, style and logo of a page without strip and sidebar."""
    if not st.session_state.get(navigation.NAVIGATED):  # the page runs without `app.py`
        navigation.requested_page()
        st.rerun()
    state.begin_page_run()
    if state.presenter_query().keys() - set(st.query_params):  # so that a reload keeps it
        st.query_params.update(state.presenter_query())
    print_header.set_page_name(page, navigation.page_title(page))
    add_style_rules(_page_rules(state.is_presenting()))
    st.logo(
        str(APP_FOLDER / "assets" / ("logo-dark.svg" if is_dark() else "logo.svg")),
        icon_image=str(APP_FOLDER / "assets" / "icon.svg"),
        size="large",
    )


@cache
def _page_rules(presenter: bool) -> str:
    sheets = ["app.css", "stage.css", "learn.css", "print.css"] + ["presenter.css"] * presenter
    colours = f":is(.stApp, .dp-hand){{{css_colour_variables(LIGHT, DARK)}}}"
    return colours + "".join(map(read_asset, sheets))


# ---- the strip --------------------------------------------------------------------------------------


def show_control_strip(scenario: Scenario, controls: Callable[[Scenario], None]) -> None:
    with st.container(key="stage", gap=None):
        with st.container(
            key="stage_row", horizontal=True, vertical_alignment="center", gap="small"
        ):
            controls(scenario)
            before = state.previous_scenario()
            button(
                "Undo",
                "undo",
                state.undo,
                icon="undo",
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
    button(
        "Leave the presenter view" if on else "Presenter view",
        "presenter",
        state.toggle_presenting,
        icon="close_fullscreen" if on else "present_to_all",
        help=(
            f"{'Shows all controls' if on else 'Shows large text and few controls, for a projector'}."
            " Key P"
        ),
        type="tertiary",
    )


def _edit_stated_noise(value: float) -> None:
    state.change_scenario(STAGE, designs=state.scenario().with_slider_value(value).designs)


def _show_epsilon_and_k(
    page: str, scenario: Scenario, preview: PreviewedSlider | None, *, k: bool
) -> None:
    """ε and k on the strip; without `k` the page is about one item only."""
    stated, note = scenario.designs[0].stated_scale, "" if preview is None else preview.note
    if page == "explore" and stated:
        show_budget_control(
            "epsilon",
            scenario.slider_value,
            _edit_stated_noise,
            preview=preview,
            labels=(f"{_SCALES[stated]}, the stated noise", f"{_SCALES[stated]}, exactly"),
            help=f"With more noise ε is smaller, and the list is right less often. {note}",
            high=1e9,
            end_labels=MORE[::-1],
        )
    else:
        show_budget_control(
            "epsilon",
            scenario.epsilon,
            edit_for_keyword(state.change_scenario, "epsilon", notice_place=STAGE),
            preview=preview,
            labels=("ε, the privacy budget", "ε, exactly"),
            help=(
                "With a smaller ε one person's data change the list less, and the list is right"
                f" less often. {_EPSILON_HELP} {note} The box takes any value up to 10,000."
            ),
            high=max(10_000.0, scenario.epsilon),
        )
    if k:
        show_k_control(scenario, edit_for_keyword(state.change_scenario, "k", notice_place=STAGE))


def show_k_control(scenario: Scenario, edit: Edit) -> None:
    """k on the strip, limited by the data only where somebody chose them."""
    k = state.scenario_as_chosen().k
    limits: dict[str, Any] = {}
    if state.is_data_chosen() and not scenario.needs_data:
        d = state.scores(scenario).d
        limits = {"high": max(d - 1, k), "why": f", as there are {d:,} items"}
    number_box(
        "k, list length", k, edit, "k", parameter_name="k", low=1, notice_place=STAGE, **limits
    )


def show_budget_control(
    key: str,
    value: float,
    edit: Edit,
    *,
    labels: tuple[str, str],
    help: str | None,
    high: float,
    end_labels: tuple[str, str] = MORE,
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
        end_labels=(
            f"{budget_text(stops[0])} {end_labels[0]}",
            f"{budget_text(stops[-1])} {end_labels[1]}",
        ),
        help=help or "",
        preview_key="" if preview is None else preview.mark,
    )
    number_box(
        labels[1],
        value,
        edit,
        key,
        parameter_name=labels[1].partition(",")[0],
        low=0.0,
        above=True,
        high=high,
        notice_place=STAGE,
    )
