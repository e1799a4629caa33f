"""Charts on private candidates: what is drawn is what came in, and the words say it."""

import numpy as np
import pytest

from dpviz import CandidatePool, KnownThreshold, PercentileSparseVector, PoissonRepeats, RandomStopping, naive_best
from dpviz.candidates import NegativeBinomialRepeats
from dpviz.candidates.leaks import naive_leak, threshold_leak
from dpviz.candidates.worth import mean_scores, prices, score_bins, stop_curve, top_quantile, utility
from dpviz.charts import LOOKS
from dpviz.charts.candidates import (
    chosen_bars,
    naive_leak_chart,
    percentile_steps,
    price_bars,
    runs_bars,
    score_columns,
    stop_curves,
    threshold_leak_chart,
)
from dpviz.charts.words import percent

POOL = CandidatePool([[0.9, 0.7], [0.8, 0.2], [0.5]], labels=["<b>a</b>", "b", "c"])
RULE = RandomStopping(stop=0.1)
LAW = RULE.distribution(POOL)
LABELS = {
    "one": "One",
    "random_stopping": "Random stopping",
    "negative_binomial": "Negative binomial",
    "naive": "Naive",
}


def every(look):  # type: ignore[no-untyped-def]
    curves = {"A": stop_curve(lambda g: RandomStopping(stop=g), POOL, 0.2, [0.01, 0.1, 1.0])}
    search = PercentileSparseVector(candidate_epsilon=0.1).distribution(POOL.tail(0.6))
    table = prices([RULE, NegativeBinomialRepeats()], POOL, 0.5, 1e-6, 0.2)
    return [
        chosen_bars(LAW, mean_scores(POOL), naive_best(POOL).candidate, look=look),
        score_columns(score_bins(LAW), utility(LAW, 0.2), 0.6, top_quantile(POOL, 0.2), 0.2, look=look),
        runs_bars(LAW.runs, look=look),
        price_bars(table, LABELS, chosen="random_stopping", share=0.2, look=look),
        stop_curves(curves, "within", stop=0.1, share=0.2, look=look),
        stop_curves(curves, "score", stop=0.1, share=0.2, look=look),
        percentile_steps(["<b>a</b>", "b", "c"], POOL.tail(0.6), 0.5, search, 0.6, look=look),
        naive_leak_chart(naive_leak(5, 0.5, 0.1), 0.5, 3, look=look),
        threshold_leak_chart(threshold_leak(5, 0.1, 0.1, 0.5), 0.5, look=look),
    ]


@pytest.mark.parametrize("look", LOOKS.values(), ids=LOOKS)
def test_every_chart_has_its_words_and_its_table_and_draws(look):
    for chart in every(look):
        assert chart.alt
        assert chart.how_to_read
        assert chart.says_now
        assert len(chart.table)
        assert len(chart.figure.to_json()) < 200_000
        assert "nan" not in (chart.alt + chart.how_to_read + chart.says_now).lower()


def test_labels_are_data_and_never_markup():
    for chart in every(LOOKS["light"]):
        assert "<b>a</b>" not in chart.figure.to_json()
        assert "<b>a</b>" not in chart.says_now


def test_the_bars_are_the_law_the_best_candidate_on_top():
    chart = chosen_bars(LAW, mean_scores(POOL), naive_best(POOL).candidate)
    bars, diamonds = chart.figure.data[0], chart.figure.data[1]
    order = np.argsort(-mean_scores(POOL), kind="stable")
    assert np.array(bars.x) == pytest.approx(LAW.candidate[order])
    assert np.array(diamonds.x) == pytest.approx(naive_best(POOL).candidate[order])
    assert chart.table["chance"].sum() == pytest.approx(1)


def test_nothing_has_a_bar_of_its_own():
    law = KnownThreshold(threshold=0.85, stop=0.3).distribution(POOL)
    chart = chosen_bars(law, mean_scores(POOL), naive_best(POOL).candidate)
    assert chart.figure.data[0].x[-1] == pytest.approx(law.bottom)
    assert "nothing comes out in" in chart.says_now


def test_many_candidates_are_folded_and_said():
    pool = CandidatePool([[float(k)] for k in range(100)])
    law = RandomStopping(stop=0.1).distribution(pool)
    chart = chosen_bars(law, mean_scores(pool), naive_best(pool).candidate)
    assert len(chart.figure.data[0].x) == 25
    assert sum(chart.figure.data[0].x) == pytest.approx(1)
    assert "76 candidates" in chart.how_to_read
    assert len(chart.table) == 101


@pytest.mark.parametrize(
    "runs", [RandomStopping(stop=0.002).count, PoissonRepeats(mean=3.0).count, RandomStopping(stop=1.0).count]
)
def test_numbers_of_runs_are_whole_and_almost_all_drawn(runs):
    chart = runs_bars(runs)
    mass = np.array(chart.figure.data[0].y)
    assert len(mass) <= 100
    assert 0.99 <= mass.sum() <= 1 + 1e-12
    table = chart.table
    first = range(int(table["runs from"][0]), int(table["runs to"][0]) + 1)
    assert mass[0] == pytest.approx(sum(float(runs.pmf(np.array(n))) for n in first))


def test_what_a_theorem_does_not_cover_has_no_bar_and_says_why():
    table = prices([RULE, NegativeBinomialRepeats()], POOL, 0.5, 1e-6, 0.2)
    chart = price_bars(table, LABELS, chosen="random_stopping", share=0.2)
    assert chart.figure.data[0].x == (0.5, 0.0, 0.0, 1.5)
    assert chart.table["not covered because"].str.len().tolist()[1] > 10
    assert "ε = 1.5" in chart.says_now


def test_the_search_says_where_it_stops():
    law = PercentileSparseVector(epsilon=50.0, candidate_epsilon=0.1).distribution([0.0, 0.99, 0.2])
    chart = percentile_steps(["a", "b", "c"], np.array([0.0, 0.99, 0.2]), 0.5, law, 0.6)
    assert "\u2068b\u2069" in chart.says_now
    assert chart.table["stops here"].sum() + law.none == pytest.approx(1)
    assert percent(law.none) == "<0.1\u202f%"
    assert chart.table["asked"][0] == 1
