"""What charts and cards say as drawn: labels stand at what they are of, long names are trimmed."""

from pathlib import Path

from playwright.sync_api import Page, expect

from tests.browser.every_page import show_page
from tests.browser.steps import bring, open_page

NAMES = ("Ash grove", "Oak street", "Elm park", "Yew hill", "Fir lane")
SIDES = "(all) => all.map((one) => one.getBoundingClientRect()).map((box) => [box.left, box.right])"


def test_no_figure_beside_a_candidate_lies_on_its_bar_or_its_diamond(page: Page) -> None:
    show_page(page, "candidates")
    chart = page.locator(".st-key-chosen .js-plotly-plot")
    told, bars, diamonds = (
        chart.locator(what).evaluate_all(SIDES)
        for what in (
            ".scatterlayer .textpoint text",
            ".barlayer .point path",
            ".scatterlayer path.point",
        )
    )
    assert len(told) == len(bars) == len(diamonds) == 10
    assert all(left > bar[1] - 1 for (left, _), bar in zip(told, bars, strict=True))
    assert not any(
        left < diamond[1] and diamond[0] < right
        for (left, right), diamond in zip(told, diamonds, strict=True)
    )


def test_long_names_are_trimmed_on_the_bars_and_whole_in_the_table(
    page: Page, tmp_path: Path
) -> None:
    long = [
        f"{name} where one waits for the bus on the way from the old town to the sea in the summer"
        for name in NAMES
    ]
    votes = tmp_path / "votes.csv"
    votes.write_text(
        "item,votes\n" + "".join(f"{name},{50 - i}\n" for i, name in enumerate(long)),
        encoding="utf-8",
    )
    open_page(page, "/explore?k=2")
    bring(page, votes)
    ticks = page.locator(".st-key-scores .ytick text")
    expect(ticks.filter(has_text="Ash").first).to_be_visible()
    assert max(map(len, ticks.all_text_contents())) <= 40
    plot = page.locator(".st-key-scores .js-plotly-plot").bounding_box()
    assert all(tick.bounding_box()["x"] >= plot["x"] - 1 for tick in ticks.all())
    assert max(map(len, page.locator(".dp-releases li").all_inner_texts())) < 150
