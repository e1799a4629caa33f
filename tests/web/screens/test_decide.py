"""The page on decisions, run without a browser: answers are kept, and every figure is the
library's.
"""

import re
from collections.abc import Callable
from unittest.mock import Mock

import pytest
from streamlit.testing.v1 import AppTest

from dpviz import Scenario
from dpviz.base.text_format import percent, percent_upper_bound, upper_bound_text
from dpviz.export.decision.release_code import ReleaseCode, release_code
from dpviz.pages.decide.sentences import phrases, price, quality
from dpviz.pages.decide.settings import QUESTIONS, SCREENS
from dpviz.studies.data_spec import DataSpec
from dpviz.studies.decision import ALLOWED, Decision, Question, decide
from dpviz.studies.decision.publisher_details import PublisherDetails, read_publisher_details
from dpviz.studies.design import Design
from dpviz.studies.study import StepPending
from dpviz.web.screens.decide import downloads
from tests.web.screens.shown import (
    bodies,
    cards,
    control,
    errors,
    heading,
    press,
    said,
    scenario,
    settled,
    text,
)

OpenPage = Callable[..., AppTest]
TRIP = {"data": "example:class_trip", "k": "2", "page.decide.goal": "2 of 2 in 0.9"}
ASKED = Question(k=2, data=DataSpec(name="class_trip"))


def question(app: AppTest) -> Question:
    return Question.from_scenario(scenario(app))


def answer(open_page: OpenPage, asked: Question) -> AppTest:
    """The answer to this question, by its link."""
    link = asked.to_scenario(1.0).to_query()
    return settled(open_page("decide", **link, **{"page.decide.screen": "answer"}))


def answered(app: AppTest, asked: Question) -> Decision:
    """The decision that the page has to show; that it does."""
    decision = decide(asked)
    found = decision.utility
    delta = decision.mechanism.delta_spent
    assert cards(settled(app)) == {
        "All releases": phrases.format_total(decision.total).removeprefix("ε = "),
        "An attacker is right": f"≤ {percent_upper_bound(decision.cost.guess)} in 100",
        "The goal": percent(found.chance, found.low, found.high),
        "ε of one release": phrases.format_parameter(decision.epsilon)
        + (f" and δ = {upper_bound_text(delta)}" if delta else ""),
        "Missing": quality.format_missed_item_count(found),
    }
    return decision


def test_every_screen_is_a_question_with_an_answer_already_in(open_page: OpenPage) -> None:
    app = open_page("decide")
    seen = []
    while heading(app) in SCREENS.values():
        seen.append(heading(app))
        press(app, "Show the answer" if seen[-1] == SCREENS["names"] else "Next")
    assert seen == [SCREENS[name] for name in QUESTIONS]
    decision = answered(app, Question())
    assert heading(app) == price.answer_title(decision)
    assert phrases.format_total(decision.total) in heading(app)
    assert price.cost_sentence(decision) in text(app)
    assert quality.plan_sentence(decision) in text(app)


def test_back_and_forward_lose_nothing(open_page: OpenPage) -> None:
    app = open_page("decide", data="example:class_trip")
    control(app, "text_input", "What is the list called?").set_value(
        "Services <b>asked</b> for"
    ).run()
    control(app, "number_input", "How many items").set_value(3).run()
    control(app, "number_input", "How many times").set_value(12).run()
    control(app, "text_input", "Over which period?").set_value("a year").run()
    control(app, "text_input", "Other lists about").set_value("2 at 0.1").run()
    press(app, "Next")
    control(app, "selectbox", "Protect each").set_value("household").run()
    control(app, "radio", "Limit items per household").set_value(True).run()
    control(app, "number_input", "At most, items").set_value(3).run()
    press(app, "Next")
    control(app, "button_group", "State the limit as").set_value("right").run()
    control(app, "select_slider", "After all lists").set_value(80).run()
    press(app, "Next")
    control(app, "number_input", "At least how many").set_value(2).run()
    control(app, "select_slider", "In what share").set_value(0.99).run()
    press(app, "Next")
    control(app, "radio", "These data are").set_value("public").run()
    control(app, "select_slider", "Counts may fall to").set_value(0.9).run()
    press(app, "Next")
    control(app, "radio", "One that does not").set_value(True).run()
    press(app, SCREENS["allowed"])
    control(app, "checkbox", "Gaussian counts").set_value(False).run()
    control(app, "checkbox", "Peeling").set_value(True).run()
    for _ in range(6):
        press(app, "Back")
    assert heading(app) == "What is published?"
    expected = Question(
        name="Services <b>asked</b> for",
        k=3,
        releases=12,
        period="a year",
        also="2 at 0.1",
        data=DataSpec(
            name="class_trip",
            unit="household",
            contributions=3,
            items_known=True,
        ),
        goal="2 of 3 in 0.99",
        decided_on="public",
        most_right=80,
        smaller=0.9,
        designs=(*ALLOWED, Design(mechanism="peeling")),
        picked=True,
    )
    assert question(app) == expected
    assert Question.from_scenario(Scenario.from_query(scenario(app).to_query())) == expected
    control(app, "text_input", "Other lists about").set_value("").run()  # which take long
    press(app, "Straight to the answer")
    answered(app, expected.replace(also=""))
    for told in ("Services <b>asked</b> for · ", "12 releases over a year", "one household"):
        assert told in text(app)
    again = settled(open_page("decide", **scenario(app).to_query()))
    assert cards(again) == cards(app)


def test_the_table_has_the_plans_by_their_totals_the_least_first(open_page: OpenPage) -> None:
    app = open_page("decide", **TRIP, **{"page.decide.screen": "answer"})  # names no mechanism
    decision = answered(app, ASKED)
    body = next(one for one in bodies(app) if 'aria-label="The mechanisms"' in one)
    rows = [re.sub(r"<[^>]+>", " ", row) for row in re.findall(r"<tr>(.*?)</tr>", body)[1:]]
    for row, (_, need, _) in zip(rows, price.plan_rows(decision), strict=True):
        assert need.label in row
        assert need.total is not None
        assert upper_bound_text(need.total.epsilon) in row
        assert phrases.format_smallest_epsilon(need.smallest) in row
    assert [("●" in row) for row in rows] == [True, *[False] * (len(ALLOWED) - 1)]


def test_what_it_means_is_told_as_odds_misses_totals_and_caps(open_page: OpenPage) -> None:
    asked = ASKED.replace(releases=5)
    app = answer(open_page, asked)
    decision = answered(app, asked)
    for sentence in (
        price.right_guesses_sentence(decision.one.guess, "After one list"),
        price.right_guesses_sentence(decision.cost.guess, "After all 5 lists"),
        price.belief_sentence(decision),
        *quality.likely_error_sentences(decision),
        quality.drift_sentence(decision).rpartition(". ")[2],
    ):
        assert said(sentence) in text(app)
    assert "dpviz_hand" in {one.proto.component_name for one in app.get("bidi_component")}


@pytest.mark.long
def test_mechanism_and_epsilon_can_be_taken_by_hand(open_page: OpenPage) -> None:
    app = answer(open_page, ASKED)
    control(app, "selectbox", "Mechanism").set_value("2").run()
    asked = ASKED.replace(taken=2)
    decision = answered(app, asked)
    assert decision.chosen_plan_with_curves.label == decide(ASKED).needs[2].label
    control(app, "button_group", "ε").set_value(True).run()
    assert question(app).epsilon == decision.epsilon
    control(app, "number_input", "ε, exactly").set_value(0.25).run()
    assert not answered(app, asked.replace(epsilon=0.25)).meets_goal
    assert not app.warning
    control(app, "button_group", "ε").set_value(False).run()
    answered(app, asked)


@pytest.mark.long
def test_two_scenarios_stand_side_by_side_and_what_differs_is_bold(open_page: OpenPage) -> None:
    app = press(answer(open_page, ASKED), "Save as A")
    press(app, f"4. {SCREENS['good']}")
    control(app, "select_slider", "In what share").set_value(0.99).run()
    app = press(settled(press(app, "The answer")), "Save as B")
    pinned = decide(ASKED), decide(ASKED.replace(goal="2 of 2 in 0.99"))
    body = next(one for one in bodies(app) if "dp-table dp-beside" in one)
    rows = dict(re.findall(r'<th scope="row">(.*?)</th>(.*?)</tr>', body))
    cells = re.findall(r"<td[^>]*>(.*?)</td>", rows["ε of one release"])
    epsilons = (phrases.format_parameter(each.epsilon) for each in pinned)
    assert cells == [f"<strong>{epsilon}</strong>" for epsilon in epsilons]
    assert "<strong>" not in rows["Unit of privacy"]
    assert "A and B side by side" in text(app)
    press(app, "Remove both")
    assert not any("dp-table dp-beside" in one for one in bodies(app))


def test_the_code_is_shown_and_what_leaves_is_the_decisions(open_page: OpenPage) -> None:
    asked = ASKED.replace(designs=(Design(mechanism="one_shot"),))
    app, decision = answer(open_page, asked), decide(asked)
    assert release_code(decision).text.strip() in {block.value for block in app.code}
    labels = {button.label for button in app.button}
    assert labels >= {"Decision sheet", "The same as JSON", "Scenario without scores", "release.py"}
    assert Question.from_scenario(Scenario.from_json(decision.scenario.to_json())) == asked


def test_a_goal_out_of_reach_is_one_sentence(open_page: OpenPage) -> None:
    gamma = Design(parameters={"gamma": 0.0})
    app = answer(open_page, ASKED.replace(goal="top in 0.9", designs=(gamma,)))
    assert "no mechanism that is allowed reaches the goal" in errors(app)
    assert heading(app) == "No: no mechanism that is allowed reaches this goal"
    assert "You may also decide not to publish" in text(app)
    assert "What would help" in text(app)


def test_no_stands_on_the_page_before_the_nearest_plan_is_found(
    open_page: OpenPage, monkeypatch: pytest.MonkeyPatch
) -> None:
    texts = Mock(side_effect=StepPending)
    monkeypatch.setattr("dpviz.web.screens.decide.answer._verdict_texts", texts)
    app = answer(open_page, ASKED.replace(most_right=51))
    assert heading(app) == "Not within your limit"
    assert "The nearest plan that is: still being computed." in text(app)


def test_other_data_are_about_the_same_people_and_the_goal_follows_k(open_page: OpenPage) -> None:
    app = open_page("decide", **{"page.decide.screen": "protected"})
    control(app, "selectbox", "Protect each").set_value("person-day").run()
    press(app, f"5. {SCREENS['data']}")
    control(app, "selectbox", "Scores from").set_value("example").run()
    control(app, "selectbox", "Example").set_value("song_listeners").run()
    now = question(app)
    assert (now.k, now.goal_text, now.unit) == (20, "18 of 20 in 0.9", "person-day")
    press(app, "Back")
    assert control(app, "number_input", "At least how many of the 20").value == 18


def test_a_link_with_uploaded_data_asks_for_them(open_page: OpenPage) -> None:
    link = {"data": "uploaded", "page.decide.screen": "answer", "unit": "household"}
    app = open_page("decide", **link, monotonic="true")
    assert heading(app) == "The data are not here"
    press(app, "Choose the data")
    assert heading(app) == SCREENS["data"]
    assert question(app).unit == "household"


@pytest.mark.parametrize(
    ("wrong", "told"),
    [
        ({"page.decide.goal": "9 of 9 in 2"}, "goal must be"),
        ({"page.decide.releases": "0"}, "releases must be"),
        ({"page.decide.screen": "nowhere"}, "The screen must be"),
    ],
)
def test_an_answer_that_cannot_be_is_told(
    open_page: OpenPage, wrong: dict[str, str], told: str
) -> None:
    app = open_page("decide", **wrong)
    assert told in errors(app)
    assert heading(app) == "What is published?"


@pytest.mark.parametrize(
    ("screen", "goal"),
    [("good", ""), ("answer", "true"), ("answer", f"top in {'9' * 400} of 1")],
)
def test_a_link_with_no_goal_is_told(open_page: OpenPage, goal: str, screen: str) -> None:
    app = open_page("decide", **TRIP | {"page.decide.goal": goal, "page.decide.screen": screen})
    assert errors(app).count("The answers in the link are left out") == 1


def test_no_mechanism_at_all_is_refused(open_page: OpenPage) -> None:
    asked = ASKED.replace(designs=(Design(),))
    link = asked.to_scenario(1.0).to_query() | {"page.decide.screen": "allowed"}
    app = open_page("decide", **link)
    control(app, "checkbox", "Canonical").set_value(False).run()
    assert "number of designs must be at least 1" in errors(app)
    assert question(app).designs == (Design(),)


def test_a_miss_that_hurts_can_be_stated(open_page: OpenPage) -> None:
    app = open_page("decide", **{"page.decide.screen": "good"})
    for kind, label, chosen, goal in (
        ("button_group", "State the goal as", "event", "good in 0.9"),
        ("radio", "In each list it matters", "great", "great in 0.9"),
        ("button_group", "State the goal as", "hits", "9 of 10 in 0.9"),
    ):
        control(app, kind, label).set_value(chosen).run()
        assert question(app).goal_text == goal


def test_names_that_were_not_known_have_a_menu_of_their_own(open_page: OpenPage) -> None:
    one = {"data": "example:class_trip", "k": "1", "page.decide.screen": "names"}
    app = open_page("decide", **one)
    assert "such a list is assumed" in text(app)
    control(app, "radio", "One that does not").set_value(False).run()
    assert not app.warning
    press(app, "Show the answer")
    unknown = DataSpec(name="class_trip", items_known=False)
    decision = answered(app, Question(k=1, data=unknown))
    assert decision.chosen_plan_with_curves.design.mechanism == "limited_domain"
    assert decision.mechanism.delta_spent > 0
    assert quality.shorter_list_sentence(decision) in text(app)
    assert "Allowed: Limited domain." in text(app)
    assert "Left out, as they need a list of all possible items: Canonical" in text(app)
    assert price.suggestion_sentences(decision)[0] in text(app)
    assert scenario(app).designs == decision.question.designs


def test_what_the_sheet_asks_is_in_the_link_and_in_what_is_taken_along(
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
    told = [each.value for each in (*app.error, *app.warning, *app.info)]
    assert any("must be a day" in each for each in told)
    assert control(app, "text_input", "To be reviewed on").value == "soon"
    control(app, "text_input", "Published on").input("03/04/2027").run()
    assert control(app, "text_input", "Published on").value == "3 April 2027"
    control(app, "text_input", "Published on").input("").run()
    assert read_publisher_details(taken[-1].scenario) == PublisherDetails(purpose="a poster")
    page = scenario(app).page
    sheet = {name: value for name, value in page.items() if name.startswith("sheet.")}
    assert sheet == {"sheet.purpose": "a poster"}
