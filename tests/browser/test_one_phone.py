"""One phone, and what comes to it in another order than it was sent, or not at all."""

from collections.abc import Iterator
from pathlib import Path

import pytest
from playwright.sync_api import Browser, Page, expect

from dpviz.teaching.classes import ClassManager
from dpviz.teaching.classes.course import build_course
from dpviz.web.classroom.phone.endpoints import BEAT
from tests.browser.class_steps import joined, predicted
from tests.browser.windows import NewPage, Rack

# What streams the page opens, and what they told.
LISTENS = """() => {
  window.streams = []; window.told = [];
  const Stream = window.EventSource;
  window.EventSource = function (address) {
    const stream = new Stream(address);
    stream.addEventListener("message", (event) => window.told.push(event.data));
    window.streams.push(stream);
    return stream;
  };
}"""

# The line tells of something new.
TOLD_ANEW = """() => {
  const html = document.getElementById("all").innerHTML + "<p id=anew>anew</p>";
  streams[streams.length - 1].onmessage({ data: JSON.stringify({ html }) });
}"""

# A mouse's press whose end was outside the window, in one turn: whether what came meanwhile was
# shown before and after.
ENDED_OUTSIDE = f"""() => {{
  const there = () => document.getElementById("anew") !== null;
  document.getElementById("all").dispatchEvent(new PointerEvent("pointerdown"));
  ({TOLD_ANEW})();
  const before = there();
  window.dispatchEvent(new PointerEvent("pointermove", {{ pointerType: "mouse", buttons: 0 }}));
  return [before, there()];
}}"""


@pytest.fixture
def new_page(chromium: Browser) -> Iterator[NewPage]:
    """Windows that are thrown away, as what listens to streams stays in them: a phone needs none
    that knows the app.
    """
    with Rack(chromium, most=0).windows() as new_page:
        yield new_page


@pytest.fixture
def classes(store: Path) -> Iterator[ClassManager]:
    manager = ClassManager(store, age=0.0)
    yield manager
    manager.close()


def listening(page: Page, code: str) -> Page:
    """A phone in this class whose streams can be looked at, once the first has told what is shown."""
    page.add_init_script(f"({LISTENS})()")
    student = joined(page, code)
    student.wait_for_function("() => told.length > 0")
    return student


def test_an_answer_stays_though_an_older_look_comes(
    new_page: NewPage, server: str, classes: ClassManager
) -> None:
    """As the line comes back: the stream's first look may be made before the answer is there, and
    come after it.
    """
    code, teacher = classes.begin_class("permute_and_flip")
    classes.move_to_stop(teacher, 1)
    student = listening(new_page(server), code)
    student.locator("#choice2").check()
    predicted(student)
    student.evaluate("streams[streams.length - 1].onmessage({ data: told[0] })")
    expect(student.locator("#choice2")).to_be_checked()
    student.wait_for_function("() => streams.length === 2 && told.length === 2")
    expect(student.locator("#choice2")).to_be_checked()
    predicted(student)


def test_a_press_counts_though_news_come_meanwhile(
    new_page: NewPage, server: str, classes: ClassManager
) -> None:
    """What is drawn anew would take the button away from under the finger; it is shown when the
    press is over, however long that takes, and no end of a press just before is taken for this
    one's. The page's clock goes as it is told.
    """
    code, teacher = classes.begin_class("permute_and_flip")
    stops = enumerate(build_course(("permute_and_flip",)))
    classes.move_to_stop(teacher, next(n for n, stop in stops if stop.experiment is not None))
    page = new_page(server)
    page.clock.install(time=0)
    page.clock.pause_at(3600)  # later than any delay until here
    student = listening(page, code)
    student.get_by_role("button", name="Set my mark").click()
    student.clock.run_for(1_000)
    one = student.get_by_role("button", name="Draw 1", exact=True)
    expect(one).to_be_visible()  # under the next press the answer would wait for the clock
    one.hover()
    for press in ("pointerdown", "pointerup"):  # of a finger, which hovers nowhere
        student.dispatch_event("h1", press)
    student.mouse.down()
    student.evaluate(TOLD_ANEW)
    student.clock.run_for(9_000)
    student.mouse.up()
    student.clock.run_for(1_000)
    expect(student.locator(".dp-you span").first).to_contain_text("of 1")
    assert student.evaluate(ENDED_OUTSIDE) == [False, True]


def test_a_line_silent_for_three_beats_is_opened(
    new_page: NewPage, server: str, classes: ClassManager
) -> None:
    """As where a network drops it and tells neither end. The page's clock goes as it is told, the
    server's goes on.
    """
    code, teacher = classes.begin_class("permute_and_flip")
    page = new_page(server)
    page.clock.install(time=0)
    page.clock.pause_at(3600)  # later than any delay until here
    student = listening(page, code)
    for _ in range(4):
        student.clock.run_for(2900 * BEAT)
        student.evaluate(
            f"streams[0].dispatchEvent(new MessageEvent('beat', {{ data: '{BEAT}' }}))"
        )
    assert student.evaluate("streams.length") == 1
    student.clock.run_for(3000 * BEAT)
    expect(student.get_by_role("status").filter(has_text="No connection")).to_be_visible()
    student.clock.run_for(2000)
    student.wait_for_function("() => streams.length === 2 && told.length > 1")
    assert student.evaluate("streams[0].readyState === 2")
    expect(student.get_by_role("status").filter(has_text="No connection")).to_have_count(0)
    classes.end_class(teacher)
    expect(student.get_by_role("heading", name="The class has ended")).to_be_visible()
    classes.delete_class(teacher)
    expect(student.get_by_role("heading", name="The class is over")).to_be_visible()
    student.clock.run_for(10_000 * BEAT)
    assert student.evaluate("streams.length") == 2
