"""Charts: arrays in, a figure with words and a table out; labels inert, at most so many marks drawn."""

import html

import numpy as np
import plotly.graph_objects as go
import pytest

from dpviz import Canonical, Scores
from dpviz.base.inert_csv import export_csv
from dpviz.charts import DARK, LIGHT, MEASURES, Chart, class_heatmap, draw_dots, score_bars
from dpviz.charts.topk.score_bars import MOST_BARS
from dpviz.topk.classes import event_bounds
from dpviz.topk.grid import Grid
from dpviz.topk.inspection import grid_loss

SCORES = Scores(np.arange(30.0)[::-1] ** 1.5, labels=[f"item <{i}>" for i in range(30)], monotonic=True)
MECHANISM = Canonical(epsilon=0.3, k=6)
DIST = MECHANISM.distribution(SCORES)
REGIONS = {name: event_bounds(name, SCORES.ranked, 6) for name in ("top", "great", "good")}


def heatmap(**changes: object) -> Chart:
    return class_heatmap(DIST.grid(80, 120), REGIONS, **changes)  # type: ignore[arg-type]


def all_charts() -> list[Chart]:
    return [
        score_bars(SCORES, DIST.inclusion, 6),
        heatmap(),
        draw_dots(np.array([6, 5, 6, 4]), 6, share=DIST.share, top=DIST.top, chosen=1),
    ]


@pytest.mark.parametrize("chart", all_charts(), ids=["bars", "heatmap", "dots"])
def test_a_chart_has_words_and_a_table_beside_its_figure(chart: Chart) -> None:
    assert isinstance(chart.figure, go.Figure)
    for words in (chart.alt, chart.how_to_read, chart.says_now):
        assert words.strip().endswith(".")
        assert "nan" not in words
    assert len(chart.table) > 0
    assert export_csv(chart.table)


@pytest.mark.parametrize("chart", all_charts(), ids=["bars", "heatmap", "dots"])
def test_an_export_is_a_page_of_its_own(chart: Chart) -> None:
    page = chart.html("a <title>")
    assert "<title>a &lt;title&gt;</title>" in page
    assert "cdn.plot.ly" not in page.split("<body>")[0]
    assert "Plotly.newPlot" in page
    assert html.escape(chart.says_now) in page


def test_bars_show_the_scores_by_rank_and_the_chance_twice() -> None:
    figure = score_bars(SCORES, DIST.inclusion, 6).figure
    score, chance, _ = figure.data
    np.testing.assert_allclose(score.y, SCORES.values[SCORES.order])
    np.testing.assert_allclose(chance.y, DIST.inclusion[SCORES.order], rtol=1e-6)
    assert score.marker.color == chance.marker.color
    assert len(set(score.marker.color[:3])) == len(set(np.round(chance.y[:3], 3).tolist()))


def test_bars_tell_no_digit_that_the_bounds_leave_open() -> None:
    scores = Scores([9.0, 5.0])
    chance = np.array([0.7312, 0.2688])
    chart = score_bars(scores, chance, 1, bounds=(chance - 0.008, chance + 0.008))
    assert "73.1" not in chart.says_now + chart.figure.to_json()
    assert "73.1" in score_bars(scores, chance, 1).says_now


def test_bars_keep_item_order_apart_from_rank_order() -> None:
    scores = Scores([1.0, 9.0, 5.0], labels=["low", "high", "middle"])
    chart = score_bars(scores, np.array([0.1, 0.7, 0.2]), 1)
    assert chart.table["item"].tolist() == ["high", "middle", "low"]
    assert chart.table["chance of being selected"].tolist() == [0.7, 0.2, 0.1]


@pytest.mark.parametrize("d", [401, 2_000, 17_770])
def test_many_bars_are_folded_and_it_is_said(d: int) -> None:
    scores = Scores(np.linspace(1000, 1, d))
    inclusion = np.full(d, 5 / d)
    chart = score_bars(scores, inclusion, 5)
    assert len(chart.figure.data[0].y) <= MOST_BARS
    assert "folds" in chart.how_to_read or "not drawn" in chart.how_to_read
    assert len(chart.table) == d


def test_folded_bars_are_means_over_all_the_ranks_they_stand_for() -> None:
    scores = Scores(np.arange(1000.0))
    inclusion = np.full(1000, 0.5)
    figure = score_bars(scores, inclusion, 500).figure
    bars = figure.data[0]
    np.testing.assert_allclose(np.sum(np.array(bars.y) * np.array(bars.width)), scores.values.sum(), rtol=1e-6)


@pytest.mark.parametrize(
    "values", [[5.0, 5.0, 5.0], [-3.0, -4.0, -9.0], [2.0, 0.0, -2.0], [1e300, 0.0, -1e300], [0.0, 0.0, 0.0]]
)
def test_bars_of_any_scores_have_finite_axes(values: list[float]) -> None:
    figure = score_bars(Scores(values), np.array([0.5, 0.3, 0.2]), 1).figure
    low, high = figure.layout.yaxis.range
    assert np.isfinite([low, high]).all()
    assert low < high


def test_labels_are_escaped_in_figures_and_kept_in_tables() -> None:
    scores = Scores([3.0, 1.0], labels=["<a href='https://x.example'>x</a>", "%{y}"])
    chart = score_bars(scores, np.array([0.6, 0.4]), 1)
    assert "<a" not in chart.figure.to_json()
    assert chart.table["item"].iloc[0] == "<a href='https://x.example'>x</a>"


def test_the_heatmap_shows_every_cell_with_mass() -> None:
    grid = DIST.grid(80, 120)
    cells = next(trace for trace in heatmap().figure.data if trace.type == "heatmap")
    np.testing.assert_allclose(cells.customdata, grid.mass, rtol=1e-6)
    shown = np.isfinite(np.asarray(cells.z, float))
    assert (shown == (grid.mass > 1e-12)).all()
    np.testing.assert_allclose(10.0 ** np.asarray(cells.z, float)[shown], grid.mass[shown], rtol=1e-5)


def test_the_marginals_add_up_to_what_is_covered() -> None:
    grid = DIST.grid(80, 120)
    bars = [trace for trace in heatmap().figure.data if trace.type == "bar"]
    np.testing.assert_allclose(np.sum(bars[0].y), grid.covered, rtol=1e-6)
    np.testing.assert_allclose(np.sum(bars[1].x), grid.covered, rtol=1e-6)


@pytest.mark.parametrize("measure", list(MEASURES))
@pytest.mark.parametrize("look", [LIGHT, DARK], ids=["light", "dark"])
def test_each_measure_is_drawn_in_light_and_dark(measure: str, look: object) -> None:
    grid = DIST.grid(80, 120)
    loss = grid_loss(MECHANISM, SCORES, grid)
    chart = class_heatmap(grid, REGIONS, measure=measure, loss=loss, chosen=(5, 6), look=look)  # type: ignore[arg-type]
    cells = next(trace for trace in chart.figure.data if trace.type == "heatmap")
    assert np.isfinite(np.asarray(cells.z, float)).any()
    assert cells.zmin < cells.zmax
    assert len(cells.colorbar.tickvals) == len(cells.colorbar.ticktext) >= 1


def test_regions_differ_in_dash_as_well_as_in_colour() -> None:
    lines = [trace for trace in heatmap().figure.data if trace.type == "scatter" and trace.showlegend]
    assert len({trace.line.dash for trace in lines}) == len(lines)
    assert len({trace.line.color for trace in lines}) == len(lines)


def test_a_grid_of_one_cell_can_be_drawn() -> None:
    grid = Grid(1, np.array([0, 1]), np.array([1, 2]), np.array([[1.0]]), np.array([[0.0]]))
    chart = class_heatmap(grid, {"top": (1, 1)})
    assert "h = 0, t = 1" in chart.says_now


def test_dots_are_one_a_release_and_none_hides_another() -> None:
    hits = np.random.default_rng(3).integers(4, 7, 100)
    figure = draw_dots(hits, 6, share=0.8, top=0.3).figure
    places = [(x, y) for trace in figure.data for x, y in zip(trace.x, trace.y, strict=True)]
    assert len(places) == len(set(places)) == 100
    assert all(abs(x - round(x)) < 0.5 for x, _ in places)


def test_the_exact_mean_is_computed_not_drawn() -> None:
    chart = draw_dots(np.array([6, 6]), 6, share=0.75, top=0.3)
    assert any("4.5" in (note.text or "") for note in chart.figure.layout.annotations)
    assert "30.0" in chart.says_now
