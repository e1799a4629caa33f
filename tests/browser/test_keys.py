"""Pages by keyboard alone: the focus is always on something that is seen and named, goes to a new
question's heading, stays where a button was, and what is answered is spoken once.
"""

from pathlib import Path

from playwright.sync_api import Browser, Page, expect

from tests.browser.conftest import serve
from tests.browser.every_page import settled
from tests.browser.steps import open_page, ready

FOCUS = """() => {
    let one = document.activeElement;
    while (one.shadowRoot?.activeElement) one = one.shadowRoot.activeElement;
    const text = (of) => [...of?.childNodes ?? []].map((part) => part.nodeType === 3 ? part.data
        : part.ariaHidden === 'true' || part.translate === false ? '' : text(part)).join('');
    const told = (one.getAttribute('aria-labelledby') ?? '').split(' ').map((id) => text(document.getElementById(id)));
    const labels = [...one.labels ?? []].map(text), { top, bottom, width } = one.getBoundingClientRect();
    const names = [one.getAttribute('aria-label'), told.join(' '), labels.join(' '), one.title, text(one)];
    return { tag: one.tagName, name: names.find((name) => name?.trim())?.trim() ?? '',
        seen: width > 0 && bottom > 0 && top < innerHeight && one.checkVisibility({ visibilityProperty: true }) };
}"""
MOST = 80  # stops from one control to the next


def focused(page: Page) -> tuple[str, str]:
    """Element and name of what has the focus, which is seen."""
    page.wait_for_function(f"({FOCUS})().seen")  # some come into sight by it
    now = page.evaluate(FOCUS)
    assert now["tag"] != "BODY"
    assert now["name"]
    return now["tag"], now["name"]


def tab_to(page: Page, name: str) -> None:
    for _ in range(MOST):
        page.keyboard.press("Tab")
        if focused(page)[1].startswith(name):
            return
    raise AssertionError(f"no key reaches {name}")


def stays_on(page: Page, name: str) -> None:
    """Wait until the page has followed a key, with the focus on something with such a name."""
    page.wait_for_function(f"(name) => ({FOCUS})().name.startsWith(name)", arg=name)
    ready(page)
    assert focused(page)[1].startswith(name)


def comes_to(page: Page, heading: str) -> None:
    """Wait until the focus is on this heading."""
    expect(page.locator(":focus")).to_have_text(heading)
    assert focused(page)[0] in {"H1", "H2"}
    settled(page)


def test_explore_is_walked_by_keys(page: Page) -> None:
    open_page(page, "/explore")
    settled(page)
    tab_to(page, "ε, the privacy budget")
    page.keyboard.press("ArrowRight")
    expect(page.locator(".dp-live")).not_to_be_empty()
    tab_to(page, "k, list length")
    page.keyboard.press("ArrowUp")
    page.keyboard.press("Enter")
    page.wait_for_url("**k=11**")
    stays_on(page, "k, list length")
    settled(page)
    tab_to(page, "How to read it")
    page.keyboard.press("Enter")
    expect(page.locator(":focus").locator("xpath=..")).to_have_attribute("open", "")
    tab_to(page, "Use ε")
    page.keyboard.press("Enter")
    expect(page.get_by_role("button", name="Use ε")).to_be_disabled()  # which drops the focus
    stays_on(page, "in % of releases")


def test_decide_is_walked_by_keys_to_the_sheet(page: Page) -> None:
    open_page(page, "/decide")
    first_fields = (
        ("Who is protected?", "Help for Protect each"),
        ("How much privacy risk is acceptable?", "Right guesses"),
        ("How good must the list be?", "A number of right items"),
        ("Which data do you decide on?", "Scores from"),
        ("Is there a list of all possible items?", ""),
    )
    for heading, field in first_fields:
        tab_to(page, "Next")
        page.keyboard.press("Enter")
        comes_to(page, heading)
        page.keyboard.press("Tab")
        assert field in focused(page)[1]
    tab_to(page, "Show the answer")
    page.keyboard.press("Enter")
    expect(page.locator("h1:focus")).to_contain_text("It would take")
    expect(page.locator(".dp-live")).to_contain_text(
        "right"
    )  # the sentence, once: the focus says the title
    settled(page)
    tab_to(page, "Decision sheet")
    with page.expect_download():
        page.keyboard.press("Enter")
    focused(page)


def test_a_lesson_is_walked_by_keys(page: Page) -> None:
    open_page(page, "/learn")
    tab_to(page, "For anyone")
    page.keyboard.press("ArrowRight")
    page.keyboard.press("Enter")
    expect(page.get_by_role("heading", name="Two recipes for one winner")).to_be_visible()
    tab_to(page, "6 minutes Two recipes for one winner")
    page.keyboard.press("Enter")
    comes_to(page, "An urn, and a row of coins")
    tab_to(page, "Next")
    page.keyboard.press("Enter")
    comes_to(page, "Which one is right more often?")
    page.keyboard.press("Tab")
    page.keyboard.press("Space")
    expect(page.locator(":focus")).to_be_checked()
    tab_to(page, "Next")
    page.keyboard.press("Enter")
    comes_to(page, "A thousand class trips")
    for name, after in (
        ("Set my mark", "Move my mark here"),
        ("100", "100"),
        ("Show the exact chances", "Others"),
    ):
        tab_to(page, name)
        page.keyboard.press("Enter")
        stays_on(page, after)
    expect(page.locator(".dp-live")).to_contain_text("You marked 50 of 100.")
    tab_to(page, "Next")
    page.keyboard.press("Enter")
    comes_to(page, "Where the misses went")
    tab_to(page, "Show the answer")
    page.keyboard.press("Enter")
    expect(page.get_by_text("Why not the others?")).to_be_visible()
    stays_on(page, "Show the answer")


def test_a_dialog_gives_the_focus_back_to_its_button(page: Page) -> None:
    open_page(page, "/explore")
    settled(page)
    tab_to(page, "Share or save")
    page.keyboard.press("Enter")
    expect(page.get_by_role("dialog")).to_be_visible()
    page.keyboard.press("Tab")
    focused(page)
    page.keyboard.press("Escape")
    stays_on(page, "Share or save")


def test_a_server_that_does_not_answer_is_told_in_our_words(
    chromium: Browser, tmp_path: Path
) -> None:
    page = chromium.new_page()  # its console may tell of requests that fail
    with serve(tmp_path / "server") as address:
        open_page(page, f"{address}/learn")
    told = page.get_by_role("dialog", name="Connection error")
    expect(told).to_be_visible()
    expect(told.get_by_text("Streamlit").first).to_be_hidden()
    said = "getComputedStyle(document.querySelector('[data-dpviz-unanswered]'), '::before').content"
    assert "The connection to dpviz is lost." in page.evaluate(said)
    page.close()
