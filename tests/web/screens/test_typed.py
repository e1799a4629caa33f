"""Whatever is typed into a box stands there afterwards, or a sentence says why it does not."""

from collections.abc import Callable
from typing import Any

import pytest
from streamlit.testing.v1 import AppTest

from dpviz.pages.decide.settings import SCREENS
from dpviz.web.widgets.navigation import ICONS
from tests.web.screens.shown import control, heading, press, scenario
from tests.web.screens.uploads import take

OpenPage = Callable[..., AppTest]
TYPED = (0, -1, 7, 1e9, 0.125)
SCENARIO_PAGES = [name for name in ICONS if name not in {"learn", "classroom", "deployments"}]
OPENED = [name for name in SCENARIO_PAGES if name != "decide"] + [f"decide {s}" for s in SCREENS]


def told(app: AppTest) -> str:
    return " ".join(each.value for kind in (app.error, app.info, app.warning) for each in kind)


@pytest.mark.twins("start", "decide published", "decide good")
@pytest.mark.parametrize("opened", OPENED)
def test_a_typed_number_stands_or_is_told(open_page: OpenPage, opened: str) -> None:
    page, _, screen = opened.partition(" ")
    query = {"page.decide.screen": screen, "page.decide.releases": "12"} if screen else {}
    app = open_page(page, **query, folded=True)
    labels = [box.label for box in app.number_input if not box.disabled]
    for label in labels:
        for value in TYPED:
            box = next((each for each in app.number_input if each.label == label), None)
            if box is None:  # another answer has renamed it
                break
            whole = isinstance(box.value, int)
            if whole and value != int(value):
                continue
            typed: Any = int(value) if whole else float(value)
            box.set_value(typed).run()
            assert not app.exception, (label, typed)
            left = [each for each in app.number_input if each.label == label]
            assert told(app) or not left or left[0].value == pytest.approx(typed), (label, typed)


def test_k_is_no_matter_of_an_example_that_nobody_chose(open_page: OpenPage) -> None:
    app = open_page("decide")
    control(app, "number_input", "How many items").set_value(100).run()
    assert (scenario(app).k, control(app, "number_input", "How many items").value) == (100, 100)
    assert not app.error
    assert "The example has only" not in told(app)  # the questions are about no data yet
    press(app, "Next")
    control(app, "radio", "How may the people").set_value(
        False
    ).run()  # another answer does not touch it
    assert (scenario(app).k, scenario(app).page["decide.goal"]) == (100, "90 of 100 in 0.9")
    press(app, "The answer")
    assert heading(app) == "The example is too small"
    app.switch_page("pages/explore.py").run()
    assert heading(app) == "Which 59 of the 60 items score highest?"
    assert "The example has only 60 items" in told(app)
    assert control(app, "number_input", "k, list length").value == 100
    app.switch_page("pages/decide.py").run()
    press(app, "Choose the data")
    take(app, b"item,count\n" + b"".join(b"n%d,%d\n" % (n, 1000 - n) for n in range(300)))
    assert scenario(app).k == 100
    assert not app.info
    take(app, b"item,count\n" + b"".join(b"n%d,%d\n" % (n, 1000 - n) for n in range(50)), "few.csv")
    assert scenario(app).k == 49
    assert "k was lowered from 100 to 49" in told(app)
    press(app, "1. What is published?")
    control(app, "number_input", "How many items").set_value(100).run()
    assert scenario(app).k == 49
    assert "k must be" in told(app)


@pytest.mark.parametrize(
    "page", [name for name in SCENARIO_PAGES if name not in {"start", "candidates", "margin"}]
)
def test_k_of_a_link_without_data_waits_for_them(open_page: OpenPage, page: str) -> None:
    app = open_page(page, k="3000")
    assert scenario(app).k == 3000
    assert ("Your k = 3,000 is kept" in told(app)) == (page != "decide")
