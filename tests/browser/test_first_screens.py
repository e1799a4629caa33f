"""What stands at first sight, in a browser: menus that say what they hold, a stepper on one screen."""

from collections.abc import Callable

import pytest
from playwright.sync_api import Page, expect

from dpviz import NOISES, TOP_K
from tests.browser.every_page import settled
from tests.browser.steps import open_page, settings, unfold

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


def test_words_are_explained_where_they_stand(visit: Callable[[str], Page]) -> None:
    page = visit(STEPPER)
    settled(page)  # until then things move
    said = page.get_by_text("What these words mean: query, threshold, answer")
    above = page.get_by_role("heading", name="Plain beside adaptive")
    assert said.bounding_box()["y"] < above.bounding_box()["y"], "before they are used"
    said.click()
    expect(page.get_by_text("The piece of ε that answers are paid in")).to_be_visible()


@pytest.mark.parametrize(
    ("width", "height"), [(1920, 1080), (1366, 768)], ids=["projector", "laptop"]
)
def test_the_stepper_its_chart_and_its_explanation_are_on_one_screen(
    visit: Callable[[str], Page], width: int, height: int
) -> None:
    page = visit(STEPPER)
    page.set_viewport_size({"width": width, "height": height})
    expect(page.locator(".st-key-threshold_steps .js-plotly-plot .legend").last).to_be_attached()
    page.wait_for_function(
        """(most) => {
            const box = (what) => [...document.querySelectorAll(what)].pop().getBoundingClientRect();
            const first = [...document.querySelectorAll('button')].find((one) => one.innerText.includes('First'));
            const bottom = Math.max(box('.st-key-threshold_steps .js-plotly-plot').bottom, box('.dp-closely').bottom);
            return bottom - first.getBoundingClientRect().top <= most;
        }""",
        arg=height - BESIDE,
    )


@pytest.mark.long
def test_margin_says_first_whether_it_is_worth_having_and_a_fold_opens_to_its_chart(
    page: Page,
) -> None:
    open_page(page, "/margin")
    unfold(page, "What a larger universe does")
    expect(page.locator(".st-key-margin-universe .js-plotly-plot").last).to_be_visible()
    lead = page.locator(".dp-lead").first
    expect(lead).to_contain_text(
        "Worth having here: large margin gives a good item in more than 999 of 1,000"
    )
    expect(lead).to_contain_text(
        "Below about 1.2×10²⁷⁴ items the exponential mechanism would do as well"
    )
    settings(page, "large margin")
    box = page.get_by_role("spinbutton", name="K, as a power of ten")
    box.fill("200")
    box.press("Enter")
    expect(lead).to_contain_text("Not worth having here")
    page.wait_for_url("**page.digits=200**")


@pytest.mark.long
def test_candidates_say_why_they_may_pass_the_model_without_privacy(page: Page) -> None:
    open_page(page, "/candidates")
    page.get_by_text(
        "without privacy the accuracy would be 0.825, and why what comes out may pass it"
    ).click()
    expect(page.get_by_text("does best on just the people who score them")).to_be_visible()
