"""Charts of gaps and sparse vectors show what they are given, with few enough marks."""

import numpy as np
import pytest

from dpviz import AdaptiveSparseVector, NoisyTopKWithGap, Scores, SparseVector
from dpviz.base.text_format import number_text, percent
from dpviz.charts import Chart
from dpviz.charts.gaps.answer_counts import (
    expected_answers_chart,
    query_order_chart,
    threshold_answer_count_chart,
)
from dpviz.charts.gaps.gap_release import GapRatios, gap_ratio_chart, gap_release_chart
from dpviz.charts.gaps.queries import MOST_BARS, answer_chance_chart, threshold_coverage_chart
from dpviz.charts.gaps.threshold_run import threshold_bounds_chart, threshold_run_chart
from tests.charts.drawn import Drawn, numbers, plain, plotly_figure

SCORES = Scores(
    np.linspace(90, 3, 40) ** 1.2, labels=[f"item <{i}>" for i in range(40)], monotonic=True
)
PLAIN = SparseVector(epsilon=2.0, k=5, threshold=60.0, monotonic=True)
ADAPTIVE = AdaptiveSparseVector(epsilon=2.0, k=5, threshold=60.0, monotonic=True)
LAWS = PLAIN.distribution(SCORES), ADAPTIVE.distribution(SCORES)
RELEASE = NoisyTopKWithGap(epsilon=2.0, k=6).release(SCORES, rng=np.random.default_rng(1))


def ratios(value: float, low: float, high: float) -> GapRatios:
    k, told = np.arange(2, 11), [np.array([each]) for each in (4.0, value, low, high, 300.0)]
    return GapRatios(k, 0.5 + 0.5 / k, *told)


def answers_chart() -> Chart:
    plain, adaptive = LAWS
    return answer_chance_chart(
        SCORES,
        60.0,
        plain.answer_probabilities,
        adaptive.branch_probabilities("top"),
        adaptive.branch_probabilities("middle"),
        adaptive.reach_probabilities,
    )


def test_many_queries_are_folded_or_left_out_and_it_is_said() -> None:
    n = 3000
    scores = Scores(np.arange(n, dtype=float))
    flat = np.full(n, 0.25)
    whole = answer_chance_chart(scores, 10.0, flat, flat / 2, flat / 2, np.ones(n))
    assert len(plotly_figure(whole).data[0].y) <= MOST_BARS
    assert "the mean of 8" in whole.how_to_read
    np.testing.assert_allclose(np.asarray(plotly_figure(whole).data[1].y), 0.125)
    reached = (np.arange(n) < 95).astype(float)
    early = answer_chance_chart(scores, 10.0, flat, flat / 2, flat / 2, reached)
    assert len(plotly_figure(early).data[0].y) == 100
    assert "2,900 queries after query 100" in early.how_to_read
    assert len(early.table) == n


def test_how_often_a_bound_holds_stands_at_each_score_that_is_answered_often_enough() -> None:
    held = ADAPTIVE.coverage(SCORES)
    after = dict(zip(ADAPTIVE.branch_names, held.coverage_after_answer, strict=True))
    before = dict(zip(ADAPTIVE.branch_names, held.coverage_before_answer, strict=True))
    chart = threshold_coverage_chart(SCORES, 60.0, 0.95, after, before, {})
    drawn = Drawn(chart)
    for j, name in enumerate(ADAPTIVE.branch_names):
        often = held.answered[j] > 1000 * held.error
        assert 0 < often.sum() < SCORES.d
        holds = 1 - held.missed[j, often] / held.answered[j, often]
        points, order = drawn.named(name), np.argsort(SCORES.values[often])
        expected = [SCORES.values[often][order], holds[order]]
        np.testing.assert_allclose([points.x, points.y], expected, rtol=1e-5)
        assert f"{(~often).sum()} queries ({name})" in chart.how_to_read
    assert drawn.levels == [0.95]
    assert drawn.uprights == [60.0]


def test_what_is_too_rare_to_tell_is_not_drawn_whatever_lies_behind_the_mask() -> None:
    scores = Scores([1.0, 9.0, 5.0, 7.0])
    after = np.ma.array([0.5, 0.9, 0.1, 0.7], mask=[True, False, True, False])
    chart = threshold_coverage_chart(scores, 6.0, 0.9, {"plain": after}, {"plain": np.ones(4)}, {})
    points = Drawn(chart).named("plain")
    np.testing.assert_allclose(points.x, [7.0, 9.0])
    np.testing.assert_allclose(points.y, [0.7, 0.9], rtol=1e-6)
    assert chart.table["plain, given an answer"].isna().tolist() == [True, False, True, False]


def test_each_query_has_its_score_and_its_chances_at_its_place() -> None:
    plain_law, adaptive = LAWS
    n = 40
    drawn = Drawn(answers_chart())
    scores, middle, top = drawn.of("bar")
    assert (middle.name, top.name) == ("adaptive, middle branch", "adaptive, top branch")
    for bars, height in (
        (scores, SCORES.values),
        (middle, adaptive.branch_probabilities("middle")),
        (top, adaptive.branch_probabilities("top")),
    ):
        np.testing.assert_array_equal(bars.x, np.arange(1, n + 1))
        np.testing.assert_allclose(bars.y, height, atol=1e-6)
    dots = drawn.named("plain")
    chance = plain_law.answer_probabilities[dots.x.astype(int) - 1]
    np.testing.assert_allclose(dots.y, chance, atol=1e-6)
    assert drawn.levels == [60.0]
    for i, told in enumerate(scores["customdata"]):
        score = number_text(SCORES.values[i])
        assert plain(told).startswith(f"item &lt;{i}&gt;query {i + 1}score {score}")
        assert f"adaptive <b>{percent(float(adaptive.answer_probabilities[i]))}</b>" in told


def test_each_number_of_answers_has_the_chance_of_its_law() -> None:
    drawn = Drawn(
        threshold_answer_count_chart(*(law.answer_count_probabilities for law in LAWS), 5)
    )
    for name, law in zip(("plain", "adaptive"), LAWS, strict=True):
        chances = law.answer_count_probabilities
        mean = float(chances @ np.arange(len(chances)))
        bars = drawn.named(f"{name}, mean {number_text(round(mean, 2))}")
        chance = np.append(chances, np.zeros(20))[bars.x.astype(int)]
        np.testing.assert_allclose(bars.y, chance, atol=1e-6)
        assert bars.y.sum() > 0.999


def test_folded_numbers_of_answers_keep_their_mass_and_their_place() -> None:
    plain_law = np.zeros(1001)
    plain_law[[200, 203, 204, 999]] = 0.25
    drawn = Drawn(threshold_answer_count_chart(plain_law, np.eye(2000)[200], 1000))
    bars = drawn.of("bar")[0]  # numbers 200 to 999, four to a bar
    assert bars.x[bars.y > 0].tolist() == [201.5, 205.5, 997.5]
    assert bars.y[bars.y > 0].tolist() == [0.5, 0.25, 0.25]
    assert plain(bars["customdata"][0]).startswith("plain: 200 to 203 answers50")


def test_formula_and_simulation_are_drawn_with_the_interval_the_right_way_up() -> None:
    held = ratios(0.7, 0.6, 0.9)
    both = {"monotonic": held, "general": ratios(1.4, 1.3, 1.6)}
    drawn = Drawn(gap_ratio_chart(both, k=4, own="monotonic"))
    line, points = drawn.named("formula, monotonic"), drawn.named("simulated, monotonic")
    np.testing.assert_allclose([line.x, line.y], [held.k, held.formula], rtol=1e-6)
    np.testing.assert_allclose([points.x, points.y], [[4.0], [0.7]], rtol=1e-6)
    assert points["error_y.symmetric"] is False
    np.testing.assert_allclose(points.y - numbers(points["error_y.arrayminus"]), 0.6, rtol=1e-6)
    np.testing.assert_allclose(points.y + numbers(points["error_y.array"]), 0.9, rtol=1e-6)
    np.testing.assert_allclose(numbers(points["customdata"]), [[0.6, 0.9, 300]])
    assert drawn.named("simulated, general").y[0] == pytest.approx(1.4)
    x = drawn.axis("x")
    assert x.log
    assert x.ticks == {"2": 2, "3": 3, "5": 5, "10": 10}
    assert (drawn.levels, drawn.uprights) == ([1.0], [4.0])


def test_the_staircase_is_read_from_the_first_item_down_to_the_best_one_left_out() -> None:
    drawn = Drawn(gap_release_chart(RELEASE, SCORES))
    bars, (put, true) = drawn.of("bar")[0], drawn.of("scatter")
    np.testing.assert_array_equal(bars.y, np.arange(1, 7))
    np.testing.assert_array_equal(put.y, np.arange(1, 8))
    np.testing.assert_array_equal(true.y, np.arange(1, 7))
    np.testing.assert_allclose(numbers(bars["base"])[-2:], [0, -RELEASE.gaps[-1]], atol=1e-9)
    axis = drawn.axis("y")
    assert axis.start > axis.end  # the first on top
    names = [f"item &lt;{i}&gt;" for i in RELEASE.items]
    assert [plain(name) for name in axis.ticks] == [*names, "best item left out"]
    assert list(axis.ticks.values()) == [1, 2, 3, 4, 5, 6, 7]


def test_orders_tell_right_answers_from_mistakes_for_plain_and_adaptive() -> None:
    orders = {"As given": ((4.0, 0.5), (6.0, 1.0)), "Sorted": ((4.5, 0.25), (7.0, 0.75))}
    drawn = Drawn(query_order_chart(orders, "Sorted", 9))
    rows = [["As given", "As given", "<b>Sorted</b>", "<b>Sorted</b>"], ["plain", "adaptive"] * 2]
    right, wrong = drawn.named("truly above"), drawn.named("below: mistakes")
    for bars, length in ((right, [4, 6, 4.5, 7]), (wrong, [0.5, 1, 0.25, 0.75])):
        assert [list(part) for part in bars["y"]] == rows
        np.testing.assert_allclose(bars.x, length)
    (totals,) = drawn.of("scatter")
    np.testing.assert_allclose(totals.x, [4.5, 7, 4.75, 7.75])
    assert [text.strip() for text in totals.text] == ["4.5", "7", "4.75", "7.75"]


SHUFFLED = Scores(np.random.default_rng(6).permutation(SCORES.values), monotonic=True)


def test_a_step_draws_the_noisy_values_compared_and_each_gap_from_the_noisy_threshold() -> None:
    run = ADAPTIVE.replace(threshold=150.0).replay(SHUFFLED, rng=np.random.default_rng(6))
    asked, out = run.release.asked, run.release
    assert set(out.branches) == {"top", "middle"}
    drawn = Drawn(threshold_run_chart(run, SHUFFLED, asked))
    queries = np.arange(asked)
    np.testing.assert_allclose(drawn.named("true score").y, SHUFFLED.values[:asked])
    gap = dict(zip(out.items.tolist(), out.gaps.tolist(), strict=True))
    for j, said in ((0, "answered, top branch"), (1, "answered, middle branch"), (-1, "no answer")):
        marks, here = drawn.named(said), queries[run.branch == j]
        np.testing.assert_array_equal(marks.x, here + 1)
        np.testing.assert_allclose(marks.y, run.noisy[j, here])
        if j >= 0:
            stems = [t for t in drawn.of("scatter") if t["mode"] == "lines" and not t.name]
            (own,) = (t for t in stems if t["line.color"] == marks["marker.color"])
            ends = own.y.reshape(-1, 3)
            np.testing.assert_array_equal(own.x.reshape(-1, 3)[:, 1], here + 1)
            np.testing.assert_allclose(ends[:, 0], run.thresholds[-1])
            np.testing.assert_allclose(ends[:, 1] - ends[:, 0], [gap[i] for i in here.tolist()])
    for name, value in (
        ("threshold (public)", 150.0),
        ("noisy threshold", run.thresholds[-1]),
        ("noisy threshold + σ", run.thresholds[0]),
    ):
        np.testing.assert_allclose(drawn.named(name).y, value)
    assert drawn.uprights == [asked]


def test_bounds_estimates_and_true_scores_stand_in_the_row_of_their_answer() -> None:
    run = ADAPTIVE.replay(SHUFFLED, rng=np.random.default_rng(3), confidence=0.9)
    out = run.release
    n = len(out.items)
    assert n > 2
    drawn = Drawn(threshold_bounds_chart(run, SHUFFLED, 0.9, None))
    for name, x in (
        ("lower bound (90\u202f%)", out.lower_bounds),
        ("threshold + gap", 60 + out.gaps),
        ("true score (not published)", SHUFFLED.values[out.items]),
    ):
        np.testing.assert_allclose(drawn.named(name).x, x)
        np.testing.assert_array_equal(drawn.named(name).y, np.arange(1, n + 1))
    (stems,) = (t for t in drawn.of("scatter") if t["mode"] == "lines")
    ends = np.column_stack([out.lower_bounds, 60 + out.gaps])
    np.testing.assert_allclose(stems.x.reshape(-1, 3)[:, :2], ends)
    axis = drawn.axis("y")
    assert axis.start > n > 1 > axis.end  # the first on top
    assert list(axis.ticks.values()) == list(range(1, n + 1))
    assert [plain(name) for name in axis.ticks] == [SHUFFLED.label(int(i)) for i in out.items]
    assert drawn.uprights == [60.0]


def test_expected_answers_are_bars_of_each_k_the_middle_branch_upon_the_top_branch() -> None:
    k, plain_ones = np.array([2, 5, 9]), np.array([1.5, 3.5, 7.0])
    top, middle = np.array([1.0, 2.5, 6.0]), np.array([0.9, 1.5, 2.0])
    drawn = Drawn(expected_answers_chart(k, plain_ones, top, middle, title="shop"))
    for name, height in (
        ("plain", plain_ones),
        ("adaptive, top branch", top),
        ("adaptive, middle branch", middle),
    ):
        np.testing.assert_array_equal(drawn.named(name).x, k)
        np.testing.assert_allclose(drawn.named(name).y, height, rtol=1e-6)
    base = numbers(drawn.named("adaptive, middle branch")["base"])
    np.testing.assert_allclose(base, top, rtol=1e-6)
    assert drawn.named("plain")["base"] is drawn.named("adaptive, top branch")["base"] is None
