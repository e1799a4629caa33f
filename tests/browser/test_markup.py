"""A label is shown as it was typed, quotes and markup in it too: on every chart, in its hovers, on
every page.
"""

import json
import re
from collections.abc import Iterator
from pathlib import Path

import pytest
from playwright.sync_api import Page, expect
from plotly.offline import get_plotlyjs

from dpviz import Scenario, Scores
from dpviz.charts import LIGHT
from dpviz.studies.data_spec import DataSpec
from dpviz.studies.design import Design
from tests.browser.every_page import unfold_all
from tests.browser.steps import go_to, open_page, ready
from tests.browser.windows import Opened, Rack
from tests.charts.test_every_chart import CASES, LABELS, charts

TYPED = "a\"b<c>&amp;'"
BOLD = "<b>Zoo</b>"
AS_TYPED = "|".join(map(re.escape, (TYPED, BOLD, "<b>A</b>")))
LONG = " where one waits for the bus on the way from the old town to the sea in the summer"
NAMED = ("Ash " + TYPED, "Oak " + TYPED, "Elm" + LONG, "Fir" + LONG, BOLD, "Yew")
READ = """async ([data, layout]) => {
    const gd = document.querySelector('#chart'), texts = [];
    const read = (where) => gd.querySelectorAll(where).forEach((one) => texts.push(one.textContent));
    await Plotly.newPlot(gd, data, {...layout, width: 900, height: 700});
    read('text');
    let clock = Date.now();
    Date.now = () => clock += 1000;  // plotly hears no two hovers within 50 ms
    for (const [curve, points] of gd.calcdata.entries()) {
        const trace = points[0].trace;
        if (!trace || trace.hoverinfo === 'skip' || !['bar', 'scatter', 'heatmap'].includes(trace.type)) continue;
        const plot = (trace.xaxis || 'x') + (trace.yaxis || 'y');
        const middles = (edges) => Array.from(edges).slice(1).map((end, i) => (edges[i] + end) / 2);
        const {x, y, z} = points[0];
        const hovers = trace.type !== 'heatmap' ? [...points.keys()].map((pointNumber) => ({pointNumber}))
            : z ? middles(y).flatMap((yval) => middles(x).map((xval) => ({xval, yval}))) : [];
        for (const one of hovers.slice(0, 8)) {
            Plotly.Fx.hover(gd, [{...one, curveNumber: curve}], plot);
            read('.hoverlayer text');
        }
    }
    return texts;
}"""
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


@pytest.fixture(scope="module")
def bare(rack: Rack, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Page]:
    """A page with plotly and nothing else."""
    file = tmp_path_factory.mktemp("bare") / "bare.html"
    file.write_text('<div id="chart"></div>', encoding="utf-8")
    with rack.on_disk() as opened:
        page = opened(file)
        page.add_script_tag(content=get_plotlyjs())
        yield page


@pytest.mark.long
def test_labels_stand_on_charts_as_they_were_typed(bare: Page) -> None:
    assert {TYPED, BOLD} <= set(LABELS)
    shown = set()
    for function in CASES:
        for chart in charts(function, LIGHT):
            figure = json.loads(json.dumps(chart.figure.data))
            texts = bare.evaluate(READ, [figure["data"], figure["layout"]])
            assert wrong(texts) == [], function.__name__
            if any(TYPED in text for text in texts):
                shown.add(function.__name__)
    assert len(shown) >= 10, shown
    assert "replayed_seeds_chart" in shown  # whose labels stand in the hovers of a heat map alone


@pytest.mark.long
def test_a_figure_as_a_file_shows_them_too(opened: Opened, tmp_path: Path) -> None:
    for function in (f for f in CASES if f.__name__ in {"score_bars", "item_rows"}):
        chart = charts(function, LIGHT)[0]
        file = tmp_path / f"{function.__name__}.html"
        file.write_text(chart.html(TYPED, f"of {TYPED}"), encoding="utf-8")
        page = opened(file)
        expect(page.locator(".main-svg").first).to_be_visible()
        assert page.title() == TYPED
        texts = page.locator("svg text, p").all_text_contents()
        assert wrong(texts) == []
        assert any(TYPED in text for text in texts)


@pytest.mark.twins(1)
@pytest.mark.parametrize(
    "names", [("Explore", "Neighbours"), ("Compare", "Gaps", "One item", "Decide", "Candidates")]
)
def test_every_page_shows_them_as_they_were_typed(
    page: Page, tmp_path: Path, names: tuple[str, ...]
) -> None:
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
    for name in names:
        go_to(page, name)
        unfold_all(page)
        ready(page)
        texts, elements = page.evaluate(ON_PAGE)
        assert wrong(texts) == [], name
        assert elements == 0, name
        if name != "Candidates":
            assert any(TYPED in text for text in texts), name
        if name == "Explore":
            long_names_are_trimmed(page)


def long_names_are_trimmed(page: Page) -> None:
    ticks = page.locator(".st-key-scores .ytick text")
    expect(ticks.filter(has_text="Elm").first).to_be_visible()
    assert max(map(len, ticks.all_text_contents())) <= 40
    plot = page.locator(".st-key-scores .js-plotly-plot").bounding_box()
    assert all(tick.bounding_box()["x"] >= plot["x"] - 1 for tick in ticks.all())  # type: ignore[index]
    assert max(map(len, page.locator(".dp-releases li").all_inner_texts())) < 150
