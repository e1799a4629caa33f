"""Sessions: their parts follow each other, and take exactly the minutes that the lessons say."""

import pytest

from dpviz.base.errors import ParameterError
from dpviz.teaching.lesson import LESSONS
from dpviz.teaching.sessions import LEAST_TALK, SESSIONS, Session


@pytest.mark.parametrize("key", SESSIONS)
def test_a_session_is_as_long_as_it_says(key: str) -> None:
    session, clock = SESSIONS[key], 0
    assert str(session.minutes) == key == session.key
    for part in session.parts:
        assert part.begins == clock
        assert part.minutes == (part.lesson.minutes if part.lesson else part.minutes)
        clock += part.minutes
    assert clock == session.minutes
    assert session.parts[-1].minutes == session.talk >= LEAST_TALK


@pytest.mark.parametrize("key", SESSIONS)
def test_its_lessons_are_in_teaching_order_and_all_in_the_plan(key: str) -> None:
    session = SESSIONS[key]
    order = list(LESSONS)
    assert list(session.lessons) == sorted(session.lessons, key=order.index)
    assert [part.lesson for part in session.parts if part.lesson] == [LESSONS[key] for key in session.lessons]


def test_both_lengths_are_there_and_a_break_follows_what_it_should() -> None:
    assert [session.minutes for session in SESSIONS.values()] == [45, 90]
    long = SESSIONS["90"]
    titles = [part.title for part in long.parts]
    assert titles[titles.index("Break") - 1] == LESSONS[long.after].title
    assert "Break" not in [part.title for part in SESSIONS["45"].parts]


def test_a_session_that_leaves_no_time_to_talk_is_refused() -> None:
    minutes = 3 + LESSONS["permute_and_flip"].minutes + LEAST_TALK
    assert Session("short", minutes, ("permute_and_flip",)).talk == LEAST_TALK
    with pytest.raises(ParameterError, match="so that 5 are left to talk"):
        Session("short", minutes - 1, ("permute_and_flip",))
