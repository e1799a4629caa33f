"""The page Learn, run without a browser: the list, a lesson step by step, plans, and links to all."""

import json
import re
from collections.abc import Callable
from html import unescape
from typing import Any
from urllib.parse import urlencode

import pytest
from streamlit.testing.v1 import AppTest

from dpviz.base.html import escape
from dpviz.base.text_format import percent
from dpviz.export.lessons.prose import markdown_with_powers
from dpviz.export.reproduction.claims.table import ITEMS
from dpviz.teaching.lesson import WORDS
from dpviz.teaching.lessons import LESSONS
from dpviz.teaching.session_plans import PATHS, SESSIONS
from dpviz.web.screens.learn import lesson_page
from tests.web.screens.test_words import EVERYWHERE, written

OpenPage = Callable[..., AppTest]


def html(app: AppTest) -> str:
    return "\n".join(element.proto.body for element in app.get("html"))


def picture(app: AppTest) -> str:
    (chart,) = app.get("plotly_chart")
    return json.dumps(json.loads(chart.proto.spec), ensure_ascii=False)


def opened(open_page: OpenPage, key: str, **query: Any) -> AppTest:
    return open_page("learn", lesson=key, **query)


@pytest.mark.parametrize("key", LESSONS)
def test_what_a_projector_shows_of_a_step_at_first_is_short_and_all_of_it_is_kept(key: str) -> None:
    for each in LESSONS[key].steps:
        told, folded = lesson_page.split_for_projector(each)
        asked = () if each.question is None else (each.question.text, *each.question.choices)
        assert lesson_page.word_count([told, *asked]) <= 76, told
        assert told.count("**") % 2 == 0, told
        assert f"{told} {folded}".split() == each.text.split()


def titles(app: AppTest) -> list[str]:
    return [part.split("<", 1)[0] for part in html(app).split('<h2 class="dp-lesson-title">')[1:]]


def test_the_list_opens_on_the_ways_into_a_class_and_the_lessons_for_anyone(
    open_page: OpenPage,
) -> None:
    app = open_page("learn")
    assert html(app).index("Join a class") < html(app).index("dp-lesson-title")
    assert [button.key for button in app.button][:2] == ["learn_instructor", "open_opening_story"]
    for key, path in PATHS.items():
        if key != "anyone":
            app.get("button_group")[0].set_value(key).run()
        assert titles(app) == [lesson.title for lesson in path.lesson_contents]
        assert f"{path.minutes} minutes. {path.says}" in html(app)


def test_next_and_back_go_through_a_lesson_and_the_link_says_where(open_page: OpenPage) -> None:
    app = opened(open_page, "permute_and_flip")
    lesson = LESSONS["permute_and_flip"]
    assert app.button(key="learn_back").disabled
    for number, step in enumerate(lesson.steps, 1):
        assert f'<h2 class="dp-step-title">{step.title}</h2>' in html(app)
        assert f'<li class="dp-now" aria-current="step">{WORDS[step.kind]}</li>' in html(app)
        assert (lesson.proved in html(app)) == (number == len(lesson.steps))
        assert all((one in html(app)) == (number == 1) for one in lesson.able)
        assert f"Lesson 4 of {len(LESSONS)} · {lesson.minutes} minutes" in html(app)
        if number < len(lesson.steps):
            app.button(key="learn_next").click().run()
            assert app.query_params["step"] == str(number + 1)
    app.button(key="learn_back").click().run()
    assert app.query_params["step"] == str(len(lesson.steps) - 1)
    app.button(key="learn_list").click().run()
    assert "lesson" not in app.query_params
    assert "Predict, try, understand" in html(app)


def test_a_prediction_is_kept_and_held_against_the_answer(open_page: OpenPage) -> None:
    app = opened(open_page, "permute_and_flip", step="2")
    question = LESSONS["permute_and_flip"].steps[1].question
    assert question is not None
    app.radio[0].set_value(0).run()
    app.button(key="learn_next").click().run()
    assert "You chose" not in html(app)  # not before it has run
    app.button(key="learn_mark").click().run()
    app.button(key="learn_draw_100").click().run()
    assert "You chose" not in html(app)
    app.button(key="learn_law").click().run()
    so = (
        f"You chose A ({question.choices[0]}). {question.mistakes[0]}"
        f" The right answer is B ({question.choices[1]})."
    )
    assert so in html(app)
    app.button(key="learn_back").click().run()
    assert app.radio[0].value == 0


@pytest.mark.usefixtures("plain_sliders")
def test_releases_seed_and_setting_come_back_from_the_link(open_page: OpenPage) -> None:
    app = opened(open_page, "permute_and_flip", step="3")
    assert app.button(key="learn_draw_100").disabled
    app.slider[0].set_value(60).run()
    for key in ("learn_mark", "learn_draw_100"):
        app.button(key=key).click().run()
    assert "exactly" not in picture(app)
    app.button(key="learn_law").click().run()
    assert "You marked 60 of 100. The exact chance is 75.1\u202f%. You were 15 too low." in html(
        app
    )
    app.button(key="learn_others").click().run()
    experiment = LESSONS["permute_and_flip"].steps[2].experiment
    assert experiment is not None
    app.select_slider[0].set_value(experiment.settings().index(1.0) + 1.0).run()
    query = dict(app.query_params)
    assert query == {
        "lesson": "permute_and_flip", "step": "3", "seed": "2", "setting": "1", "releases": "100", "mark": "60",
        "law": "1",
    }  # fmt: skip
    drawn = experiment.draw_outcome_counts(1.0, 2, 100)
    for n, chance in zip(drawn, experiment.law(1.0), strict=True):
        assert f"<b>{n}</b> of 100 · exactly {percent(float(chance))}" in picture(app)
    again = open_page("learn", **query)
    assert picture(again) == picture(app)
    assert again.select_slider[0].value == experiment.settings().index(1.0) + 1.0


def test_the_seed_stays_from_step_to_step_and_a_lesson_has_its_own(open_page: OpenPage) -> None:
    app = opened(open_page, "permute_and_flip", step="2", seed="5")
    app.button(key="learn_next").click().run()
    assert app.query_params["seed"] == "5"
    story = LESSONS["opening_story"]
    experiment = story.steps[3].experiment
    assert experiment is not None
    shown = picture(opened(open_page, "opening_story", step="4", releases="100"))
    for n in experiment.draw_outcome_counts(experiment.start, story.seed, 100):
        assert f"<b>{n}</b> of 100" in shown


def test_a_lesson_leads_to_the_next_and_a_step_to_its_page(open_page: OpenPage) -> None:
    lesson = LESSONS["permute_and_flip"]
    app = opened(open_page, "permute_and_flip", step="4")
    app.button(key="learn_next").click().run()
    after = list(LESSONS)[list(LESSONS).index("permute_and_flip") + 1]
    assert (app.query_params["lesson"], app.query_params["step"]) == (after, "1")
    assert lesson.steps[2].way is not None
    page, query = lesson.steps[2].way.page_and_query()
    (link,) = opened(open_page, "permute_and_flip", step="3").get("link_button")
    assert link.proto.url == f"{page}?{urlencode(query)}"
    assert "the best of 6 items" in html(open_page(page, **dict(query)))


def test_a_link_that_cannot_be_read_is_read_as_far_as_it_can_be(open_page: OpenPage) -> None:
    assert "Predict, try, understand" in html(open_page("learn", lesson="alchemy", step="2"))
    lesson = LESSONS["permute_and_flip"]
    for query in (
        {"step": "99", "seed": "x" * 500},
        {"step": "-1", "seed": "9" * 400},
        {"step": "3", "setting": "nan", "releases": "7"},
        {"step": "٣", "seed": "-4"},
    ):
        app = opened(open_page, "permute_and_flip", **query)
        assert any(step.title in html(app) for step in lesson.steps)


def test_the_answer_stays_folded_until_it_is_asked_for(open_page: OpenPage) -> None:
    number = len(LESSONS["permute_and_flip"].steps)
    question = LESSONS["permute_and_flip"].steps[-1].question
    assert question is not None
    told = f"✓ **C.** {question.choices[question.answer]}. {question.because}"
    app = opened(open_page, "permute_and_flip", step=str(number))
    assert told not in [element.value for element in app.markdown]
    app.session_state["learn_answer"] = True
    app.run()
    assert told in [element.value for element in app.markdown]


def test_a_card_opens_its_lesson_which_leads_to_the_next_and_back_to_its_path(
    open_page: OpenPage,
) -> None:
    app = open_page("learn")
    path = PATHS["list"]
    app.get("button_group")[0].set_value("list").run()
    app.button(key=f"open_{path.lessons[0]}").click().run()
    while app.query_params["lesson"] == path.lessons[0]:
        app.button(key="learn_next").click().run()
    assert app.query_params["lesson"] == path.lessons[1]
    app.button(key="learn_list").click().run()
    assert titles(app) == [lesson.title for lesson in path.lesson_contents]


@pytest.mark.parametrize("key", LESSONS)
def test_every_step_has_no_second_word_for_one_idea(open_page: OpenPage, key: str) -> None:
    for number, step in enumerate(LESSONS[key].steps, 1):
        settings = (0.0,) if step.experiment is None else step.experiment.settings()
        for setting in settings[:: max(len(settings) - 1, 1)]:
            where = {"step": str(number), "setting": f"{setting:g}", "releases": "100"}
            app = opened(open_page, key, state={"learn_answer": True}, **where)
            assert f'<h2 class="dp-step-title">{step.title}</h2>' in unescape(html(app))
            assert markdown_with_powers(step.text) in [each.value for each in app.markdown]
            unseen = ("Page", '{"line"', "Where it is proved")  # a book's title is its own
            for text in (one for one in written(app) if not one.strip().startswith(unseen)):
                wrong = rf"\b(?:{'|'.join(EVERYWHERE)})\b"
                assert "=>" in text or not re.search(wrong, text, re.IGNORECASE), text


def test_the_list_leads_to_the_plan_and_back(open_page: OpenPage) -> None:
    app = open_page("learn")
    app.button(key="learn_instructor").click().run()
    assert app.query_params["instructor"] == next(iter(SESSIONS))
    assert "A session, minute by minute" in html(app)
    app.button(key="learn_list").click().run()
    assert "instructor" not in app.query_params
    assert "dp-lesson-title" in html(app)


@pytest.mark.parametrize("key", SESSIONS)
def test_the_plan_has_every_part_and_links_to_lessons(open_page: OpenPage, key: str) -> None:
    session = SESSIONS[key]
    shown = html(open_page("learn", instructor=key))
    plan = re.sub(r' data-head="[^"]*"', "", shown.split("<tbody>")[1].split("</tbody>")[0])
    rows = [row.split("</td><td>")[:2] for row in plan.split("<tr><td>")[1:]]
    assert rows == [[str(part.begins), str(part.minutes)] for part in session.time_slots]
    for lesson in session.lesson_contents:
        link = f"learn?lesson={lesson.key}&step=1&seed={lesson.seed}&view=presenter"
        assert f'href="{escape(link)}"' in plan
        assert (
            f'href="classroom?lesson={lesson.key}" target="_blank" rel="noopener">Start a class</a>'
            in plan
        )
        assert all(escape(one) in shown for one in lesson.able)


def test_one_lesson_has_a_plan_too(open_page: OpenPage) -> None:
    lesson = LESSONS["ties"]
    app = open_page("learn", instructor="ties")
    shown = html(app)
    assert f"Plan of {3 + lesson.minutes + 5} minutes" in shown
    assert f"<td>3</td><td>{lesson.minutes}</td>" in shown
    assert all(escape(one) in shown for one in lesson.able)
    assert LESSONS.label("permute_and_flip") not in shown
    app.get("button_group")[0].set_value("45").run()
    assert app.query_params["instructor"] == "45"
    assert "Plan of 45 minutes" in html(open_page("learn", instructor="<b>"))  # which names none
    both = html(opened(open_page, "permute_and_flip", instructor="45"))
    assert f'<h1 class="dp-title">{LESSONS.label("permute_and_flip")}</h1>' in both


def test_every_numbered_item_of_a_paper_is_two_presses_from_the_lessons(
    open_page: OpenPage,
) -> None:
    app = open_page("learn")
    app.button(key="learn_papers").click().run()
    for paper in ITEMS:
        app.get("button_group")[0].set_value(paper).run()
        assert app.query_params["paper"] == paper
        row = (
            '<th scope="row">(.*?)</th><td data-head="Here">(.+?)</td><td data-head="[^"]+">(.+?)<'
        )
        shown = re.findall(row, re.sub(r">\s+<", "><", html(app)))
        assert [item for item, _, _ in shown] == list(ITEMS[paper])
    (told,) = [where for item, _, where in shown if item == "Theorem 3.2"]
    assert re.search(r"Printed: .+ Exact: 1\.499 .+ Agrees\.$", told)
    app.button(key="learn_list").click().run()
    assert titles(app)
