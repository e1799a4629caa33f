"""The beginning of every page: navigation, style, strip, sidebar and data."""

import ast
import os
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from copy import copy
from functools import cache
from pathlib import Path

import streamlit as st

from dpviz.base import APP_FOLDER, OPENS_ON, Scores, WorkLost, unknown_names_warning
from dpviz.pages import NAMES, load_page_view
from dpviz.pages.common import PageSubject
from dpviz.studies import Scenario, provenance
from dpviz.web.server.static_files import read_asset
from dpviz.web.server.streamlit_internals import StreamlitPage
from dpviz.web.session import chart_theme, run_deferred_work, state
from dpviz.web.widgets import (
    data_panel,
    data_source,
    design_controls,
    person_questions,
    print_header,
    slider_preview,
    style,
    tab_storage,
    takeaway,
)
from dpviz.web.widgets.controls import sidebar_section
from dpviz.web.widgets.page_head import show_control_strip, show_epsilon_and_k
from dpviz.web.widgets.text import escape_markdown, paragraph

_NAVIGATED = "dpviz.navigated"


ICONS = {
    "start": ":material/play_circle:",
    "explore": ":material/grid_on:",
    "compare": ":material/compare_arrows:",
    "neighbours": ":material/group:",
    "decide": ":material/gavel:",
    "deployments": ":material/public:",
    "learn": ":material/school:",
    "gaps": ":material/height:",
    "margin": ":material/align_vertical_top:",
    "candidates": ":material/how_to_vote:",
    "classroom": ":material/groups:",
}
"""Icons of the pages in the order of the navigation; other pages follow."""

UNLISTED = {"classroom"}
"""Pages that are reached from others."""

MORE = "More kinds of choice"
_UNDER_MORE = {"gaps", "margin", "candidates"}


@cache
def page_title(page: str) -> str:
    """Title in the navigation: the script's docstring up to the colon."""
    script = APP_FOLDER / "pages" / f"{page}.py"
    words = (
        ast.get_docstring(ast.parse(script.read_text(encoding="utf-8")))
        if script.exists()
        else page
    )
    return (words or page.capitalize()).partition(":")[0]


def requested_page() -> StreamlitPage:
    """Page that was asked for, to be run by `app.py`."""
    style.add_style_rules(read_asset("sidebar_drawer.css"))  # a sidebar comes with what follows
    st.set_page_config(
        page_title="dpviz",
        page_icon=str(APP_FOLDER / "assets" / "icon.svg"),
        layout="wide",
        # in 340 pixels the longest choice of a menu fits
        initial_sidebar_state="collapsed" if state.is_presenting() else 340,
    )
    st.session_state[_NAVIGATED] = True
    style.add_shared_scripts(second_menu_pages=_UNDER_MORE)
    pages = {name: copy(page) for name, page in _pages().items()}  # Streamlit marks the one it runs
    more = [pages.pop(name) for name in [*pages] if name in _UNDER_MORE]
    return st.navigation({"": [_way_in(), *pages.values()], MORE: more}, position="top")


@cache
def _pages() -> dict[str, StreamlitPage]:
    scripts = _scripts()
    return {
        name: st.Page(
            scripts[name],
            title=page_title(name),
            icon=ICONS.get(name, ":material/insert_chart:"),
            url_path=name,
            visibility="hidden" if name in UNLISTED else "visible",
        )
        for name in dict.fromkeys([*ICONS, *scripts])
        if name in scripts
    }


def switch_to_page(name: str) -> None:
    """Go on to a page under its own address, also from a page with settings in the address."""
    st.switch_page(_pages()[name])


@cache
def _scripts() -> dict[str, Path]:
    return {path.stem: path for path in sorted((APP_FOLDER / "pages").glob("*.py"))}


def _way_in() -> StreamlitPage:
    """Page that "/" opens: Start, or Explore where the address or a file sets the scenario."""
    # Streamlit takes the default page's own address away: this is a second, hidden way to a page
    name = "explore" if st.query_params or os.environ.get(OPENS_ON) else "start"
    return st.Page(
        _scripts()[name], title=page_title(name), url_path="home", default=True, visibility="hidden"
    )


@contextmanager
def _stop_without_memory() -> Iterator[None]:
    """End the page with a sentence where the server has no room for what its link asks."""
    try:
        yield
    except WorkLost as lost:
        st.error(escape_markdown(str(lost)))
        st.stop()


@_stop_without_memory()
def set_up_page(
    page: str,
    *,
    mechanisms: Callable[[Scenario], None] = design_controls.show_mechanism_controls,
    k: bool = True,
    adjust_scenario: Callable[[Scenario], Scenario] = lambda scenario: scenario,
) -> tuple[Scenario, Scores]:
    """Draw everything around a page, and return its scenario and scores, if they are here."""

    def sidebar(scenario: Scenario) -> None:
        opened = scenario.data.source == "uploaded" or state.DATA_FROM in st.session_state
        name = data_source.data_name_html(scenario)
        with sidebar_section("Data", name, "data", is_open=opened) as is_open:
            if is_open:
                data_panel.show_data_section(scenario, asks_to_confirm=scenario.needs_data)
        mechanisms(scenario)

    def on_stage(scenario: Scenario) -> None:
        show_epsilon_and_k(adjust_scenario(scenario), k=k)

    scenario = set_up_page_without_scores(page, sidebar, on_stage)
    if scenario.needs_data:
        data_panel.ask_for_data(scenario)
        st.stop()
    scores = state.scores(scenario)
    if k and (wanted := state.scenario_as_chosen().k) != scenario.k:
        st.info(
            f"The example has only {scores.d:,} items, so its charts use k = {scenario.k:,}. Your"
            f" k = {wanted:,} is kept for your own data.",
            icon=":material/info:",
        )
    person_questions.ask_if_counts()
    shown = load_page_view(page).describe_settings if page in NAMES else None
    described = shown and shown(PageSubject(scenario, scores))
    print_header.describe_page(scores, described)
    preview = slider_preview.page_preview(page, PageSubject(adjust_scenario(scenario), scores))
    slider_preview.enable_slider_preview(preview)
    if unheld := provenance.mechanisms_needing_known_names(scenario, scores, described):
        st.warning(escape_markdown(unknown_names_warning(unheld)), icon=":material/badge:")
    return scenario, scores


@_stop_without_memory()
def set_up_page_without_scores(
    page: str, sidebar: Callable[[Scenario], None], on_stage: Callable[[Scenario], None]
) -> Scenario:
    """Draw everything around a page without scores; `on_stage` and `sidebar` draw its controls."""
    _navigated()
    state.open_page_scenario(load_page_view(page).first_scenario if page in NAMES else None, page)
    set_up_page_without_scenario(page)
    run_deferred_work()
    scenario = state.scenario()
    show_control_strip(scenario, on_stage)
    with st.sidebar:
        sidebar(scenario)
        takeaway.show_share_section(scenario)
    tab_storage.sync_tab_storage(scenario)
    state.write_link()
    if (before := state.PREVIOUS_PAGE_EPSILON.value) is not None:
        with st.container(key="epsilon_told"):
            paragraph(
                f"ε is now {scenario.epsilon:.10g} instead of {before:.10g}, as this page opens"
                " with its own example.",
                "note",
            )
    if sentence := state.notice_text("page"):
        st.info(escape_markdown(sentence), icon=":material/info:")
    return scenario


def set_up_page_without_scenario(page: str) -> None:
    """Set up navigation, style and logo of a page without strip and sidebar."""
    _navigated()
    state.begin_run()
    if state.presenter_query().keys() - set(st.query_params):  # so that a reload keeps it
        st.query_params.update(state.presenter_query())
    print_header.set_page_name(page, page_title(page))
    style.apply_style(presenter=state.is_presenting())
    st.logo(
        str(APP_FOLDER / "assets" / ("logo-dark.svg" if chart_theme.is_dark() else "logo.svg")),
        icon_image=str(APP_FOLDER / "assets" / "icon.svg"),
        size="large",
    )


def _navigated() -> None:
    """Begin again with the navigation where a page runs without `app.py`."""
    if not st.session_state.get(_NAVIGATED):
        requested_page()
        st.rerun()
