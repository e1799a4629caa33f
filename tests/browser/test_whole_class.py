"""A teacher runs the first lesson with a class in real browsers, and nothing that anybody did is
lost.

CLASS_STUDENTS says how many there are: three by default, thirty in a class.
"""

import os
from pathlib import Path

import numpy as np
from playwright.sync_api import Page, expect

from dpviz.base.text_format import percent
from dpviz.teaching.classes import ClassManager, Seat
from dpviz.teaching.lessons import LESSONS
from tests.browser.class_steps import at, begun, joined, on, predicted, seat_of
from tests.browser.windows import NewPage

PEOPLE = int(os.environ.get("CLASS_STUDENTS", "3"))
LESSON = LESSONS["opening_story"]
KINDS = [step.kind for step in LESSON.steps]
PREDICT, RUN = KINDS.index("predict"), KINDS.index("run")
QUESTION = LESSON.steps[PREDICT].question
EXPERIMENT = LESSON.steps[RUN].experiment


def draw(student: Page, size: int) -> None:
    mark = student.get_by_role("button", name="Set my mark")
    if mark.is_visible():  # first where one expects it
        mark.click()
    student.get_by_role("button", name=f"Draw {size}", exact=True).click()


def drew(student: Page, seat: Seat, size: int) -> None:
    """The page shows the first `size` releases of this seat's seed."""
    assert EXPERIMENT is not None
    counts = EXPERIMENT.draw_outcome_counts_per_law(EXPERIMENT.start, seat.seed, size)
    expect(student.locator(".dp-you span")).to_have_text(
        [f"{n:,} of {size:,}" for n in counts.ravel()]
    )


def test_a_class_goes_through_and_nothing_is_lost(
    new_page: NewPage, server: str, store: Path
) -> None:
    assert QUESTION is not None
    assert EXPERIMENT is not None
    teacher = new_page(server)
    code = begun(teacher, LESSON)
    students = [joined(new_page(server), code, typed=n % 2 == 0) for n in range(PEOPLE)]
    expect(teacher.locator(".dp-in b")).to_have_text(f"{PEOPLE}")
    seats = [seat_of(student, store) for student in students]
    for step in range(PREDICT + 1):
        on(teacher)
        at([teacher, *students], LESSON, step)
    choices = [n % len(QUESTION.choices) for n in range(PEOPLE)]
    for student, choice in zip(students, choices, strict=True):  # nobody waits for anybody
        student.get_by_text(QUESTION.choices[choice], exact=True).click()
    expect(teacher.locator(".dp-count")).to_have_text(f"{PEOPLE} of {PEOPLE} predictions are in")
    for student in students:
        predicted(student)
    leaves_and_comes_back(students)
    for student, choice in zip(students[:2], choices, strict=False):
        expect(student.get_by_role("radio", name=QUESTION.choices[choice])).to_be_checked()
    teacher.get_by_role("button", name="Show the answer").click()
    given = [choices.count(choice) for choice in range(len(QUESTION.choices))]
    for page in (teacher, *students):
        expect(page.locator(".dp-answers td")).to_have_text([f"{n} of {PEOPLE}" for n in given])

    for step in range(PREDICT + 1, RUN + 1):
        on(teacher)
        at([teacher, *students], LESSON, step)
    sizes = [(1, 10, 100)[n % 3] for n in range(PEOPLE)]
    for student, seat, size in zip(students, seats, sizes, strict=True):
        draw(student, size)
        drew(student, seat, size)
    leaves_and_comes_back(students)
    for n in (0, 1):  # whoever comes back goes on where the seed was left
        assert seat_of(students[n], store) == seats[n]
        drew(students[n], seats[n], sizes[n])
        draw(students[n], 1)
        sizes[n] += 1
        drew(students[n], seats[n], sizes[n])
    total, law = sum(sizes), EXPERIMENT.law(EXPERIMENT.start)
    drawn = (
        EXPERIMENT.draw_outcome_counts_per_law(EXPERIMENT.start, seat.seed, size)
        for seat, size in zip(seats, sizes, strict=True)
    )
    counts = np.sum([*drawn], axis=0)
    teacher.get_by_role("button", name="Show the exact chances").click()
    picture = teacher.locator(".st-key-learn_picture .js-plotly-plot").last  # it is made anew
    for n, chance in zip(counts[0], law, strict=True):
        expect(picture).to_contain_text(f"{n:,} of {total:,} · exactly {percent(float(chance))}")
    for student in students:
        expect(student.locator(".dp-class span")).to_have_text(
            [f"{n:,} of {total:,}" for n in counts.ravel()]
        )
    look = ClassManager(store, age=0.0)
    state = look.read_state(code)
    look.close()
    assert state is not None
    assert (state.students, state.drawing) == (PEOPLE, PEOPLE)
    assert state.counts.tolist() == counts.tolist()

    teacher.get_by_role("slider").focus()
    teacher.keyboard.press("ArrowRight")
    for student in students:
        expect(student.locator(".dp-you")).to_have_count(0)
    teacher.get_by_role("button", name="End the class").click()
    teacher.get_by_role("button", name="End the class now").click()
    expect(teacher.get_by_role("heading", name="Results of the class")).to_be_visible()
    for student in students:
        expect(student.get_by_role("heading", name="The class has ended")).to_be_visible()
    asks = teacher.get_by_role("button", name="Delete it now")
    for key in ("Enter", "Escape", "Enter"):  # to be asked deletes nothing
        asks.press(key)
    expect(teacher.get_by_text(f"Delete the results of class {code}?")).to_be_visible()
    teacher.get_by_role("button", name="Delete the results").press("Enter")
    teacher.wait_for_function("!document.cookie.includes('dpviz_teacher')")
    files = (file for file in store.parent.iterdir() if not file.name.endswith("-shm"))
    assert code.encode() not in b"".join(file.read_bytes() for file in files)


def leaves_and_comes_back(students: list[Page]) -> None:
    """One loads the page anew, the line of another is cut."""
    students[0].reload()
    students[1].context.set_offline(True)
    students[1].context.set_offline(False)
