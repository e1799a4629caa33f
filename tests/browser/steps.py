"""Steps that browser tests are made of.

A control starts a run a moment after it is used, so after a step `expect` what the change must
show.
"""

import re
from pathlib import Path

from playwright.sync_api import Locator, Page, expect

UNDER_MORE = {"Gaps", "One item", "Candidates"}  # in the navigation
# in a closed fold Chromium keeps a transition that has ended: only those in sight are waited for
_SIDEBAR_RESTS = """() => document.querySelector('[data-testid=stSidebar]').getAnimations({ subtree: true })
    .every((one) => !one.effect.target.checkVisibility())"""
_STEPS_THERE = """() => { const { mark, texts } = window.dpvizHand?.data ?? {}, steps = window.dpvizSteps?.get(mark);
    return steps && texts.every((text) => steps.has(text)); }"""


def ready(page: Page) -> None:
    """Wait until the script has run to its end without an exception."""
    expect(page.get_by_test_id("stApp")).to_have_attribute("data-test-script-state", "notRunning")
    expect(page.get_by_test_id("stException")).to_have_count(0)


def open_page(page: Page, path: str = "/explore") -> None:
    """Go to an address of the app and wait for it; a deep link is "/explore?epsilon=0.5"."""
    page.goto(path)
    ready(page)


_PATHS = {"One item": "margin"}  # of pages whose address is another word


def go_to(page: Page, name: str) -> None:
    """Follow the link with this name in the navigation, and wait for the page."""
    follow(page, name)
    page.wait_for_url(f"**/{_PATHS.get(name, name.lower())}**")
    ready(page)


def follow(page: Page, name: str) -> None:
    """Click the link with this name in the navigation."""
    if name in UNDER_MORE:
        page.get_by_test_id("stTopNavSection").filter(has_text="More kinds of choice").click()
    page.get_by_test_id(re.compile("^stTopNav(Dropdown)?Link$")).filter(has_text=name).click()


def drawn(page: Page) -> Locator:
    """Wait for the first heatmap to be drawn; its image."""
    image = page.locator(".heatmaplayer image").first
    image.wait_for(state="attached")
    return image


def take_up(page: Page, label: str = "ε, the privacy budget") -> Locator:
    """Put the pointer on the slider with this label and wait until all steps that follow it have
    come.
    """
    slider = page.get_by_role("slider", name=label)
    slider.hover()
    page.wait_for_function(_STEPS_THERE)
    ready(page)
    return slider


def nudge(page: Page, label: str, steps: int = 1) -> Locator:
    """Move the slider with this label by so many steps, to the left where negative."""
    slider = page.get_by_role("slider", name=label)
    slider.focus()
    for _ in range(abs(steps)):
        slider.press(
            "ArrowRight" if steps > 0 else "ArrowLeft", no_wait_after=True
        )  # there is no page to come
    ready(page)
    return slider


def figure(page: Page, name: str) -> Locator:
    """The value on the card with this name."""
    card = page.locator(".dp-card").filter(has=page.locator(".dp-name", has_text=name))
    return card.locator(".dp-value").first


def unfold(page: Page, line: str) -> None:
    """Open the fold whose line begins so."""
    page.get_by_test_id("stExpander").locator("summary", has_text=line).first.click()
    ready(page)


def settings(page: Page, of: str = "data") -> None:
    """Open what is set of this in the sidebar, unless it is open; the page may have its controls
    itself.
    """
    expect(page.get_by_role("heading", level=1)).to_be_visible()
    fold = page.get_by_test_id("stSidebar").locator("details").filter(has_text=f"Change: {of}")
    if not fold.count():
        return
    if fold.get_attribute("open") is None:
        fold.locator("summary").first.click()
    expect(fold).to_have_attribute("open", "")
    ready(page)
    page.wait_for_function(_SIDEBAR_RESTS)  # what moves under a list closes it


def upload(page: Page, *files: Path) -> None:
    """Give files to the upload control on the page."""
    page.locator("input[type=file]").first.set_input_files([str(file) for file in files])
    ready(page)


def agree(page: Page) -> None:
    """Agree to what came in, as it is read."""
    ready(page)  # what is said of the file may still move the button
    page.get_by_role("button", name="Use this file").click()
    expect(page.get_by_role("button", name="Use this file")).to_have_count(0)
    ready(page)
