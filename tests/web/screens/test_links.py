"""Links and scenario files of before open as before: people keep them for years.

tests/data/links.json is not to be made anew: what stands in it was written by earlier versions.
`shows` has the values of the page's controls, by their labels; `open` the folds that were open.
"""

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from streamlit.testing.v1 import AppTest

from dpviz.studies.scenario import Scenario
from dpviz.web.widgets.navigation import UNLISTED, page_title
from tests.web.screens.test_words import PAGES
from tests.web.screens.uploads import give
from tests.web.screens.waiting import run_when_computed

OpenPage = Callable[..., AppTest]
STORED = json.loads((Path(__file__).parents[2] / "data" / "links.json").read_text(encoding="utf-8"))
KINDS = (
    "selectbox",
    "multiselect",
    "button_group",
    "number_input",
    "slider",
    "select_slider",
    "toggle",
    "radio",
)


def controls(app: AppTest) -> dict[str, Any]:
    """What every control on the page shows, by its label."""
    return {control.label: control.value for kind in KINDS for control in app.get(kind)}


@pytest.mark.parametrize("stored", STORED["links"], ids=lambda stored: stored["name"])
def test_a_link_opens_as_it_did(open_page: OpenPage, stored: dict[str, Any]) -> None:
    app = open_page(stored["page"], **stored["link"])
    for fold in stored["open"]:
        app.session_state[fold] = True
    for _ in range(200):  # what is computed beside the page brings the last controls
        if stored["shows"].items() <= controls(app).items():
            break
        run_when_computed(app)
    assert {label: controls(app).get(label) for label in stored["shows"]} == stored["shows"]
    assert not app.exception
    assert not app.error
    assert app.session_state["dpviz.scenario"].to_query() == stored["link"]


@pytest.mark.parametrize(
    "content", STORED["files"], ids=["a page", "scores and labels", "scores alone"]
)
def test_a_scenario_file_opens_as_it_did(open_page: OpenPage, content: dict[str, Any]) -> None:
    text = json.dumps(content)
    assert json.loads(Scenario.from_json(text).to_json()) == content
    app = open_page()
    app.button(key="share").click().run()
    give(app, "scenario_file", "s.json", text.encode(), "application/json")
    assert not app.error
    assert json.loads(app.session_state["dpviz.scenario"].to_json()) == content


def test_every_page_has_a_stored_link_tests_and_its_line_in_the_readme() -> None:
    root = Path(__file__).parents[3]
    pages = {path.stem for path in (root / "pages").glob("*.py")} - UNLISTED
    tested = {path.stem.removeprefix("test_") for path in Path(__file__).parent.glob("test_*.py")}
    readme = (root / "README.md").read_text(encoding="utf-8")
    assert pages - tested == set()
    assert {page for page in pages if f"\n| {page_title(page)} | " not in readme} == set()
    silent = {"start", "learn", "deployments"}  # say no scenario
    linked = {stored["page"] for stored in STORED["links"]} | silent
    assert pages - linked == set()
    assert linked <= {"start", "learn", *(page for page, *_ in PAGES.values())}  # words are read
