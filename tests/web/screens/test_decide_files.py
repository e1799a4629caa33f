"""Files on the page on decisions: they change no answer, say where they are from, and plans hold on
past periods.
"""

import json
from collections.abc import Callable
from typing import Any
from unittest.mock import Mock

import pytest
from streamlit.testing.v1 import AppTest

from dpviz import Scores
from dpviz.pages.decide.sentences import basis, phrases
from dpviz.pages.decide.settings import SCREENS
from dpviz.studies.data_spec import DataSpec
from dpviz.studies.decision import Question, decide
from dpviz.studies.decision.decide_study import DecideStudy
from dpviz.studies.decision.question import UNSAID
from dpviz.studies.design import Design
from dpviz.web import widgets
from tests.web.screens.shown import cards, control, errors, press, said, scenario, settled, text
from tests.web.screens.uploads import agree, give, take

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
    assert "Where do these data come from" in " ".join(warning.value for warning in app.warning)
    assert "Are these counts of people?" in text(app)
    assert "Until you answer, “Yes” is used" in text(app)
    press(app, "Straight to the answer")
    app = settled(app)
    decision = decide(now, Scores(list(NOW.values()), list(NOW)))
    assert UNSAID in said(basis.assumptions(decision)[3])
    press(app, f"5. {SCREENS['data']}")
    control(app, "radio", "These data are").set_value("protected").run()
    assert Question.from_scenario(scenario(app)) == now.replace(decided_on="protected")
    assert "the sheet says so" in " ".join(warning.value for warning in app.warning)


def test_a_scenario_to_share_does_not_count_items_of_protected_data(
    open_page: OpenPage, monkeypatch: pytest.MonkeyPatch
) -> None:
    given = Mock()
    monkeypatch.setattr(widgets, "show_download_button", given)
    app = open_page("decide", **{"page.decide.screen": "data"})
    take(app, csv(NOW | {f"Hut {n}": n for n in range(20)}), "counts.csv")
    press(app, "6. Is there a list")
    settled(press(app, "Show the answer"))
    content = {call.args[2]: call.args[1] for call in given.call_args_list}["dpviz-decision.json"]
    assert scenario(app).data.d == 24
    assert "d" not in json.loads(content())["data"]


def test_a_list_of_all_items_is_the_persons_own_claim(open_page: OpenPage) -> None:
    app = press(with_file(open_page), "6. Is there a list")
    assert "This is your own claim. The file cannot show it." in text(app)


def test_past_periods_are_told_and_can_be_taken_away(open_page: OpenPage) -> None:
    app = with_file(open_page)
    asked = Question.from_scenario(scenario(app))
    alone = DecideStudy.from_question(asked, Scores(list(NOW.values()), list(NOW)))
    other = csv({"Ship": 1, "Bus": 2}), "text/csv"
    files = [(f"period {n}.csv", csv(counts), "text/csv") for n, counts in enumerate(PAST)]
    past = next(each for each in app.file_uploader if str(each.key).startswith("decide_past"))
    past.set_value([*files, ("ships.csv", *other)]).run()
    assert "ships.csv has no item in common with the data" in said(text(app))
    press(app, "Remove ships")
    now = Question.from_scenario(scenario(app))
    assert now.periods == 2
    press(app, "Straight to the answer")
    vectors = [Scores(list(counts.values()), list(counts)) for counts in (NOW, *PAST)]
    both = DecideStudy.from_question(now, vectors)
    assert both.epsilon > alone.epsilon
    assert cards(settled(app))["ε of one release"] == phrases.format_parameter(both.epsilon)
    assert "2 past periods" in text(app)
    press(app, f"5. {SCREENS['data']}")
    press(app, "Remove period 1")
    assert Question.from_scenario(scenario(app)).periods == 1


def test_ones_own_file_is_asked_for_first_and_earlier_periods_only_then(
    open_page: OpenPage,
) -> None:
    app = open_page("decide", **{"page.decide.screen": "data"})
    assert [each.label[:11] for each in app.file_uploader] == ["Drop a file"]
    take(app, csv(NOW), "counts.csv")
    assert [each.label[:6] for each in app.file_uploader] == ["Drop a", "Better"]


def test_another_file_of_the_same_name_is_counted_anew(open_page: OpenPage) -> None:
    app = with_file(open_page)
    give(app, "decide_past", "then.csv", csv(PAST[0]))
    assert "different items" not in said(text(app))
    press(app, "Remove then")
    give(app, "decide_past", "then.csv", csv({"Ship": 1, "Bus": 2}))
    assert "then.csv has no item in common with the data" in said(text(app))


TITLES = "Nr;Titel\n" + "".join(f"{n};Titel {n}\n" for n in range(7))
LOG = "Leser;Titel\n" + "".join(f"L{i % 40};Titel {i % 7}\n" for i in range(200))


def test_yes_to_a_catalogue_counts_once_it_is_uploaded_and_it_replaces_the_items(
    open_page: OpenPage,
) -> None:
    app = open_page("start")
    app.button(key="start_data").click().run()
    app.switch_page("pages/explore.py").run()
    give(app, "asked_file", "log.csv", LOG.encode())
    agree(app)
    assert scenario(app).data.monotonic is True  # as counts are, where nobody said anything
    app.switch_page("pages/decide.py").run()
    press(app, f"6. {SCREENS['names']}")
    control(app, "radio", "One that does not").set_value(True).run()
    assert scenario(app).data.items_known is False
    assert "Until you upload it" in text(app)
    assert "Yes, not uploaded yet" in text(app)
    give(app, "catalogue", "few.csv", b"Nr;Titel\n1;Titel 1\n2;New\n")
    assert "Most rows of the log are about items that the catalogue lacks" in errors(app)
    give(app, "catalogue", "titles.csv", b"Nr;Titel\n1;Titel 1\n2;Titel 2\n3;New\n")
    assert scenario(app).data.items_known is True
    assert set(scenario(app).load().names) == {"Titel 1", "Titel 2", "New"}
    control(app, "radio", "One that does not").set_value(False).run()
    assert (scenario(app).data.items_known, scenario(app).load().d) == (False, 7)


def test_if_they_are_counts_is_asked_once_for_all_pages(open_page: OpenPage) -> None:
    app = open_page("explore")
    take(app, csv(NOW), "counts.csv")
    app.switch_page("pages/decide.py").run()
    press(app, "2. Who is protected?")
    assert control(app, "radio", "How may the people").value is None
    press(app, f"5. {SCREENS['data']}")
    assert "“No” is used" in text(app)
    press(app, "Yes")
    assert scenario(app).data.monotonic
    press(app, "2. Who is protected?")
    assert control(app, "radio", "How may the people").value is True
    app.switch_page("pages/explore.py").run()
    assert "Are these counts" not in text(app)


def test_a_relation_that_another_page_took_with_other_numbers_is_said(open_page: OpenPage) -> None:
    app = open_page("decide")
    app.switch_page("pages/explore.py").run()
    take(app, b"item,share\nZoo,9.5\nLake,34.5\nCastle,2.5\n", "shares.csv")
    app.switch_page("pages/decide.py").run()
    assert scenario(app).data.monotonic is False
    assert "One person is swapped for another" in errors(app)


def test_a_past_log_is_counted_under_the_limit_of_now(open_page: OpenPage) -> None:
    log = "".join(f"L{i};Titel {n}\n" for n in range(7) for i in range(0, 40, n + 1))
    content = f"Leser;Titel\n{log}".encode()
    app = open_page("decide", contributions="1", k="2", **{"page.decide.screen": "data"})
    take(app, content, "now.csv")
    press(app, f"6. {SCREENS['names']}")
    control(app, "radio", "One that does not").set_value(True).run()
    give(app, "catalogue", "titles.csv", TITLES.encode())
    press(app, f"5. {SCREENS['data']}")
    give(app, "decide_past", "then.csv", content)
    press(app, "2. Who is protected?")
    control(app, "radio", "Limit items per person").set_value(False).run()
    press(app, "Straight to the answer")
    now = Question.from_scenario(scenario(app))
    study = DecideStudy.from_question(now, [scenario(app).load()] * 2)
    told = cards(settled(app))["ε of one release"]
    assert told == phrases.format_parameter(study.epsilon)
