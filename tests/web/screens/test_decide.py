"""The page on decisions, run without a browser: answers are kept, and every figure is the
library's.
"""

import html
import json
import re
from collections.abc import Callable
from typing import Any

import pytest
from streamlit.testing.v1 import AppTest

from dpviz import Scenario
from dpviz.charts.text_format import (
    percent,
    percent_upper_bound,
    release_frequency_text,
    upper_bound_text,
)
from dpviz.export.decision.release_code import release_code
from dpviz.pages.decide import sentences
from dpviz.pages.decide.settings import QUESTIONS, SCREENS
from dpviz.studies.data_spec import DataSpec
from dpviz.studies.decision import ALLOWED, Decision, Question, decide
from dpviz.studies.design import Design
from tests.web.screens.waiting import run_when_computed

OpenPage = Callable[..., AppTest]
TRIP = {"data": "example:class_trip", "k": "2", "page.decide.goal": "2 of 2 in 0.9"}


def text(app: AppTest) -> str:
    """All that is written in HTML fragments, without tags and marks."""
    bodies = [
        element.proto.body
        for element in app.get("html")
        if not element.proto.body.lstrip().startswith("<style")
    ]
    return re.sub(r"[\u2068\u2069]", "", html.unescape(re.sub(r"<[^>]+>", "", " ".join(bodies))))


def said(sentence: str) -> str:
    return re.sub(r"[\u2068\u2069]", "", sentence)


def cards(app: AppTest) -> dict[str, str]:
    body = next(
        e.proto.body
        for e in app.get("html")
        if "dp-cards" in e.proto.body and "dp-card" in e.proto.body
    )
    found = re.findall(r'<div class="dp-name">([^<]+).*?<div class="dp-value">(.*?)</div>', body)
    return {name: html.unescape(re.sub(r"<[^>]+>", "", value)) for name, value in found}


def whole(app: AppTest) -> AppTest:
    """The answer once it is there."""
    for _ in range(200):
        shown = text(app)
        if ("What a miss looks like" in shown and "is being computed" not in shown) or app.error:
            break
        run_when_computed(app)
    assert not app.exception, [told.value for told in app.exception]
    return app


def control(app: AppTest, kind: str, label: str) -> Any:
    return next(widget for widget in app.get(kind) if widget.label.startswith(label))


def press(app: AppTest, label: str) -> AppTest:
    control(app, "button", label).click().run()
    assert not app.exception
    return app


def heading(app: AppTest) -> str:
    body = next(e.proto.body for e in app.get("html") if "dp-title" in e.proto.body)
    found = re.search(r'<h1 class="dp-title">(.*?)</h1>', body)
    assert found
    return html.unescape(re.sub(r"<[^>]+>", "", found[1]))


def scenario(app: AppTest) -> Scenario:
    of: Scenario = app.session_state["dpviz.scenario"]
    return of


def answered(app: AppTest, question: Question) -> Decision:
    """The decision that the page has to show; that it does."""
    decision = decide(question)
    app = whole(app)
    found = decision.utility
    assert cards(app) == {
        "All releases": sentences.format_total(decision.total).removeprefix("ε = "),
        "A guesser is right": f"≤ {percent_upper_bound(decision.cost.guess)} of 100",
        "The goal": percent(found.chance, found.low, found.high),
        "ε of one release": sentences.format_parameter(decision.epsilon)
        + (
            f" and δ = {upper_bound_text(spent)}"
            if (spent := decision.mechanism.delta_spent)
            else ""
        ),
        "Missing": f"{found.missed:.2g}",
    }
    return decision


def test_every_screen_is_a_question_with_an_answer_already_in(open_page: OpenPage) -> None:
    app = open_page("decide")
    seen = []
    while heading(app) in SCREENS.values():
        seen.append(heading(app))
        press(app, "Show the answer" if seen[-1].startswith("Were the names") else "Next")
    assert seen == [SCREENS[name] for name in QUESTIONS]
    decision = answered(app, Question())
    assert heading(app) == f"{sentences.format_total(decision.total)} in total"
    assert sentences.answer_sentence(decision) in text(app)
    assert sentences.plan_sentence(decision) in text(app)


def test_back_and_forward_lose_nothing(open_page: OpenPage) -> None:
    app = open_page("decide")
    control(app, "text_input", "What is it called?").set_value("Services <b>asked</b> for").run()
    control(app, "number_input", "How many items").set_value(5).run()
    control(app, "number_input", "How often").set_value(12).run()
    control(app, "text_input", "Over what time?").set_value("a year").run()
    press(app, "Next")
    control(app, "selectbox", "Whose data").set_value("household").run()
    control(app, "radio", "In how many items").set_value(True).run()
    control(app, "number_input", "At most so many items").set_value(3).run()
    press(app, "Next")
    control(app, "button_group", "How is it said?").set_value("right").run()
    control(app, "select_slider", "After all of it").set_value(80).run()
    press(app, "Next")
    control(app, "number_input", "At least so many").set_value(4).run()
    control(app, "select_slider", "In what share").set_value(0.99).run()
    press(app, "Next")
    control(app, "text_input", "What are they called").set_value("Calls of 2025").run()
    control(app, "radio", "These data are").set_value("public").run()
    control(app, "select_slider", "All scores may be as small").set_value(0.9).run()
    press(app, "Next")
    control(app, "radio", "Was the list").set_value("known").run()
    press(app, "Which mechanisms are allowed?")
    control(app, "checkbox", "Joint exponential").set_value(False).run()
    control(app, "checkbox", "Peeling").set_value(True).run()
    for _ in range(6):
        press(app, "Back")
    assert heading(app) == "What is published?"
    expected = Question(
        name="Services <b>asked</b> for",
        k=5,
        releases=12,
        period="a year",
        data=DataSpec(
            name="help_line",
            called="Calls of 2025",
            unit="household",
            contributions=3,
            items_known=True,
        ),
        goal="4 of 5 in 0.99",
        decided_on="public",
        most_right=80,
        smaller=0.9,
        designs=(*ALLOWED[:4], Design(mechanism="gaussian_counts"), Design(mechanism="peeling")),
        picked=True,
    )
    assert Question.from_scenario(scenario(app)) == expected
    assert Question.from_scenario(Scenario.from_query(scenario(app).to_query())) == expected
    press(app, "Straight to the answer")
    decision = answered(app, expected)
    shown = text(app)
    assert "Services <b>asked</b> for · " in shown
    assert "12 releases over a year" in shown
    assert "one household" in shown
    assert all(said(sentence) in shown for sentence in sentences.miss_sentences(decision))
    again = whole(open_page("decide", **scenario(app).to_query()))
    assert cards(again) == cards(app)


def test_the_table_has_the_plans_by_their_totals_the_least_first(open_page: OpenPage) -> None:
    app = open_page("decide", **TRIP, m1="canonical", **{"page.decide.screen": "answer"})
    question = Question(
        k=2, goal="2 of 2 in 0.9", data=DataSpec(name="class_trip"), designs=(Design(),)
    )
    decision = answered(app, question)
    body = next(e.proto.body for e in app.get("html") if "dp-table dp-needs" in e.proto.body)
    assert f"1 {decision.chosen_plan_with_curves.label} ●" in re.sub(r"<[^>]+>", "", body)
    app = open_page(
        "decide", **TRIP, **{"page.decide.screen": "answer"}
    )  # which names no mechanism
    decision = answered(app, Question(k=2, data=DataSpec(name="class_trip")))
    body = next(
        e.proto.body
        for e in app.get("html")
        if 'aria-label="What each mechanism costs"' in e.proto.body
    )
    rows = [
        html.unescape(re.sub(r"<[^>]+>", " ", row))
        for row in re.findall(r"<tr>(.*?)</tr>", body)[1:]
    ]
    expected = [need for _, need, _ in sentences.need_rows(decision)]
    for row, need in zip(rows, expected, strict=True):
        assert need.label in row
        assert need.total is not None
        assert upper_bound_text(need.total.epsilon) in row
        assert sentences.format_smallest_epsilon(need.smallest) in row
        assert f"× {need.multiple:.2f}" in row
    assert [("●" in row) for row in rows] == [True, False, False, False, False]


def test_what_it_means_is_told_as_odds_misses_totals_and_caps(open_page: OpenPage) -> None:
    question = Question(k=2, data=DataSpec(name="class_trip"), releases=5)
    app = open_page(
        "decide", **question.to_scenario(1.0).to_query(), **{"page.decide.screen": "answer"}
    )
    decision = answered(app, question)
    shown = text(app)
    for sentence in (
        sentences.guess_sentence(decision.one.guess, "After one release"),
        sentences.guess_sentence(decision.cost.guess, "After all 5"),
        sentences.belief_sentence(decision),
        *sentences.miss_sentences(decision),
        sentences.drift_sentence(decision),
    ):
        assert said(sentence) in shown
    for way in decision.account.ways:
        assert (way.reason if way.epsilon is None else upper_bound_text(way.epsilon)) in shown
    hits = decision.utility.hits
    assert f"2 in {release_frequency_text(hits[2])}" in shown
    figure = json.loads(app.get("plotly_chart")[2].proto.spec)
    people = [int(trace["name"].split()[0]) for trace in figure["data"]]
    one, every = (percent_upper_bound(each.guess) for each in (decision.one, decision.cost))
    assert people == [50, one - 50, every - one, 100 - every]
    assert all(chart.proto.alt for chart in app.get("plotly_chart"))


@pytest.mark.long
def test_mechanism_and_epsilon_can_be_taken_by_hand(open_page: OpenPage) -> None:
    asked = Question(k=2, data=DataSpec(name="class_trip"))
    app = whole(
        open_page("decide", **asked.to_scenario(1.0).to_query(), **{"page.decide.screen": "answer"})
    )
    control(app, "selectbox", "Published with").set_value("2").run()
    asked = asked.replace(taken=2)
    decision = answered(app, asked)
    assert decision.chosen_plan_with_curves.label == "One-shot"
    control(app, "button_group", "ε").set_value(True).run()
    assert Question.from_scenario(scenario(app)).epsilon == decision.epsilon
    control(app, "number_input", "ε, exactly").set_value(0.25).run()
    decision = answered(app, asked.replace(epsilon=0.25))
    assert not decision.meets_goal
    assert "warning" not in " ".join(e.proto.body for e in app.get("html")).lower()
    assert not app.warning
    control(app, "button_group", "ε").set_value(False).run()
    answered(app, asked)


@pytest.mark.long
def test_two_scenarios_stand_side_by_side_and_what_differs_is_bold(open_page: OpenPage) -> None:
    asked = Question(k=2, data=DataSpec(name="class_trip"))
    app = whole(
        open_page("decide", **asked.to_scenario(1.0).to_query(), **{"page.decide.screen": "answer"})
    )
    first = decide(asked)
    press(app, "Pin this as A")
    press(app, "4. How good must it be?")
    control(app, "select_slider", "In what share").set_value(0.99).run()
    press(app, "The answer")
    app = whole(app)
    second = decide(asked.replace(goal="2 of 2 in 0.99"))
    press(app, "Pin this as B")
    body = next(e.proto.body for e in app.get("html") if "dp-table dp-beside" in e.proto.body)
    rows = dict(re.findall(r'<th scope="row">(.*?)</th>(.*?)</tr>', body))
    for name, told in (
        ("ε of one release", lambda d: sentences.format_parameter(d.epsilon)),
        ("Goal", sentences.goal_sentence),
    ):
        cells = re.findall(r"<td[^>]*>(.*?)</td>", rows[name])
        assert cells == [f"<strong>{told(each)}</strong>" for each in (first, second)]
    assert "<strong>" not in rows["Unit of privacy"]
    assert "The sheet has A and B side by side" in text(app)
    press(app, "Take the pins away")
    assert not any("dp-table dp-beside" in e.proto.body for e in app.get("html"))


def test_the_code_is_shown_and_what_leaves_is_the_decisions(open_page: OpenPage) -> None:
    asked = Question(k=2, data=DataSpec(name="class_trip"), designs=(Design(mechanism="one_shot"),))
    app = whole(
        open_page("decide", **asked.to_scenario(1.0).to_query(), **{"page.decide.screen": "answer"})
    )
    decision = decide(asked)
    code = release_code(decision)
    assert code.text.strip() in {block.value for block in app.code}
    labels = {button.label for button in app.button}
    assert labels >= {"Decision sheet", "The same as JSON", "Scenario without scores", "release.py"}
    again = Question.from_scenario(Scenario.from_json(decision.scenario.to_json()))
    opened = whole(
        open_page("decide", **decision.scenario.to_query(), **{"page.decide.screen": "answer"})
    )
    assert again == asked
    assert cards(opened) == cards(app)


def test_a_goal_out_of_reach_is_one_sentence(open_page: OpenPage) -> None:
    gamma = Design(parameters={"gamma": 0.0})
    asked = Question(k=2, goal="top in 0.9", designs=(gamma,), data=DataSpec(name="class_trip"))
    app = whole(
        open_page("decide", **asked.to_scenario(1.0).to_query(), **{"page.decide.screen": "answer"})
    )
    (told,) = app.error
    assert "some design allowed reaches" in told.value.replace("\\", "")
    assert heading(app) == "No plan reaches this goal"
    assert "Do not publish this as it is asked for" in text(app)
    assert "What would help" in text(app)


def test_other_data_are_about_the_same_people_and_the_goal_follows_k(open_page: OpenPage) -> None:
    app = open_page("decide", **{"page.decide.screen": "protected"})
    control(app, "selectbox", "Whose data").set_value("person-day").run()
    press(app, "5. On which data is this decided?")
    control(app, "selectbox", "Example").set_value("song_listeners").run()
    question = Question.from_scenario(scenario(app))
    assert (question.k, question.goal_text, question.unit) == (20, "18 of 20 in 0.9", "person-day")
    press(app, "Back")
    assert control(app, "number_input", "At least so many of the 20").value == 18


def test_a_link_with_uploaded_data_asks_for_them(open_page: OpenPage) -> None:
    link = {
        "data": "uploaded",
        "page.decide.screen": "answer",
        "unit": "household",
        "monotonic": "true",
    }
    app = open_page("decide", **link)
    assert heading(app) == "The data are not here"
    press(app, "On which data?")
    assert heading(app) == SCREENS["data"]
    assert Question.from_scenario(scenario(app)).unit == "household"


@pytest.mark.parametrize(
    ("wrong", "told"),
    [
        ({"page.decide.goal": "9 of 9 in 2"}, "goal must be"),
        ({"page.decide.releases": "0"}, "releases must be"),
        ({"page.decide.screen": "nowhere"}, "The screen must be"),
        ({"page.decide.decided_on": "private"}, "decided_on must be"),
    ],
)
def test_an_answer_in_a_link_that_cannot_be_is_told_and_left_out(
    open_page: OpenPage, wrong: dict[str, str], told: str
) -> None:
    app = open_page("decide", **wrong)
    assert told in " ".join(error.value for error in app.error).replace("\\", "")
    assert heading(app) == "What is published?"


def test_no_mechanism_at_all_is_refused(open_page: OpenPage) -> None:
    asked = Question(k=2, data=DataSpec(name="class_trip"), designs=(Design(),))
    app = open_page(
        "decide", **asked.to_scenario(1.0).to_query(), **{"page.decide.screen": "allowed"}
    )
    control(app, "checkbox", "Canonical").set_value(False).run()
    assert "number of designs must be at least 1" in " ".join(error.value for error in app.error)
    assert Question.from_scenario(scenario(app)).designs == (Design(),)


def test_a_miss_that_hurts_can_be_stated(open_page: OpenPage) -> None:
    app = open_page("decide", **{"page.decide.screen": "good"})
    control(app, "button_group", "How is it said?").set_value("event").run()
    assert Question.from_scenario(scenario(app)).goal_text == "good in 0.9"
    control(app, "radio", "It would hurt unless").set_value("great").run()
    assert Question.from_scenario(scenario(app)).goal_text == "great in 0.9"
    assert "the best one is in and nothing below rank 11" in text(app)
    control(app, "button_group", "How is it said?").set_value("hits").run()
    assert Question.from_scenario(scenario(app)).goal_text == "9 of 10 in 0.9"


def cases(app: AppTest) -> set[tuple[int, int]]:
    """Which of the four cases, by row and column, are said to be the one asked about."""
    (page,) = (
        block.proto.body for block in app.get("html") if "dp-table dp-cases" in block.proto.body
    )
    rows = page.partition("<tbody>")[2].split("<tr>")[1:]
    cells = [re.findall(r"<td.*?</td>", row, re.DOTALL) for row in rows]
    assert ["limited domain" in cell.lower() for row in cells for cell in row] == [
        False,
        False,
        True,
        True,
    ]
    return {
        (i, j) for i, row in enumerate(cells) for j, cell in enumerate(row) if "Your case" in cell
    }


def test_names_that_were_not_known_have_a_menu_of_their_own_and_a_length(
    open_page: OpenPage,
) -> None:
    app = open_page("decide", data="example:help_line", k="5", **{"page.decide.screen": "names"})
    assert "what is searched is Canonical, One-shot" in text(app)
    assert cases(app) == {(0, 1)}
    control(app, "radio", "Was the list").set_value("read").run()
    assert not app.exception
    assert cases(app) == {(1, 1)}
    assert "any number of items: what is searched is Limited domain." in text(app)
    assert not app.warning
    press(app, "Show the answer")
    whole(app)
    decision = decide(Question(k=5, data=DataSpec(name="help_line", items_known=False)))
    assert decision.chosen_plan_with_curves.design.mechanism == "limited_domain"
    shown = html.unescape(text(app))
    assert sentences.shorter_list_sentence(decision) in shown
    assert (
        cards(app)["ε of one release"]
        == f"{sentences.format_parameter(decision.epsilon)} and δ = 5×10⁻⁷"
    )
    assert "Left out, as they need names known beforehand: Canonical" in shown
    assert sentences.help_sentences(decision)[0] in shown
    assert (
        "A list of names that was fixed before the data were"
        in sentences.help_sentences(decision)[0]
    )
    assert scenario(app).designs == decision.question.designs


@pytest.mark.parametrize("screen", ["good", "answer"])
@pytest.mark.parametrize("goal", ["", "true", f"top in {'9' * 400} of 1"])
def test_a_link_with_no_goal_is_told_and_left_out(
    open_page: OpenPage, goal: str, screen: str
) -> None:
    app = open_page("decide", **TRIP | {"page.decide.goal": goal, "page.decide.screen": screen})
    assert ["The answers in the link are left out" in error.value for error in app.error] == [True]
