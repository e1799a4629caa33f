"""What somebody said of one person is kept whatever data come in, or it is told that it is not, and
why.
"""

from collections.abc import Callable
from itertools import product
from typing import Any

import pytest
from streamlit.testing.v1 import AppTest

from dpviz.studies.data_spec import DataSpec
from tests.web.screens import uploads
from tests.web.screens.test_data_panel import COUNTS, LOG
from tests.web.screens.shown import text

OpenPage = Callable[..., AppTest]
FILES: dict[str, bytes] = {"scores": COUNTS, "log": LOG}
PAIRS = [*product(["example", *FILES], FILES)]  # what was there, and what comes in
ANSWERS: dict[str, tuple[Any, ...]] = {
    "monotonic": (True, False),
    "sensitivity": (3.0, 0.5),
    "contributions": (1, 2),
    "items_known": (True, False),
    "unit": ("household",),
}
TAKEN_BACK = {
    ("items_known", True): "known beforehand",
    ("sensitivity", 3.0): "another Δ",
    ("sensitivity", 0.5): "Δ",
}
"""What counting a log makes otherwise, with what is told then."""
NAMED = {"scores": "counts.csv", "log": "log.csv"}


def spec(app: AppTest) -> DataSpec:
    held: DataSpec = app.session_state["dpviz.scenario"].data
    return held


def bring(app: AppTest, kind: str) -> None:
    """Have a file of this kind shown."""
    uploads.bring(app, FILES[kind], NAMED[kind])


def say(app: AppTest, **said: Any) -> None:
    """Answer as the page's own control for it does."""
    labels = {
        "monotonic": ("radio", "Two data sets"),
        "sensitivity": ("number_input", "Sensitivity"),
        "items_known": ("radio", "Were the names known"),
    }
    on_decide = {
        "monotonic": ("radio", "What must not show"),
        "sensitivity": ("number_input", "How much can one"),
        "items_known": ("radio", "Was the list"),
        "unit": ("selectbox", "Whose data"),
    }
    ((name, value),) = said.items()
    decides = text(app).lstrip().startswith("Decide ·") or "Page" + "Decide" in text(app)
    if name == "contributions":
        ask = next(each for each in app.radio if each.label.startswith("In how many items"))
        if ask.value is not True:
            ask.set_value(True).run()
        next(box for box in app.number_input if box.label.startswith("At most so many")).set_value(
            value
        ).run()
        return
    kind, label = (on_decide if decides else labels)[name]
    given = {True: "known", False: "read"}[value] if name == "items_known" and decides else value
    next(each for each in app.get(kind) if each.label.startswith(label)).set_value(given).run()


def kept_or_told(app: AppTest, name: str, value: Any, comes: str) -> None:
    if getattr(spec(app), name) == value:
        scores = app.session_state["dpviz.scenario"].scores
        held = {"items_known": "names_known"}.get(name, name)
        assert name == "unit" or getattr(scores, held) == value
    else:
        assert (comes, (name, value) in TAKEN_BACK) == ("log", True)
        assert TAKEN_BACK[name, value] in " ".join(told.value for told in app.error)


SCREEN = {"items_known": "names", "unit": "protected"}


@pytest.mark.twins(
    "unit-household-example-log", "monotonic-False-scores-log", "sensitivity-3.0-log-scores"
)
@pytest.mark.parametrize(("was", "comes"), PAIRS)
@pytest.mark.parametrize(
    ("name", "value"), [(name, value) for name, all in ANSWERS.items() for value in all]
)
def test_an_answer_on_decide_is_kept(
    open_page: OpenPage, name: str, value: Any, was: str, comes: str
) -> None:
    app = open_page(
        "decide", **{"page.decide.screen": "data", "data": "example:class_trip", "k": "2"}
    )
    if was != "example":
        bring(app, was)
    app.button(key=f"decide_{SCREEN.get(name, 'protected')}").click().run()
    say(app, **{name: value})
    app.button(key="decide_data").click().run()
    before = spec(app)
    bring(app, comes)
    kept_or_told(app, name, value, comes)
    for other in {"monotonic", "contributions", "unit"} - {name}:  # those that stood there, too
        assert getattr(spec(app), other) == getattr(before, other)
    assert "Please check" in text(app)


@pytest.mark.parametrize("comes", FILES)
def test_what_is_said_on_explore_of_a_file_stands_on_decide(
    open_page: OpenPage, comes: str
) -> None:
    """Decide was open before, where another answer stood that nobody had given."""
    app = open_page("decide")
    app.switch_page("pages/explore.py").run()
    bring(app, comes)
    say(app, monotonic=(value := not spec(app).monotonic))
    app.switch_page("pages/decide.py").run()
    assert spec(app).monotonic is value
    app.switch_page("pages/explore.py").run()
    bring(app, comes)
    assert spec(app).monotonic is value


def test_a_log_that_is_counted_again_takes_no_answer_back(open_page: OpenPage) -> None:
    app = open_page("explore", k="2")
    bring(app, "log")
    say(app, monotonic=False)
    say(app, contributions=1)
    assert (spec(app).monotonic, spec(app).contributions) == (False, 1)
    say(app, contributions=2)
    assert (spec(app).monotonic, spec(app).contributions) == (False, 2)


@pytest.mark.parametrize("comes", FILES)
def test_an_answer_that_was_taken_back_is_not_kept(open_page: OpenPage, comes: str) -> None:
    app = open_page("explore", data="example:class_trip", k="2")
    say(app, monotonic=False)
    app.button(key="undo").click().run()
    assert spec(app).monotonic is True
    bring(app, comes)
    assert spec(app).monotonic is (comes == "log")


def test_generated_scores_of_another_size_or_shape_take_no_answer_back(open_page: OpenPage) -> None:
    app = open_page("explore", **{"data": "generated:zipf", "data.size": "40", "k": "2"})
    say(app, contributions=2)
    say(app, monotonic=False)
    next(box for box in app.number_input if box.label == "Items").set_value(50).run()
    assert (spec(app).parameters["size"], spec(app).contributions, spec(app).monotonic) == (
        50,
        2,
        False,
    )
    app.selectbox(key="generator").set_value("linear").run()
    assert (spec(app).name, spec(app).contributions, spec(app).monotonic) == ("linear", 2, False)
