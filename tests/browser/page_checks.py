"""What holds of one page alone, by the page's name: `test_every_page` opens it."""

from collections.abc import Callable

from playwright.sync_api import Page, expect

from tests.browser.every_page import settled
from tests.browser.phone import HEIGHT, WIDTH
from tests.browser.stage import box
from tests.browser.windows import SIZE

BESIDE = 150  # pixels that the navigation and the strip at the top take


def the_stepper_and_all_about_it_are_on_one_screen(page: Page) -> None:
    page.set_viewport_size({"width": 1366, "height": 768})
    expect(page.locator(".st-key-threshold_steps .js-plotly-plot .legend").last).to_be_attached()
    page.wait_for_function(
        """(most) => {
            const box = (what) => [...document.querySelectorAll(what)].pop().getBoundingClientRect();
            const first = [...document.querySelectorAll('button')].find((one) => one.innerText.includes('First'));
            const bottom = Math.max(box('.st-key-threshold_steps .js-plotly-plot').bottom, box('.dp-closely').bottom);
            return bottom - first.getBoundingClientRect().top <= most;
        }""",
        arg=768 - BESIDE,
    )


def on_a_phone_epsilon_stands_at_the_foot(page: Page) -> None:
    page.set_viewport_size({"width": WIDTH, "height": HEIGHT})
    settled(page)
    strip = page.locator(".st-key-stage").bounding_box()
    picture = page.locator(".stPlotlyChart").first.bounding_box()
    assert strip is not None
    assert picture is not None
    assert strip["y"] + strip["height"] > HEIGHT - 20
    assert picture["y"] < strip["y"] - 150
    page.get_by_test_id("stMain").evaluate("(main) => main.scrollTo(0, main.scrollHeight)")
    expect(page.get_by_role("slider", name="ε, the privacy budget")).to_be_in_viewport()


def no_figure_beside_a_candidate_lies_on_its_bar_or_its_diamond(page: Page) -> None:
    page.set_viewport_size(SIZE)
    page.wait_for_function(  # all at one moment, as the chart may just take its place
        """() => {
            const chart = document.querySelector('.st-key-chosen .js-plotly-plot');
            const boxes = (what) => [...chart.querySelectorAll(what)].map((one) => one.getBoundingClientRect());
            const told = boxes('.scatterlayer .textpoint text'), bars = boxes('.barlayer .point path');
            const diamonds = boxes('.scatterlayer path.point');
            return [told, bars, diamonds].every((all) => all.length === 10) && told.every((text, at) =>
                text.left > bars[at].right - 1
                && (text.left >= diamonds[at].right || diamonds[at].left >= text.right));
        }"""
    )


def a_box_shows_six_digits(page: Page) -> None:
    whole = "field => field.scrollWidth <= field.clientWidth && field.checkVisibility()"
    before = box(page, "k, list length").input_value()
    for width in (1366, 1024, 390):
        page.set_viewport_size({"width": width, "height": 800})
        for label, typed in {"ε, exactly": "0.1234", "k, list length": "200000"}.items():
            box(page, label).fill(typed)
            page.wait_for_function(whole, arg=box(page, label).element_handle())
    box(page, "k, list length").fill(before)


def a_phone_has_the_rows_that_differ(page: Page) -> None:
    page.set_viewport_size({"width": WIDTH, "height": HEIGHT})
    rows = page.locator(".dp-items tbody tr:visible th")
    expect(rows).to_have_text(
        ["hello", "hi", "good morning", "10⁴⁰⁰ unlisted items", "nothing is published"]
    )
    assert page.locator(".dp-scroll").evaluate("box => box.scrollWidth <= box.clientWidth")


def keys_reach_every_control_in_the_order_it_is_read(page: Page) -> None:
    page.set_viewport_size(SIZE)
    settled(page)
    # of Streamlit's own the column that scrolls and the grid of a table, which has its arrow keys,
    # are left out
    reachable = """() => [...document.querySelectorAll(
        '.stApp :is(a[href], button, input, textarea, summary, [tabindex="0"])')].filter((e) =>
        e.checkVisibility({visibilityProperty: true, opacityProperty: true}) && e.tabIndex >= 0 && !e.disabled
        && !['MAIN', 'CANVAS'].includes(e.tagName) && e.getBoundingClientRect().width > 0
        && !(e.type === 'radio' && !e.checked) && !e.closest('[role=radiogroup] button, .modebar'))"""
    forced = (
        "() => [...document.querySelectorAll('[tabindex]')].filter((e) => e.tabIndex > 0).length"
    )
    assert page.evaluate(forced) == 0
    named = (
        "(e) => e.tagName + ' ' + (e.getAttribute('aria-label') || e.title || e.textContent ||"
        " e.type)"
    )
    expected: list[str] = page.evaluate(f"({reachable})().map({named})")
    assert len(expected) > 20
    page.evaluate("() => { document.activeElement.blur(); window.seen = []; }")
    for _ in range(len(expected) + 30):
        page.keyboard.press("Tab")
        page.evaluate("() => window.seen.push(document.activeElement)")
    seen: list[str] = page.evaluate(f"window.seen.map({named})")
    assert set(expected) - set(seen) == set()
    backwards = page.evaluate(
        """() => { const all = window.seen.filter((e, i) =>
            e !== document.body && e.isConnected && window.seen.indexOf(e) === i);
        return all.slice(1).filter((e, i) =>
            !(all[i].compareDocumentPosition(e) & Node.DOCUMENT_POSITION_FOLLOWING)).map((e) => e.outerHTML); }"""
    )
    assert backwards == []


OWN: dict[str, tuple[Callable[[Page], None], ...]] = {
    "sparse vector": (the_stepper_and_all_about_it_are_on_one_screen,),
    "explore": (
        on_a_phone_epsilon_stands_at_the_foot,
        keys_reach_every_control_in_the_order_it_is_read,
    ),
    "candidates": (no_figure_beside_a_candidate_lies_on_its_bar_or_its_diamond,),
    "gaps": (a_box_shows_six_digits,),
    "margin": (a_phone_has_the_rows_that_differ,),
}
