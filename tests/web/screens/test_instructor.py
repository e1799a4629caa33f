"""The instructor view, run without a browser."""

import re
from collections.abc import Callable

import pytest
from streamlit.testing.v1 import AppTest

import dpviz.teaching.lessons  # noqa: F401 - which fill the menu
from dpviz.base.html import escape
from dpviz.export.lessons.prose import render_inline
from dpviz.teaching.lesson import LESSONS
from dpviz.teaching.session_plans import SESSIONS

OpenPage = Callable[..., AppTest]


def html(app: AppTest) -> str:
    return "\n".join(element.proto.body for element in app.get("html"))


def test_the_list_leads_to_it_and_back(open_page: OpenPage) -> None:
    app = open_page("learn")
    app.button(key="learn_instructor").click().run()
    assert app.query_params["instructor"] == next(iter(SESSIONS))
    assert "A session, minute by minute" in html(app)
    app.button(key="learn_list").click().run()
    assert "instructor" not in app.query_params
    assert "dp-lesson-title" in html(app)


@pytest.mark.parametrize("key", SESSIONS)
def test_the_plan_has_every_part_with_its_minutes_and_a_link_to_each_lesson(
    open_page: OpenPage, key: str
) -> None:
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


def test_wrong_answers_stay_folded_until_asked_for(open_page: OpenPage) -> None:
    lesson = SESSIONS["45"].lesson_contents[-1]
    question = next(step.question for step in lesson.steps if step.kind == "predict")
    assert question is not None
    app = open_page("learn", instructor="45")
    assert escape(question.text) not in html(app)
    app.session_state[f"wrong_{lesson.key}_fold"] = True
    app.run()
    shown = html(app)
    assert all(
        render_inline(why) in shown
        for step in lesson.steps
        if step.question
        for why in step.question.choice_reasons()
    )
    right = escape(question.choices[question.answer()])
    assert f"<b>{right}</b> (right)" in shown
    assert shown.count("(right)") == len([step for step in lesson.steps if step.question])


def test_a_lesson_in_the_link_goes_before_the_plan(open_page: OpenPage) -> None:
    app = open_page("learn", lesson="permute_and_flip", instructor="45")
    assert f'<h1 class="dp-title">{LESSONS.label("permute_and_flip")}</h1>' in html(app)
