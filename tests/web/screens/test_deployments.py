"""The page Deployments: its address, an entry, one's own files, and the ways to it and from it."""

import json
from collections.abc import Callable
from datetime import date

from streamlit.testing.v1 import AppTest

from dpviz.export.decision import decision_json
from dpviz.studies.data_spec import DataSpec
from dpviz.studies.decision import Question, decide
from tests.web.screens.shown import control, scenario, settled, text
from tests.web.screens.uploads import give

OpenPage = Callable[..., AppTest]
VIEWS = "current-pageviews-wikimedia-foundation-2023"


def test_the_filter_and_the_open_entry_stand_in_the_address(open_page: OpenPage) -> None:
    app = open_page("deployments")
    control(app, "selectbox", "Unit").set_value("device").run()
    control(app, "selectbox", "Read one").set_value(VIEWS).run()
    control(app, "selectbox", "Sort by").set_value("what").run()
    assert app.query_params["unit"] == "device"
    again = open_page("deployments", unit="device", entry=VIEWS, sort="what")
    for shown in (app, again):
        assert "right at most 54 times in 100 about one device-day" in text(shown)
        assert "Popular Emojis" not in text(shown)
        assert "MIT licence" in text(shown)


def test_entries_of_ones_own_are_added_and_a_wrong_file_is_told(open_page: OpenPage) -> None:
    app = open_page("deployments")
    own = b"deployment: {basic: {name: Loans}, privacy_loss: {privacy_unit: reader-month}}"
    give(app, "deployments_files", "loans.yaml", own)
    assert "reader-month" in text(app)
    question = Question(k=2, releases=12, data=DataSpec(name="class_trip", unit="child"))
    sheet = decision_json(decide(question), date=date(2026, 5, 4))
    give(app, "deployments_files", "sheet.json", sheet.encode())
    guess = json.loads(sheet)["decision"]["guess_at_most"]
    assert "The plan of a decision sheet" in text(app)
    assert f"{-int(-100 * guess // 1)}" in text(app)
    give(app, "deployments_files", "bad.yaml", b"deployment: {basic: [")
    assert "bad\\.yaml is not used" in app.error[0].value
    app.button(key="deployment_remove_loans").click().run()
    assert "Loans" not in text(app)


def test_parameters_are_taken_along_to_explore(open_page: OpenPage) -> None:
    for entry in ("movement-ranges-map-meta-2020", VIEWS):
        app = open_page("deployments", entry=entry)
        app.button(key="deployment_try").click().run()
        assert not app.exception
        assert scenario(app).epsilon == 2.0 or entry == VIEWS
    assert scenario(app).designs[0].parameters["sigma"] == 18.258
    assert scenario(app).data.contributions == 10  # the noise covers so many


def test_one_press_on_the_answer_shows_where_the_plan_lies(open_page: OpenPage) -> None:
    link = Question(k=2, releases=24, data=DataSpec(name="class_trip")).to_scenario(1.0).to_query()
    app = settled(open_page("decide", **link, **{"page.decide.screen": "answer"}))
    assert "With your plan an attacker could be right every time about one person." in text(app)
    assert "That others accept a risk does not make it acceptable." in text(app)
