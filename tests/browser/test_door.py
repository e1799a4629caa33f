"""The one door for data, all the way: dropped, read aloud, mended, agreed on, kept over a reload
and let go.
"""

from pathlib import Path

from playwright.sync_api import Page, expect

from dpviz import Canonical, Scores
from dpviz.charts import percent
from tests.browser.steps import agree, open_page, ready, settings, upload

PAGES = {"Äpfel": 5, "Birnen": 9, "Kirschen": 14, "Pflaumen": 2}


def log(folder: Path) -> Path:
    """A log as a shop exports it: a title, its own letters, dates in front."""
    rows = [f"{1 + i}.03.2026;k{i};{name}" for name, many in PAGES.items() for i in range(many)]
    path = folder / "verkauf.csv"
    path.write_text(
        "\n".join(["Verkauf im März;;", "", "Datum;Kunde;Artikel", *rows]), encoding="cp1252"
    )
    return path


def test_a_log_is_read_aloud_mended_agreed_on_and_kept_over_a_reload(
    page: Page, tmp_path: Path
) -> None:
    open_page(page, "/explore?k=2")
    side = page.get_by_test_id("stSidebar")
    settings(page)
    side.get_by_role("combobox", name="Scores from").click()
    page.get_by_role("option", name="Your own file", exact=True).click()
    before = page.get_by_role("heading", level=1).inner_text()
    upload(page, log(tmp_path))
    expect(side.get_by_text("We read verkauf.csv as")).to_be_visible()
    expect(side.get_by_role("radio", name="A log: one event per row")).to_be_checked()
    expect(side.get_by_text("left out: 'Verkauf im März'")).to_be_visible()
    expect(side.get_by_text("Äpfel by k0")).to_be_visible()
    side.get_by_role("button", name="Read it as “Verkauf im M‰rz”").click()
    expect(side.get_by_text("ƒpfel by k0")).to_be_visible()
    side.get_by_role("button", name="Undo these changes").click()
    expect(side.get_by_text("Äpfel by k0")).to_be_visible()
    expect(page.get_by_role("heading", level=1)).to_have_text(before)
    agree(page)
    counted = Scores(list(PAGES.values()), list(PAGES), monotonic=True, names_known=False)
    top = percent(Canonical(epsilon=0.2, k=2).distribution(counted).top)
    expect(page.locator(".dp-card").first).to_contain_text(top)
    side.get_by_text("Keep the data after reloading").click()
    expect(side.get_by_text("but no rows of a log")).to_be_visible()
    page.wait_for_function("sessionStorage.getItem('dpviz.kept')")
    held = page.evaluate("sessionStorage.getItem('dpviz.kept')")
    assert "Kirschen" in held
    assert "k13" not in held
    page.reload()
    ready(page)
    expect(page.locator(".dp-sub")).to_contain_text("verkauf.csv")
    expect(page.locator(".dp-card").first).to_contain_text(top)
    side.get_by_text("Keep the data after reloading").click()
    page.wait_for_function("sessionStorage.getItem('dpviz.kept') === null")
