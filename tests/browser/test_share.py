"""What comes in and what is handed on: files, refused ones, links to data they do not hold, copies
to circulate.
"""

import json
from collections.abc import Callable
from pathlib import Path

import pytest
from playwright.sync_api import Locator, Page, expect

from tests.browser.steps import agree, bring, open_page, ready

VOTES = "item,votes\nash,31\noak,28\nelm,20\nyew,12\nfir,5\n"


def give(page: Page, at: Locator, path: Path) -> None:
    at.locator("input[type=file]").set_input_files(str(path))
    ready(page)


def load(page: Page, path: Path) -> None:
    """Load a file of scores by the sidebar."""
    open_page(page, "/explore?k=2")
    bring(page, path)


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


def test_what_can_be_shared_is_all_in_sight_and_a_name_is_in_the_link_the_files_and_on_paper(
    page: Page,
) -> None:
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


def copies_to_circulate_hold_no_score(page: Page) -> None:
    dialog = share(page)
    _, full = content(page, dialog.get_by_role("button", name="Download scenario"))
    assert full["scores"]["labels"][0] == "ash"  # type: ignore[index]
    name, copy = content(page, dialog.get_by_role("button", name="Download a copy without scores"))
    assert name.endswith("-no-scores.json")
    assert "scores" not in copy
    assert copy["data"]["d"] == 5  # type: ignore[index]
    assert "ash" not in json.dumps(copy)
    assert "good" not in json.dumps(copy)
    dialog.get_by_role("button", name="Close").click()
    expect(dialog).to_have_count(0)


@pytest.mark.long
def test_what_is_shown_is_named_a_copy_holds_no_score_and_a_refused_file_is_not_named(
    page: Page, tmp_path: Path
) -> None:
    good, bad = tmp_path / "good.csv", tmp_path / "bad.csv"
    good.write_text(VOTES, encoding="utf-8")
    bad.write_text("item,votes\nash,31\noak,many\n", encoding="utf-8")
    load(page, good)
    sidebar = page.get_by_test_id("stSidebar")
    expect(sidebar.get_by_text("Shown: good.csv")).to_be_visible()
    expect(sidebar.get_by_text("d = 5, Δ = 1")).to_be_visible()
    expect(page.locator(".dp-sub")).to_contain_text("good.csv")
    copies_to_circulate_hold_no_score(page)
    give(page, sidebar, bad)
    page.get_by_role("button", name="Use it so").click()
    expect(sidebar.get_by_text("bad.csv is not used. Row 3")).to_contain_text(
        "good.csv is still shown."
    )
    expect(sidebar.get_by_text("Shown: good.csv")).to_be_visible()
    expect(page.get_by_text("bad.csv", exact=False)).to_have_count(
        2
    )  # its sentence, and what stands to be confirmed
    page.get_by_role("button", name="Leave it").click()
    expect(page.get_by_text("We read bad.csv")).to_have_count(0)
    expect(sidebar.get_by_test_id("stFileUploaderFile")).to_have_count(0)
    assert "good" not in page.url


@pytest.mark.long
def test_a_link_to_uploaded_data_says_what_they_were_and_takes_them(
    page: Page, new_page: Callable[[str], Page], server: str, tmp_path: Path
) -> None:
    votes, other = tmp_path / "votes.csv", tmp_path / "other.csv"
    votes.write_text(VOTES, encoding="utf-8")
    other.write_text(VOTES + "box,1\n", encoding="utf-8")
    load(page, votes)
    box = page.get_by_test_id("stSidebar").get_by_role("textbox", name="Name of these data")
    box.fill("Votes of May")
    box.press("Enter")
    page.wait_for_url("**called=Votes+of+May**")
    assert "votes.csv" not in page.url
    second = new_page(server)
    open_page(second, page.url)
    main = second.get_by_test_id("stMainBlockContainer")
    expect(main.get_by_role("heading", level=1)).to_contain_text("Drop the file with these scores")
    for told in ("Votes of May", "5 items", "one person replaced by another", "Δ = 1", "k = 2"):
        expect(main.get_by_text(told)).to_be_visible()
    give(second, main, other)
    agree(second)
    expect(second.get_by_text("The link was made with 5 items, other.csv has 6.")).to_be_visible()
    expect(second.locator(".dp-sub")).to_contain_text("Votes of May (other.csv)")
    expect(second.locator(".dp-card").first).to_be_visible()


def test_a_link_to_uploaded_data_can_show_an_example_instead(page: Page) -> None:
    open_page(page, "/explore?data=uploaded&k=3")
    page.get_by_role("button", name="Show an example instead").click()
    expect(page.locator(".dp-sub")).to_contain_text("City help line")
