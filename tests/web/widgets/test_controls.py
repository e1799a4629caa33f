"""The steps of the ε slider, controls that are replaced rather than written into, and text shown as
it is.
"""

from types import SimpleNamespace
from typing import Any

import numpy as np
import pytest
from streamlit.testing.v1 import AppTest

from dpviz import Scores
from dpviz.data import GENERATORS
from dpviz.pages.common import PageSubject
from dpviz.studies import Design, Scenario
from dpviz.web.widgets import controls, slider_preview
from dpviz.web.widgets.controls import bind_control
from dpviz.web.widgets.elements import escape_markdown
from dpviz.web.widgets.slider_preview import slider_stops


def test_steps_rise_evenly_in_proportion_from_a_hundredth_to_a_hundred() -> None:
    steps = slider_stops(0.01, 100.0, 0.2)
    ratios = np.array(steps[1:]) / np.array(steps[:-1])
    assert (steps[0], steps[-1]) == (0.01, 100.0)
    assert ratios.min() > 1.05
    assert ratios.max() < 1.21


@pytest.mark.parametrize(
    "text", ["*a*", "[x](y)", "<b>", "$x$", ":material/home:", "`a`", "# a", "a\\b", "~~a~~"]
)
def test_plain_escapes_every_sign(text: str) -> None:
    assert escape_markdown(text).replace("\\\\", "\0").replace("\\", "").replace("\0", "\\") == text
    assert all(
        escape_markdown(text)[i - 1] == "\\"
        for i, sign in enumerate(escape_markdown(text))
        if sign in "*[<$`~#"
    )


@pytest.fixture
def session(monkeypatch: pytest.MonkeyPatch) -> dict[str, Any]:
    kept: dict[str, Any] = {}
    monkeypatch.setattr(controls, "st", SimpleNamespace(session_state=kept))
    return kept


def test_a_control_keeps_its_key_while_it_shows_the_value(session: dict[str, Any]) -> None:
    def key(value: int) -> str:
        return str(bind_control("k", value, lambda new: None)["key"])

    first = key(3)
    assert key(3) == first
    second = key(4)
    assert second != first
    assert key(4) == second
    assert key(3) not in {first, second}  # the first one may still report


def test_what_a_control_reports_is_acted_on_once(session: dict[str, Any]) -> None:
    heard: list[Any] = []
    control = bind_control("k", 3, heard.append)
    session[control["key"]] = 5
    control["on_change"]()
    control["on_change"]()  # it shows 5 already
    assert heard == [5]
    again = bind_control("k", 5, heard.append)
    assert again["key"] == control["key"]
    session[again["key"]] = 6
    again["on_change"]()
    assert heard == [5, 6]
    refused = bind_control("k", 5, heard.append)
    assert refused["key"] != control["key"]


def test_a_control_that_was_replaced_or_emptied_is_not_acted_on(session: dict[str, Any]) -> None:
    heard: list[Any] = []
    old = bind_control("k", 3, heard.append)
    now = bind_control("k", 4, heard.append)
    session[old["key"]] = 9
    old["on_change"]()
    session[now["key"]] = None
    now["on_change"]()
    assert heard == []
    assert bind_control("k", 4, heard.append)["key"] != now["key"]


def test_a_word_that_a_menu_no_longer_has_is_not_acted_on(session: dict[str, Any]) -> None:
    heard: list[Any] = []
    menu = bind_control("k", "one_shot", heard.append, {"one_shot", "peeling"})
    session[menu["key"]] = (
        "One-shot"  # a browser that has not seen yet what the option is called now
    )
    menu["on_change"]()
    assert heard == []
    again = bind_control("k", "one_shot", heard.append, {"one_shot", "peeling"})
    assert again["key"] != menu["key"]
    session[again["key"]] = "peeling"
    again["on_change"]()
    assert heard == ["peeling"]


MANY = GENERATORS["zipf"](size=17_770).scores()  # as many as there are films in Netflix' data


@pytest.mark.parametrize(
    ("mechanism", "k", "scores", "follows"),
    [
        ("canonical", 1_000, MANY, True),
        ("canonical", 1_001, MANY, False),
        ("peeling", 1_000, MANY, False),
        ("peeling", 500, MANY, True),
        ("canonical", 10, Scores(range(20_001)), False),
    ],
)
def test_it_follows_where_steps_are_quick(
    mechanism: str, k: int, scores: Scores, follows: bool
) -> None:
    of = PageSubject(Scenario(k=k, designs=(Design(mechanism=mechanism),)), scores)
    assert (slider_preview.previewed_page_slider("explore", of) is not None) == follows


def test_a_section_draws_its_controls_while_it_is_open_and_opens_at_each_new_notice() -> None:
    def page() -> None:
        import streamlit as st

        from dpviz.web.widgets import controls

        with controls.sidebar_section("Data", "an example", "data") as is_open:
            if is_open:
                st.text("controls")

    app = AppTest.from_function(page).run()
    assert not app.text
    for notice, drawn in (("k must be lower.", 1), ("k must be lower.", 0), ("Δ is no number.", 1)):
        app.session_state["settings_data_fold"] = False
        app.session_state["dpviz.notices"] = {"data": notice}
        assert len(app.run().text) == drawn
