"""What arrives fills its own place, and nothing is asked any more once all is there."""

import pytest
from playwright.sync_api import Page, WebSocket, expect

from tests.browser.every_page import settled
from tests.browser.line import DrawsAlone, Line
from tests.browser.steps import follow, nudge, open_page
from tests.browser.windows import NewPage, spoilt


def test_nothing_is_asked_any_more_once_all_is_there(page: Page) -> None:
    asked = [0]

    def listen(socket: WebSocket) -> None:
        socket.on("framesent", lambda _: asked.append(asked[-1] + 1))

    spoilt(page)
    page.on("websocket", listen)
    page.clock.install()
    page.goto("/compare?k=11")  # unknown so far
    expect(page.get_by_role("heading", name="11 best of 60")).to_be_visible()
    nudge(page, "ε, the privacy budget").blur()  # a run of the page while its parts are computed
    seen: list[int] = []
    while seen[-3:] != 3 * [asked[-1]]:  # at first a look of a line may still be on its way
        assert len(seen) < 30
        seen.append(asked[-1])
        page.clock.fast_forward(10_000)
        settled(page)


@pytest.mark.long
def test_what_was_drawn_and_never_came_is_drawn_again(new_page: NewPage, cold_server: str) -> None:
    page = new_page(cold_server)  # which knows no curve yet, so that charts come alone
    line = Line(page)
    open_page(page, "/explore")
    settled(page)
    line.loses = DrawsAlone()
    follow(page, "Compare")
    charts = page.locator(".stPlotlyChart")
    expect(charts.first).to_be_visible()
    settled(page)
    assert line.loses is None, "a chart was lost"
    come = charts.count()
    page.reload()
    settled(page)
    expect(charts).to_have_count(come)
