"""The reproduction's figures in a browser: every line has its name, in a legend that is whole or
beside itself.
"""

from pathlib import Path

import pytest
from playwright.sync_api import expect

from dpviz.__main__ import main
from dpviz.export.reproduction import topk, zipf
from tests.browser.windows import Opened

SIZES = {"wide": (1366, 900), "phone": (390, 844)}
NAMED = """plot => [...new Set(
  plot.data.filter(t => t.name && t.showlegend !== false && t.visible !== false).map(t => t.name))]"""
BESIDE = """plot => {
  const paper = plot.querySelector(".main-svg").getBoundingClientRect();
  return [...plot.querySelectorAll(".textpoint")].map(text => {
    const box = text.getBoundingClientRect();
    return [text.textContent, box.left >= paper.left && box.right <= Math.min(paper.right, innerWidth)];
  });
}"""
WRITTEN = """plot => {
  const inside = (a, b) =>
    a.left >= b.left && a.right <= b.right + 1 && a.top >= b.top && a.bottom <= b.bottom + 1;
  const box = one => one.getBoundingClientRect(), paper = box(plot.querySelector(".main-svg"));
  const legend = box(plot.querySelector(".legend .bg"));
  return [...plot.querySelectorAll(".legendtext")].map(text => [
    text.textContent, inside(box(text), legend) && inside(box(text), paper) && paper.right <= innerWidth]);
}"""


@pytest.fixture(scope="module")
def report(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The figures with five lines each, as the command writes them, from few points."""
    home = tmp_path_factory.mktemp("reproduction")
    (home / "netflix.csv").write_text("30\n10\n4\n1\n", encoding="utf-8")
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(topk, "NOISE_KS", (1,))
        patch.setattr(zipf, "KS", (3, 4, 5))
        patch.setattr(zipf, "SIZE", 30)
        patch.setattr(zipf, "EXPONENTS", (0.0, 0.1, 1.0))
        patch.setattr(zipf, "_MOST", 12)
        argv = [
            "reproduce",
            "--folder",
            str(home),
            "--only",
            "noises",
            "zipf",
            "-o",
            str(home / "report.html"),
        ]
        assert main([*argv, "-j", "1", "--quiet"]) == 0
    return home / "report.html"


@pytest.mark.long
@pytest.mark.parametrize("size", SIZES)
def test_every_line_has_its_name(opened: Opened, report: Path, size: str) -> None:
    plots = opened(report, *SIZES[size]).locator(".plot")
    assert (
        plots.count() == 9
    )  # one-shot and canonical with five noises; two ε with two events, and three k over ε
    for number in range(plots.count()):
        plot = plots.nth(number)
        plot.scroll_into_view_if_needed()
        if size == "wide" and number < 2:  # lines alone in a chart are named beside themselves
            expect(plot.locator(".textpoint")).to_have_count(5)
            beside = plot.evaluate(BESIDE)
            assert all(whole for _, whole in beside), beside
            assert {text.split()[0] for text, _ in beside} == {
                "exponential",
                "gumbel",
                "half-logistic",
                "laplace",
                "logistic",
            }
            continue
        expect(plot.locator(".legendtext")).to_have_count(5)
        names = plot.evaluate(NAMED)
        assert plot.evaluate(WRITTEN) == [[name, True] for name in names]
