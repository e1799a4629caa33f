"""Charts on private candidates: what is drawn is what came in, and the words say it."""

import numpy as np
import pytest

from dpviz import CandidatePool, KnownThreshold, PercentileSparseVector, RandomStopping, naive_best
from dpviz.base.text_format import count_text, percent
from dpviz.candidates import NegativeBinomialRepeats
from dpviz.candidates.leaks import naive_leak, threshold_leak
from dpviz.candidates.utility import (
    StopProbabilityCurve,
    rule_prices,
    rule_utility,
    score_bins,
    top_quantile,
)
from dpviz.charts.candidates import (
    chosen_candidate_chart,
    cost_quality_chart,
    lowered_threshold_leak_chart,
    naive_leak_chart,
    output_score_chart,
    percentile_search_chart,
    run_count_chart,
    stop_chance_chart,
)
from tests.charts.drawn import Drawn, plain

POOL = CandidatePool([[0.9, 0.7], [0.8, 0.2], [0.5]], labels=["<b>a</b>", "b", "c"])
RULE = RandomStopping(stop=0.1)
LAW = RULE.distribution(POOL)
LABELS = {
    "one": "One",
    "random_stopping": "Random stopping",
    "negative_binomial": "Negative binomial",
    "naive": "Naive",
}


def test_chances_stand_at_the_end_of_their_bar_and_under_no_diamond():
    law, naive = KnownThreshold(threshold=0.65, stop=0.3).distribution(POOL), naive_best(POOL)
    drawn = Drawn(chosen_candidate_chart(law, POOL.mean_scores, naive.candidate))
    (texts,) = (trace for trace in drawn.of("scatter") if trace["mode"] == "text")
    starts, wide = texts.x, drawn.axis("x").end
    bars, diamonds = np.append(law.candidate, law.bottom), np.append(naive.candidate, 0.0)
    assert (starts > bars).all()
    assert not ((starts < diamonds + 0.005 * wide) & (diamonds < starts + 0.08 * wide)).any()
    away = (diamonds < bars - 0.1 * wide) | (diamonds > bars + 0.2 * wide)
    near = np.flatnonzero(np.abs(diamonds - starts) < 0.02 * wide)
    assert len(near)
    assert all(texts.text[i].startswith("\u00a0") for i in near)  # on a phone they are wider
    assert (starts - bars)[away].max() < 0.01 * wide


def test_chances_stand_in_the_row_of_their_candidate():
    law, naive = KnownThreshold(threshold=0.65, stop=0.3).distribution(POOL), naive_best(POOL)
    drawn = Drawn(chosen_candidate_chart(law, POOL.mean_scores, naive.candidate))
    axis = drawn.axis("y")
    assert axis.start > axis.end  # the first row on top
    names = ["&lt;b&gt;a&lt;/b&gt;", "b", "c", "nothing is published"]
    assert [plain(name) for name in axis.ticks] == names
    bars, diamonds = drawn.named("chance to be published"), drawn.named("best of one run each")
    np.testing.assert_array_equal(bars.y, list(axis.ticks.values()))
    np.testing.assert_allclose(bars.x, [*law.candidate, law.bottom])
    np.testing.assert_array_equal(diamonds.y, [0, 1, 2])
    np.testing.assert_allclose(diamonds.x, naive.candidate)
    for told, chance, name in zip(bars["customdata"], bars.x, names, strict=True):
        assert plain(told).startswith(name)
        assert f"{percent(float(chance))} of releases" in told


def test_what_is_left_of_many_candidates_is_their_sum():
    pool = CandidatePool([[k + 1.5 * j for j in range(30)] for k in range(30)])
    law = RandomStopping(stop=0.1).distribution(pool)
    naive = naive_best(pool).candidate
    drawn = Drawn(chosen_candidate_chart(law, pool.mean_scores, naive))
    kept = np.argsort(-law.candidate)[:24]
    assert drawn.named("chance to be published").x[-1] == pytest.approx(
        1 - law.candidate[kept].sum()
    )
    assert drawn.named("best of one run each").x[-1] == pytest.approx(1 - naive[kept].sum())
    assert list(drawn.axis("y").ticks)[-1] == "6 others"


def test_columns_of_scores_stand_over_the_outline_of_a_single_run():
    bins = score_bins(LAW)
    worth, quantile = rule_utility(LAW, 0.2), top_quantile(POOL, 0.2)
    drawn = Drawn(output_score_chart(bins, worth, 0.6, quantile, 0.2))
    columns, outline = drawn.named("published run"), drawn.named("one run of a random candidate")
    at = dict(zip(columns.x.round(6).tolist(), columns.y.tolist(), strict=True))
    for score, mass in zip(LAW.score_law.scores, LAW.score_law.mass, strict=True):
        assert at[round(float(score), 6)] == pytest.approx(mass)
    for x, run in zip(columns.x, bins.run, strict=True):
        left, right = (int(np.searchsorted(outline.x, x, side)) for side in ("left", "right"))
        assert outline.y[left - 1] == outline.y[right] == pytest.approx(run)
    assert bins.run.sum() == pytest.approx(1)
    assert drawn.uprights == [pytest.approx(0.75)]  # the best fifth begins in the column at 0.8


@pytest.mark.parametrize(
    "runs", [RandomStopping(stop=0.2).run_count, RandomStopping(stop=0.004).run_count]
)
def test_each_bar_of_runs_has_the_chance_of_the_counts_it_stands_for(runs):
    drawn = Drawn(run_count_chart(runs))
    (bars,) = drawn.of("bar")
    each = round(bars["width"] / 0.9)
    assert each == (1 if runs.stop == 0.2 else 14)
    for x, y, told in zip(bars.x, bars.y, bars["customdata"], strict=True):
        counts = np.arange(round(x - (each - 1) / 2), round(x + (each - 1) / 2) + 1)
        assert y == pytest.approx(float(runs.pmf(counts).sum()))
        first, last = counts[0], counts[-1]
        assert told == (count_text(first, "run") if each == 1 else f"{first:,} to {last:,} runs")
    assert bars.x[0] - (each - 1) / 2 == 1
    assert drawn.uprights == [runs.mean]
    assert drawn.note("mean")["x"] == runs.mean


def test_each_way_to_choose_stands_at_its_cost_and_its_quality_with_its_name_beside_it():
    table = rule_prices([RandomStopping(stop=0.1), NegativeBinomialRepeats()], POOL, 0.5, 0.0, 0.2)
    drawn = Drawn(cost_quality_chart(table, LABELS, chosen="random_stopping", share=0.2))
    dots, names = drawn.of("scatter")
    for mark in (dots, names):
        np.testing.assert_allclose(mark.x, [price.epsilon for price in table])
        np.testing.assert_allclose(mark.y, [price.utility.within for price in table])
    assert [plain(text).strip() for text in names.text] == [LABELS[price.name] for price in table]
    assert sum("<b>" in text for text in names.text) == 1


STOPS = np.array([0.01, 0.1, 1.0])
STOPPING = {
    name: StopProbabilityCurve(STOPS, *np.array(told), STOPS * 0, 1 / STOPS, 0.0)
    for name, told in {
        "A": [[0.9, 0.8, 0.6], [0.95, 0.7, 0.2]],
        "B": [[0.85, 0.7, 0.5], [0.9, 0.6, 0.1]],
    }.items()
}


@pytest.mark.parametrize("what", ["within", "score"])
def test_curves_over_the_stop_probability_are_drawn_as_computed(what):
    drawn = Drawn(stop_chance_chart(STOPPING, what, stop=0.1, share=0.2))
    for name, curve in STOPPING.items():
        line, mark = drawn.part(name, "lines"), drawn.part(name, "markers")
        y = getattr(curve, what)
        np.testing.assert_allclose([line.x, line.y], [STOPS, y], rtol=1e-6)
        np.testing.assert_allclose([mark.x[0], mark.y[0]], [0.1, y[1]], rtol=1e-6)
    assert drawn.axis("x").log
    assert drawn.uprights == [0.1]
    bound = [trace for trace in drawn.traces if trace.name == "guarantee of random stopping"]
    assert len(bound) == (what == "within")
    if bound:
        line = drawn.part("guarantee of random stopping", "lines")
        np.testing.assert_allclose([line.x, line.y], [[0.01, 0.1, 0.2], [0.95, 0.5, 0]], atol=1e-6)


def test_a_search_shows_query_by_query_how_good_how_far_and_where_it_ends():
    chances = np.array([0.2, 0.5, 0.9, 0.6])
    law = PercentileSparseVector(epsilon=2.0, candidate_epsilon=0.1).distribution(chances)
    drawn = Drawn(percentile_search_chart(["a", "b", "c", "d"], chances, 0.55, law, 0.6))
    good, bad = drawn.named("reaches p* = 55\u202f%"), drawn.named("does not")
    np.testing.assert_allclose([good.x, good.y], [[0.9, 0.6], [2, 3]])
    np.testing.assert_allclose([bad.x, bad.y], [[0.2, 0.5], [0, 1]])
    far, ends = drawn.named("gets this far"), drawn.named("ends here")
    assert far.axes == ends.axes == ("x2", "y")
    np.testing.assert_allclose(far.x, [1 - law.stop[:i].sum() for i in range(4)])
    np.testing.assert_allclose(ends.x, [*law.stop, law.none])
    np.testing.assert_array_equal(ends.y, [0, 1, 2, 3, 4])
    (beside,) = (trace for trace in drawn.traces if trace["mode"] == "text")
    shown = [percent(float(p)) for p in (*law.stop, law.none)]
    assert [text.strip() for text in beside.text] == shown
    assert drawn.uprights == [0.55]
    axis = drawn.axis("y")
    assert axis.start > axis.end
    assert [plain(name).split()[-1] for name in axis.ticks] == ["a", "b", "c", "d", "them"]
    for i, told in enumerate(ends["customdata"][:4]):
        reached = 1 - law.stop[:i].sum()
        assert f"asked in {percent(reached)}, then yes in {percent(law.stop[i] / reached)}" in told
        assert told.endswith(f"ends here in {percent(law.stop[i])}")


def test_what_leaks_is_drawn_beside_what_was_promised():
    leak = naive_leak(5, 0.5, 0.1)
    drawn = Drawn(naive_leak_chart(leak, 0.5, 3))
    for name, y in (
        ("best of one run each: Kε1", [0.5, 1.0, 1.5, 2.0, 2.5]),
        ("random stopping, same case", leak.stopping),
        ("its limit: 3ε1", [1.5] * 5),
    ):
        line = drawn.part(name, "lines")
        np.testing.assert_allclose([line.x, line.y], [[1, 2, 3, 4, 5], y], rtol=1e-6)
    assert drawn.uprights == [3]
    down = threshold_leak(5, 0.1, 0.1, 0.5)
    drawn = Drawn(lowered_threshold_leak_chart(down, 0.5))
    for name, y in (
        ("exact loss", down.loss),
        ("at least (R + 1)ε1", [0.5, 1.0, 1.5, 2.0, 2.5, 3.0]),
        ("one threshold fixed beforehand: 2ε1 + ε0 with ε0 = 0.1", [1.1] * 6),
    ):
        line = drawn.part(name, "lines")
        np.testing.assert_allclose([line.x, line.y], [np.arange(6), y], rtol=1e-6)
