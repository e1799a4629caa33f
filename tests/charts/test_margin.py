"""Charts of front groups: they show what they are given, add up, and hold for odd scores."""

import numpy as np
import pytest

from dpviz import Scores
from dpviz.charts import DARK, LIGHT, Chart, Look
from dpviz.charts.margin.margin_items import margin_items
from dpviz.charts.margin.margin_promise import margin_limits, margin_promise
from dpviz.charts.margin.margin_scores import margin_scores
from dpviz.charts.margin.margin_universe import margin_universe
from dpviz.margin.compared import COMPARED
from dpviz.margin.front_group import closeness, front_group, limits, promises
from dpviz.margin.large_margin import LargeMargin
from dpviz.margin.universe_curve import far_curve, half_way, universe_curve, universe_sizes

EPSILON, DELTA = 0.5, 1e-5
AT = {name: mechanism.replace(epsilon=EPSILON, delta=DELTA) for name, mechanism in COMPARED.items()}
MECHANISM = LargeMargin(epsilon=EPSILON, delta=DELTA)
CLEAR = Scores([1600, 1590, 40, 12, 3, 1], labels=[f"item {c}" for c in "abcdef"], monotonic=True)
ODD = {
    "clear": (CLEAR, 5000),
    "no zeros": (CLEAR, 0),
    "nothing clear": (Scores([9.0, 8.0, 7.0]), 100),
    "all equal": (Scores([5.0] * 30), 0),
    "all zero": (Scores([0.0] * 4), 7),
    "below zero": (Scores([-1.0, -5000.0, -6000.0]), 0),
    "two": (Scores([1e6, 0.0]), 1),
    "many": (Scores(np.arange(3000.0)), 10_000),
    "huge": (Scores([1e299, 1e298, 0.0]), 0),
    "markup": (Scores([9000.0, 3.0], labels=["<b>x</b>", "$y$ %{z}"]), 0),
}


def words(chart: Chart) -> str:
    return chart.says_now + chart.how_to_read + chart.alt


@pytest.mark.parametrize("look", [LIGHT, DARK.enlarged(1.35)], ids=["light", "presenter"])
@pytest.mark.parametrize("name", list(ODD))
def test_scores_and_items_can_be_drawn_whatever_the_scores(name: str, look: Look) -> None:
    scores, zeros = ODD[name]
    laws = {rule: AT[rule].distribution(scores, zeros=zeros) for rule in COMPARED}
    law = laws["large_margin"]
    for chart in (
        margin_scores(scores, front_group(MECHANISM, scores, zeros=zeros), law, look=look),
        margin_items(scores, laws, look=look),
        margin_promise(
            {rule: closeness(law) for rule, law in laws.items()}, promises(MECHANISM, scores, zeros=zeros), look=look
        ),
    ):
        chart.figure.to_json()
        assert "nan" not in words(chart)
        assert "inf" not in words(chart)
        assert len(chart.figure.data) <= 40
        assert max(len(trace.x) for trace in chart.figure.data if trace.x is not None) <= 1300


def test_the_table_of_scores_has_drop_margin_and_law() -> None:
    law = MECHANISM.distribution(CLEAR, zeros=5000)
    found = front_group(MECHANISM, CLEAR, zeros=5000)
    chart = margin_scores(CLEAR, found, law)
    assert found.rank == 2
    assert chart.table["item"].tolist() == [f"item {c}" for c in "abcdef"]
    assert chart.table.iloc[:, 3].tolist() == found.drop.tolist()
    assert chart.table.iloc[:, 4].tolist() == found.margin.tolist()
    assert chart.table.iloc[:, 5].tolist() == law.rank_law.tolist()  # type: ignore[union-attr]
    assert "The top 2 stand clear" in chart.says_now
    assert "1,560 below the best" in chart.says_now


def test_what_falls_short_is_told() -> None:
    scores, zeros = ODD["nothing clear"]
    law = MECHANISM.distribution(scores, zeros=zeros)
    told = margin_scores(scores, front_group(MECHANISM, scores, zeros=zeros), law).says_now
    assert told.startswith("No group stands clear: the nearest is")
    assert "unlisted items" in told


@pytest.mark.parametrize("name", list(ODD))
def test_each_mechanisms_bars_add_up_to_one(name: str) -> None:
    scores, zeros = ODD[name]
    laws = {rule: AT[rule].distribution(scores, zeros=zeros) for rule in COMPARED}
    chart = margin_items(scores, laws)
    for trace in chart.figure.data:
        assert float(np.sum(trace.x)) == pytest.approx(1.0, abs=1e-5)
    for rule in COMPARED:
        assert chart.table[COMPARED.label(rule)].sum() == pytest.approx(1.0, abs=1e-6)


def test_pure_and_approximate_are_told_apart() -> None:
    laws = {rule: AT[rule].distribution(CLEAR) for rule in COMPARED}
    said = {
        note.text.split("<br>")[0]: note.text.split("<br>")[1]
        for note in margin_items(CLEAR, laws).figure.layout.annotations
    }
    assert said == {
        "<b>Large margin</b>": "(ε, δ)-DP",
        "<b>Exponential mechanism</b>": "ε-DP",
        "<b>Max of Laplaces</b>": "ε-DP",
        "<b>Instability test</b>": "(ε, δ)-DP",
    }


def test_labels_are_data() -> None:
    scores, zeros = ODD["markup"]
    laws = {rule: AT[rule].distribution(scores, zeros=zeros) for rule in COMPARED}
    for chart in (
        margin_items(scores, laws),
        margin_scores(scores, front_group(MECHANISM, scores), laws["large_margin"]),
    ):
        assert "<b>x</b>" not in chart.figure.to_json().replace("\\u003c", "<").replace("\\u003e", ">")
        assert "<b>x</b>" in chart.table["item"].tolist()


def test_the_curve_over_the_universe_holds_what_it_was_given() -> None:
    sizes = universe_sizes(CLEAR.d)[:8]
    near = {rule: universe_curve(AT[rule], CLEAR, 20.0, sizes)[0] for rule in COMPARED}
    half = half_way(CLEAR, EPSILON, 20.0)
    assert half is not None
    digits = np.linspace(3.0, 1.25 * half, 20)
    widest = {rule: AT[rule].distribution(CLEAR, zeros=int(sizes[-1]) - CLEAR.d) for rule in COMPARED}
    far = {rule: far_curve(AT[rule], widest[rule], 20.0, digits) for rule in COMPARED}
    chart = margin_universe(near, far, 100, 20.0, half)
    assert len(chart.table) == 4 * (len(sizes) + 20)
    assert chart.table.iloc[: len(sizes), 2].tolist() == near["large_margin"].low.tolist()
    assert "Large margin stays at >99.9" in chart.says_now
    assert "10³⁴⁷" in chart.says_now
    assert "needs no δ" in chart.says_now
    margin_universe(near, None, 100, 20.0, None, look=DARK).figure.to_json()


def test_limits_are_drawn_as_far_as_their_theorems_reach() -> None:
    found = limits(0.5, 1e-4, 1_000_000, 6000)
    chart = margin_limits(found, 0.5, 6000)
    assert found.reach < len(found.near)
    assert chart.table.iloc[:, 2].notna().sum() == found.reach
    assert "δ is too large" in chart.how_to_read
    assert "falls 26 short" in chart.says_now
    without = limits(0.5, 0.4, 100, 6000)
    assert without.reach == 0
    margin_limits(without, 0.5, 6000).figure.to_json()
