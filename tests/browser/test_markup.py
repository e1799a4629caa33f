"""A label is shown as it was typed, quotes and markup in it too: on every chart, in its hovers, on
every page.
"""

import re
from pathlib import Path

from playwright.sync_api import Page, expect

from dpviz import Scenario, Scores
from dpviz.studies.data_spec import DataSpec
from dpviz.studies.design import Design
from tests.browser.every_page import unfold_all
from tests.browser.steps import go_to, open_page, ready

TYPED = "a\"b<c>&amp;'"
BOLD = "<b>Zoo</b>"
AS_TYPED = "|".join(map(re.escape, (TYPED, BOLD, "<b>A</b>")))
NAMED = ("Ash " + TYPED, "Oak " + TYPED, "Elm", "Fir", BOLD, "Yew")
ON_PAGE = """() => {
    const main = document.querySelector('.stApp'), texts = main.innerText.split('\\n');
    for (const one of main.querySelectorAll('svg text')) texts.push(one.textContent);
    for (const name of ['title', 'aria-label', 'data-head', 'alt', 'placeholder'])
        for (const one of main.querySelectorAll(`[${name}]`)) texts.push(one.getAttribute(name));
    return [texts, main.querySelectorAll('c').length];
}"""


def wrong(texts: list[str]) -> list[str]:
    """What is neither a label as it was typed nor free of signs that stand for others, and of
    pieces of a label.
    """
    rest = [re.sub(f"[\u2066-\u2069]|{AS_TYPED}", "", text) for text in texts]
    return [text for text in rest if re.search(r"""&#?\w+;|a"b|<c>|\bZoo\b|<b>""", text)]


def test_pages_show_them_as_they_were_typed(page: Page, tmp_path: Path) -> None:
    data = DataSpec(source="uploaded", monotonic=True, called=TYPED, unit=TYPED, d=6)
    scores = Scores([60.0, 50.0, 45.0, 44.0, 43.0, 2.0], labels=NAMED, monotonic=True)
    designs = (Design(), Design(mechanism="peeling"))
    file = tmp_path / "markup.json"
    file.write_text(
        Scenario(data=data, designs=designs, name=TYPED, k=2, scores=scores).to_json(),
        encoding="utf-8",
    )
    open_page(page, "/explore")
    page.get_by_role("button", name="Share or save").click()
    page.get_by_role("dialog").locator("input[type=file]").set_input_files(str(file))
    expect(page.get_by_role("dialog")).to_have_count(0)
    for name in ("Explore", "Neighbours"):
        go_to(page, name)
        unfold_all(page)
        ready(page)
        texts, elements = page.evaluate(ON_PAGE)
        assert wrong(texts) == [], name
        assert elements == 0, name
        assert any(TYPED in text for text in texts), name
