"""What arrives fills its own place, and nothing is asked any more once all is there."""

from playwright.sync_api import Page, WebSocket, expect

from tests.browser.every_page import settled
from tests.browser.steps import nudge
from tests.browser.windows import spoilt


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
