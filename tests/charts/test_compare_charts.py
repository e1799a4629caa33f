"""Charts of several designs: one identity each, the same axes, and what they say is what they were given."""

import numpy as np
import pytest

from dpviz.base.errors import ParameterError
from dpviz.charts import DARK, LIGHT, Chart, Look
from dpviz.charts.identity import MOST, identity
from dpviz.charts.topk.class_maps import class_maps
from dpviz.charts.topk.design_curves import Named, epsilon_curves, k_curves, shortfall_curves
from dpviz.charts.topk.replayed_seeds import replayed_seeds
from dpviz.data import EXAMPLES
from dpviz.studies.scenario import Design
from dpviz.topk.curves import figures_by_k, utility_curves
from dpviz.topk.grid import class_grid, grid_on, shared_edges
from dpviz.topk.promises import shortfall_curve

SCORES = EXAMPLES["class_trip"].scores()
DESIGNS = [Design(), Design(mechanism="peeling"), Design(mechanism="joint")]
LABELS = [design.label for design in DESIGNS]


@pytest.mark.parametrize("look", [LIGHT, DARK], ids=lambda look: look.name)
def test_identities_differ_in_colour_dash_and_marker(look: Look) -> None:
    told = [identity(i, look) for i in range(MOST)]
    for part in ("letter", "colour", "dash", "marker"):
        assert len({getattr(who, part) for who in told}) == MOST


def heatmaps(chart: Chart) -> list:  # type: ignore[type-arg]
    return [trace for trace in chart.figure.data if trace.type == "heatmap"]


def named() -> list[Named]:
    return [Named(i, label) for i, label in enumerate(LABELS)]


def test_curves_keep_their_identity_when_others_are_not_there_yet() -> None:
    curves = {
        who: utility_curves(DESIGNS[who.number].build(1.0, 2), SCORES, events=["top"], tolerance=1e-2)[0]
        for who in named()
    }
    whole = epsilon_curves(curves, 1.0)
    part = epsilon_curves({who: curve for who, curve in curves.items() if who.number == 2}, 1.0)

    def colour(chart: object, name: str) -> str:
        return next(trace.line.color for trace in chart.figure.data if trace.name == name)  # type: ignore[attr-defined]

    assert colour(whole, "C Joint exponential") == colour(part, "C Joint exponential") == identity(2, LIGHT).colour
    top = DESIGNS[0].build(1.0, 2).distribution(SCORES).top
    assert f"{100 * top:.3g}"[:3] in whole.says_now
    assert set(whole.table["design"]) == {identity(i, LIGHT).named(label) for i, label in enumerate(LABELS)}


def test_the_range_ends_where_the_curves_stop_rising_even_below_one() -> None:
    scores = EXAMPLES["library_loans"].scores()  # ties at rank 10: TOP stays below 6 %
    (curve,) = utility_curves(Design().build(1.0, 10), scores, events=["top"], low=1e-3, high=1e4, tolerance=1e-3)
    chart = epsilon_curves({Named(0, "Canonical"): curve}, 0.2)
    low, high = (10 ** float(end) for end in chart.figure.layout.xaxis.range)
    assert low <= 0.2 < high < 100


def test_k_curves_say_the_longest_list_with_even_chances() -> None:
    curves = {
        who: figures_by_k(DESIGNS[who.number].build(50.0, 2), SCORES, [1, 2, 3, 4, 5], events=["top"])[0]
        for who in named()
    }
    chart = k_curves(curves, 2, 50.0)
    for who, curve in curves.items():
        assert f"k = {int(curve.x[curve.value >= 0.5].max())} with {who.name(LIGHT)}" in chart.says_now
    assert len(chart.table) == 15


def test_shortfalls_show_bounds_only_where_there_are_any() -> None:
    curves = {
        who: shortfall_curve(DESIGNS[who.number].build(1.0, 2), SCORES, np.geomspace(0.01, 100, 21).tolist())
        for who in named()
    }
    chart = shortfall_curves(curves, 1.0)
    drawn = {trace.name for trace in chart.figure.data}
    assert {"A at most, by theorem", "B at most, by theorem"} <= drawn
    assert "C at most, by theorem" not in drawn
    assert chart.table.groupby("design")["bound"].apply(lambda bound: bound.isna().all()).tolist() == [
        False,
        False,
        True,
    ]


def test_maps_refuse_grids_on_different_edges_and_say_the_heaviest_cell() -> None:
    dists = [design.build(1.0, 2).distribution(SCORES) for design in DESIGNS]
    own = [class_grid(dist.law, 80, 120) for dist in dists]
    edges = shared_edges(own, 80, 120)
    grids = [grid_on(dist.law, *edges) for dist in dists]
    chart = class_maps(LABELS, grids, {"top": (2, 2)})
    assert len([trace for trace in chart.figure.data if trace.type == "heatmap"]) == 3
    assert chart.table.groupby("design")["probability"].sum().min() > 0.999
    other = grid_on(dists[0].law, np.array([0, 2]), edges[1])
    with pytest.raises(ParameterError, match="same edges"):
        class_maps(LABELS, [grids[0], grids[1], other], {})


@pytest.mark.parametrize("k", [2, 5])
def test_replayed_seeds_draw_what_was_chosen(k: int) -> None:
    ranks = [design.build(1.0, k).sampler(SCORES)(4, np.random.default_rng(i)) for i, design in enumerate(DESIGNS)]
    chart = replayed_seeds(LABELS, ranks, [5, 6, 7, 8], SCORES)
    shown = sum(int(np.isfinite(np.array(trace.z, float)).sum()) for trace in heatmaps(chart))
    assert shown == 3 * 4 * k  # every item of every release, once
    assert len(chart.table) == 3 * 4 * k
    whole = int((ranks[0] < k).all(1).sum())
    assert f"A Canonical {whole}" in chart.says_now


def test_replayed_seeds_with_many_ranks_fold_them() -> None:
    scores = EXAMPLES["song_listeners"].scores()
    ranks = [Design(mechanism="peeling").build(0.05, 300).sampler(scores)(2, np.random.default_rng(1))]
    chart = replayed_seeds(["Peeling"], ranks, [0, 1], scores)
    assert all(np.array(trace.z).shape[1] <= 170 for trace in heatmaps(chart))
    assert "share a cell" in chart.how_to_read
