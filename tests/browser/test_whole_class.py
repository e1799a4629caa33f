"""A teacher runs the first lesson with a class in real browsers, and nothing that anybody did is
lost.

CLASS_STUDENTS says how many there are: three by default, twelve in the long run, thirty in a class.
"""

import os
from pathlib import Path

import numpy as np
import pytest
from playwright.sync_api import Page, expect

import dpviz.teaching.lessons  # noqa: F401 - which fill the menu
from dpviz.charts.text_format import percent
from dpviz.teaching.classes import ClassManager, ClassState, Seat
from dpviz.teaching.lesson import LESSONS
from tests.browser.class_steps import NewPage, at, begun, joined, on, predicted, seat_of

FEW = int(os.environ.get("CLASS_STUDENTS", "3"))
LESSON = LESSONS["opening_story"]
KINDS = [step.kind for step in LESSON.steps]
PREDICT, RUN = KINDS.index("predict"), KINDS.index("run")
QUESTION = LESSON.steps[PREDICT].question
EXPERIMENT = LESSON.steps[RUN].experiment
SIZES = (1, 10, 100)


def seen(store: Path, code: str) -> ClassState:
    """What is in the store now."""
    look = ClassManager(store, age=0.0)
    state = look.read_state(code)
    look.close()
    assert state is not None
    return state


def draw(student: Page, size: int) -> None:
    mark = student.get_by_role("button", name="Set my mark")
    if mark.is_visible():  # first where one expects it
        mark.click()
    student.get_by_role("button", name=f"Draw {size}", exact=True).click()


def drew(student: Page, seat: Seat, size: int) -> None:
    """The page shows the first `size` releases of this seat's seed."""
    assert EXPERIMENT is not None
    counts = EXPERIMENT.draw_all_counts(EXPERIMENT.start, seat.seed, size)
    expect(student.locator(".dp-you span")).to_have_text(
        [f"{n:,} of {size:,}" for n in counts.ravel()]
    )


@pytest.mark.parametrize("people", [FEW, pytest.param(12, marks=pytest.mark.long)])
def test_a_teacher_runs_the_first_lesson_and_nothing_is_lost(
    new_page: NewPage, server: str, store: Path, people: int
) -> None:
    assert QUESTION is not None
    assert EXPERIMENT is not None
    assert LESSON.key == next(iter(LESSONS))
    teacher = new_page(server)
    code = begun(teacher, LESSON)
    pages = [new_page(server) for _ in range(people)]
    students = [joined(page, code, typed=n % 2 == 0) for n, page in enumerate(pages)]
    expect(teacher.locator(".dp-in b")).to_have_text(f"{people}")
    seats = [seat_of(student, store) for student in students]
    assert len({seat.seed for seat in seats}) == people

    on(teacher)
    at([teacher, *students], LESSON, 0)
    on(teacher)
    at([teacher, *students], LESSON, PREDICT)
    choices = [n % len(QUESTION.choices) for n in range(people)]
    for student, choice in zip(students, choices, strict=True):  # nobody waits for anybody
        student.get_by_text(QUESTION.choices[choice], exact=True).click()
    expect(teacher.locator(".dp-count")).to_have_text(f"{people} of {people} predictions are in")
    given = [choices.count(choice) for choice in range(len(QUESTION.choices))]
    assert list(seen(store, code).first) == given
    for student in students:
        predicted(student)
    for page in (teacher, *students):
        expect(page.locator(".dp-answers")).to_have_count(0)
    students[0].reload()
    students[1].context.set_offline(True)
    students[1].context.set_offline(False)
    for student, choice in zip(students[:2], choices[:2], strict=True):
        expect(student.get_by_role("radio", name=QUESTION.choices[choice])).to_be_checked()
    teacher.get_by_role("button", name="Show the answer").click()
    for page in (teacher, *students):
        expect(page.locator(".dp-answers td")).to_have_text([f"{n} of {people}" for n in given])
    for student, choice in zip(students, choices, strict=True):
        expect(student.locator(".verdict")).to_contain_text(
            f"You said: {QUESTION.choices[choice]}."
        )

    for step in range(PREDICT + 1, RUN + 1):
        on(teacher)
        at([teacher, *students], LESSON, step)
    sizes = [SIZES[n % len(SIZES)] for n in range(people)]
    for student, size in zip(students, sizes, strict=True):
        draw(student, size)
    for student, seat, size in zip(students, seats, sizes, strict=True):
        drew(student, seat, size)
    students[0].reload()
    students[1].context.set_offline(True)
    students[1].context.set_offline(False)
    for n in (0, 1):  # whoever comes back goes on where the seed was left
        at([students[n]], LESSON, RUN)
        assert seat_of(students[n], store) == seats[n]
        drew(students[n], seats[n], sizes[n])
        draw(students[n], 1)
        sizes[n] += 1
        drew(students[n], seats[n], sizes[n])

    total, law = sum(sizes), EXPERIMENT.law(EXPERIMENT.start)
    drawn = [
        EXPERIMENT.draw_all_counts(EXPERIMENT.start, seat.seed, size)
        for seat, size in zip(seats, sizes, strict=True)
    ]
    counts = np.sum(drawn, axis=0)
    state = seen(store, code)
    assert (state.students, state.drawing, state.counts.tolist()) == (
        people,
        people,
        counts.tolist(),
    )
    teacher.get_by_role("button", name="Show the exact chances").click()
    picture = teacher.locator(
        ".st-key-learn_picture .js-plotly-plot"
    ).last  # a changed one is made anew
    for n, chance in zip(counts[0], law, strict=True):
        expect(picture).to_contain_text(f"{n:,} of {total:,} · exactly {percent(float(chance))}")
    expect(
        teacher.get_by_text(f"{total:,} releases, drawn by {people} of {people} people.")
    ).to_be_visible()
    for student in students:
        expect(student.locator(".dp-class span")).to_have_text(
            [f"{n:,} of {total:,}" for n in counts.ravel()]
        )

    assert EXPERIMENT.control is not None
    teacher.get_by_role("slider").focus()
    teacher.keyboard.press("ArrowRight")
    after = EXPERIMENT.settings()[EXPERIMENT.settings().index(EXPERIMENT.start) + 1]
    for student in students:
        expect(student.locator(".sub b")).to_have_text(EXPERIMENT.control.value_label(after))
        expect(student.locator(".dp-you")).to_have_count(0)
    on(teacher)
    at([teacher, *students], LESSON, RUN + 1)
    teacher.get_by_role("button", name="Everyone back").click()
    at([teacher, *students], LESSON, RUN)
    for student, seat, size in zip(students, seats, sizes, strict=True):
        drew(student, seat, size)  # its draws are still there

    teacher.get_by_role("button", name="End the class").click()
    teacher.get_by_role("button", name="End it now").click()
    expect(teacher.get_by_role("heading", name="What the class believed")).to_be_visible()
    for student in students:
        expect(student.get_by_role("heading", name="The class has ended")).to_be_visible()
    for page in (teacher, *students):
        expect(page.locator(".dp-answers td").first).to_have_text(f"{given[0]} of {people}")
    teacher.get_by_role("button", name="Delete it now").click()
    teacher.wait_for_function("!document.cookie.includes('dpviz_teacher')")
    kept = b"".join(
        file.read_bytes() for file in store.parent.iterdir() if not file.name.endswith("-shm")
    )
    assert code.encode() not in kept
