"""A class in two browsers: who is cut off comes back, and both views are fit for whoever uses them.

`test_whole_class` has as many students as a class.
"""

import re
from pathlib import Path

from playwright.sync_api import Page, expect

from dpviz.teaching.classes import ClassManager
from dpviz.teaching.lessons import LESSONS
from tests.browser.axe import COLOURS, violations
from tests.browser.class_steps import at, begun, joined, on, predicted
from tests.browser.steps import ready
from tests.browser.windows import NewPage

LESSON = LESSONS["permute_and_flip"]
QUESTION = LESSON.steps[1].question


def reloaded(teacher: Page, shown: str) -> None:
    teacher.reload()
    expect(teacher.locator(shown)).to_be_visible()
    expect(teacher).to_have_url(re.compile("view=presenter"))
    ready(teacher)


def test_nothing_runs_off_a_phone_the_way_on_is_in_sight_and_a_reload_keeps_the_screen(
    new_page: NewPage, server: str
) -> None:
    teacher, student = new_page(server), new_page(server)
    joined(student, begun(teacher, LESSON))
    picture = teacher.get_by_role("img", name="QR code of")
    expect(picture).to_be_in_viewport(ratio=1)
    assert picture.evaluate("(img) => img.complete && img.naturalWidth > 0")
    teacher.wait_for_function("document.cookie.includes('dpviz_teacher')")
    reloaded(teacher, ".dp-code")
    for step in range(4):
        on(teacher)
        at([teacher, student], LESSON, step)
        if step == 0:
            reloaded(teacher, ".st-key-class_strip")
        if step == 1:
            assert [one[:2] for one in violations(student, 390) if not one[2]] == []
            student.emulate_media(color_scheme="dark")
            assert violations(student, 390, only=COLOURS) == []
        for width in (390, 320):
            student.set_viewport_size({"width": width, "height": 844})
            wide = student.evaluate("document.documentElement.scrollWidth")
            assert wide <= width
        expect(teacher.get_by_role("button", name="Everyone to the next step")).to_be_in_viewport(
            ratio=1
        )
        expect(teacher.locator(".dp-code-small b")).to_be_in_viewport()
    teacher.get_by_role("button", name="Leave the presenter view").click()
    expect(teacher).not_to_have_url(re.compile("view=presenter"))


def test_what_is_chosen_on_a_cut_line_is_not_lost(
    new_page: NewPage, server: str, store: Path
) -> None:
    assert QUESTION is not None
    classes, student = ClassManager(store, age=0.0), new_page(server)
    code, teacher = classes.begin_class(LESSON.key)
    joined(student, code)
    classes.move_to_stop(teacher, 1)
    at([student], LESSON, 1)
    cut = re.compile(r"/join/")
    student.route(cut, lambda route: route.abort("internetdisconnected"))
    student.get_by_label(QUESTION.choices[2]).check()
    strip = student.get_by_role("status").filter(has_text="Your choice is kept and will be sent")
    expect(strip).to_be_visible()
    student.get_by_label(QUESTION.choices[1]).check()
    student.reload()  # nor does this lose it
    expect(strip).to_be_visible()
    expect(student.get_by_label(QUESTION.choices[1])).to_be_checked()
    student.unroute(cut)
    predicted(student)
    expect(strip).to_have_count(0)
    state = classes.read_state(code)
    classes.close()
    assert state is not None
    assert state.first == (0, 1, 0)
