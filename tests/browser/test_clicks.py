"""What is clicked while parts are drawn again is answered: nothing has to be clicked twice."""

from collections.abc import Iterator
from pathlib import Path

import pytest
from playwright.sync_api import Locator, Page, expect

from tests.browser.conftest import serve
from tests.browser.windows import Rack

# Timers of no length wait until they are let go, as where a browser is busy: clicks come before
# them.
HOLDING = """async () => {
    const later = window.setTimeout, send = WebSocket.prototype.send, held = [];
    let sent = 0;
    const hold = (call, wait, ...given) => (wait ? later(call, wait, ...given) : held.push(() => call(...given)));
    WebSocket.prototype.send = function (...told) { sent += 1; return send.apply(this, told); };
    window.setTimeout = hold;
    window.letGo = () => {
        window.setTimeout = later;
        held.splice(0).forEach((call) => call());
    };
    while (!held.length && !sent) await new Promise((done) => later(done, 10));  // a question waits, or has gone
}"""

# in one task: what was found a moment before may have been drawn anew
CLICKS = """(name) => {
    const all = [...document.querySelectorAll('[data-testid="stMain"] p')];
    all.find((one) => one.textContent === name).click();
    letGo();
}"""


@pytest.fixture(scope="module")
def page(rack: Rack, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Page]:
    """The page, opened once; no test clicks what another does."""
    folder = tmp_path_factory.mktemp("busy")
    with (
        serve(folder, Path(__file__).with_name("busy_page.py")) as address,
        rack.windows() as new_page,
    ):
        page = new_page(address)
        page.goto("/")
        expect(page.locator(".drawn")).not_to_have_text("1")  # it is drawn again and again
        yield page


CLICKED = [("A fold", "What is in it"), ("A button", "It was pressed")]
IN_THE_MOMENT = [("Another fold", "What is in that"), ("Another button", "That was pressed")]


def named(page: Page, name: str) -> Locator:
    return page.get_by_test_id("stMain").get_by_text(name, exact=True)


@pytest.mark.parametrize(("name", "brings"), CLICKED)
def test_a_click_while_a_question_waits_is_answered(page: Page, name: str, brings: str) -> None:
    named(page, "Be busy").click()
    named(page, name).click()
    expect(page.get_by_text(brings)).to_be_visible()


@pytest.mark.parametrize(("name", "brings"), IN_THE_MOMENT)
def test_a_click_in_the_moment_of_a_question_counts(page: Page, name: str, brings: str) -> None:
    page.evaluate(HOLDING)
    page.evaluate(CLICKS, name)
    expect(page.get_by_text(brings)).to_be_visible()
