"""What stands at first sight, in a browser: menus that say what they hold, a stepper on one screen."""

from collections.abc import Callable

from playwright.sync_api import Page, expect

from dpviz import NOISES, TOP_K
from tests.browser.steps import open_page, settings

STEPPER = "/gaps?page.gaps.half=sparse_vector&page.gaps.run=true"
BESIDE = 150  # pixels that the navigation and the strip at the top take


def test_a_menu_says_what_is_chosen_and_opens_to_the_others(page: Page) -> None:
    open_page(page, "/explore?m1=one_shot;noise=laplace")
    settings(page, "mechanism")
    for menu, chosen in ((TOP_K, "one_shot"), (NOISES, "laplace")):
        line = page.locator("details.dp-menu").filter(
            has=page.get_by_text(menu.says(chosen), exact=True)
        )
        expect(line.locator("summary")).to_be_visible()
        other = line.get_by_text(
            menu.says(next(name for name in menu if name != chosen)), exact=True
        )
        expect(other).not_to_be_visible()
        line.locator("summary").click()
        expect(other).to_be_visible()


def test_the_stepper_its_chart_and_its_explanation_are_on_one_screen(
    visit: Callable[[str], Page],
) -> None:
    page = visit(STEPPER)
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
