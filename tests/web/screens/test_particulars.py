"""What the sheet asks the publisher, on the page: folded away, in the link, and in whatever is
taken along.
"""

from collections.abc import Callable

import pytest
from streamlit.testing.v1 import AppTest

from dpviz.export.decision import ReleaseCode, release_code
from dpviz.studies.decision import Decision
from dpviz.studies.decision.publisher_details import PublisherDetails, read_publisher_details
from dpviz.web.screens.decide import downloads
from tests.web.screens.shown import control, settled
from tests.web.screens.test_decide import TRIP

OpenPage = Callable[..., AppTest]


def test_answers_are_in_the_link_and_in_what_is_taken_along(
    open_page: OpenPage, monkeypatch: pytest.MonkeyPatch
) -> None:
    taken: list[Decision] = []

    def code(decision: Decision) -> ReleaseCode:
        taken.append(decision)
        return release_code(decision)

    monkeypatch.setattr(downloads, "release_code", code)
    app = settled(
        open_page("decide", **TRIP, **{"page.decide.screen": "answer", "page.sheet.region": "Here"})
    )
    assert "Purpose" not in {box.label for box in app.text_input}
    app.session_state["particulars_fold"] = True
    app = settled(app.run())
    assert control(app, "text_input", "Region").value == "Here"
    control(app, "text_input", "Purpose").input(" a poster ").run()
    control(app, "text_input", "Region").input("").run()
    control(app, "text_input", "To be reviewed on").input("soon").run()
    assert any("must be a day" in each.value for each in (*app.error, *app.warning, *app.info))
    assert read_publisher_details(taken[-1].scenario) == PublisherDetails(purpose="a poster")
    page = app.session_state["dpviz.scenario"].page
    assert {name: value for name, value in page.items() if name.startswith("sheet.")} == {
        "sheet.purpose": "a poster"
    }
    assert page["decide.screen"] == "answer"
