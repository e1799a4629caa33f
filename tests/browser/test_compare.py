"""The compare page in a real browser: three designs, one ε for all, the command line's table,
links, editing.
"""

import csv
import io
from collections.abc import Callable

import pytest
from playwright.sync_api import Locator, Page, expect

from dpviz.__main__ import main
from dpviz.charts.text_format import percent
from dpviz.data import EXAMPLES
from dpviz.studies.design import Design
from tests.browser.steps import drawn, nudge, open_page, ready, unfold

HELP_LINE = EXAMPLES["help_line"].scores()
THREE = {
    "canonical": Design(),
    "peeling": Design(mechanism="peeling"),
    "one_shot:noise=exponential": Design(mechanism="one_shot", parameters={"noise": "exponential"}),
}


def table(page: Page, name: str) -> Locator:
    return page.locator(f'table[aria-label^="{name}"]')


def cells(page: Page, name: str, row: int) -> Locator:
    """The large figures in a row of the table."""
    return table(page, name).locator("tbody tr").nth(row).locator(".dp-cell")


def expect_tops(page: Page, epsilon: float) -> None:
    for row, design in enumerate(THREE.values()):
        dist = design.build(epsilon, 10).distribution(HELP_LINE)
        for column, event in enumerate(("top", "great", "good")):
            expect(cells(page, "Headline figures", row).nth(column)).to_have_text(
                percent(getattr(dist, event))
            )


def all_there(page: Page) -> None:
    """Wait until nothing is computed any more: what has just come runs the page again, under a
    click too.
    """
    expect(page.locator(".dp-wait, .dp-place")).to_have_count(0)
    expect(page.get_by_test_id("stProgress")).to_have_count(0)
    ready(page)


@pytest.mark.long
def test_one_epsilon_changes_all_three_designs(page: Page) -> None:
    open_page(page, "/compare")
    drawn(page)
    expect_tops(page, 0.2)
    nudge(page, "ε, the privacy budget", steps=3)
    expect_tops(page, 0.28)
    page.wait_for_url("**epsilon=0.28&**")


@pytest.mark.long
def test_the_epsilon_table_is_the_command_lines(
    page: Page, capsys: pytest.CaptureFixture[str]
) -> None:
    command = ["budget", "-k", "10", "--example", "help_line", "--format", "csv"]
    assert main(command + [part for name in THREE for part in ("-m", name)]) == 0
    expected = list(csv.DictReader(io.StringIO(capsys.readouterr().out)))
    open_page(page, "/compare")
    all_there(page)
    unfold(page, "The smallest ε of each mechanism")
    expect(table(page, "Smallest ε for TOP").locator("tbody tr")).to_have_count(3)
    for row in range(3):
        shown = cells(page, "Smallest ε for TOP", row)
        for column in range(3):
            own = expected[3 * row + column]
            value, _, multiple = shown.nth(column).inner_text().partition(" ")
            assert float(own["epsilon"]) <= float(value) <= float(own["epsilon"]) * 1.01
            assert (
                multiple == "the least"
                or abs(float(multiple.strip("× ")) - float(own["multiple"])) < 0.051
            )
    with page.expect_download() as download:
        page.locator(".st-key-budget_csv").get_by_role("button", name="Table as CSV").click()
    saved = list(csv.DictReader(download.value.path().read_text(encoding="utf-8-sig").splitlines()))
    names = ("design", "probability", "epsilon", "multiple")
    assert [[row[name] for name in names] for row in saved] == [
        [row[name] for name in names] for row in expected
    ]


@pytest.mark.long
def test_a_design_is_edited_and_the_link_brings_it_back(
    page: Page, new_page: Callable[[str], Page], server: str
) -> None:
    open_page(page, "/compare?data=example:class_trip&k=2&epsilon=1.0")
    all_there(page)
    page.locator(".st-key-design_B button").first.click()
    page.get_by_role("combobox", name="Mechanism").first.click()
    page.get_by_role("option", name="Joint exponential", exact=True).click()
    row = table(page, "Headline figures").locator("tbody tr").nth(1)
    expect(row).to_contain_text("B Joint exponential")
    dist = Design(mechanism="joint").build(1.0, 2).distribution(EXAMPLES["class_trip"].scores())
    expect(cells(page, "Headline figures", 1).first).to_have_text(percent(dist.top))
    page.keyboard.press("Escape")
    unfold(page, "The smallest ε of each mechanism")
    page.get_by_role("radio", name="GOOD").click()
    page.wait_for_url("**page.event=good**")
    all_there(page)
    address = page.url
    other = new_page(server)
    other.goto(address)
    all_there(other)
    expect(table(other, "Headline figures").locator("tbody tr").nth(1)).to_contain_text(
        "B Joint exponential"
    )
    unfold(other, "The smallest ε of each mechanism")
    expect(table(other, "Smallest ε for GOOD")).to_be_visible()
    assert other.url == address


def test_long_work_is_stopped_and_taken_up_again(page: Page) -> None:
    open_page(
        page,
        "/compare?data=generated:log_normal&data.size=3000&k=200&m1=canonical&m2=peeling;noise=exponential",
    )
    page.locator(".st-key-rest_stop").get_by_role("button", name="Stop").click()
    page.get_by_role("button", name="Compute the rest").first.wait_for()
    page.get_by_role("button", name="Compute the rest").first.click()
    expect(page.get_by_text("Computing: ").first).to_be_visible()
