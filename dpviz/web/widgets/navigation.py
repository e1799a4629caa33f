"""The pages in their order, the scripts of all of them, and the page that was asked for."""

import ast
import os
from collections.abc import Iterable
from copy import copy
from functools import cache
from pathlib import Path

import streamlit as st

from dpviz.base import APP_FOLDER, OPENS_ON
from dpviz.charts.chart import chart_script, light_dark_templates_and_colours
from dpviz.web.server.static_files import read_asset
from dpviz.web.server.streamlit_internals import StreamlitPage
from dpviz.web.session import state
from dpviz.web.widgets.elements import add_style_rules, component

NAVIGATED = "dpviz.navigated"
"""Key in the session that a run with the navigation sets."""

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
_SHARED = (
    *("skip_same_redraw", "narrow_charts", "plotly_hooks", "send_immediately"),
    *("slider", "slider_preview", "kept_focus", "announce_lead", "print_and_export"),
    *("nav_highlight", "sidebar_drawer", "moved_press", "page_scripts"),
)
"""Scripts of all pages, each after those that it needs."""


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
    add_style_rules(read_asset("sidebar_drawer.css"))  # a sidebar comes with what follows
    st.set_page_config(
        page_title="dpviz",
        page_icon=str(APP_FOLDER / "assets" / "icon.svg"),
        layout="wide",
        # in 340 pixels the longest choice of a menu fits
        initial_sidebar_state="collapsed" if state.is_presenting() else 340,
    )
    st.session_state[NAVIGATED] = True
    add_shared_scripts(second_menu_pages=_UNDER_MORE)
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


def add_shared_scripts(second_menu_pages: Iterable[str] = ()) -> None:
    """Put the shared scripts into the browser; `second_menu_pages` stand under its second heading."""
    component(
        "dpviz_shell",
        _script(),
        data={
            "light_for": {
                dark: light
                for light, dark in light_dark_templates_and_colours()["dark_for"].items()
            },
            "more": sorted(second_menu_pages),
        },
        key="shell",
        on_look_change=lambda: None,
    )


@cache
def _script() -> str:
    of_charts = "".join(map(chart_script, ("narrow", "pooled", "caption")))
    return of_charts + "".join(read_asset(f"{name}.js") for name in _SHARED)
