"""What comes in and what is handed on: files, refused ones, links to data they do not hold, copies
to circulate.
"""

import json
from pathlib import Path

from playwright.sync_api import Locator, Page, expect

from tests.browser.steps import open_page


def share(page: Page) -> Locator:
    page.get_by_role("button", name="Share or save").click()
    dialog = page.get_by_role("dialog", name="Share or save")
    expect(dialog.get_by_text("Open a scenario file")).to_be_visible()
    return dialog


def content(page: Page, button: Locator) -> tuple[str, dict[str, object]]:
    with page.expect_download() as waiting:
        button.click()
    held = json.loads(Path(waiting.value.path()).read_text(encoding="utf-8"))
    return waiting.value.suggested_filename, held


def test_what_can_be_shared_is_in_sight_and_its_name_in_all_of_it(page: Page) -> None:
    page.set_viewport_size({"width": 1366, "height": 768})
    open_page(page)
    dialog = share(page)
    for part in (
        dialog.get_by_role("textbox", name="Name of this scenario"),
        dialog.get_by_test_id("stCode"),
        dialog.get_by_role("button", name="Download scenario"),
        dialog.get_by_test_id("stFileUploaderDropzone"),
    ):
        expect(part).to_be_in_viewport(ratio=1)
    box = dialog.get_by_role("textbox", name="Name of this scenario")
    box.fill("Spring survey")
    box.press("Enter")
    expect(dialog.get_by_test_id("stCode")).to_contain_text("name=Spring+survey")
    _, held = content(page, dialog.get_by_role("button", name="Download scenario"))
    assert held["name"] == "Spring survey"
    dialog.get_by_role("button", name="Close").click()
    expect(dialog).to_have_count(0)
    page.wait_for_url("**name=Spring+survey**")
    expect(page.locator('.dp-about [data-what="Name"]')).to_have_text("Spring survey")


def test_a_link_to_uploaded_data_can_show_an_example_instead(page: Page) -> None:
    open_page(page, "/explore?data=uploaded&k=3")
    page.get_by_role("button", name="Show an example instead").click()
    expect(page.locator(".dp-sub")).to_contain_text("City help line")
