"""Charts of several designs: one identity each, the same axes."""

from dataclasses import replace

import numpy as np
import pytest

from dpviz.base.errors import ParameterError
from dpviz.base.scores import Scores
from dpviz.charts import LIGHT
from dpviz.charts.look import design_identity
from dpviz.charts.topk.class_maps import class_heatmaps
from dpviz.charts.topk.design_curves import (
    NamedDesign,
    epsilon_curves_chart,
    k_curves_chart,
    shortfall_chart,
)
from dpviz.charts.topk.replayed_seeds import replayed_seeds_chart
from dpviz.topk import FigureCurve
from dpviz.topk.law_grid import Grid
from dpviz.topk.shortfall_guarantees import ShortfallCurve
from tests.charts.drawn import Drawn, plain

NODES = np.geomspace(0.1, 10, 9)
VALUES = np.linspace(0.0, 1.0, 9)
SECOND, THIRD = NamedDesign(1, "Peeling"), NamedDesign(2, "Joint")


def curve(method: str = "exact") -> FigureCurve:
    low, high = np.maximum(VALUES - 0.1, 0), np.minimum(VALUES + 0.05, 1)
    return FigureCurve("top", NODES, VALUES, low, high, 0.0, method)


def test_a_curve_is_drawn_against_a_logarithmic_epsilon_with_its_interval_and_identity() -> None:
    curves = {SECOND: curve("estimated"), THIRD: curve()}
    drawn = Drawn(epsilon_curves_chart(curves, 2.0, draws=100))
    for who in curves:
        name, own = who.lettered_label(LIGHT), design_identity(who.number, LIGHT)
        line = drawn.part(name, "lines")
        np.testing.assert_allclose(line.y, curve().at(line.x), atol=1e-5)
        assert (line["line.color"], line["line.dash"]) == (own.colour, own.dash)
        marks = drawn.part(name, "markers")
        np.testing.assert_allclose(marks.y, [0.1, 0.5, 0.9], atol=1e-3)
    x, low, high = drawn.band(SECOND.lettered_label(LIGHT))
    at = np.log(x), np.log(NODES)
    np.testing.assert_allclose(low, np.interp(*at, curve().low), atol=1e-5)
    np.testing.assert_allclose(high, np.interp(*at, curve().high), atol=1e-5)
    with pytest.raises(AssertionError):
        drawn.band(THIRD.lettered_label(LIGHT))
    assert drawn.axis("x").log
    assert drawn.uprights == [2.0]
    assert drawn.note("ε = 2")["x"] == pytest.approx(np.log10(2))


def test_what_a_theorem_promises_is_drawn_as_promised_in_the_colour_of_its_design() -> None:
    x, y = np.array([0.2, 1.0, 5.0]), np.array([0.0, 0.3, 0.95])
    drawn = Drawn(epsilon_curves_chart({SECOND: curve()}, 2.0, guarantees={SECOND: (x, y)}))
    line = drawn.named("B at least, by theorem")
    np.testing.assert_allclose([line.x, line.y], [x, y], rtol=1e-6)
    assert line["line.color"] == design_identity(1, LIGHT).colour


def test_figures_over_k_are_drawn_at_each_k_with_their_interval_and_identity() -> None:
    k, value = np.array([1, 2, 5, 10]), np.array([0.9, 0.7, 0.4, 0.1])
    made = FigureCurve("top", k, value, value - 0.05, value + 0.08, 0.0, "estimated")
    drawn = Drawn(k_curves_chart({THIRD: made}, 5, 1.0))
    name = THIRD.lettered_label(LIGHT)
    for mode in ("lines", "markers"):
        trace = drawn.part(name, mode)
        np.testing.assert_allclose([trace.x, trace.y], [k, value], rtol=1e-6)
    assert drawn.part(name, "lines")["line.color"] == design_identity(2, LIGHT).colour
    np.testing.assert_allclose(drawn.band(name), [k, value - 0.05, value + 0.08], rtol=1e-6)
    assert drawn.axis("x").log
    assert drawn.uprights == [5.0]


def test_shortfalls_are_drawn_and_a_bound_where_it_says_something() -> None:
    exact, bound = np.linspace(20.0, 0.0, 9), np.linspace(60.0, 4.0, 9)
    short = ShortfallCurve(0.95, NODES, exact, bound, 20.0, "exact")
    drawn = Drawn(shortfall_chart({SECOND: short}, 1.0))
    line = drawn.part(SECOND.lettered_label(LIGHT), "lines")
    under = drawn.named("B at most, by theorem")
    np.testing.assert_allclose([line.x, line.y], [NODES, exact], rtol=1e-6)
    says = bound <= 20.8
    assert 0 < says.sum() < 9
    np.testing.assert_allclose([under.x, under.y], [NODES[says], bound[says]], rtol=1e-6)
    assert drawn.axis("x").log


GRIDS = [
    Grid(6, np.arange(7), np.array([6, 7, 8, 10, 14]), mass, np.zeros((6, 4)))
    for mass in np.random.default_rng(5).dirichlet(np.full(24, 0.2), 2).reshape(2, 6, 4)
]


def test_each_panel_maps_the_law_of_its_own_design_in_shared_colours() -> None:
    drawn = Drawn(class_heatmaps(["Canonical", "Peeling"], GRIDS, {}))
    for i, (cells, grid) in enumerate(zip(drawn.of("heatmap"), GRIDS, strict=True)):
        at = ("", "2")[i]
        assert cells.axes == (f"x{at}", f"y{at}")
        np.testing.assert_allclose(cells.z, np.maximum(np.log10(grid.mass), -3.6), rtol=1e-5)
        assert "lowest rank 10 to 13" in cells["customdata"][2][3]
        np.testing.assert_array_equal(cells.y, np.arange(7))
        x, y, title = drawn.axis(f"x{at}"), drawn.axis(f"y{at}"), drawn.note("AB"[i])
        assert x.ticks["6"] == 0.5
        assert (x.start < x.end, y.start < y.end) == (True, True)  # better is left and up
        assert plain(title["text"]).split() == ["AB"[i], ["Canonical", "Peeling"][i]]
        assert title["x"] == drawn.layout[f"xaxis{at}"]["domain"][0]
    ends = [drawn.layout["coloraxis"][end] for end in ("cmin", "cmax")]
    assert ends == [-3.6, 0]


def test_maps_on_different_edges_are_refused() -> None:
    with pytest.raises(ParameterError, match="same edges"):
        class_heatmaps(["A", "B"], [GRIDS[0], replace(GRIDS[1], t_edges=np.arange(6, 11))], {})


def test_regions_are_outlined_alike_in_every_panel() -> None:
    drawn = Drawn(class_heatmaps(["Canonical", "Peeling"], GRIDS, {"top": (6, 6), "great": (3, 9)}))
    for panel in ("", "2"):
        own = [t for t in drawn.of("scatter") if t.axes == (f"x{panel}", f"y{panel}")]
        lines = [[t.x.tolist(), t.y.tolist()] for t in own if t["line.color"] == LIGHT.ink]
        assert lines == [[[3, 3, 0], [6, 3, 3]], [[1, 1, 0], [6, 5, 5]]]
        notes = [n["text"] for n in drawn.layout["annotations"] if n["xref"] == f"x{panel}"]
        assert notes == ["← GREAT", "TOP: the exact top 6"]


def test_a_release_is_a_row_with_a_cell_for_each_rank_chosen_its_seed_and_its_hits() -> None:
    scores = Scores(np.arange(8.0, 0.0, -1.0))
    ranks = [np.array([[0, 1, 4], [0, 1, 2]]), np.array([[2, 5, 6], [0, 3, 4]])]
    drawn = Drawn(replayed_seeds_chart(["Canonical", "Peeling"], ranks, [7, 8], scores))
    maps = drawn.of("heatmap")
    for i, design in enumerate(ranks):
        top, below = maps[2 * i], maps[2 * i + 1]
        columns = top.x[:-1].astype(int)
        for row, release in enumerate(design):
            assert columns[np.isfinite(top.z[row])].tolist() == [r for r in release if r < 3]
            assert columns[np.isfinite(below.z[row])].tolist() == [r for r in release if r >= 3]
        (said,) = (t for t in drawn.of("scatter") if t.axes[1] == top.axes[1])
        whole = [int((release < 3).sum()) for release in design]
        assert [text.strip() for text in said.text] == [f"{n} of 3" for n in whole]
        axis = drawn.axis(top.axes[1])
        assert axis.start > axis.end  # the first seed on top
        assert axis.ticks == {"7": 0, "8": 1}
    assert drawn.uprights == [3.0]
    assert drawn.axis("x").ticks["1"] == 0.5


def test_where_ranks_share_a_cell_its_strength_is_the_part_of_them_chosen() -> None:
    scores = Scores(np.arange(2000.0, 0.0, -1.0))
    rng = np.random.default_rng(2)
    ranks = np.sort(rng.choice(2000, (3, 300), replace=False), axis=1)
    drawn = Drawn(replayed_seeds_chart(["Peeling"], [ranks], [1, 2, 3], scores))
    top, below = drawn.of("heatmap")
    strength = np.nan_to_num(top.z) + np.nan_to_num(below.z)
    for row, release in enumerate(ranks):  # four ranks of the true top to a cell
        part = np.bincount(release // 4, minlength=500)[:75] / 4
        np.testing.assert_allclose(strength[row, :75], part)
    assert (top["zmin"], top["zmax"]) == (0, 1)
    assert drawn.uprights == [75.0]
