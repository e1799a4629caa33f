"""How every page begins: navigation, look, banner, sidebar; and what a page of the app is.

A page reached by its address on a server that nobody has opened yet runs without `app.py`; `start`
then sets the navigation up and runs the page again.
"""

import ast
import os
from collections.abc import Callable
from copy import copy
from dataclasses import dataclass
from functools import cache, partial
from pathlib import Path

import streamlit as st
from streamlit.navigation.page import StreamlitPage

from dpviz import charts
from dpviz.base.place import APP_FOLDER, THEME
from dpviz.base.scores import Scores
from dpviz.studies.about import Shown
from dpviz.studies.scenario import Scenario
from dpviz.ui.shell import asked, controls, data_panel, paper, share, stage, state, style
from dpviz.ui.shell.text import plain

__all__ = ["look", "navigation", "start", "start_alone", "start_without_scores"]

_NAVIGATED = "dpviz.navigated"
_LARGE = 1.35
SIDEBAR = 340  # pixels: the longest choice of a menu fits


@dataclass(frozen=True)
class _Place:
    """A page in the navigation."""

    title: str
    icon: str
    listed: bool = True


PLACES = {
    "explore": _Place("Explore", ":material/grid_on:"),
    "compare": _Place("Compare", ":material/compare_arrows:"),
    "gaps": _Place("Gaps", ":material/height:"),
    "margin": _Place("Margin", ":material/align_vertical_top:"),
    "candidates": _Place("Candidates", ":material/how_to_vote:"),
    "neighbours": _Place("Neighbours", ":material/group:"),
    "decide": _Place("Decide", ":material/gavel:"),
    "learn": _Place("Learn", ":material/school:"),
    "classroom": _Place("Class", ":material/groups:", listed=False),
    "join": _Place("Join a class", ":material/login:", listed=False),
}


def _named_by_itself(script: Path) -> _Place:
    """The place of a page that `PLACES` does not list: its title is what its docstring says before the colon."""
    words = ast.get_docstring(ast.parse(script.read_text(encoding="utf-8"))) or script.stem.capitalize()
    return _Place(words.partition(":")[0], ":material/insert_chart:")


def navigation() -> StreamlitPage:
    """The page that was asked for; to be run by `app.py`. Only pages that exist are listed."""
    st.set_page_config(
        page_title="dpviz",
        page_icon=str(APP_FOLDER / "assets" / "icon.svg"),
        layout="wide",
        initial_sidebar_state="collapsed" if state.presenting() else SIDEBAR,
    )
    st.session_state[_NAVIGATED] = True
    style.scripts()
    home, *pages = map(copy, _pages())  # Streamlit marks the one it runs
    return st.navigation([home, *pages], position="top" if len(pages) > 1 else "hidden")


@cache
def _pages() -> list[StreamlitPage]:
    """The pages that exist, in their order; before them the way in. Read once, as the code is."""
    scripts = {path.stem: path for path in sorted((APP_FOLDER / "pages").glob("*.py"))}
    places = {name: PLACES[name] for name in PLACES if name in scripts}
    places |= {name: _named_by_itself(path) for name, path in scripts.items() if name not in PLACES}
    # Streamlit takes the default page's own address away, so "/" is a second, unlisted way to the first page.
    home = st.Page(scripts["explore"], title="Explore", url_path="home", default=True, visibility="hidden")
    pages = [
        st.Page(
            scripts[name],
            title=place.title,
            icon=place.icon,
            url_path=name,
            visibility="visible" if place.listed else "hidden",
        )
        for name, place in places.items()
    ]
    return [home, *pages]


def start(
    page: str,
    *,
    mechanisms: Callable[[Scenario], None] = controls.mechanism,
    first: Scenario | None = None,
    k: bool = True,
    shown: Callable[[Scenario, Scores], Shown] | None = None,
) -> tuple[Scenario, Scores]:
    """Everything around a page; gives the scenario and its scores. Ends the run where data are still needed.

    `mechanisms` draws the sidebar's controls for what is run on the scores. `first` is what the page opens on
    until somebody chooses data, if not the first example; `k` is False where only one item ever comes out. `shown` says
    what the page shows where that is not the scenario's designs.
    """

    def sidebar(scenario: Scenario) -> None:
        data_panel.draw(scenario)
        mechanisms(scenario)

    scenario = start_without_scores(page, sidebar, partial(controls.release, k=k), first=first)
    if scenario.needs_data:
        asked.ask_for_data(scenario)
        st.stop()
    scores = state.scores(scenario)
    paper.describe(scores, shown and shown(scenario, scores))
    return scenario, scores


def start_without_scores(
    page: str,
    sidebar: Callable[[Scenario], None],
    on_stage: Callable[[Scenario], None],
    *,
    first: Scenario | None = None,
) -> Scenario:
    """Everything around a page that is not about scores.

    `on_stage` draws the one or two controls that govern the page, in the strip that stays in sight; `sidebar` all
    others.
    """
    _navigated()
    state.open_on(first)
    start_alone(page)
    scenario = state.scenario()
    stage.draw(scenario, on_stage)
    with st.sidebar:
        sidebar(scenario)
        share.draw(scenario)
    state.write_link()
    sentence = state.notice("page")
    if sentence:
        st.info(plain(sentence), icon=":material/info:")
    return scenario


def start_alone(page: str) -> None:
    """Everything around a page that is about no scenario: the navigation and the look, no strip and no sidebar."""
    _navigated()
    state.begin()
    paper.begin(PLACES[page].title if page in PLACES else page)
    style.apply(presenter=state.presenting())
    name = "logo-dark.svg" if _dark() else "logo.svg"
    st.logo(str(APP_FOLDER / "assets" / name), icon_image=str(APP_FOLDER / "assets" / "icon.svg"), size="large")


def _navigated() -> None:
    """A page that runs without `app.py` begins again, with the navigation."""
    if not st.session_state.get(_NAVIGATED):
        navigation()
        st.rerun()


def _dark() -> bool:
    return (os.environ.get(THEME) or st.context.theme.type) == "dark"


def look() -> charts.Look:
    """How charts look on this page: the theme that the person chose, and the presenter's size."""
    chosen = charts.DARK if _dark() else charts.LIGHT
    return chosen.enlarged(_LARGE) if state.presenting() else chosen
