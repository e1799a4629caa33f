"""Charts of gaps and sparse vectors: they show what they are given, with words, a table and few enough marks."""

import numpy as np
import pytest

from dpviz import AdaptiveSparseVector, NoisyTopKWithGap, Scores, SparseVector
from dpviz.base.inert_csv import export_csv
from dpviz.charts import DARK, Chart
from dpviz.charts.gaps.answer_counts import threshold_count_chart
from dpviz.charts.gaps.bound_coverage import threshold_coverage_chart
from dpviz.charts.gaps.gap_ratio import GapRatios, gap_ratio_chart
from dpviz.charts.gaps.gap_release import gap_release_chart
from dpviz.charts.gaps.query_answers import MOST_BARS, threshold_answers_chart
from dpviz.charts.gaps.query_orders import threshold_orders_chart
from dpviz.charts.gaps.run_steps import threshold_bounds_chart, threshold_steps_chart

SCORES = Scores(np.linspace(90, 3, 40) ** 1.2, labels=[f"item <{i}>" for i in range(40)], monotonic=True)
PLAIN = SparseVector(epsilon=2.0, k=5, threshold=60.0, monotonic=True)
ADAPTIVE = AdaptiveSparseVector(epsilon=2.0, k=5, threshold=60.0, monotonic=True)
LAWS = PLAIN.distribution(SCORES), ADAPTIVE.distribution(SCORES)
RUN = ADAPTIVE.replay(SCORES, rng=np.random.default_rng(2))
RELEASE = NoisyTopKWithGap(epsilon=2.0, k=6).release(SCORES, rng=np.random.default_rng(1))


def ratios(value: float, low: float, high: float) -> GapRatios:
    k = np.arange(2, 11)
    one = np.array([4.0])
    return GapRatios(k, 0.5 + 0.5 / k, one, one * 0 + value, one * 0 + low, one * 0 + high, one * 0 + 300)


def ratio_chart(value: float = 0.62, low: float = 0.6, high: float = 0.64) -> Chart:
    held = ratios(value, low, high)
    return gap_ratio_chart({"monotonic": held, "general": held}, k=4, own="monotonic")


def coverage_chart() -> Chart:
    held = PLAIN.coverage(SCORES)
    assert held.overall is not None
    return threshold_coverage_chart(
        SCORES, 60.0, 0.95, {"plain": held.after[0]}, {"plain": held.before[0]}, {"plain": held.overall}
    )


def answers_chart() -> Chart:
    plain, adaptive = LAWS
    return threshold_answers_chart(
        SCORES, 60.0, plain.answered, adaptive.branch("top"), adaptive.branch("middle"), adaptive.reached
    )


CHARTS = {
    "release": lambda: gap_release_chart(RELEASE, SCORES),
    "ratio": ratio_chart,
    "answers": answers_chart,
    "count": lambda: threshold_count_chart(LAWS[0].count, LAWS[1].count, 5),
    "steps": lambda: threshold_steps_chart(RUN, SCORES, 3, look=DARK),
    "bounds": lambda: threshold_bounds_chart(RUN, SCORES, 0.95, None),
    "coverage": coverage_chart,
    "orders": lambda: threshold_orders_chart({"As given": ((4.0, 0.5), (6.0, 1.0))}, "As given", 9),
}


@pytest.mark.parametrize("name", list(CHARTS))
def test_a_chart_has_words_and_a_table_beside_its_figure(name: str) -> None:
    chart = CHARTS[name]()
    for words in (chart.alt, chart.how_to_read, chart.says_now):
        assert words.strip().endswith(".")
        assert "nan" not in words
    assert export_csv(chart.table)
    assert "Plotly.newPlot" in chart.html("x") if name == "release" else len(chart.figure.data) > 0


def test_labels_are_data_and_never_markup() -> None:
    for name in ("release", "answers", "steps", "bounds"):
        assert "<0>" not in CHARTS[name]().figure.to_json().replace("\\u003c", "<").replace("\\u003e", ">")


def test_the_staircase_ends_where_the_gaps_add_up_to() -> None:
    bars, true = gap_release_chart(RELEASE, SCORES).figure.data
    np.testing.assert_allclose(np.asarray(bars.base)[1:], np.cumsum(RELEASE.gaps)[:-1])
    np.testing.assert_allclose(bars.x, RELEASE.gaps, rtol=1e-6)
    expected = SCORES.values[RELEASE.items[0]] - SCORES.values[RELEASE.items]
    np.testing.assert_allclose(true.x, expected, rtol=1e-5, atol=1e-5)


@pytest.mark.parametrize(
    ("value", "low", "high", "said"),
    [(0.62, 0.6, 0.64, "within"), (1.4, 1.3, 1.5, "harm"), (0.8, 0.7, 0.9, "too good"), (0.5, 0.45, 0.55, "too bad")],
)
def test_formula_and_simulation_are_compared_in_words(value: float, low: float, high: float, said: str) -> None:
    assert said in ratio_chart(value, low, high).says_now


def test_branches_are_stacked_to_the_whole_chance() -> None:
    _, middle, top, plain = answers_chart().figure.data
    np.testing.assert_allclose(np.asarray(middle.y) + top.y, LAWS[1].answered[: len(top.y)], atol=1e-6)
    seen = LAWS[0].answered[: len(top.y)]
    np.testing.assert_allclose(plain.y, seen[seen >= 0.004], atol=1e-6)


def test_many_queries_are_folded_or_left_out_and_it_is_said() -> None:
    n = 3000
    scores = Scores(np.arange(n, dtype=float))
    flat = np.full(n, 0.25)
    whole = threshold_answers_chart(scores, 10.0, flat, flat / 2, flat / 2, np.ones(n))
    assert len(whole.figure.data[0].y) <= MOST_BARS
    assert "folds 8" in whole.how_to_read
    np.testing.assert_allclose(np.asarray(whole.figure.data[1].y), 0.125)
    early = threshold_answers_chart(scores, 10.0, flat, flat / 2, flat / 2, (np.arange(n) < 95).astype(float))
    assert len(early.figure.data[0].y) == 100
    assert "2,900 queries after query 100" in early.how_to_read
    assert len(early.table) == n


def test_a_law_of_many_numbers_is_folded() -> None:
    law = np.full(5001, 1 / 5001)
    chart = threshold_count_chart(law, np.full(10_000, 1e-4), 5000)
    assert all(len(bar.x) <= 200 for bar in chart.figure.data)
    np.testing.assert_allclose([float(np.sum(bar.y)) for bar in chart.figure.data], 1.0, atol=0.002)


def test_a_step_shows_the_queries_up_to_it_and_a_gap_for_each_answer() -> None:
    for step in range(1, RUN.release.asked + 1):
        chart = threshold_steps_chart(RUN, SCORES, step)
        marks = [t for t in chart.figure.data if t.mode == "markers" and t.name and "true" not in t.name]
        assert sum(len(t.x) for t in marks) == step
        answers = sum(len(t.x) for t in marks if "answered" in t.name)
        assert answers == int((RUN.branch[:step] >= 0).sum())
        assert f"{answers} answer" in chart.says_now


def test_bounds_that_hold_are_counted() -> None:
    chart = threshold_bounds_chart(RUN, SCORES, 0.95, None)
    holds = int((RUN.release.lower_bounds <= SCORES.values[RUN.release.items]).sum())
    assert chart.says_now.startswith(f"{holds} of {len(RUN.release.items)} bounds")
    assert (chart.table["holds"] == "yes").sum() == holds


def test_no_answers_to_speak_of_are_told() -> None:
    plain = SparseVector(epsilon=50.0, k=2, threshold=1e6, monotonic=True)
    held = plain.coverage(SCORES)
    assert held.overall is None
    chart = threshold_coverage_chart(SCORES, 1e6, 0.95, {"plain": held.after[0]}, {"plain": held.before[0]}, {})
    assert "hardly any answers" in chart.says_now
