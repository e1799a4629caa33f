"""What follows ε under the hand: the picture at each stop, without the server, and the page when it
is let go.

Texts and charts that follow stand in a layer of their own, `.dp-hand`, over the page.
"""

import re
from collections.abc import Iterator

import pytest
from playwright.sync_api import Locator, Page, WebSocket, expect

from dpviz import Canonical
from dpviz.base.text_format import percent
from dpviz.data import EXAMPLES
from tests.browser.every_page import settled
from tests.browser.hand import epsilon, pressed, value
from tests.browser.steps import open_page, take_up, unfold
from tests.browser.windows import Rack
from tests.until import until

SCORES = EXAMPLES["help_line"].scores()
DRAWN = "() => document.querySelector('.dp-hand .js-plotly-plot')?.data[1].x"
HOLDING_TIMERS = """() => {
    const later = window.setTimeout, send = WebSocket.prototype.send, held = [];
    let sent = 0;
    WebSocket.prototype.send = function (...told) { sent += 1; return send.apply(this, told); };
    const hold = (call, wait, ...given) => (wait ? later(call, wait, ...given) : held.push(() => call(...given)));
    window.setTimeout = hold;
    window.timersHeld = () => held.length;
    window.messagesSent = () => sent;
    window.letTimersGo = () => { window.setTimeout = later; held.splice(0).forEach((call) => call()); };
}"""


def top(page: Page, within: str = ".stMain") -> Locator:
    return page.locator(f"{within} [data-place=top]")


@pytest.fixture(scope="module")
def told() -> list[bytes]:
    """The messages to the server that tell a slider's value; steps are asked for by others."""
    return []


@pytest.fixture(scope="module")
def shown(rack: Rack, server: str, told: list[bytes]) -> Iterator[Page]:
    """A page that tests put back as it was."""

    def look_at(frame: bytes | str) -> None:
        if isinstance(frame, bytes) and b'"told"' in frame:
            told.append(frame)

    def listen(line: WebSocket) -> None:
        line.on("framesent", look_at)

    with rack.windows() as new_page:
        page = new_page(server)
        page.on("websocket", listen)
        open_page(page)
        settled(page)
        yield page
        page.remove_listener("websocket", listen)


@pytest.fixture
def explore(shown: Page, told: list[bytes]) -> Page:
    """The page at ε = 0.2, with the pointer on its slider and all steps there."""
    take_up(shown)
    told.clear()
    return shown


def shown_at(epsilon: float) -> str:
    return percent(Canonical(epsilon=epsilon, k=10).distribution(SCORES).top)


def undo(page: Page) -> None:
    page.get_by_role("button", name="Undo").click()
    page.wait_for_url("**epsilon=0.2&**")


def test_let_go_where_it_was_taken_up_all_is_as_it_was_and_elsewhere_the_page_follows(
    explore: Page, told: list[bytes]
) -> None:
    page = explore
    address = page.url
    box = epsilon(page).bounding_box()
    assert box is not None
    start = page.evaluate(
        "() => dpvizHand.data.texts.indexOf(dpvizHand.data.at) / (dpvizHand.data.texts.length - 1)"
    )
    with pressed(page, 0.9):
        expect(top(page, ".dp-hand")).to_have_text(shown_at(value(page)))
        page.mouse.move(box["x"] + 9 + start * (box["width"] - 18), box["y"] + 22, steps=4)
        assert value(page) == 0.2
    expect(page.locator(".dp-hand")).to_have_count(0)
    expect(top(page)).to_have_text(shown_at(0.2))
    assert (told, page.url) == ([], address)
    with pressed(page, 0.9):
        page.keyboard.press("Escape")  # gives up
    expect(page.locator(".dp-hand")).to_have_count(0)
    assert (told, page.url, value(page)) == ([], address, 0.2)
    stayed = top(page).text_content()
    with pressed(page, 0.7):
        expect(top(page, ".dp-hand")).to_have_text(shown_at(value(page)))
        aloud = f"{value(page):.10g}: {page.locator('.dp-hand .dp-lead').text_content()}"
        expect(epsilon(page)).to_have_attribute("aria-valuetext", aloud)
        page.wait_for_function(DRAWN)
        assert value(page) > 0.3
        assert top(page).text_content() == stayed  # nothing of the page itself is touched
        assert told == []
    expect(page.get_by_role("spinbutton", name="ε, exactly")).to_have_value(f"{value(page):.10g}")
    page.wait_for_url(f"**epsilon={value(page):.10g}&**")
    expect(top(page)).to_have_text(shown_at(value(page)))
    expect(page.locator(".dp-hand")).to_have_count(0)
    assert len(told) == 1
    undo(page)


def test_keys_that_are_held_move_it_and_where_a_step_is_not_there_the_nearest_is_shown(
    explore: Page,
) -> None:
    page = explore
    epsilon(page).focus()
    for _ in range(6):
        page.keyboard.down("ArrowRight")  # as often as a key that is held repeats
    assert value(page) == 0.4
    expect(top(page, ".dp-hand")).to_have_text(shown_at(0.4))
    assert "epsilon=0.4" not in page.url
    page.keyboard.up("ArrowRight")
    page.wait_for_url("**epsilon=0.4&**")
    expect(top(page)).to_have_text(shown_at(0.4))
    undo(page)
    aloud = (
        "0.2: On average 9.24 of the 10 items are right. All 10 are right in 36 of 100 releases."
    )
    expect(epsilon(page)).to_have_attribute("aria-valuetext", aloud)
    take_up(page)
    page.evaluate(
        "() => { dpvizHand.ask = () => {}; const all = dpvizSteps.get(dpvizHand.data.mark);"
        " for (const text of ['0.22', '0.25', '0.28']) all.delete(text); }"
    )
    epsilon(page).focus()
    page.keyboard.down("ArrowRight")
    note = page.locator(".dp-hand-note")
    expect(note).to_have_text("0.22 is being computed. Shown is 0.2, the nearest that is ready.")
    expect(note).to_have_css("background-color", "rgb(28, 39, 51)")
    expect(top(page, ".dp-hand")).to_have_text(shown_at(0.2))
    page.keyboard.down("ArrowRight")
    page.keyboard.down("ArrowRight")
    expect(note).to_have_text("0.28 is being computed. Shown is 0.3, the nearest that is ready.")
    expect(top(page, ".dp-hand")).to_have_text(shown_at(0.3))
    page.keyboard.down("ArrowRight")
    expect(note).to_be_hidden()
    page.keyboard.up("ArrowRight")
    page.wait_for_url("**epsilon=0.3&**")
    expect(page.locator(".dp-hand")).to_have_count(0)
    page.evaluate("() => { delete dpvizHand.ask; }")
    undo(page)


def test_a_press_counts_in_the_moment_when_the_hand_asks_for_steps(explore: Page) -> None:
    """A browser may be so busy that its timers wait: both are told in one of its turns."""
    page = explore
    settled(page)
    epsilon(page).blur()
    page.mouse.move(0, 0)
    page.evaluate("() => dpvizSteps.clear()")
    page.evaluate(HOLDING_TIMERS)
    epsilon(page).focus()
    page.wait_for_function("window.timersHeld() || window.messagesSent()")
    page.get_by_role("button", name="Share or save").evaluate(
        "(button) => { button.click(); window.letTimersGo(); }"
    )
    expect(page.get_by_role("dialog")).to_be_visible()


def test_it_is_a_slider_for_fingers_and_readers_and_works_before_steps_are_there(
    page: Page,
) -> None:
    page.set_viewport_size({"width": 390, "height": 844})
    open_page(page, "/explore")
    slider = epsilon(page)
    expect(slider).to_have_attribute("aria-valuetext", "0.2")
    box = slider.bounding_box()
    assert box is not None
    assert box["height"] >= 44
    assert box["width"] > 200
    page.emulate_media(media="print")
    expect(slider).to_be_hidden()
    page.emulate_media(media="screen")
    page.wait_for_function("() => window.dpvizHand")
    page.evaluate("() => { window.dpvizHand.ask = () => {}; }")
    epsilon(page).focus()
    page.keyboard.press("ArrowRight")
    page.wait_for_url("**epsilon=0.22&**")
    expect(top(page)).to_have_text(shown_at(0.22))
    expect(page.locator(".dp-hand")).to_have_count(0)


def test_the_picture_of_a_lesson_follows_its_control_whose_keys_do_not_lead_on(page: Page) -> None:
    open_page(page, "/learn?lesson=opening_story&step=4&releases=10&mark=50&law=1")
    page.locator(".js-plotly-plot .main-svg").first.wait_for()
    control = page.get_by_role("slider", name="How much noise")
    expect(control).to_have_attribute("aria-valuetext", "much")
    control.focus()
    page.wait_for_function(
        "() => window.dpvizSteps?.get(dpvizHand.data?.mark)?.size === dpvizHand.data.texts.length"
    )
    page.keyboard.down("ArrowRight")
    said = page.locator('[data-place^="says "]')
    expect(page.locator(".dp-hand").locator(said)).to_contain_text("With some noise, ")
    expect(page.locator(".stMain").locator(said)).to_contain_text("With much noise, ")
    page.wait_for_function(DRAWN)
    page.keyboard.up("ArrowRight")
    page.wait_for_url("**&step=4&**&setting=1&**")
    expect(page.locator(".stMain").locator(said)).to_contain_text("With some noise, ")
    expect(page.locator(".dp-hand")).to_have_count(0)


PLACES = """(within) => Object.fromEntries(
    [...document.querySelectorAll(`${within} [data-place]`)].map((one) => [one.dataset.place, one.textContent]))"""
# the texts and numbers in sight that are neither under a copy in the layer nor under a veil
UNDIMMED = r"""() => {
    const main = document.querySelector('.stMain'), boxes = (what) => [...document.querySelectorAll(what)]
        .filter((one) => !one.hidden).map((one) => one.getBoundingClientRect());
    const veils = boxes('.dp-hand > .dp-veil'), copies = boxes('.dp-hand > :not(.dp-veil, .dp-hand-note)');
    const under = (all, { left, right, top, bottom }) => all.some((box) => box.left <= (left + right) / 2
        && (left + right) / 2 <= box.right && box.top <= (top + bottom) / 2 && (top + bottom) / 2 <= box.bottom);
    const clear = (one) => { for (let up = one; up; up = up.parentElement)
        if (getComputedStyle(up).opacity < 0.5 && !up.closest('.modebar')) return false; return true; };
    const said = new Set(), range = document.createRange(), add = (one, box, text, above) => {
        if (text && box.width && one.checkVisibility({ visibilityProperty: true }) && !one.closest('.modebar, style')
            && !under(above ? veils : [...veils, ...copies], box) && clear(one))
            said.add(text.replace(/\s+/g, ' ').trim());
    };
    for (const root of [main, document.querySelector('.dp-hand')].filter(Boolean)) {
        const nodes = document.createTreeWalker(root, NodeFilter.SHOW_TEXT), above = root !== main;
        while (nodes.nextNode()) {
            const node = nodes.currentNode, live = node.parentElement.closest('[data-place]');
            range.selectNodeContents(node);
            add(node.parentElement, range.getBoundingClientRect(), (live ?? node).textContent, above);
        }
        for (const box of root.querySelectorAll('input')) add(box, box.getBoundingClientRect(), box.value, above);
    }
    return [...said].filter((text) => /\d/.test(text));
}"""


@pytest.mark.parametrize(
    ("path", "fold", "holds"),
    [
        (
            "/explore?page.measure=size&page.draws=100&page.h=8&page.t=12",
            "All 60 scores",
            ".st-key-all_scores .main-svg",
        ),
        (
            "/compare?page.bounds=true&m1=canonical&m2=one_shot",
            "6 simulated releases",
            "text=Next 6 seeds",
        ),
    ],
)
def test_on_every_frame_of_a_drag_whatever_is_not_veiled_is_of_the_epsilon_under_the_hand(
    page: Page, path: str, fold: str, holds: str
) -> None:
    page.set_viewport_size({"width": 1400, "height": 4200})  # the whole page is in sight

    open_page(page, f"{path}&epsilon=2")
    unfold(page, fold)
    at_rest, places = {}, {}
    for stop in ("2", "0.2"):
        exactly = page.get_by_role("spinbutton", name="ε, exactly")
        if stop == "0.2":
            exactly.fill(stop)
            exactly.press("Enter")
            page.wait_for_url("**epsilon=0.2&**")
        expect(exactly).to_have_value(stop)
        expect(page.locator(holds).first).to_be_visible()
        settled(page)
        at_rest[stop] = set(page.evaluate(UNDIMMED))
        places[stop] = page.evaluate(PLACES, ".stMain")
    stops = page.wait_for_function(
        "() => window.dpvizHand?.data?.texts.filter((text, i) => i % 30 === 0 || text === '2')"
    ).json_value()
    always = set.intersection(*at_rest.values())
    epsilon(page).hover()
    for stop in stops:
        epsilon(page).evaluate(
            """(range, stop) => { range.value = dpvizHand.data.texts.indexOf(stop);
            range.dispatchEvent(new Event('input')); }""",
            stop,
        )
        wrong: set[str] = set()

        def all_follow(stop: str = stop, wrong: set[str] = wrong) -> bool:
            said = set(page.evaluate(UNDIMMED))
            of_others = {
                text for text in said - always if set(re.findall(r"ε = ([\d.]+\d)", text)) - {stop}
            }
            wrong.clear()
            wrong |= said - at_rest[stop] if stop in at_rest else of_others
            return not wrong

        until(all_follow, told=lambda stop=stop, wrong=wrong: f"at ε = {stop}: {sorted(wrong)}")
        if stop in places:
            copies = page.evaluate(PLACES, ".dp-hand")
            assert copies == {name: places[stop][name] for name in copies} != {}
