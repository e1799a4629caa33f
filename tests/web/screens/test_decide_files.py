"""Files on the page on decisions: they change no answer, say where they are from, and plans hold on
past periods.
"""

from collections.abc import Callable
from typing import Any

from streamlit.testing.v1 import AppTest

from dpviz import Scores
from dpviz.pages.decide import sentences
from dpviz.pages.decide.settings import SCREENS
from dpviz.studies.data_spec import DataSpec
from dpviz.studies.decision import Question, decide
from dpviz.studies.decision.question import UNSAID
from dpviz.studies.design import Design
from tests.web.screens.shown import cards, control, press, said, scenario, settled, text
from tests.web.screens.uploads import give, take

OpenPage = Callable[..., AppTest]
SAID: dict[str, Any] = {
    "monotonic": True,
    "contributions": 3,
    "unit": "household",
    "items_known": True,
}
ASKED = Question(
    name="Trips",
    k=2,
    goal="2 of 2 in 0.9",
    releases=12,
    counts_in=6,
    period="a year",
    most_right=95,
    smaller=0.9,
    data=DataSpec(name="class_trip", **SAID),
    designs=(Design(), Design(mechanism="one_shot")),
)
NOW = {"Zoo": 90, "Lake": 340, "Castle": 220, "Farm": 20}
PAST = [
    {"Zoo": 110, "Lake": 300, "Castle": 190, "Farm": 30},
    {"Zoo": 120, "Lake": 360, "Castle": 160, "Farm": 10},
]


def csv(counts: dict[str, int]) -> bytes:
    return "".join(
        ["item,count\n", *(f"{name},{count}\n" for name, count in counts.items())]
    ).encode()


def with_file(open_page: OpenPage) -> AppTest:
    app = open_page("decide", **ASKED.to_scenario(1.0).to_query(), **{"page.decide.screen": "data"})
    take(app, csv(NOW), "counts.csv")
    assert not app.exception
    return app


def test_a_file_changes_no_answer_and_is_asked_where_it_is_from(open_page: OpenPage) -> None:
    app = with_file(open_page)
    now = Question.from_scenario(scenario(app))
    assert now == ASKED.replace(data=DataSpec(source="uploaded", d=4, **SAID), decided_on=None)
    assert control(app, "radio", "These data are").value is None
    assert "Until somebody says" in " ".join(warning.value for warning in app.warning)
    assert "“One household may join or leave”. Is that correct" in said(text(app))
    press(app, "Straight to the answer")
    app = settled(app)
    decision = decide(now, Scores(list(NOW.values()), list(NOW)))
    assert UNSAID in said(sentences.assumptions(decision)[3])
    press(app, f"5. {SCREENS['data']}")
    control(app, "radio", "These data are").set_value("protected").run()
    assert Question.from_scenario(scenario(app)) == now.replace(decided_on="protected")
    assert "the sheet says so" in " ".join(warning.value for warning in app.warning)


def test_past_periods_are_told_and_can_be_taken_away(open_page: OpenPage) -> None:
    app = with_file(open_page)
    alone = decide(Question.from_scenario(scenario(app)), Scores(list(NOW.values()), list(NOW)))
    for number, counts in enumerate(PAST):
        give(app, "decide_past", f"period {number}.csv", csv(counts))
    now = Question.from_scenario(scenario(app))
    assert now.periods == 2
    press(app, "Straight to the answer")
    vectors = [Scores(list(counts.values()), list(counts)) for counts in (NOW, *PAST)]
    decision = decide(now, vectors)
    assert decision.epsilon > alone.epsilon
    assert cards(settled(app))["ε of one release"] == sentences.format_parameter(decision.epsilon)
    assert "2 past periods" in text(app)
    press(app, f"5. {SCREENS['data']}")
    press(app, "Remove period 1")
    assert Question.from_scenario(scenario(app)).periods == 1
