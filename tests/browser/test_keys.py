"""Pages by keyboard alone: the focus is always on something that is seen and named, goes to a new
question's heading, stays where a button was, and what is answered is spoken once.
"""

from playwright.sync_api import Page, expect

from tests.browser.every_page import settled
from tests.browser.steps import open_page

FOCUS = """() => {
    let one = document.activeElement;
    while (one.shadowRoot?.activeElement) one = one.shadowRoot.activeElement;
    const text = (of) => [...of?.childNodes ?? []].map((part) => part.nodeType === 3 ? part.data
        : part.ariaHidden === 'true' || part.translate === false ? '' : text(part)).join('');
    const shown = one.closest('canvas') ?? one;  // which is drawn in the place of a table's cells
    const { top, bottom, width } = shown.getBoundingClientRect(), labels = [...one.labels ?? []].map(text);
    const names = [one.getAttribute('aria-label'), labels.join(' '), one.title, text(one)];
    return { tag: one.tagName, name: names.find((name) => name?.trim())?.trim() ?? '',
        seen: width > 0 && bottom > 0 && top < innerHeight && shown.checkVisibility({ visibilityProperty: true }) };
}"""
MOST = 160  # stops from one control to the next, once around the page


def focused(page: Page) -> str:
    """Name of what has the focus, which is seen (some come into sight by it), and is not the body.

    What is drawn anew gets the focus back a moment later.
    """
    named = "({ seen, name, tag }) => tag !== 'BODY' && seen && name"
    return str(page.wait_for_function(f"({named})(({FOCUS})())").json_value())


def tab_to(page: Page, name: str) -> None:
    """Press Tab until the focus is on what is called so; after the page's end it begins anew."""
    named = "({ seen, name, tag }) => tag === 'BODY' ? 'the end' : seen && name"
    for _ in range(MOST):
        page.keyboard.press("Tab")
        if str(page.wait_for_function(f"({named})(({FOCUS})())").json_value()).startswith(name):
            return
    raise AssertionError(f"no key reaches {name}")


def press(page: Page, name: str, then: str = "") -> None:
    """Go to what is called so and press Enter; `then` is the name that has the focus afterwards."""
    tab_to(page, name)
    page.keyboard.press("Enter")
    page.wait_for_function(f"(name) => ({FOCUS})().name.startsWith(name)", arg=then or name)
    settled(page)
    focused(page)


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
    settled(page)
    assert focused(page) == "k, list length"
    press(page, "How to read it")
    expect(page.locator(":focus").locator("xpath=..")).to_have_attribute("open", "")
    expect(page.get_by_test_id("data-grid-canvas")).to_be_visible()
    tab_to(page, "Table as CSV")
    page.keyboard.press("Shift+Tab")
    focused(page)
    press(page, "Use ε", then="in % of releases")  # it has nothing more to do, and drops the focus
    expect(page.get_by_role("button", name="Use ε")).to_be_disabled()


def test_decide_is_walked_by_keys_to_the_sheet(page: Page) -> None:
    open_page(page, "/decide")
    settled(page)
    for heading, first_stop in (
        ("Who is protected?", "Help for Protect each"),
        ("How much privacy risk is acceptable?", "Right guesses"),
        ("How good must the list be?", "A number of right items"),
        ("Which data do you decide on?", "Scores from"),
        ("Is there a list of all possible items?", "Yes"),
    ):
        press(page, "Next", then=heading)
        page.keyboard.press("Tab")
        assert focused(page).startswith(first_stop)
    press(page, "Show the answer", then="No limit was set. It would take")
    expect(page.locator(".dp-live")).to_contain_text("right")  # the focus says the title
    tab_to(page, "Decision sheet")
    with page.expect_download():
        page.keyboard.press("Enter")
    focused(page)


def test_a_lesson_is_walked_by_keys(page: Page) -> None:
    open_page(page, "/learn")
    settled(page)
    tab_to(page, "For anyone")
    page.keyboard.press("ArrowRight")
    page.keyboard.press("Enter")
    expect(page.get_by_role("heading", name="Two recipes for one winner")).to_be_visible()
    press(page, "6 minutes Two recipes", then="An urn, and a row of coins")
    press(page, "Next", then="Which one is right more often?")
    page.keyboard.press("Tab")
    page.keyboard.press("Space")
    expect(page.locator(":focus")).to_be_checked()
    press(page, "Next", then="A thousand class trips")
    press(page, "Set my mark", then="Move my mark here")
    press(page, "100")
    press(page, "Show the exact chances", then="Others")
    expect(page.locator(".dp-live")).to_contain_text("You marked 50 of 100.")
    press(page, "Next", then="Where the misses went")
    press(page, "Show the answer")
    expect(page.get_by_text("Why not the others?")).to_be_visible()
