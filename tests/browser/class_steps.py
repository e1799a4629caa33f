"""Steps that tests of a class are made of: a teacher on a projector, students on phones."""

from pathlib import Path

from playwright.sync_api import Page, expect

from dpviz.teaching.classes import ClassManager, Seat
from dpviz.teaching.lesson import Lesson
from tests.browser.steps import open_page, ready


def begun(page: Page, lesson: Lesson) -> str:
    """This teacher begins a class on the projector; its code."""
    page.set_viewport_size({"width": 1920, "height": 1080})
    open_page(page, f"/learn?lesson={lesson.key}")
    page.get_by_role("button", name="Start a class").click()
    page.wait_for_url("**/classroom**")
    code = page.locator(".dp-code")
    expect(code).to_be_visible()
    ready(page)
    return code.inner_text()


def joined(page: Page, code: str, *, typed: bool = False) -> Page:
    """A student joins on a phone, by the link or by typing."""
    page.set_viewport_size({"width": 390, "height": 844})
    if typed:
        page.goto("/join")
        page.get_by_label("Code of the class").fill(f"{code[:3]} {code[3:]}".lower())
        page.get_by_role("button", name="Join", exact=True).click()
    else:
        page.goto(f"/join?code={code}")
    expect(page.get_by_text(f"Class {code}")).to_be_visible()
    return page


def on(teacher: Page) -> None:
    """Everyone to the next step; at first from the screen with the code to the lesson."""
    way = teacher.get_by_role("button", name="Begin the lesson")
    way = way.or_(teacher.get_by_role("button", name="Everyone to the next step"))
    before = way.inner_text()
    ready(teacher)  # a press on a page that is being drawn is that on the page before
    way.click()
    if before.startswith("Begin"):
        expect(teacher.locator(".st-key-class_strip")).to_be_visible()


def at(pages: list[Page], lesson: Lesson, step: int) -> None:
    """All of them are at this step."""
    for page in pages:
        expect(page.locator("h1")).to_have_text(lesson.steps[step].title)


def predicted(student: Page) -> None:
    """This student has seen that the prediction is in."""
    expect(student.get_by_text("Your answer is saved.")).to_be_visible()


def seat_of(student: Page, store: Path) -> Seat:
    """The seat that this browser's token stands for."""
    token = next(
        each["value"] for each in student.context.cookies() if each["name"] == "dpviz_student"
    )
    look = ClassManager(store)
    seat = look.find_seat(token)
    look.close()
    assert seat is not None
    return seat
