"""Charts: arrays in, a figure with words and a table out; labels inert."""

import html
from collections.abc import Callable

import numpy as np
import pytest

from dpviz import Canonical, LimitedDomain, Peeling, Scores
from dpviz.base.text_format import percent
from dpviz.charts import (
    DARK,
    LIGHT,
    MEASURES,
    Chart,
    Look,
    class_heatmap,
    drawn_hits_chart,
    item_rows,
    score_bars,
)
from dpviz.charts.topk.score_bars import MOST_BARS
from dpviz.topk.classes import event_bounds
from dpviz.topk.law_grid import Grid, bin_on_edges, frame_edges, grid_class_losses
from dpviz.topk.mechanism import TopKMechanism
from tests.charts.drawn import Drawn, numbers, plain, plotly_figure
from tests.menus import Contract

SCORES = Scores(
    np.arange(30.0)[::-1] ** 1.5, labels=[f"item <{i}>" for i in range(30)], monotonic=True
)
MECHANISM = Canonical(epsilon=0.3, k=6)
SHORTER = LimitedDomain(epsilon=0.3, k=6, delta=1e-6, candidates=20)
DIST = MECHANISM.distribution(SCORES)
REGIONS = {name: event_bounds(name, SCORES.ranked, 6) for name in ("top", "great", "good")}


def test_an_export_is_a_page_of_its_own() -> None:
    chart = class_heatmap(DIST.grid(80, 120), REGIONS)
    page = chart.html("a <title>")
    assert "<title>a &lt;title&gt;</title>" in page
    assert "cdn.plot.ly" not in page.split("<body>")[0]
    assert "Plotly.newPlot" in page
    assert html.escape(chart.says_now) in page


def test_a_bar_stands_at_its_rank_and_says_what_it_shows() -> None:
    drawn = Drawn(score_bars(SCORES, DIST.inclusion, 6))
    chance = DIST.inclusion[SCORES.order]
    for bars in drawn.of("bar"):
        np.testing.assert_array_equal(bars.x, np.arange(1, 31))
        for rank, told in enumerate(bars["customdata"], start=1):
            assert plain(told).startswith(f"item &lt;{SCORES.order[rank - 1]}&gt;rank {rank}score")
            assert f"<b>{percent(float(chance[rank - 1]))}</b>" in told
    assert drawn.uprights == [6.5]
    assert drawn.note("true top 6 ends")["x"] == 6.5
    y = drawn.axis("y2")
    assert (y.start, y.end, y.ticks) == (0, 1.04, {"0": 0, "50 %": 0.5, "100 %": 1})


@pytest.mark.parametrize("look", [LIGHT, DARK], ids=["light", "dark"])
def test_the_likelier_an_item_the_further_its_colour_is_from_the_paper(look: Look) -> None:
    drawn = Drawn(score_bars(Scores([3.0, 2.0, 1.0]), np.array([1.0, 0.5, 0.0]), 1, look=look))
    colours = drawn.of("bar")[0]["marker.color"]
    assert (colours[0], colours[-1]) == (look.sequential[-1], look.sequential[2])
    (key,) = (trace for trace in drawn.of("scatter") if trace["marker.colorbar"])
    assert [colour for _, colour in key["marker.colorscale"]] == list(look.sequential[2:])


def test_bars_tell_no_digit_that_the_bounds_leave_open() -> None:
    scores = Scores([9.0, 5.0])
    chance = np.array([0.7312, 0.2688])
    chart = score_bars(scores, chance, 1, bounds=(chance - 0.008, chance + 0.008))
    assert "73.1" not in chart.says_now + plotly_figure(chart).to_json()
    assert "73.1" in score_bars(scores, chance, 1).says_now


def test_bars_keep_item_order_apart_from_rank_order() -> None:
    scores = Scores([1.0, 9.0, 5.0], labels=["low", "high", "middle"])
    chart = score_bars(scores, np.array([0.1, 0.7, 0.2]), 1)
    assert chart.table["item"].tolist() == ["high", "middle", "low"]
    assert chart.table["chance of being selected"].tolist() == [0.7, 0.2, 0.1]


@pytest.mark.parametrize("d", [401, 17_770])
def test_many_bars_are_folded_and_it_is_said(d: int) -> None:
    scores = Scores(np.linspace(1000, 1, d))
    inclusion = np.full(d, 5 / d)
    chart = score_bars(scores, inclusion, 5)
    assert len(plotly_figure(chart).data[0].y) <= MOST_BARS
    assert "folds" in chart.how_to_read or "not drawn" in chart.how_to_read
    assert len(chart.table) == d


def test_a_rank_far_down_that_is_likely_is_drawn() -> None:
    d, k, far = 1000, 3, 900
    inclusion = np.zeros(d)
    inclusion[[0, 1, far - 1]] = 1.0
    chart = score_bars(Scores(np.arange(d, 0.0, -1.0)), inclusion, k)
    for bars in Drawn(chart).of("bar"):
        wide = numbers(bars["width"])
        assert bars.x[-1] + wide[-1] / 2 == far + 0.5
        assert wide.sum() == far
    chance = Drawn(chart).of("bar")[1]
    np.testing.assert_allclose(chance.y @ numbers(chance["width"]), 3.0)
    assert "The 100 items after rank 900 are not drawn" in chart.how_to_read


@pytest.mark.parametrize(
    "values", [[1000, 999, 998], [5, 5, 5], [-3, -4, -9], [2, 0, -2], [1e300, 0, -1e300], [0, 0, 0]]
)
@pytest.mark.parametrize(("chart", "along"), [(score_bars, "y"), (item_rows, "x")])
def test_bars_begin_at_zero_whatever_the_scores(
    chart: Callable[..., Chart], along: str, values: list[float]
) -> None:
    drawn = Drawn(chart(Scores(values), np.array([0.5, 0.3, 0.2]), 1))  # refuses bars that do not
    low, high = sorted((drawn.axis(along).start, drawn.axis(along).end))
    assert np.isfinite([low, high]).all()
    assert low <= min(0, *values) <= max(0, *values) <= high
    assert low < high


def test_cells_and_marginals_stand_at_their_h_and_t() -> None:
    grid = DIST.grid(4, 5)
    assert grid.has_binned_cells
    drawn = Drawn(class_heatmap(grid, REGIONS))
    (cells,), (above, beside) = drawn.of("heatmap"), drawn.of("bar")
    np.testing.assert_array_equal(cells.x, np.arange(len(grid.t_edges)))
    np.testing.assert_array_equal(cells.y, np.arange(len(grid.h_edges)))
    np.testing.assert_allclose([above.x, above.y], [cells.x[:-1] + 0.5, grid.t_mass], rtol=1e-6)
    np.testing.assert_allclose([beside.y, beside.x], [cells.y[:-1] + 0.5, grid.h_mass], rtol=1e-6)
    assert (above.axes, beside.axes) == (("x", "y2"), ("x2", "y"))
    assert all((drawn.axis(name).start, drawn.axis(name).end) == (0, 1) for name in ("x2", "y2"))
    for name, edges in (("x", grid.t_edges), ("y", grid.h_edges)):
        assert (drawn.axis(name).start, drawn.axis(name).end) == (0, len(edges) - 1)
        for rank, at in drawn.axis(name).ticks.items():
            cell = int(at)
            assert edges[cell] <= int(rank) < edges[cell + 1]


@pytest.mark.parametrize("measure", list(MEASURES))
@pytest.mark.parametrize("mechanism", [MECHANISM, Peeling(epsilon=1.0, k=6), SHORTER])
def test_the_map_keeps_its_axes_and_its_colours_while_epsilon_moves(
    mechanism: TopKMechanism, measure: str
) -> None:
    def frame(epsilon: float) -> tuple[object, ...]:
        at = mechanism.replace(epsilon=epsilon)
        grid = bin_on_edges(at.distribution(SCORES).law, *frame_edges(6, 30))
        loss = grid_class_losses(at, SCORES, grid)
        chart = class_heatmap(grid, REGIONS, measure=measure, loss=loss, shorter=at.shorter)
        layout = chart.figure.data["layout"]
        axes = {name: of for name, of in layout.items() if "axis" in name}
        return axes, layout["annotations"], layout["height"]

    if measure != "loss" or mechanism is MECHANISM:
        assert frame(0.02) == frame(0.5) == frame(8.0)


def test_a_colour_is_the_same_chance_on_every_map_and_below_the_floor_all_are_alike() -> None:
    mass = np.array([[0.6, 9e-4, 0.0, 0.399, 0.0]])
    sets = np.array([[0.0, 0.0, 0.0, 0.0, -np.inf]])
    drawn = Drawn(class_heatmap(Grid(1, np.arange(2), np.arange(1, 7), mass, sets), {}))
    colours, (cells,) = drawn.layout["coloraxis"], drawn.of("heatmap")
    assert (colours["cmin"], colours["cmax"]) == (-3.6, 0)
    np.testing.assert_allclose(cells.z[0, [0, 3]], np.log10([0.6, 0.399]), rtol=1e-6)
    assert max(cells.z[0, 1:3]) < -3  # where the scale has one colour
    assert np.isnan(cells.z[0, 4])  # no list can be there
    places = [at for at, _ in colours["colorscale"]]
    assert (np.diff(places) >= 0).all()
    assert [colour for _, colour in colours["colorscale"]] == [
        *[LIGHT.sequential[1]] * 2,
        *LIGHT.sequential[2:],
    ]
    said = dict(zip(colours["colorbar"]["ticktext"], colours["colorbar"]["tickvals"], strict=True))
    assert said.pop("<0.1 %") < -3
    assert said == {"1 %": -2, "10 %": -1, "100 %": 0}


def test_a_region_is_outlined_up_to_its_worst_rank_and_named_beside_its_corner() -> None:
    grid = bin_on_edges(DIST.law, *frame_edges(6, 30))
    chart = class_heatmap(grid, {"top": (6, 6), "great": (3, 8), "good": (1, 10)})
    lines = [line for line in Drawn(chart).of("scatter") if line["line.color"] == LIGHT.ink]
    corners = {(float(line.x.max()), float(line.y.min())) for line in lines}
    assert corners == {(1, 6), (3, 3), (5, 1)}  # places: t = 6 is the first cell, h = 0 too
    assert len({line["line.dash"] for line in lines}) == 3
    for name, corner in (("← GREAT", (3, 3)), ("← GOOD", (5, 1))):
        note = Drawn(chart).note(name)
        assert (note["x"], note["y"]) == corner
        assert note["bgcolor"] == LIGHT.paper


@pytest.mark.parametrize("mechanism", [MECHANISM, SHORTER])
@pytest.mark.parametrize("epsilon", [0.05, 0.5, 5.0])
def test_the_exact_top_k_has_a_cell_of_its_own_that_is_named_on_the_map(
    mechanism: TopKMechanism, epsilon: float
) -> None:
    dist = mechanism.replace(epsilon=epsilon).distribution(SCORES)
    grid = bin_on_edges(dist.law, *frame_edges(6, 30))
    drawn = Drawn(class_heatmap(grid, REGIONS, shorter=mechanism.shorter))
    assert grid.mass[-1, 0] == pytest.approx(dist.top, abs=1e-9)
    assert grid.log_sets[-1, 0] == 0  # one list alone
    assert grid.mass[-1, 1:].max() < 1e-12
    (note,) = (n for n in drawn.layout["annotations"] if "the exact top 6" in n["text"])
    assert (note["x"], note["y"]) == (1, 6.5)  # beside it, in its row
    said = class_heatmap(grid, REGIONS).says_now
    assert ("cell is the exact top 6" in said) == (grid.mass[-1, 0] == grid.mass.max())


def test_the_class_looked_at_is_marked_in_the_middle_of_its_cell() -> None:
    grid = DIST.grid(4, 5)
    for row, column in np.ndindex(grid.mass.shape):
        h, t = int(grid.h_edges[row + 1]) - 1, int(grid.t_edges[column])
        (mark,) = Drawn(class_heatmap(grid, {}, chosen_class=(h, t))).of("scatter")
        assert (mark.x[0], mark.y[0]) == (column + 0.5, row + 0.5)
    assert not Drawn(class_heatmap(grid, {}, chosen_class=(6, 31))).of("scatter")  # out of view


@pytest.mark.parametrize("measure", list(MEASURES))
class TestMeasures(Contract):
    menu = MEASURES
    names = frozenset(MEASURES)

    def test_it_is_what_it_is_called(self, measure: str) -> None:
        grid = DIST.grid(80, 120)
        loss = grid_class_losses(MECHANISM, SCORES, grid)
        chart = class_heatmap(grid, REGIONS, measure=measure, loss=loss)
        (cells,) = Drawn(chart).of("heatmap")
        mass, sets = np.where(grid.mass > 1e-12, grid.mass, np.nan), np.exp(grid.log_sets)
        sets[~np.isfinite(grid.log_sets)] = np.nan
        expected = {
            "probability": np.maximum(np.log10(mass), -3.6),
            "member": np.log10(mass / sets),
            "size": np.log10(sets),
            "loss": loss,
        }[measure]
        np.testing.assert_allclose(cells.z, expected, rtol=1e-5, atol=1e-5)
        own = {
            colour for _, colour in MEASURES[measure].colour_axis(grid, loss, LIGHT)["colorscale"]
        }
        assert own.isdisjoint(LIGHT.sequential) == (measure != "probability")


def test_dots_are_one_a_release_and_none_hides_another() -> None:
    hits = np.random.default_rng(3).integers(4, 7, 100)
    figure = plotly_figure(drawn_hits_chart(hits, 6, mean=4.8, whole=0.3))
    places = [(x, y) for trace in figure.data for x, y in zip(trace.x, trace.y, strict=True)]
    assert len(places) == len(set(places)) == 100
    assert all(abs(x - round(x)) < 0.5 for x, _ in places)


def test_each_dot_is_piled_on_what_its_release_holds() -> None:
    hits = np.array([6, 4, 6, 5, 4, 4])
    drawn = Drawn(drawn_hits_chart(hits, 6, mean=4.5, whole=0.3, chosen_release=4))
    whole, other = drawn.named("all 6 right"), drawn.named("not all right")
    assert whole["marker.symbol"] != other["marker.symbol"]
    at = {}
    for dots in (whole, other):
        told = numbers(dots["customdata"]).astype(int)
        for x, y, (release, held) in zip(dots.x, dots.y, told, strict=True):
            assert held == hits[release - 1] == round(x)
            assert (held == 6) == (dots is whole)
            at[release] = (x, y)
    assert sorted(at) == [1, 2, 3, 4, 5, 6]
    ring = drawn.named("shown in full")
    assert (ring.x[0], ring.y[0]) == at[5]
    notes = {note["x"]: note["text"] for note in drawn.layout["annotations"][:3]}
    assert notes == {4: "3", 5: "1", 6: "2"}
    assert drawn.note("exact mean 4.5")["x"] == 4.5
