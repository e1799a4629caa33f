"""Sessions: their slots follow each other, and take exactly the minutes that the lessons say."""

import pytest

from dpviz.teaching.lessons import LESSONS
from dpviz.teaching.session_plans import LEAST_TALK, PATHS, SESSIONS


@pytest.mark.parametrize("key", SESSIONS)
def test_a_session_is_as_long_as_it_says_and_teaches_its_lessons_in_order(key: str) -> None:
    session, clock = SESSIONS[key], 0
    assert str(session.minutes) == key == session.key
    for slot in session.time_slots:
        assert slot.begins == clock
        assert slot.minutes == (slot.lesson.minutes if slot.lesson else slot.minutes)
        clock += slot.minutes
    assert clock == session.minutes
    assert session.time_slots[-1].minutes == session.talk_minutes >= LEAST_TALK
    assert list(session.lessons) == [one for one in LESSONS if one in session.lessons]
    taught = [slot.lesson for slot in session.time_slots if slot.lesson]
    assert taught == [LESSONS[one] for one in session.lessons]


def test_what_is_left_out_makes_room_and_no_more_is_than_has_to_be() -> None:
    session = SESSIONS["45"]
    later = session.lessons[1:]
    left_out = [session.lessons_to_skip("opening_story", 1.0, gone) for gone in range(3, 46)]
    for gone, out in enumerate(left_out, 3):
        room = max(session.minutes - gone - LEAST_TALK, 0)
        taken = sum(LESSONS[key].minutes + session.talks for key in later if key not in out)
        assert taken <= room
        order = dict.fromkeys([*session.drops, *reversed(later)])
        if back := [key for key in order if key in out]:  # the last to go would not fit
            assert taken + LESSONS[back[-1]].minutes + session.talks > room
    assert left_out[0] == ()
    assert left_out[-1] == later
    assert next(out for out in left_out if out) == later[-1:]
    assert session.lessons_to_skip(later[-1], 0.0, 44) == ()  # it is too late for that


def test_a_class_of_45_minutes_takes_the_path_for_anyone_and_the_paths_take_all_lessons() -> None:
    session = SESSIONS["45"]
    assert session.lessons == PATHS["anyone"].lessons
    assert session.minutes - session.talk_minutes <= 40
    assert 3 <= len(PATHS) <= 5
    assert [key for path in PATHS.values() for key in path.lessons] == list(LESSONS)
