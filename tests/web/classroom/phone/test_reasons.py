"""A student who was wrong can say why: of every question, the phone shows what is wrong with the
own choice.
"""

from pathlib import Path

import pytest

from dpviz.export.lessons.prose import render_inline
from dpviz.teaching.classes import LIMITS, ClassManager
from dpviz.teaching.lesson import LESSONS
from dpviz.web.classroom.phone import view


@pytest.mark.parametrize("key", LESSONS)
def test_each_wrong_answer_gets_its_own_reason_on_the_phone(key: str, tmp_path: Path) -> None:
    classes = ClassManager(tmp_path / "classes", LIMITS, age=0.0)
    code, teacher = classes.begin_class(key)
    seats = [classes.join(code) for _ in range(6)]
    state = classes.read_state(code)
    assert state is not None
    asked = 0
    for place, stop in enumerate(state.course_stops):
        if stop.question is None:
            continue
        classes.move_to_stop(teacher, place)
        pairs = [
            *zip(
                seats,
                enumerate(stop.question.choices),
                stop.question.choice_reasons(),
                strict=False,
            )
        ]
        for seat, (choice, _), why in pairs:
            assert seat is not None
            classes.submit_answer(seat, place, choice)
            assert render_inline(why) not in view.student_view_html(classes, seat)
        classes.show_question_answer(teacher, place)
        for seat, (choice, says), why in pairs:
            assert seat is not None
            page = view.student_view_html(classes, seat)
            assert render_inline(f"You said: {says}.") in page
            assert render_inline(why) in page, (choice, says)
        asked += 1
    assert asked >= 2
    classes.close()
