"""A student's page without a browser: who may ask, one place a browser, answers once, and a stream
of what changes.
"""

import gzip
import json
import signal
from collections.abc import Awaitable, Callable
from functools import wraps
from typing import Any

import pytest
import streamlit as st
import uvicorn
from starlette.applications import Starlette
from streamlit import config

from dpviz.teaching.classes import ClassManager
from dpviz.teaching.lessons import LESSONS
from dpviz.web.classroom import phone
from dpviz.web.classroom.phone import endpoints
from tests.teaching.classes.looks import seen
from tests.web.classroom.phone.asgi import Phone
from tests.web.own_process import run_apart

KEY = "permute_and_flip"
LESSON = LESSONS[KEY]
PREDICT, RUN = 1, 2
NewPhone = Callable[..., Phone]


@pytest.fixture
def new_phone() -> NewPhone:
    app = Starlette(routes=phone.phone_routes())
    return lambda **more: Phone(app, **more)


def at_once(test: Callable[..., Awaitable[None]]) -> Callable[..., None]:
    """Run the test in a loop of its own."""

    @wraps(test)
    def run(*args: Any, **named: Any) -> None:
        run_apart(test(*args, **named))  # type: ignore[arg-type]

    return run


async def joined(phone: Phone, code: str) -> Phone:
    answer = await phone.post("/join", code=code)
    assert answer.status == 200
    assert f"Class {code}" in answer.said["html"]
    return phone


@at_once
async def test_a_link_leads_in_and_the_first_question_is_there_in_little(
    new_phone: NewPhone,
    classes: ClassManager,
) -> None:
    code, teacher = classes.begin_class(KEY)
    classes.move_to_stop(teacher, PREDICT)
    student = new_phone()
    page = await student.get(f"/join?code={code.lower()}")
    assert page.status == 200
    assert f'value="{code}"' in page.text
    assert "data-knocks" in page.text
    answer = await student.post("/join", code=f"{code[:3]} {code[3:].lower()}")
    assert all(choice in answer.said["html"] for choice in LESSON.steps[PREDICT].question.choices)  # type: ignore[union-attr]
    assert "HttpOnly" in answer.headers["set-cookie"]
    assert "samesite=lax" in answer.headers["set-cookie"].lower()
    assert student.cookie.partition("=")[2] not in answer.text + page.text
    assert len(page.body) + len(answer.body) < 60_000 / 3


@at_once
async def test_a_browser_has_one_place_however_often_it_joins(
    new_phone: NewPhone, classes: ClassManager
) -> None:
    code, _ = classes.begin_class(KEY)
    student = await joined(new_phone(), code)
    before = student.cookie
    await joined(student, code)
    assert student.cookie == before
    again = await student.get("/join")
    assert "data-seated" in again.text
    assert f"Class {code}" in again.text
    assert seen(classes, code).students == 1
    other, _ = classes.begin_class(KEY)
    assert "data-knocks" in (await student.get(f"/join?code={other}")).text
    await joined(student, other)
    assert student.cookie != before


@at_once
async def test_who_has_no_script_joins_by_the_form(
    new_phone: NewPhone, classes: ClassManager
) -> None:
    code, _ = classes.begin_class(KEY)
    student = new_phone()
    form = {"content-type": "application/x-www-form-urlencoded"}
    wrong = await student.asks("POST", "/join", b"code=<b>x", form)
    assert wrong.status == 409
    assert "There is no class with this code" in wrong.text
    assert "<b>x" not in wrong.text
    answer = await student.asks("POST", "/join", f"code={code}".encode(), form)
    assert (answer.status, answer.headers["location"]) == (303, f"join?code={code}")
    assert f"Class {code}" in (await student.get(f"/join?code={code}")).text


@at_once
async def test_guessing_codes_waits_and_neither_a_link_nor_another_address_does(
    new_phone: NewPhone,
    classes: ClassManager,
) -> None:
    code, _ = classes.begin_class(KEY)
    state = seen(classes, code)
    guesser = new_phone(address="203.0.113.5")
    for _ in range(76):
        answer = await guesser.post("/join", code="ABCDEF")
    assert answer.status == 409
    assert answer.said["says"].startswith("Too many codes were typed here. Wait ")
    assert (await guesser.post("/join", code=code)).said == answer.said
    for _ in range(30):
        await joined(new_phone(), code)  # from elsewhere
    link = await guesser.get(f"/join?code={code}&door={state.door}")
    assert f'name="door" value="{state.door}"' in link.text
    assert (await guesser.post("/join", code=code, door=state.door)).status == 200


@at_once
async def test_who_lost_the_seat_is_told_and_may_come_again(
    new_phone: NewPhone, classes: ClassManager, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(endpoints, "BEAT", 0.4)  # by then a phone is told what has no other news
    code, teacher = classes.begin_class(KEY)
    student = await joined(new_phone(), code)
    async with student.stream() as told:
        await told.shows(LESSON.steps[0].title)
        classes.free_newest_or_absent_seats(teacher, newest=1)
        await told.shows("The teacher made room")
    await joined(student, code)


@at_once
async def test_another_name_and_another_site_get_nothing(
    new_phone: NewPhone, classes: ClassManager, monkeypatch: pytest.MonkeyPatch
) -> None:
    told = config.get_option
    names = {"server.allowedHosts": ["localhost"]}  # as `dpviz app` says
    monkeypatch.setattr(
        config, "get_option", lambda name: names[name] if name in names else told(name)
    )
    code, _ = classes.begin_class(KEY)
    student = await joined(new_phone(), code)
    asked = [("GET", "/join"), ("POST", "/join"), ("GET", "/join/events"), ("POST", "/join/answer")]
    for method, path in asked:
        foreign = await student.asks(method, path, b"", {"origin": "http://evil.example"})
        assert (foreign.status, LESSON.steps[0].title in foreign.text) == (403, False)
    same = await student.asks("GET", "/join", b"", {"origin": "http://localhost:8501"})
    assert same.status == 200
    student.headers["host"] = "evil.example:8501"  # as a name that was made to lead here has it
    for method, path in asked:
        assert (await student.asks(method, path, b"", {})).status == 421


@at_once
async def test_an_answer_is_kept_once_and_for_its_own_question(
    new_phone: NewPhone, classes: ClassManager
) -> None:
    code, teacher = classes.begin_class(KEY)
    student = await joined(new_phone(), code)
    classes.move_to_stop(teacher, PREDICT)
    for _ in range(2):  # sent again where the first answer to it was lost
        answer = await student.post("/join/answer", place=PREDICT, again=False, choice=1)
        assert (answer.status, answer.said["says"]) == (200, "")
        assert "Your answer is saved." in answer.said["html"]
        assert 'id="choice1" value="1" checked' in answer.said["html"]
    for late, says in (
        ({"place": PREDICT, "again": True, "choice": 0}, "moved on"),
        ({"place": PREDICT + 1, "again": False, "choice": 0}, "moved on"),
        ({"place": PREDICT, "again": False, "choice": 99}, "cannot be chosen"),
        ({"place": PREDICT, "again": False, "choice": "Ann"}, "cannot be chosen"),
        ({}, "cannot be chosen"),
    ):
        answer = await student.post("/join/answer", **late)
        assert answer.status == 409
        assert says in answer.said["says"]
    too_long = await student.post(
        "/join/answer", place=PREDICT, again=False, choice=0, more="x" * 3000
    )
    assert too_long.status == 409
    assert seen(classes, code).first == (0, 1, 0)


@at_once
async def test_draws_that_are_asked_for_twice_are_made_once(
    new_phone: NewPhone, classes: ClassManager
) -> None:
    code, teacher = classes.begin_class(KEY)
    student = await joined(new_phone(), code)
    classes.move_to_stop(teacher, RUN)
    state = seen(classes, code)
    for _ in range(2):
        answer = await student.post("/join/draw", place=RUN, setting=state.setting, upto=10)
        assert answer.status == 200
        assert "of 10" in answer.said["html"]
    moved = await student.post("/join/draw", place=RUN, setting=state.setting + 1, upto=20)
    assert (moved.status, "moved on" in moved.said["says"]) == (409, True)
    state = seen(classes, code)
    assert state.counts[0].sum() == 10


@at_once
async def test_the_stream_tells_what_has_changed_and_nothing_else(
    new_phone: NewPhone, classes: ClassManager, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(endpoints, "BEAT", 0.4)
    code, teacher = classes.begin_class(KEY)
    student, other = await joined(new_phone(), code), await joined(new_phone(), code)
    classes.move_to_stop(teacher, PREDICT)
    async with student.stream() as told:
        beat = await told.next()
        assert (
            beat == "event: beat\ndata: 0.4"
        )  # a phone knows from the first moment what silence is
        await told.shows("Choose what you expect.")
        await other.post("/join/answer", place=PREDICT, again=False, choice=1)
        assert [await told.next() for _ in range(3)] == [
            beat
        ] * 3  # how others answer is not told yet
        classes.set_question_flags(teacher, PREDICT, shown=True)
        assert "<b>1</b> of 1" in await told.shows("dp-answers")
        classes.move_to_stop(teacher, RUN)
        await told.shows("Set my mark")
        marked = await student.post("/join/mark", place=RUN, value=60)
        assert "Your mark: 60 of 100." in marked.text
        assert "Draw 10" in marked.text
        await other.post("/join/draw", place=RUN, setting=2, upto=1)
        await told.shows("1 of 2 people have drawn")
        classes.show_exact_chances(teacher, RUN, True)
        await told.shows("exactly")
        classes.start_timer(teacher, 60)
        await told.shows("dp-timer")
        classes.end_class(teacher)
        await told.shows("The class has ended")
        classes.delete_class(teacher)
        await told.shows("The class is over")
        assert await told.next() is None
    async with student.stream() as told:  # who comes back later
        await told.shows("The class is over")


@at_once
async def test_all_is_sent_packed_to_who_takes_that_and_again_in_next_to_nothing(
    new_phone: NewPhone,
    classes: ClassManager,
) -> None:
    code, teacher = classes.begin_class(KEY)
    classes.move_to_stop(teacher, RUN)
    student, other = await joined(new_phone(), code), await joined(new_phone(), code)
    state = seen(classes, code)
    draws = {"place": RUN, "setting": state.setting, "upto": 10}
    plain = await student.get("/join")
    student.headers["accept-encoding"] = "gzip, deflate, br"
    page, answer = await student.get("/join"), await student.post("/join/draw", **draws)
    assert gzip.decompress(page.body) == plain.body
    html = json.loads(gzip.decompress(answer.body))["html"]
    assert 2 * len(page.body + answer.body) < len(plain.body) + len(html)
    async with student.stream() as told:
        await told.shows("1 of 2 people have drawn")
        received = told.received
        await other.post("/join/draw", **draws)
        again = await told.shows("2 of 2 people have drawn")
        assert 5 * (told.received - received) < len(again)
    del student.headers["accept-encoding"]
    async with student.stream() as told:
        assert await told.shows("2 of 2 people have drawn") == again
        assert not told.packed


@at_once
async def test_a_server_that_is_told_to_stop_waits_for_no_phone(
    new_phone: NewPhone, classes: ClassManager, monkeypatch: pytest.MonkeyPatch
) -> None:
    heeds = uvicorn.Server(uvicorn.Config("none:none"))
    monkeypatch.setattr(signal, "getsignal", lambda sig: heeds.handle_exit)  # as while it runs
    code, _ = classes.begin_class(KEY)
    student = await joined(new_phone(), code)
    async with student.stream() as told:
        await told.shows(LESSON.steps[0].title)
        heeds.should_exit = True
        while await told.next() is not None:
            pass


def test_addresses_lie_below_the_app_s(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(
        st, "get_option", lambda name: "/school/" if name == "server.baseUrlPath" else None
    )
    assert {route.path for route in phone.phone_routes()} == {
        f"/school/join{end}" for end in ("", "/events", "/answer", "/mark", "/draw")
    }
