"""Start without a browser: what "/" opens, the two doors, the screen as a file."""

from collections.abc import Callable

import pytest
from streamlit.testing.v1 import AppTest

from dpviz.base import OPENS_ON
from dpviz.pages.start.view import scene
from dpviz.studies import Scenario
from tests.prose import reading_grade
from tests.web.screens.test_words import written

OpenPage = Callable[..., AppTest]


def text(app: AppTest) -> str:
    return " ".join(" ".join(written(app)).split())


def test_the_root_opens_start_and_with_a_parameter_explore(open_page: OpenPage) -> None:
    assert scene().start_position.sentence in text(open_page(None))
    assert not open_page(None).sidebar
    assert reading_grade("\n\n".join(written(open_page(None)))) <= 9
    for query in (
        {"v": "1", "data": "example:class_trip", "k": "2"},
        {"view": "presenter"},
        {"nothing": "known"},
    ):
        assert "What is published" in text(open_page(None, **query))


def test_a_scenario_file_that_the_app_opens_on_goes_before_and_a_link_before_that(
    open_page: OpenPage, monkeypatch: pytest.MonkeyPatch, tmp_path_factory: pytest.TempPathFactory
) -> None:
    file = tmp_path_factory.mktemp("scenario") / "s.json"
    file.write_text(Scenario(epsilon=0.7, name="Trees of the park").to_json(), encoding="utf-8")
    monkeypatch.setenv(OPENS_ON, str(file))
    assert "Trees of the park" in text(open_page(None))
    link = {"v": "1", "data": "example:class_trip", "epsilon": "0.9", "k": "2"}
    app = open_page("explore", **link)
    assert "Trees of the park" not in text(app)
    assert app.session_state["dpviz.scenario"].epsilon == 0.9


@pytest.mark.parametrize("view", [{}, {"view": "presenter"}], ids=["alone", "presenter"])
def test_one_door_leads_to_ones_own_data(open_page: OpenPage, view: dict[str, str]) -> None:
    app = open_page("start", **view)
    app.button(key="start_data").click().run()
    assert not app.exception
    assert "Your own data" in text(app)
    assert "This link" not in text(app)
    assert app.session_state["dpviz.scenario"].needs_data
    assert "Drop the file with these scores" in text(open_page(None, data="uploaded"))
