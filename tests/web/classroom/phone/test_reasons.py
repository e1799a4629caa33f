"""A student who was wrong can say why: of every question, the phone shows what is wrong with the
own choice.
"""

from pathlib import Path

import pytest

from dpviz.export.lessons.prose import inline
from dpviz.teaching.classes import LIMITS, Classes
from dpviz.teaching.lesson import LESSONS
from dpviz.web.classroom.phone import view


@pytest.mark.parametrize("key", LESSONS)
def test_each_wrong_answer_gets_its_own_reason_on_the_phone(key: str, tmp_path: Path) -> None:
    classes = Classes(tmp_path / "classes", LIMITS, age=0.0)
    code, teacher = classes.begin(key)
    seats = [classes.join(code) for _ in range(6)]
    state = classes.look(code)
    assert state is not None
    asked = 0
    for place, stop in enumerate(state.stops):
        if stop.question is None:
            continue
        classes.move(teacher, place)
        pairs = [
            *zip(seats, enumerate(stop.question.choices), stop.question.reasons(), strict=False)
        ]
        for seat, (choice, _), why in pairs:
            assert seat is not None
            classes.predict(seat, place, choice)
            assert inline(why) not in view.shown(classes, seat)
        classes.show(teacher, place)
        for seat, (choice, says), why in pairs:
            assert seat is not None
            page = view.shown(classes, seat)
            assert inline(f"You said: {says}.") in page
            assert inline(why) in page, (choice, says)
        asked += 1
    assert asked >= 2
    classes.close()
