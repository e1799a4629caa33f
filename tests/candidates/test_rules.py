"""Rules for private candidates: the contract of each, reference values, bounds, refusals."""

import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy import stats

from dpviz.base.errors import ParameterError
from dpviz.candidates import (
    CandidatePool,
    CandidateRule,
    KnownThreshold,
    NegativeBinomialRepeats,
    PoissonRepeats,
    RandomStopping,
    sufficient_limit_for_delta2,
    sufficient_limit_for_epsilon0,
)
from tests.candidate_contract import CandidateContract, Outcomes, best_of, published
from tests.candidates.neighbours import BOTTOM

RUNS = np.arange(4000)  # more than any rule below ever makes


class TestRandomStopping(CandidateContract):
    examples = [RandomStopping(stop=0.1), RandomStopping(stop=0.2, limit=7), RandomStopping(stop=1)]
    priced = [
        *(RandomStopping(stop=stop) for stop in (1e-4, 0.05, 0.7, 1.0)),
        *(
            RandomStopping(stop=stop, limit=sufficient_limit_for_epsilon0(stop, 0.2))
            for stop in (0.01, 0.3)
        ),
    ]

    def definition(self, rule: CandidateRule, pool: CandidatePool) -> Outcomes:
        """Stop after each run with probability γ, and at the limit in any case."""
        limit = rule.limit or RUNS[-1]
        chances = np.zeros(len(RUNS))
        chances[1:limit] = rule.stop * (1 - rule.stop) ** np.arange(limit - 1)
        chances[limit] = (1 - rule.stop) ** (limit - 1)
        return best_of(pool, chances)


class TestKnownThreshold(CandidateContract):
    examples = [KnownThreshold(threshold=0.6, stop=0.1), KnownThreshold(threshold=9.0, stop=0.5)]
    priced = [
        KnownThreshold(threshold=threshold, stop=stop, epsilon0=e0)
        for threshold in (2.0, 5.0)
        for stop, e0 in ((1e-3, 0.01), (0.1, 0.1), (0.5, 1.0))
    ]

    def definition(self, rule: CandidateRule, pool: CandidatePool) -> Outcomes:
        """A good run comes out; after another one a coin or the limit may end the search."""
        runs = published(pool)
        good = {run: mass for run, mass in runs.items() if run[1] >= rule.threshold}
        law, alive = dict.fromkeys(runs, 0.0), 1.0
        for _ in range(rule.limit):
            law.update({run: law[run] + alive * mass for run, mass in good.items()})
            alive *= (1 - sum(good.values())) * (1 - rule.stop)
        return {BOTTOM: 1 - sum(law.values()), **law}


class TestNegativeBinomialRepeats(CandidateContract):
    examples = [
        NegativeBinomialRepeats(shape=shape, stop=stop)
        for shape, stop in ((0.0, 0.1), (-0.4, 0.05), (2.5, 0.3))
    ]
    priced = [NegativeBinomialRepeats(shape=shape, stop=0.01) for shape in (-0.5, 0.0, 1.0, 2.0)]

    def definition(self, rule: CandidateRule, pool: CandidatePool) -> Outcomes:
        """P(J = j) ∝ (1 − γ)^j·Π_{l<j} (l + η)/(l + 1), j ≥ 1, which for η = 0 is (1 − γ)^j/j."""
        growth = np.append(0.0, np.cumsum(np.log((RUNS[1:-1] + rule.shape) / (RUNS[1:-1] + 1))))
        chances = np.append(0.0, np.exp(RUNS[1:] * math.log(1 - rule.stop) + growth))
        return best_of(pool, chances / chances.sum())


class TestPoissonRepeats(CandidateContract):
    examples = [PoissonRepeats(mean=4.0)]
    priced = [PoissonRepeats(mean=5.0, delta=1e-4), PoissonRepeats(mean=200.0, delta=1e-2)]

    def definition(self, rule: CandidateRule, pool: CandidatePool) -> Outcomes:
        """J is Poisson."""
        return best_of(pool, stats.poisson.pmf(RUNS, rule.mean))


@given(
    st.lists(st.lists(st.integers(0, 6), min_size=1, max_size=6), min_size=1, max_size=5),
    st.floats(0.01, 1),
    st.integers(0, 6),
    st.floats(0.01, 1),
)
def test_theorem_bounds(runs, stop, threshold, p):
    pool = CandidatePool(runs)
    passes = float(pool.mixture_tail(np.array(float(threshold))))
    law = KnownThreshold(threshold=threshold, stop=stop, epsilon0=0.3).distribution(pool)
    assert law.runs.mean <= 1 / (passes * (1 - stop) + stop) + 1e-12
    if passes:
        assert law.bottom <= (1 - passes) * 1.15 / passes * stop + 1e-12
    chances = pool.mixture_tail(pool.score_levels)
    if (chances > p).any():
        quantile = pool.score_levels[chances > p].max()
        found = RandomStopping(stop=stop).distribution(pool).score_law
        assert 1 - float(found.tail(np.array(quantile))) <= stop / p + 1e-12


@pytest.mark.parametrize(
    ("rule", "given", "sentence"),
    [
        (RandomStopping, {"stop": 1.1}, "stop must be a number above 0 and at most 1"),
        (RandomStopping, {"limit": 0}, "limit must be a whole number of at least 1"),
        (KnownThreshold, {"threshold": "0.5"}, "threshold must be a finite number"),
        (
            sufficient_limit_for_epsilon0,
            {"stop": 0.1, "epsilon0": 0.5},
            "epsilon0 must be a number above 0",
        ),
        (
            sufficient_limit_for_delta2,
            {"stop": 0.1, "delta2": 0.0},
            "delta2 must be a number above 0",
        ),
    ],
)
def test_bad_parameters(rule, given, sentence):
    with pytest.raises(ParameterError, match=rf"\A{sentence}"):
        rule(**given)


@pytest.mark.parametrize(
    ("rule", "delta", "sentence"),
    [
        (RandomStopping(stop=0.01, limit=100), 0.0, "limit must be at least 1298, where ε0 of Thm"),
        (RandomStopping(stop=0.1), 1e-6, "limit must be a whole number where candidate_delta is"),
        (RandomStopping(stop=0.1, limit=9), 0.1, "candidate_delta must be a number above 0 and b"),
    ],
)
def test_what_no_theorem_covers_is_refused(rule, delta, sentence):
    with pytest.raises(ParameterError, match=rf"\A{sentence}"):
        rule.total_epsilon(1.0, delta)


@pytest.mark.parametrize("stop", [0.01, 0.3])
@pytest.mark.parametrize("epsilon0", [0.01, 0.4])
def test_limits_are_those_of_the_theorems(stop, epsilon0):
    a = 2 * (1 + stop) ** 2 / (epsilon0 * stop**2)
    limit = sufficient_limit_for_epsilon0(stop, epsilon0)
    assert limit == math.ceil((math.log(a) + math.log(math.log(a))) / stop)
    assert RandomStopping(stop=stop, limit=limit).hard_stop_epsilon <= epsilon0
    assert RandomStopping(stop=stop, limit=limit - 1).hard_stop_epsilon > epsilon0


@pytest.mark.parametrize(("stop", "least"), [(1.0, 2), (0.7, 2), (0.35, 3), (0.01, 70)])
def test_the_limit_of_known_threshold_is_at_least_one_more_than_a_step_over_e(stop, least):
    """Thm 3.1 asks for T ≥ 1 + 1/(eγ) too: 1 + 1/(0.35e) = 2.05."""
    assert KnownThreshold(threshold=0.5, stop=stop, epsilon0=1.0).limit == least
    with pytest.raises(ParameterError, match=f"limit must be at least {least}, "):
        KnownThreshold(threshold=0.5, stop=stop, epsilon0=1.0, limit=least - 1)


def test_error_covers_runs_beyond_the_highest_score_looked_at():
    """With a million runs the best lies above the 1 − 10⁻¹⁷ quantile with a chance of 10⁻¹¹."""
    law = PoissonRepeats(mean=1e6).distribution(CandidatePool([stats.norm(0, 1)]))
    short = 1 - law.candidate.sum() - law.bottom
    assert 5e-12 < short <= law.error < 2e-11


def test_a_hard_stop_is_paid_in_full_however_late_it_is():
    """log a + log log a ≤ γT, where e^(γT) is past the largest double too."""
    for limit in (900, 999, 1001, 1300):
        epsilon0 = RandomStopping(stop=0.5, limit=limit).hard_stop_epsilon
        log_a = math.log(2 * 1.5**2 / 0.5**2) - math.log(epsilon0)
        assert 0.998 * 0.5 * limit < log_a + math.log(log_a) <= 0.5 * limit * (1 + 1e-12)
