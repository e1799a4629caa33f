"""Utility of what comes out, costs and leaks, against enumeration and simulation."""

from dataclasses import replace
from fractions import Fraction
from operator import mul

import numpy as np
import pandas as pd
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from dpviz import (
    CANDIDATES,
    CandidatePool,
    KnownThreshold,
    ParameterError,
    RandomStopping,
    naive_best,
    privacy_loss,
)
from dpviz.candidates import (
    NegativeBinomialRepeats,
    PoissonRepeats,
    naive_worst_pair,
    zero_score_probability,
)
from dpviz.candidates.leaks import naive_leak, threshold_leak
from dpviz.candidates.run_tables import TYPED_COLUMNS, pool_from_run_table, pool_from_typed_table
from dpviz.candidates.utility import (
    mean_score_error,
    rule_prices,
    rule_utility,
    score_bins,
    stop_probability_curve,
    top_quantile,
)
from dpviz.data.reading import IngestError, read_frame, read_table

POOL = CandidatePool([[0.9, 0.7, 0.7, 0.1], [0.8, 0.8], [0.3, 0.6, 0.95]], labels=["a", "b", "c"])
SCORES = st.lists(st.integers(0, 6).map(float), min_size=1, max_size=5)


@given(st.lists(SCORES, min_size=1, max_size=4), st.sampled_from([0.033, 0.17, 0.31, 0.49, 0.77]))
@settings(deadline=None, max_examples=60)
def test_the_quantile_is_the_largest_score_that_more_than_the_share_reach(given_runs, share):
    pool = CandidatePool(given_runs)

    def reached(z):
        return np.mean([np.mean(np.array(r) >= z) for r in given_runs])

    scores = {z for r in given_runs for z in r}
    assert top_quantile(pool, share) == max(z for z in scores if reached(z) > share)


@pytest.mark.parametrize(
    "rule",
    [RandomStopping(stop=0.2), KnownThreshold(threshold=0.75, stop=0.3), PoissonRepeats(mean=2)],
)
def test_utility_against_the_sampler(rule):
    drawn = rule.sample(POOL, 60_000, rng=np.random.default_rng(5))
    out = drawn.candidate >= 0
    worth = rule_utility(rule.distribution(POOL), 0.3)
    quantile = top_quantile(POOL, 0.3)
    assert worth.score == pytest.approx(drawn.score[out].mean(), abs=0.005)
    assert worth.within == pytest.approx(np.mean(drawn.score >= quantile), abs=0.01)
    assert worth.bottom == pytest.approx(1 - out.mean(), abs=0.01)
    assert worth.runs == pytest.approx(drawn.runs.mean(), rel=0.03)


def test_bins_hold_all_the_mass():
    law = RandomStopping(stop=0.1).distribution(POOL)
    for most in (2, 5, 60):
        bins = score_bins(law, most)
        assert len(bins.out) <= most + 1
        assert bins.out.sum() + bins.below[0] == pytest.approx(1)
        assert bins.run.sum() + bins.below[1] == pytest.approx(1)
    lattice = score_bins(RandomStopping(stop=0.5).distribution(CandidatePool([[1.0, 2.0, 4.0]])))
    assert lattice.single
    assert lattice.run == pytest.approx([1 / 3, 1 / 3, 0, 1 / 3])


def test_curves_are_the_utilities_at_each_gamma():
    curve = stop_probability_curve(lambda g: RandomStopping(stop=g), POOL, 0.2, [0.1, 0.5, 1.0])
    for i, stop in enumerate((0.1, 0.5, 1.0)):
        worth = rule_utility(RandomStopping(stop=stop).distribution(POOL), 0.2)
        found = (curve.score[i], curve.within[i], curve.runs[i])
        assert found == (worth.score, worth.within, worth.runs)
    assert (np.diff(curve.within) <= 0).all()


def prices(rules, delta, share):
    """The prices at ε1 = 0.5, by name."""
    return {price.name: price for price in rule_prices(rules, POOL, 0.5, delta, share)}


def test_prices_are_the_theorems_and_the_naive_sum():
    others = RandomStopping(), NegativeBinomialRepeats(), PoissonRepeats()
    rules = [KnownThreshold(threshold=0.7), *others]
    table = prices(rules, 0.0, 0.1)
    assert list(table) == ["one", *CANDIDATES, "naive"]
    told = {name: table[name].epsilon for name in ("one", "naive", "random_stopping")}
    assert told == {"one": 0.5, "naive": 1.5, "random_stopping": 1.5}
    assert table["known_threshold"].epsilon == pytest.approx(1.1)
    assert table["one"].utility.score == pytest.approx(POOL.mean_scores.mean())
    assert table["naive"].utility == rule_utility(naive_best(POOL), 0.1)
    unpure = prices(rules, 1e-6, 0.1)
    assert unpure["naive"].delta == pytest.approx(3e-6)
    assert unpure["known_threshold"].epsilon == pytest.approx(1.1)
    for name in ("random_stopping", "negative_binomial", "poisson"):
        assert unpure[name].epsilon is None
        assert unpure[name].problem.parameter in {"candidate_delta", "limit"}
    assert prices([], 0.4, 0.3)["naive"].delta == 1.0, "a probability"


@pytest.mark.parametrize(
    ("content", "told"),
    [
        (b"a,0.5\nb,x\n", "Row 3: the score 'x'"),
        (b"a,0.5\nb,\n", "Row 3: the score in column 'score' is empty"),
        (b"a,0.5\nb,inf\n", "Row 3: the score 'inf'"),
        (b"a,0.5\n ,1\n", "Row 3: the candidate in column 'model' is empty"),
    ],
)
def test_what_is_wrong_with_a_run_table_names_the_row(content, told):
    table = read_table("runs.csv", b"model,score\n" + content)
    with pytest.raises(IngestError, match=rf"\A{told}"):
        pool_from_run_table(table, "model", "score")


@pytest.mark.parametrize(
    ("rows", "told"),
    [
        ([["a", 1.0, -1.0]], "how often in row 1 must be 0 or more"),
        ([["a", 1.0, 0.0], ["b", 1.0, 1.0]], "The candidate 'a' is empty"),
        ([["a", None, 1.0]], "Row 1: the score"),
        ([["a", 1.0, "many"]], "Row 1: how often 'many'"),
        ([[None, 1.0, 1.0]], "Row 1: the candidate"),
        ([[None, None, None]], "is empty"),
    ],
)
def test_what_is_wrong_with_a_typed_table(rows, told):
    with pytest.raises(ParameterError, match=told):
        pool_from_typed_table(read_frame(pd.DataFrame(rows, columns=list(TYPED_COLUMNS))))


def test_the_naive_best_loses_k_epsilon_and_random_stopping_keeps_its_promise():
    leak = naive_leak(9, 0.7, 0.02)
    assert leak.naive == pytest.approx(0.7 * leak.candidates)
    assert leak.stopping.max() < 3 * 0.7 < leak.naive[-1]
    stopped = privacy_loss(RandomStopping(stop=0.02), *naive_worst_pair(9, 0.7))
    assert stopped.largest == pytest.approx(leak.stopping[-1])
    down = threshold_leak(7, 0.1, 0.2, 0.5)
    worlds = (0.1 * np.exp(0.5), 0.1)
    p, q = (np.array([zero_score_probability(f, 0.2, r) for r in range(8)]) for f in worlds)
    assert down.loss == pytest.approx(np.log(p / q))
    assert (down.loss >= down.floor - 1e-12).all()


def test_nothing_coming_out_leaks_as_well_as_a_score_does() -> None:
    """One run that fails with 0.01 or with 0.02: ⊥ shows log 2, the score hardly anything."""
    rule = KnownThreshold(threshold=1.0, stop=1.0)
    pair = [CandidatePool([([0.0, 1.0], [miss, 1 - miss])]) for miss in (0.01, 0.02)]
    found = privacy_loss(rule, *pair)
    assert found.output.text == "nothing"
    assert found.largest == pytest.approx(np.log(2), rel=1e-6)


@pytest.mark.parametrize("stop", [0.05, 0.9])
@pytest.mark.parametrize("scale", [0.01, 1.0, 500.0])
def test_the_error_of_a_mean_score_covers_chances_that_are_wrong_by_their_error(
    stop: float, scale: float
) -> None:
    """Mean scores by their tails in fractions, of a law whose events are off by a known error."""
    levels = [scale * score for score in (0.5, 1.0, 3.0, 3.5)]
    pool = CandidatePool([[levels[0], levels[1]], [levels[2], levels[3]]])
    law = KnownThreshold(threshold=levels[1], stop=stop).distribution(pool)
    scores = [Fraction(score) for score in law.score_law.scores]
    mass = [Fraction(chance) for chance in law.score_law.mass]
    off = min(mass) / 2

    def mean(chances: list[Fraction]) -> Fraction:
        gaps = [high - low for high, low in zip(scores, [Fraction(0), *scores], strict=False)]
        tails = [sum(chances[place:], Fraction(0)) for place in range(len(chances))]
        return sum(map(mul, gaps, tails), Fraction(0)) / sum(chances)

    wrong = [mass[0] + off, *mass[1:-1], mass[-1] - off]
    told = replace(rule_utility(law, 0.3), error=float(off))
    missed = abs(mean(mass) - mean(wrong))
    assert told.bottom > 0.01
    assert missed <= mean_score_error(told, pool) < 4 * missed
