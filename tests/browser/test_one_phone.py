"""One phone, and what comes to it in another order than it was sent."""

from pathlib import Path

from playwright.sync_api import expect

from dpviz.teaching.classes import Classes
from tests.browser.class_steps import NewPage, joined, predicted
from tests.browser.windows import spoilt

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


def test_an_answer_stays_in_though_an_older_look_comes_after_it(new_page: NewPage, school: str, store: Path) -> None:
    """As the line comes back: the stream's first look may be made before the answer is there, and come after it."""
    classes = Classes(store, age=0.0)
    code, teacher = classes.begin("permute_and_flip")
    classes.move(teacher, 1)
    classes.close()
    page = new_page(school)
    page.add_init_script(f"({LISTENS})()")
    spoilt(page)
    student = joined(page, code)
    student.wait_for_function("() => told.length > 0")
    student.locator("#choice2").check()
    predicted(student)
    student.evaluate("streams[streams.length - 1].onmessage({ data: told[0] })")
    expect(student.locator("#choice2")).to_be_checked()
    student.wait_for_function("() => streams.length === 2 && told.length === 2")
    expect(student.locator("#choice2")).to_be_checked()
    predicted(student)
