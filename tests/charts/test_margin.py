"""Charts of front groups: they show what they are given, add up, and hold for odd scores."""

import re

import numpy as np
import pytest

from dpviz import Scores
from dpviz.base.text_format import percent
from dpviz.charts.margin.margin_curves import (
    margin_bound_chart,
    margin_promise_chart,
    universe_size_chart,
)
from dpviz.charts.margin.margin_items import margin_items_chart
from dpviz.charts.margin.margin_scores import margin_scores_chart
from dpviz.margin.baselines import COMPARED
from dpviz.margin.front_group import (
    distance_from_best_cdf,
    distance_lower_bounds,
    front_group,
    utility_guarantee_curve,
)
from dpviz.margin.large_margin import LargeMargin
from dpviz.margin.top_one import TopOneLaw
from dpviz.margin.universe_curve import GoodItemCurve
from tests.charts.drawn import Drawn, plain

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


def laws_of(scores: Scores, zeros: int) -> dict[str, TopOneLaw]:
    return {rule: AT[rule].distribution(scores, zeros=zeros) for rule in COMPARED}


@pytest.mark.parametrize("name", list(ODD))
def test_scores_and_items_can_be_drawn_whatever_the_scores(name: str) -> None:
    scores, zeros = ODD[name]
    laws = laws_of(scores, zeros)
    group = front_group(MECHANISM, scores, zeros=zeros)
    close = {rule: distance_from_best_cdf(law) for rule, law in laws.items()}
    for chart in (
        margin_scores_chart(scores, group, laws["large_margin"]),
        margin_items_chart(scores, laws),
        margin_promise_chart(close, utility_guarantee_curve(MECHANISM, scores, zeros=zeros)),
    ):
        assert not re.search("nan|inf", chart.says_now + chart.how_to_read + chart.alt)
        traces = Drawn(chart).traces
        assert len(traces) <= 40
        assert max(len(trace.x) for trace in traces) <= 1300


def test_scores_and_the_line_below_which_they_must_fall_stand_at_their_ranks() -> None:
    found = front_group(MECHANISM, CLEAR, zeros=5000)
    drawn = Drawn(margin_scores_chart(CLEAR, found, MECHANISM.distribution(CLEAR, zeros=5000)))
    front, other = drawn.named("front group"), drawn.named("other items")
    np.testing.assert_array_equal([front.x, front.y], [[1, 2], [1600, 1590]])
    np.testing.assert_array_equal([other.x, other.y], [[3, 4, 5, 6], [40, 12, 3, 1]])
    assert front["marker.symbol"] != other["marker.symbol"]
    assert plain(front["customdata"][1]) == "item brank 2, score 1,590"
    (line,) = (t for t in drawn.traces if t["line.dash"] == "dash")
    np.testing.assert_allclose(line.x, [2, 3, 4, 5, 6, 7])
    np.testing.assert_allclose(line.y, 1600 - found.margin)  # of the x − 1 before rank x
    (shade,) = (t for t in drawn.traces if t["fill"] == "tonexty")
    np.testing.assert_allclose([shade.x, shade.y], [line.x, line.y])
    (unlisted,) = (t for t in drawn.traces if t["line.dash"] == "dot")
    np.testing.assert_array_equal([unlisted.x, unlisted.y], [[7, 5006], [0, 0]])
    bracket = drawn.named("margin needed")
    np.testing.assert_allclose(bracket.x[:2], np.sqrt(2 * 3))
    np.testing.assert_allclose(bracket.y[:2], [1600, 1600 - found.margin[1]])
    assert drawn.note("front group of 2 ends")["x"] == pytest.approx(np.log10(np.sqrt(2 * 3)))
    x = drawn.axis("x")
    assert x.log
    assert x.ticks["1,000"] == 1000


@pytest.mark.parametrize("name", ["clear", "nothing clear", "many"])
def test_each_size_of_the_front_group_has_a_stem_of_its_chance(name: str) -> None:
    scores, zeros = ODD[name]
    law = MECHANISM.distribution(scores, zeros=zeros)
    drawn = Drawn(margin_scores_chart(scores, front_group(MECHANISM, scores, zeros=zeros), law))
    stems, dots = (t for t in drawn.traces if t.axes == ("x", "y2"))
    assert law.rank_law is not None
    expected = {float(r + 1): float(p) for r, p in enumerate(law.rank_law) if p > 1e-4}
    if law.beyond > 1e-4:
        expected[float(scores.d + zeros)] = law.beyond
    assert dict(zip(dots.x.tolist(), dots.y.tolist(), strict=True)) == pytest.approx(expected)
    ends = np.column_stack([stems.x, stems.y]).reshape(-1, 3, 2)
    np.testing.assert_array_equal(ends[:, 0, 1], 0)
    np.testing.assert_array_equal(ends[:, 1], np.column_stack([dots.x, dots.y]))
    for told, chance in zip(dots["customdata"], dots.y, strict=True):
        assert f"<b>{percent(float(chance))}</b>" in told


@pytest.mark.parametrize("name", ["clear", "many", "below zero"])
def test_each_panel_has_the_law_of_its_rule_item_by_item(name: str) -> None:
    scores, zeros = ODD[name]
    laws = laws_of(scores, zeros)
    fails = any(law.fail > 0 for law in laws.values())
    drawn = Drawn(margin_items_chart(scores, laws))
    best = np.argsort(-scores.values, kind="stable")[:7]
    rows = [scores.label(int(i)) for i in best]
    rows += [f"{scores.d - 7:,} other listed items"] * (scores.d > 7)
    rows += [f"{zeros:,} unlisted items"] * (zeros > 0)
    rows += ["nothing is published"] * fails
    y = drawn.axis("y")
    assert [plain(told) for told in y.ticks] == rows
    assert y.start > y.end  # the best on top
    for i, (bars, law) in enumerate(zip(drawn.of("bar"), laws.values(), strict=True)):
        at = "x" if i == 0 else f"x{i + 1}"
        assert bars.axes == (at, "y")
        expected = law.inclusion[best].tolist()
        expected += [law.inclusion.sum() - sum(expected)] * (scores.d > 7)
        expected += [law.zero_mass] * (zeros > 0) + [law.fail] * fails
        np.testing.assert_allclose(bars.x, expected, atol=1e-6)
        np.testing.assert_array_equal(bars.y, list(y.ticks.values()))
        assert bars.text == [percent(p) if p >= 1e-3 else "" for p in expected]
        assert drawn.axis(at).ticks == {"0": 0, "50 %": 0.5, "100 %": 1}


def test_what_is_promised_lies_at_or_below_the_exact_steps_of_large_margin() -> None:
    laws = {rule: distance_from_best_cdf(law) for rule, law in laws_of(CLEAR, 5000).items()}
    distance, probability = np.array([1580.0, 5.0, 20.0]), np.array([0.99, 0.2, 0.4])
    drawn = Drawn(margin_promise_chart(laws, (distance, probability)))
    promised = drawn.named("guarantee of large margin (Theorem 3)")
    joined = [[5, 20, 1580], [0.2, 0.4, 0.99]]  # from left to right
    np.testing.assert_array_equal([promised.x, promised.y], joined)
    for rule, (x, y) in laws.items():
        steps = drawn.part(COMPARED.label(rule), "lines")
        assert np.diff(steps.x).min() >= 0
        for at in (0.0, 9.0, 11.0, 1000.0, 1580.0):
            if at < steps.x[-1]:
                level = steps.y[np.searchsorted(steps.x, at, side="right") - 1]
                assert level == pytest.approx(y[np.searchsorted(x, at, side="right") - 1], abs=1e-6)


def test_each_limit_is_drawn_under_its_own_name() -> None:
    found = distance_lower_bounds(0.5, 1e-4, 1_000_000, 6000)
    drawn = Drawn(margin_bound_chart(found, 0.5, 6000))
    for name, y in (
        ("no ε-DP mechanism always beats this", found.pure),
        ("no (ε, δ)-DP mechanism always beats this", found.approximate),
        ("large margin guarantees this", found.promise),
    ):
        line = drawn.part(name, "lines")
        np.testing.assert_allclose([line.x, line.y], [found.near[: len(y)], y], rtol=1e-6)
    assert drawn.axis("x").log


def universe_curves(low: float, digits: np.ndarray) -> dict[str, GoodItemCurve]:
    made = {}
    for i, rule in enumerate(COMPARED):
        high = np.linspace(0.9, 0.5, len(digits)) - 0.1 * i
        made[rule] = GoodItemCurve(digits, high - (low if rule == "large_margin" else 0.0), high)
    return made


def test_chances_over_the_universe_stand_at_its_size_and_far_out_at_its_digits() -> None:
    near = universe_curves(0.0, np.array([1.0, 3.0, 7.0]))
    far = universe_curves(0.2, np.array([7.0, 50.0, 400.0]))
    chart = universe_size_chart(near, far, 5000, 20.0, 100.0)
    drawn = Drawn(chart)
    for rule in COMPARED:
        name = COMPARED.label(rule)
        close, beyond = drawn.part(name, "lines", 1), drawn.part(name, "lines", 2)
        np.testing.assert_allclose([close.x, close.y], [[10, 1e3, 1e7], near[rule].high], rtol=1e-6)
        np.testing.assert_allclose([beyond.x, beyond.y], [[7, 50, 400], far[rule].high], rtol=1e-6)
    own, name = far["large_margin"], COMPARED.label("large_margin")
    np.testing.assert_allclose(drawn.band(name, 2), [[7, 50, 400], own.low, own.high], rtol=1e-6)
    assert [t for t in drawn.traces if t["fill"]] == [drawn.part(name, "band", 2)]
    assert "A band shows where only bounds are known" in chart.how_to_read
    left, right = drawn.axis("x"), drawn.axis("x2")
    assert (left.log, right.log) == (True, False)
    assert drawn.uprights == [5000]
    vast = Drawn(universe_size_chart(near, far, 10**300, 20.0, 100.0))
    (mark,) = (shape for shape in vast.layout["shapes"] if shape["line"]["dash"] == "dash")
    assert (mark["xref"], mark["x0"], mark["x1"]) == ("x2", 300, 300)
    alone = Drawn(universe_size_chart(near, None, 5000, 20.0, None))
    assert not alone.layout.get("xaxis2")
