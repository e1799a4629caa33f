"""What arrives fills its own place: the page is run once, then its parts alone, and a page that is
known at once.

Every run of the script begins and ends with a message; only a run of the whole page tells the
navigation again.
"""

from collections.abc import Iterator
from dataclasses import dataclass

import pytest
from playwright.sync_api import Page, WebSocket, expect
from streamlit.proto.ForwardMsg_pb2 import ForwardMsg

from tests.browser.line import DrawsAlone, Line
from tests.browser.steps import follow, nudge, open_page, ready, take_up
from tests.browser.windows import NewPage, Rack, spoilt

PAGES = ("Compare", "Margin", "Gaps", "Candidates")
LONG_SCRIPT = 10_000  # characters


class Wire:
    """What the websocket of a page has carried."""

    def __init__(self, page: Page) -> None:
        self.told: list[ForwardMsg] = []
        self.asked = 0
        spoilt(page)
        page.on("websocket", self._listen)

    def _listen(self, socket: WebSocket) -> None:
        socket.on("framereceived", lambda frame: self.told.append(ForwardMsg.FromString(frame)))
        socket.on("framesent", self._count)

    def _count(self, frame: object) -> None:
        self.asked += 1

    @property
    def over(self) -> bool:
        """Whether the last run that began has told its end."""
        kinds = [message.WhichOneof("type") for message in self.told]
        return "new_session" not in kinds[::-1][: kinds[::-1].index("script_finished")]

    def runs(self, since: int) -> Iterator[list[str | None]]:
        """The kinds of message in each run after the first `since` messages, elements by their own
        kind.
        """
        run: list[str | None] = []
        for message in self.told[since:]:
            kind: str | None = message.WhichOneof("type")
            if kind == "delta" and message.delta.WhichOneof("type") == "new_element":
                kind = message.delta.new_element.WhichOneof("type")
            run.append(kind)
            if kind == "script_finished":
                yield run
                run = []


def visit(page: Page, wire: Wire, name: str) -> list[list[str | None]]:
    """Go to a page and wait until all of it is there; its runs."""
    since = len(wire.told)
    follow(page, name)
    settled(page, wire, name)
    return list(wire.runs(since))


def settled(page: Page, wire: Wire, name: str) -> None:
    """Wait until the page shows all that it has to show, and no run is under way that might show
    more.
    """
    head = (
        page.locator(".dp-asked") if name == "Explore" else page.locator(".dp-over", has_text=name)
    )
    expect(head).to_have_count(1)
    ready(page)  # the head came while it ran; now every place is on the page, filled or not
    waiting = page.locator(".dp-place, .dp-wait, [data-testid=stProgress]")
    for _ in range(100):
        expect(waiting).to_have_count(0)
        page.evaluate(
            "() => new Promise(requestAnimationFrame)"
        )  # what has been sent is taken in meanwhile
        if wire.over and waiting.count() == 0:
            break
    ready(page)


@dataclass(frozen=True)
class Tour:
    """What a visit to every page, then to each again, then a moved control carried: all of it, and
    runs by page.
    """

    sent: list[ForwardMsg]
    moved: list[list[str | None]]
    first: dict[str, list[list[str | None]]]
    second: dict[str, list[list[str | None]]]


@pytest.fixture(
    scope="module",
    params=[PAGES[:2], pytest.param(PAGES, marks=pytest.mark.long)],
    ids=["two", "all"],
)
def tour(request: pytest.FixtureRequest, rack: Rack, server: str) -> Iterator[Tour]:
    with rack.windows() as new_page:
        page = new_page(server)
        open_page(page)  # a server that nobody has asked yet runs a deep link twice
        wire = Wire(page)
        open_page(page, "/explore")
        settled(page, wire, "Explore")
        first, second = (
            {name: visit(page, wire, name) for name in request.param} for _ in range(2)
        )
        visit(page, wire, "Explore")
        take_up(page)
        since = len(wire.told)
        nudge(page, "ε, the privacy budget")
        expect(page.get_by_role("spinbutton", name="ε, exactly")).to_have_value("0.22")
        settled(page, wire, "Explore")
        moved = list(wire.runs(since))
        yield Tour(wire.told, moved, first, second)


def test_a_first_visit_runs_the_page_once_and_a_second_one_nothing_else(tour: Tour) -> None:
    whole = {name: sum("navigation" in run for run in runs) for name, runs in tour.first.items()}
    assert whole == dict.fromkeys(tour.first, 1)
    assert {name: len(runs) for name, runs in tour.second.items()} == dict.fromkeys(tour.first, 1)


def test_scripts_of_all_pages_are_sent_once(tour: Tour) -> None:
    """They are longer than most pages."""
    sent = [message.delta.new_element.bidi_component.js_content for message in tour.sent]
    assert len([script for script in sent if len(script) > LONG_SCRIPT]) == 1


def test_a_moved_control_sends_few_messages(tour: Tour) -> None:
    """Each costs the server a seventh of a millisecond, and the browser more."""
    assert max(map(len, tour.moved)) <= 125


def test_curves_fill_their_places_alone_and_the_last_look_takes_the_line_away(tour: Tour) -> None:
    whole, *later = tour.first["Compare"]
    assert "navigation" in whole
    charts = [run.count("plotly_chart") for run in later]
    assert (
        sum(charts) >= 1
    )  # the curves against k come last, those against ε may have come with the page
    assert max(charts) <= 2  # and never the others
    filled = [
        run for run in later if "html" in run
    ]  # a look of another line may still be on its way after the last
    assert "progress" not in filled[-1]


def test_nothing_is_asked_any_more_once_all_is_there(page: Page) -> None:
    wire = Wire(page)
    page.clock.install()
    page.goto("/compare?k=11")  # unknown so far
    expect(
        page.get_by_role("heading", name="11 best of 60")
    ).to_be_visible()  # a line may come too late
    nudge(
        page, "ε, the privacy budget"
    ).blur()  # a run of the page while its parts are being computed
    settled(page, wire, "Compare")
    asked = []
    while asked[-3:] != 3 * [wire.asked]:  # at first a look of another line may still be on its way
        assert len(asked) < 30
        asked.append(wire.asked)
        page.clock.fast_forward(10_000)
        settled(page, wire, "Compare")


@pytest.mark.long
def test_a_part_that_has_left_the_page_is_not_looked_for(page: Page) -> None:
    page.goto("/compare?k=12")
    expect(page.get_by_role("heading", name="12 best of 60")).to_be_visible()
    bounds = (
        page.get_by_test_id("stCheckbox").filter(has_text="The papers' bounds").locator("label")
    )
    bounds.click()
    expect(page.get_by_role("heading", name="How far down")).to_be_visible()
    bounds.click()
    expect(page.get_by_role("heading", name="How far down")).to_have_count(0)
    expect(page.get_by_test_id("stProgress")).to_have_count(0)
    ready(page)  # without an exception


@pytest.mark.long
def test_what_was_drawn_and_never_came_is_drawn_again(new_page: NewPage, cold_server: str) -> None:
    page = new_page(cold_server)  # which knows no curve yet, so that charts come alone
    line, wire = Line(page), Wire(page)
    open_page(page, "/explore")
    settled(page, wire, "Explore")
    line.loses = DrawsAlone()
    visit(page, wire, "Compare")
    assert line.loses is None, "a chart was lost"
    charts = page.locator(".stPlotlyChart")
    expect(charts.first).to_be_visible()
    come = charts.count()
    page.reload()
    settled(page, wire, "Compare")
    expect(charts).to_have_count(come)
