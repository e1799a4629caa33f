"""The page Learn, run without a browser: the list, a lesson step by step, and links to both."""

from collections.abc import Callable
from typing import Any

import pytest
from streamlit.testing.v1 import AppTest

import dpviz.teaching.lessons  # noqa: F401 - which fill the menu
from dpviz.teaching.lesson import LESSONS, WORDS

OpenPage = Callable[..., AppTest]


def html(app: AppTest) -> str:
    return "\n".join(element.proto.body for element in app.get("html"))


def picture(app: AppTest) -> Any:
    (chart,) = app.get("plotly_chart")
    return chart.proto


def opened(open_page: OpenPage, key: str, **query: str) -> AppTest:
    return open_page("learn", lesson=key, **query)


def test_the_list_has_every_lesson_in_order_and_opens_one(open_page: OpenPage) -> None:
    app = open_page("learn")
    titles = [part.split("<", 1)[0] for part in html(app).split('<h2 class="dp-lesson-title">')[1:]]
    assert titles == [LESSONS.label(key) for key in LESSONS]
    app.button(key="open_permute_and_flip").click().run()
    assert f'<h1 class="dp-title">{LESSONS.label("permute_and_flip")}</h1>' in html(app)
    assert app.query_params["lesson"] == "permute_and_flip"


def test_next_and_back_go_through_a_lesson_and_the_link_says_where(open_page: OpenPage) -> None:
    app = opened(open_page, "permute_and_flip")
    lesson = LESSONS["permute_and_flip"]
    assert app.button(key="learn_back").disabled
    for number, step in enumerate(lesson.steps, 1):
        assert f'<h2 class="dp-step-title">{step.title}</h2>' in html(app)
        assert f'aria-current="step">{WORDS[step.kind]}</li>' in html(app)
        if number < len(lesson.steps):
            app.button(key="learn_next").click().run()
            assert app.query_params["step"] == str(number + 1)
    app.button(key="learn_back").click().run()
    assert app.query_params["step"] == str(len(lesson.steps) - 1)
    app.button(key="learn_list").click().run()
    assert "lesson" not in app.query_params
    assert "Predict, try, understand" in html(app)


@pytest.mark.parametrize("key", LESSONS)
def test_every_step_of_every_lesson_comes_up(open_page: OpenPage, key: str) -> None:
    for number, step in enumerate(LESSONS[key].steps, 1):
        app = opened(open_page, key, step=str(number))
        assert not app.exception
        assert step.title in html(app)
        assert step.text() in [element.value for element in app.markdown]


def test_a_prediction_is_kept_and_held_against_the_answer(open_page: OpenPage) -> None:
    app = opened(open_page, "permute_and_flip", step="2")
    question = LESSONS["permute_and_flip"].steps[1].question
    assert question is not None
    app.radio[0].set_value(0).run()
    app.button(key="learn_next").click().run()
    assert "You said" not in html(app)  # not before it has run
    app.button(key="learn_draw_100").click().run()
    so = f"You said: {question.choices[0]}. It is: {question.choices[question.answer()]}. {question.mistakes()[0]}"
    assert so in html(app)
    app.button(key="learn_back").click().run()
    assert app.radio[0].value == 0


def test_without_a_prediction_nothing_is_held_against_anyone(open_page: OpenPage) -> None:
    assert "You said" not in html(opened(open_page, "permute_and_flip", step="3", releases="100"))


def test_releases_seed_and_setting_are_in_the_link_and_come_back_from_it(open_page: OpenPage) -> None:
    app = opened(open_page, "permute_and_flip", step="3")
    app.button(key="learn_draw_100").click().run()
    app.button(key="learn_others").click().run()
    app.select_slider[0].set_value(1.0).run()
    query = dict(app.query_params)
    assert query == {"lesson": "permute_and_flip", "step": "3", "seed": "2", "setting": "1", "releases": "100"}
    again = open_page("learn", **query)
    assert picture(again).spec == picture(app).spec
    assert again.select_slider[0].value == 1.0


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
    told = f"**{question.choices[question.answer()]}.** {question.because()}"
    app = opened(open_page, "permute_and_flip", step=str(number))
    assert told not in [element.value for element in app.markdown]
    app.session_state["learn_answer"] = True
    app.run()
    assert told in [element.value for element in app.markdown]
    others = "\n".join(
        f"- *{choice}.* {why}"
        for n, (choice, why) in enumerate(zip(question.choices, question.reasons(), strict=True))
        if n != question.answer()
    )
    assert f"Why not the others?\n\n{others}" in [element.value for element in app.markdown]
