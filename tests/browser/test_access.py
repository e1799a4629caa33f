"""The app for everyone: axe-core finds nothing that is ours where data are asked for; see
test_every_page.py.
"""

from playwright.sync_api import Page, expect

from tests.browser.axe import COLOURS, STREAMLITS, violations
from tests.browser.every_page import turn_to_theme
from tests.browser.steps import open_page


def test_axe_finds_nothing_of_ours_where_data_are_asked_for(page: Page) -> None:
    open_page(page, "/explore?data=uploaded&called=Votes&d=9")
    asked = page.get_by_label("Drop the file: scores, or a log of who did what")
    expect(asked.first).to_be_visible()
    found = violations(page)
    assert [one[:2] for one in found if not one[2]] == []
    assert {one[0] for one in found} == {*dict(STREAMLITS)}  # else the exemption can go
    page.get_by_role("button", name="Share or save").click()
    expect(page.get_by_text("Open a scenario file")).to_be_visible()
    assert [one[:2] for one in violations(page) if not one[2]] == []
    turn_to_theme(page, "dark")
    assert [one[:2] for one in violations(page, only=COLOURS) if not one[2]] == []
