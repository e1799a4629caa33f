"""Decide in a real browser: from the first question to a sheet and a script in one's hands, and on
one's own file.
"""

import json
from pathlib import Path

import pytest
from playwright.sync_api import Locator, Page, expect

from dpviz import Scores
from dpviz.export.decision.release_code import release_code
from dpviz.pages.decide import sentences
from dpviz.studies.data_spec import DataSpec
from dpviz.studies.decision import Question, decide
from tests.browser.steps import agree, go_to, open_page, ready, unfold, upload

COUNTS = [983_477 - 37 * i * i - 40_009 * i for i in range(20)]
PAST = [
    [score - 9_000 * (i % 5) for i, score in enumerate(COUNTS)],
    [score // 2 for score in COUNTS],
]
PLACES = [f"place {i}" for i in range(20)]


def figure(page: Page, name: str) -> Locator:
    """The value on the card with this name."""
    card = page.locator(".dp-card").filter(has=page.locator(".dp-name", has_text=name))
    return card.locator(".dp-value").first


def press(page: Page, name: str) -> None:
    page.get_by_role("button", name=name).click()
    ready(page)


def downloaded(page: Page, name: str) -> str:
    with page.expect_download() as started:
        page.get_by_role("button", name=name).click()
    return started.value.path().read_text(encoding="utf-8")


def test_from_the_first_page_to_a_sheet_and_its_code(page: Page) -> None:
    open_page(page)
    go_to(page, "Decide")
    unfold(page, "What it is called")
    box = page.get_by_role("textbox", name="What is it called?")
    box.fill("Services asked for")
    box.press("Enter")
    page.wait_for_url("**name=Services*")
    for title in (
        "Who is protected?",
        "How much may it cost?",
        "How good must it be?",
        "On which data",
        "Were the names",
    ):
        press(page, "Next")
        expect(page.get_by_role("heading", name=title)).to_be_visible()
    press(page, "Show the answer")
    decision = decide(Question(name="Services asked for", data=DataSpec(name="help_line")))
    expect(figure(page, "ε of one release")).to_have_text(
        sentences.format_parameter(decision.epsilon)
    )
    expect(page.locator(".js-plotly-plot")).to_have_count(3)
    sheet = downloaded(page, "Decision sheet")
    assert "Decision sheet: Services asked for" in sheet
    assert sentences.plan_sentence(decision) in sheet
    assert downloaded(page, "release.py") == release_code(decision).text
    record = json.loads(downloaded(page, "The same as JSON"))
    assert record["decision"]["epsilon"] == decision.epsilon
    circulated = downloaded(page, "Scenario without scores")
    assert circulated == decision.scenario.to_json()
    page.reload()
    ready(page)
    expect(page.get_by_text("Services asked for").first).to_be_visible()


def write(file: Path, counts: list[int]) -> Path:
    lines = [f"{name},{score}\n" for name, score in zip(PLACES, counts, strict=True)]
    file.write_text("".join(["name,count\n", *lines]), encoding="utf-8")
    return file


@pytest.mark.long
def test_on_ones_own_file_and_two_of_past_periods(page: Page, tmp_path: Path) -> None:
    open_page(page, "/decide?data=uploaded&monotonic=true&k=3&page.decide.screen=answer")
    press(page, "On which data?")
    upload(page, write(tmp_path / "counts.csv", COUNTS))
    agree(page)
    expect(page.get_by_text("20 items.")).to_be_visible()
    expect(page.get_by_text("Where are these data from?")).to_be_visible()
    for number, counts in enumerate(PAST):
        past = write(tmp_path / f"period {number}.csv", counts)
        page.locator("input[type=file]").last.set_input_files(str(past))
        expect(page.get_by_role("button", name=f"Without {past.name}")).to_be_visible()
    expect(page.get_by_text("as different as this: 2 past periods")).to_be_visible()
    press(page, "Straight to the answer")
    scores = [Scores(counts, PLACES, monotonic=True) for counts in (COUNTS, *PAST)]
    question = Question(k=3, data=DataSpec(source="uploaded", monotonic=True))
    decision = decide(question, scores)
    assert decision.epsilon > decide(question, scores[0]).epsilon
    expect(figure(page, "ε of one release")).to_have_text(
        sentences.format_parameter(decision.epsilon)
    )
    expect(page.get_by_text("place 3").first).to_be_visible()
    sheet, record = downloaded(page, "Decision sheet"), downloaded(page, "The same as JSON")
    assert "2 past periods" in sheet
    for left in (sheet, record, downloaded(page, "Scenario without scores")):
        assert not any(str(score) in left for counts in (COUNTS, *PAST) for score in counts)


def search_words(folder: Path) -> tuple[Path, Path]:
    """A log of what 900 people typed, some words of which only one of them did; and the words that
    all know.
    """
    known = [f"word {word}" for word in range(30)]
    rows = [f"p{person},{known[person % (1 + person % 30)]}\n" for person in range(900)]
    rows += [f"p{person},only {person}\n" for person in range(0, 900, 9)]
    log, names = folder / "searches.csv", folder / "names.txt"
    log.write_text("".join(["person,query\n", *rows]), encoding="utf-8")
    names.write_text("\n".join(known), encoding="utf-8")
    return log, names


def total(page: Page) -> float:
    return float(figure(page, "All releases").inner_text().split()[0])


@pytest.mark.long
def test_a_log_of_search_words_leads_to_a_list_though_nobody_knew_the_words(
    page: Page, tmp_path: Path
) -> None:
    log, names = search_words(tmp_path)
    open_page(page, "/decide?k=3&page.decide.screen=data")
    page.get_by_role("combobox", name="Scores from").first.click()
    page.get_by_role("option", name="Your own file", exact=True).click()
    expect(
        page.get_by_role("region", name="Drop a file")
    ).to_be_visible()  # past periods take files too
    page.locator("input[type=file]").first.set_input_files(str(log))
    page.get_by_role(
        "button", name="Use it so"
    ).click()  # a press while it is counted loses neither
    press(page, "Straight to the answer")
    expect(page.get_by_text("of 3 names on average, all 3 in").first).to_be_visible()
    expect(figure(page, "ε of one release")).to_contain_text("and δ = 5×10⁻⁷")
    expect(page.get_by_text("what is searched is Limited domain.").first).to_be_visible()
    expect(
        page.get_by_text("A list of names that was fixed before the data were").first
    ).to_be_visible()
    without = total(page)
    code, record = (
        downloaded(page, "release.py"),
        json.loads(downloaded(page, "The same as JSON"))["decision"],
    )
    assert "at most 3 items" in code
    assert (record["mechanism"]["name"], record["delta"]) == ("limited_domain", 5e-7)
    assert "names were not known" in downloaded(page, "Decision sheet")
    press(page, "On which data is this decided?")
    page.get_by_role("button", name="Items known beforehand").click()
    page.get_by_role("textbox", name="One item a line").fill(names.read_text(encoding="utf-8"))
    press(page, "Count these items")
    page.keyboard.press("Escape")
    press(page, "Straight to the answer")
    expect(page.get_by_text("what is searched is Canonical").first).to_be_visible()
    expect(page.get_by_role("button", name="release.py")).to_be_visible()
    assert total(page) < 0.7 * without
