"""A figure to take away, opened from a folder without a network: its slider moves it to the
library's own values.
"""

import json
import re
from collections.abc import Callable
from pathlib import Path
from urllib.parse import urlencode

import numpy as np
import pytest
from playwright.sync_api import Page, expect

from dpviz import Canonical, Scenario, Scores, __version__
from dpviz.__main__ import main
from dpviz.base.text_format import percent
from dpviz.export.takeaway import build_takeaway_file
from dpviz.pages.common.slider_file import epsilon_grid
from dpviz.pages.explore.view import build_slider_figure
from dpviz.studies.data_spec import DataSpec
from tests.browser.steps import open_page
from tests.browser.windows import Opened

HOSTILE = (
    "<img src=x onerror=window.pwned=1>",
    "</script><script>window.pwned=1</script>",
    '"><svg onload=window.pwned=1>',
    "<a href='javascript:window.pwned=1'>x</a>",
    "<!--",
    "&lt;b&gt;&#60;img src=x onerror=window.pwned=1&#62;",
)
DATE = re.compile(r"<dt>Date</dt><dd>[0-9-]+</dd>")  # midnight may pass between two files


@pytest.fixture
def opened(opened: Opened) -> Callable[..., Page]:
    """opened(path) is an offline window on the file, once it is drawn."""

    def drawn_file(path: Path, *size: int, **how: str) -> Page:
        page = opened(path, *size, **how)
        expect(page.locator("body[data-drawn]")).to_be_visible()
        return page

    return drawn_file


def move(page: Page, key: str, to: int, mode: str = "light") -> None:
    """Press a key on the slider, and wait until it has drawn its step `to`."""
    page.get_by_role("slider").press(key)
    expect(page.locator("body")).to_have_attribute("data-drawn", f"{to} {mode}")


def keys_move_it_to_the_librarys_figures(page: Page, scores: Scores) -> None:
    steps = epsilon_grid(1.0)
    page.get_by_text("Table of what is shown").first.click()
    start = steps.index(1.0)
    for key, to in (("ArrowRight", start + 1), ("End", 32), ("ArrowLeft", 31), ("Home", 0)):
        move(page, key, to)
        law = Canonical(epsilon=steps[to], k=10).distribution(scores)
        shown = f"{steps[to]:.6g}"
        expect(page.locator("#now")).to_have_text(shown)
        expect(page.get_by_role("slider")).to_have_attribute("aria-valuetext", shown)
        expect(page.locator("#sentence")).to_contain_text(f"At ε = {shown} ")
        expect(page.locator('[data-cell="0 0"]')).to_have_text(percent(law.top))
        named = page.locator("#table0 tbody tr").all()[:-1]  # the last row has the rest
        chances = [float(row.locator("td").last.text_content() or "") for row in named]
        assert chances == pytest.approx(law.inclusion[scores.order[: len(named)]], abs=1.1e-6)
        bars = page.evaluate("Array.from(document.getElementById('plot0')._fullData[1].x)")
        np.testing.assert_allclose(bars[: len(named)], chances, rtol=1e-3, atol=1.1e-6)
        alt = page.locator("#plot1").get_attribute("aria-label") or ""
        assert (page.locator("#says1").text_content() or "?") in alt


def fits_a_phone_turns_dark_and_prints(page: Page) -> None:
    page.get_by_text("Table of what is shown").first.click()  # as it was
    page.set_viewport_size({"width": 390, "height": 844})
    page.wait_for_function("document.documentElement.scrollWidth <= 390")
    page.set_viewport_size({"width": 1366, "height": 768})
    page.emulate_media(color_scheme="dark")
    start = page.get_by_role("slider").input_value()
    expect(page.locator("body")).to_have_attribute("data-drawn", f"{start} dark")
    ink = "getComputedStyle(document.querySelector('.plot .main-svg')).backgroundColor"
    assert page.evaluate(ink) == "rgb(15, 20, 26)"
    last = int(page.get_by_role("slider").get_attribute("max") or 0)
    move(page, "End", last, "dark")
    paper = page.pdf(prefer_css_page_size=True)
    assert len(re.findall(rb"/Type\s*/Page(?!s)\b", paper)) == 1
    page.emulate_media(media="print")
    page.evaluate("dispatchEvent(new Event('beforeprint'))")
    expect(page.locator("body")).to_have_attribute("data-drawn", f"{last} light")
    page.set_viewport_size({"width": 680, "height": 1010})
    rights = page.locator(".plot .main-svg").evaluate_all(
        "(all) => all.map((one) => one.getBoundingClientRect().right)"
    )
    assert max(rights) <= 680


# Every page goes the same way to its file; tests/export/takeaway has every step of all of them,
# and tests/pages/test_file_and_command_say_the_same.py that page, file and command say the same.
def test_what_is_shared_is_in_sight_named_and_the_file_that_the_command_gives_works_alone(
    page: Page, opened: Callable[..., Page], tmp_path: Path
) -> None:
    page.set_viewport_size({"width": 1366, "height": 768})
    scenario = Scenario()
    open_page(page, f"/explore?{urlencode(scenario.to_query())}")
    page.get_by_role("button", name="Share or save").click()
    dialog = page.get_by_role("dialog", name="Share or save")
    box = dialog.get_by_role("textbox", name="Name of this scenario")
    file = dialog.get_by_role("button", name="Download scenario")
    code = dialog.get_by_test_id("stCode")
    for part in (box, code, file, dialog.get_by_test_id("stFileUploaderDropzone")):
        expect(part).to_be_in_viewport(ratio=1)
    link = code.text_content() or ""
    with page.expect_download(timeout=120_000) as waiting:
        dialog.get_by_role("button", name="Download the figure").click()
    taken, command = tmp_path / waiting.value.suggested_filename, tmp_path / "command.html"
    waiting.value.save_as(taken)
    assert main(["figure", "--scenario", link, "-o", str(command), "--quiet"]) == 0
    mine, other = (DATE.sub("", file.read_text(encoding="utf-8")) for file in (taken, command))
    assert mine == other
    alone = opened(taken)
    expect(alone.locator("#now")).to_have_text("1")
    expect(alone.locator("#sentence")).to_contain_text("the list is")
    for told in ("where the slider starts", f"dpviz {__version__}", "Date", "Link"):
        expect(alone.locator("footer")).to_contain_text(told)
    keys_move_it_to_the_librarys_figures(alone, scenario.load())
    fits_a_phone_turns_dark_and_prints(alone)
    box.fill("Spring survey")
    box.press("Enter")
    expect(code).to_contain_text("name=Spring+survey")
    with page.expect_download() as scenario:
        file.click()
    assert json.loads(scenario.value.path().read_text(encoding="utf-8"))["name"] == "Spring survey"
    dialog.get_by_role("button", name="Close").click()
    page.wait_for_url("**name=Spring+survey**")
    expect(page.locator('.dp-about [data-what="Name"]')).to_have_text("Spring survey")


def test_labels_and_names_stay_text(opened: Callable[..., Page], tmp_path: Path) -> None:
    own = Scores([9.0, 7.5, 7.25, 3.0, 2.0, 1.0], labels=HOSTILE)
    data = DataSpec(source="uploaded", called=HOSTILE[1])
    scenario = Scenario(data=data, k=2, scores=own, name=HOSTILE[0])
    made = build_takeaway_file(build_slider_figure(scenario, own), [("Data", HOSTILE[1])])
    (tmp_path / "hostile.html").write_text(made.html, encoding="utf-8")
    page = opened(tmp_path / "hostile.html")
    expect(page.get_by_role("heading", level=1)).to_contain_text(HOSTILE[0])
    page.get_by_text("Table of what is shown").first.click()
    for key, to in (("ArrowRight", 17), ("Home", 0)):
        move(page, key, to)
        rows = page.locator("#table0 tbody tr td:nth-child(2)").all_text_contents()
        assert [row[:20] for row in rows] == [label[:20] for label in HOSTILE]
        assert page.locator("main img, main a, .plot foreignObject, main svg[onload]").count() == 0
    for axis in page.locator("#plot0 .ytick text").all():
        axis.hover(force=True)
    assert page.evaluate("window.pwned") is None
