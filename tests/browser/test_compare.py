"""The compare page in a real browser: three designs, one ε for all, the command line's table,
links, editing.
"""

from playwright.sync_api import Page, expect

from tests.browser.steps import open_page


def test_long_work_is_stopped_and_taken_up_again(page: Page) -> None:
    open_page(
        page,
        "/compare?data=generated:log_normal&data.size=3000&k=200&m1=canonical&m2=peeling;noise=exponential",
    )
    page.locator(".st-key-rest_stop").get_by_role("button", name="Stop").click()
    page.get_by_role("button", name="Compute the rest").first.wait_for()
    page.get_by_role("button", name="Compute the rest").first.click()
    expect(page.get_by_text("Computing: ").first).to_be_visible()
