"""Start in a browser: a press publishes, the slider tells what is traded, and neither waits for the
server; the ε that is left goes along to every page.
"""

import re
from collections.abc import Callable

import pytest
from playwright.sync_api import Page, expect

from dpviz.pages.start.view import PUBLISH, RELEASES, SLIDER, WORDS, scene
from tests.browser.steps import follow, ready

SCENE = scene()


@pytest.fixture(scope="module")
def start(visit: Callable[[str], Page]) -> Page:
    """The screen, opened once."""
    return visit("/")


def place(page: Page) -> int:
    """Where the slider is."""
    return int(page.get_by_role("slider", name=SLIDER).input_value())


def press(page: Page) -> None:
    page.get_by_role("button", name=PUBLISH.format(SCENE.k)).click()


def to(page: Page, number: int) -> None:
    """Move the slider there by keys."""
    slider = page.get_by_role("slider", name=SLIDER)
    slider.focus()
    steps = number - place(page)
    for _ in range(abs(steps)):
        slider.press("ArrowRight" if steps > 0 else "ArrowLeft", no_wait_after=True)
    expect(slider).to_have_value(str(number))


def names(ranks: tuple[int, ...]) -> list[str]:
    return [SCENE.names[rank] for rank in ranks]


def published(page: Page, number: int) -> None:
    """What is seen and said of that release here."""
    ranks = SCENE.places[place(page)].releases[number]
    wrong = names(tuple(rank for rank in ranks if rank >= SCENE.best))
    slots = page.get_by_role("list", name="The published list").get_by_role("listitem")
    marked = [f"{name}{WORDS['wrong'] if name in wrong else ''}" for name in names(ranks)]
    expect(slots).to_have_text(marked)
    expect(page.locator("rect.out")).to_have_count(SCENE.k)
    expect(page.locator("rect.wrong")).to_have_count(len(wrong))


def test_a_press_shows_ten_names_and_marks_exactly_the_wrong_ones(start: Page) -> None:
    lit = start.get_by_test_id("stTopNavLink").and_(start.locator("[aria-current=page]"))
    expect(lit).to_have_text(re.compile("Start$"))
    to(start, SCENE.start)
    right = 0
    for number in range(12):
        press(start)
        published(start, number)
        ranks = SCENE.start_position.releases[number]
        wrong = names(tuple(rank for rank in ranks if rank >= SCENE.best))
        right += SCENE.k - len(wrong)
        told = start.locator(".dp-scene-told")
        expect(told).to_contain_text(f"List {number + 1}: ")
        expect(told).to_contain_text(", ".join(wrong) if wrong else "all 10 services are right")
    tally = WORDS["tally"].format(right, SCENE.k * 12)
    expect(start.locator(".dp-scene-tally p")).to_have_text(tally)
    assert right < 12 * SCENE.k, "a wrong one was seen"
    more = RELEASES - 12 + 1  # the first again, and the tally begins anew
    start.get_by_role("button", name=PUBLISH.format(SCENE.k)).evaluate(
        f"(one) => {{ for (let n = {more}; n; n--) one.click(); }}"
    )
    expect(start.locator(".dp-scene-told")).to_contain_text("List 1: ")
    published(start, 0)


DEAF = "() => { window.sends = WebSocket.prototype.send; WebSocket.prototype.send = () => {}; }"
HEARS = "() => { WebSocket.prototype.send = window.sends; }"


def test_keys_move_the_slider_though_the_server_hears_nothing(start: Page) -> None:
    page = start
    expect(page.locator(".dp-scene-says")).to_have_text(SCENE.start_position.sentence)
    page.evaluate(DEAF)
    press(page)
    for number in (SCENE.start + 3, SCENE.start - 9, len(SCENE.places) - 1):
        to(page, number)
        now = SCENE.places[number]
        expect(page.locator(".dp-scene-says")).to_have_text(now.sentence)
        expect(page.get_by_role("slider", name=SLIDER)).to_have_attribute(
            "aria-valuetext", now.value
        )
        expect(page.locator("i:is(.coin, .lit)")).to_have_count(now.right_guesses_per_hundred)
        expect(page.locator(".dp-scene-told")).to_have_text(now.sentence)  # aloud, once it rests
        published(page, 1)  # with the same luck; lists of another ε do not count
        expect(page.locator(".dp-scene-tally p")).to_contain_text("of 10 services right")
    expect(page.locator(".dp-scene-says")).to_contain_text("protects practically nobody")
    page.evaluate(HEARS)


@pytest.mark.parametrize(("width", "height"), [(360, 740), (820, 1180), (1366, 768)])
def test_the_whole_trade_is_on_the_first_screen(start: Page, width: int, height: int) -> None:
    start.set_viewport_size({"width": width, "height": height})
    press(start)
    for part in ("-fan", "-cards", "-says", " button", " input"):
        expect(start.locator(f".dp-scene{part}")).to_be_in_viewport(ratio=1)
    boxes = start.locator(".dp-scene-says, .dp-scene-slider").evaluate_all(
        "(all) => all.map((one) => one.getBoundingClientRect()).map((box) => [box.top, box.bottom])"
    )
    (_, end), (begin, _) = sorted(boxes)
    assert end <= begin + 1, "the sentence is hidden"
    cut = "(all) => all.filter((e) => e.scrollWidth > e.clientWidth + 1).length"
    assert start.locator(".dp-scene li").evaluate_all(cut) == 0


DOORS = (
    ("Use my data", "Your own data", "explore?", "Neighbours"),
    ("How does this work?", "The card on the library door", "learn?lesson=opening", "Explore"),
)


def through(page: Page, door: str, heading: str, address: str) -> None:
    page.get_by_text(door, exact=True).click()
    expect(page.get_by_role("heading", name=heading)).to_be_visible()
    page.wait_for_url(f"**/{address}**")
    ready(page)


def test_the_chosen_epsilon_goes_along_through_every_door_and_back_leads_to_start(
    start: Page,
) -> None:
    page = start
    page.set_viewport_size({"width": 1400, "height": 1000})
    for number, (*door, then) in enumerate(DOORS):
        to(page, SCENE.start + 8 + number)
        chosen = SCENE.places[SCENE.start + 8 + number].value
        expect(page.locator(".dp-scene")).to_have_attribute("data-at", str(place(page)))
        through(page, *door)
        follow(page, then)
        expect(page.get_by_role("spinbutton", name="ε, exactly")).to_have_value(chosen)
        follow(page, "Start")
        expect(page.get_by_role("slider", name=SLIDER)).to_have_attribute("aria-valuetext", chosen)
        expect(page.locator(".dp-scene-says")).to_contain_text(f"At ε = {chosen} ")
    follow(page, "Explore")
    expect(page.get_by_role("spinbutton", name="ε, exactly")).to_have_value(chosen)
    page.go_back()
    expect(page.locator(".dp-scene-says")).to_contain_text(f"At ε = {chosen} ")
    for *door, _ in DOORS:
        through(page, *door)
        page.go_back()
        expect(page.locator(".dp-scene-says")).to_contain_text(f"At ε = {chosen} ")
    press(page)
    published(page, 0)
