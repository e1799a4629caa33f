"""Slides, handout and decision sheet as files that somebody opens: paper, every width, and nothing
fetched.
"""

import re
from datetime import date
from pathlib import Path

import pytest
from playwright.sync_api import Page, expect

from dpviz.export.decision import decision_sheet
from dpviz.export.lessons import render_handout, render_slides
from dpviz.studies.decision import Question, decide
from dpviz.teaching.lessons import LESSONS
from tests.browser.windows import Opened

EVERY = list(LESSONS.values())


@pytest.fixture(scope="module")
def files(tmp_path_factory: pytest.TempPathFactory) -> dict[str, Path]:
    home = tmp_path_factory.mktemp("taken")
    made = {
        "slides": render_slides("All lessons", EVERY),
        "handout": render_handout("All lessons", EVERY),
    }
    for name, page in made.items():
        (home / f"{name}.html").write_text(page, encoding="utf-8")
    return {name: home / f"{name}.html" for name in made}


def at(page: Page) -> tuple[int, int]:
    """The number of the one slide that is seen, and of how many."""
    seen = page.locator("section:visible")
    expect(seen).to_have_count(1)
    number, of = (seen.locator("footer").text_content() or "").split(" / ")
    return int(number), int(of)


def test_every_slide_fits(opened: Opened, files: dict[str, Path]) -> None:
    page = opened(files["slides"], 1920, 1080)
    wide = beyond(page, by_keys=True)
    assert len(wide) == at(page)[1]
    assert [slide for slide in wide if max(slide.values()) > 1] == []
    page.set_viewport_size({"width": 390, "height": 844})
    on_phone = beyond(page, by_keys=False)
    assert len(on_phone) == len(wide)
    assert [slide for slide in on_phone if max(slide["page"], slide["hidden"]) > 1] == []


def beyond(page: Page, *, by_keys: bool) -> list[dict[str, float]]:
    """How far each slide runs off, or what hides it; a phone scrolls down. Without keys each is
    shown directly, as a browser takes long to follow hundreds of addresses.
    """
    over: list[dict[str, float]] = page.evaluate(
        """(byKeys) => [...document.querySelectorAll('section')].map((slide, at, all) => {
            if (!byKeys) all.forEach((one) => { one.hidden = one !== slide; });
            const body = slide.querySelector('.body'), foot = slide.querySelector('footer').getBoundingClientRect();
            const ends = [...body.children].map((one) => one.getBoundingClientRect().bottom);
            const over = {
                page: document.documentElement.scrollWidth - innerWidth, hidden: slide.hidden ? 2 : 0,
                down: body.scrollHeight - body.clientHeight, right: body.scrollWidth - body.clientWidth,
                foot: Math.max(...ends) - foot.top,
            };
            if (byKeys) document.dispatchEvent(new KeyboardEvent('keydown', { key: 'ArrowRight' }));
            return over;
        })""",
        by_keys,
    )
    return over


def pages_of(page: Page) -> int:
    pdf = page.pdf(prefer_css_page_size=True)
    return len(re.findall(rb"/Type\s*/Page(?!s)\b", pdf))


def test_paper_has_a_page_a_slide_and_a_lesson(opened: Opened, files: dict[str, Path]) -> None:
    page = opened(files["slides"], 1920, 1080)
    assert pages_of(page) == at(page)[1]
    page = opened(files["handout"], 1920, 1080)
    answers = page.get_by_role("heading", name="Answers")
    expect(answers).to_be_visible()
    page.add_style_tag(content=".answers{display:none}")
    assert pages_of(page) == len(EVERY)  # each lesson fits on the page that it begins
    fits_a_phone(page)


def test_a_decision_sheet_of_two_prints_on_two_pages(opened: Opened, tmp_path: Path) -> None:
    both = decide(Question(k=10)), decide(Question(k=10, goal="10 of 10 in 0.99"))
    path = tmp_path / "sheet.html"
    sheet = decision_sheet(both[0], date=date(2026, 5, 4), beside=both[1])
    path.write_text(sheet, encoding="utf-8")
    page = opened(path)
    assert pages_of(page) == 2
    fits_a_phone(page)


def fits_a_phone(page: Page) -> None:
    page.set_viewport_size({"width": 390, "height": 844})
    page.wait_for_function("document.documentElement.scrollWidth <= 390")
