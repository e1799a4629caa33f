"""The look of the app: its theme, style sheets, and shared scripts, sent once before the page."""

import os
from collections.abc import Iterable
from dataclasses import replace
from functools import cache
from typing import Any

import streamlit as st

from dpviz.base import THEME, Markup, markup
from dpviz.charts.chart import chart_script, light_dark_templates
from dpviz.charts.look import DARK, LIGHT, Look, css_colour_variables
from dpviz.web.server.static_files import read_asset
from dpviz.web.session import state
from dpviz.web.widgets.text import html

_LARGE = 1.7  # no text on a chart is then smaller than 20 pixels
_SHARED = (
    *("skip_same_redraw", "narrow_charts", "plotly_hooks", "send_immediately"),
    *("slider", "slider_preview", "kept_focus", "announce_lead", "print_and_export"),
    *("nav_highlight", "sidebar_drawer", "moved_press", "page_scripts"),
)
"""Scripts of all pages, each after those that it needs."""


def component(name: str, script: str, *, body_html: str = "", css: str = "", **more: Any) -> Any:
    """Run a script as a component with its `data`, `key` and callbacks; a `body_html` has `css`."""
    return st.components.v2.component(name, html=body_html or None, css=css or None, js=script)(
        **more
    )


def shared_script_call(name: str) -> str:
    """Script of a component that calls a function of the shared scripts."""
    return f"const CALLED = {name!r};\n{read_asset('shared_component.js')}"


def current_look() -> Look:
    """The look of charts on this page: the person's theme, and the presenter's text size."""
    chosen = DARK if is_dark() else LIGHT
    return replace(chosen, scale=_LARGE) if state.is_presenting() else chosen


def is_dark() -> bool:
    return (os.environ.get(THEME) or st.context.theme.type) == "dark"


def apply_style() -> None:
    """Put the rules on the page, with larger text for a presenter."""
    add_style_rules(_page_rules(state.is_presenting()))


@cache
def _page_rules(presenter: bool) -> str:
    sheets = ["app.css", "stage.css", "learn.css", "print.css"] + ["presenter.css"] * presenter
    colours = f":is(.stApp, .dp-hand){{{css_colour_variables(LIGHT, DARK)}}}"
    return colours + "".join(map(read_asset, sheets))


def add_style_rules(text: str) -> None:
    html(markup("<style>{}</style>", Markup(text)))


def add_shared_scripts(second_menu_pages: Iterable[str] = ()) -> None:
    """Put the shared scripts into the browser; `second_menu_pages` stand under its second heading."""
    component(
        "dpviz_shell",
        _script(),
        data={
            "light_for": {
                dark: light for light, dark in light_dark_templates()["dark_for"].items()
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


def clicked_cell(chart: str, key: str) -> tuple[float, float] | None:
    """(x, y) of the heatmap cell just clicked, which Streamlit's selection (issue 8760) lacks."""
    cell = component(
        "dpviz_click",
        read_asset("heatmap_click.js"),
        data={"chart": chart},
        key=key,
        on_cell_change=lambda: None,
    ).cell
    return None if cell is None else (float(cell["x"]), float(cell["y"]))
