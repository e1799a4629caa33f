"""The search for a threshold: every sample of runs, draws, privacy by enumeration, Thm 4.6, 4.7."""

import itertools
import math
from functools import partial

import numpy as np
import pytest
from scipy import integrate, stats

from dpviz.base.errors import ParameterError
from dpviz.candidates import SelectionBySearch, ThresholdSearch
from dpviz.candidates.search_cost import runs_needed
from tests.candidates.neighbours import laws
from tests.candidates.test_percentile_sparse_vector import stops
from tests.meters import interval, largest_loss, smallest_delta

GIVEN = {"percentile": 0.4, "candidate_epsilon": 0.3, "epsilon0": 0.7, "delta": 0.05, "steps": 6}
FEW = ThresholdSearch(epsilon=9.0, beta=0.9, samples=2, **GIVEN)
MANY = ThresholdSearch(epsilon=9.0, beta=0.9, samples=20_000, **GIVEN)
ALL = ThresholdSearch(epsilon=3.0, beta=0.1, **GIVEN)
CHANCES = [0.0, 0.1, 0.1, 0.45, 1.0]


def over_all_samples(search, chances):
    """The law from every way that the runs can fall, and one integral over ν each."""
    e0, s = search.epsilon0, search.candidate_epsilon + search.epsilon0
    c = 2 * (math.exp(s) + 1 + math.exp(e0 / 2))
    d = c * math.log(4 * search.steps / search.delta) / (e0 * (math.exp(s) - 1))
    n, scale = search.samples, 4 * s / search.epsilon
    target = search.beta ** (6 * s / search.epsilon) * math.exp(-e0 / 2)
    target *= n * search.percentile + d
    law, parts = np.zeros(len(chances) + 1), np.diff([0.0, *chances, 1.0])
    for places in itertools.product(np.flatnonzero(parts), repeat=n):
        weight = parts[list(places)].prod()
        counts = [sum(place <= i for place in places) for i in range(len(chances))]
        leads = [math.log((m + d) / target) for m in counts]

        def at(nu, leads=leads):
            passes = stats.laplace.sf([nu - lead for lead in leads], scale=scale)
            goes_on = np.append(1.0, np.cumprod(1 - passes))
            return np.append(passes, 1.0) * goes_on * stats.laplace.pdf(nu, scale=scale / 2)

        edges = sorted({-30 * scale, 0.0, *leads, 30 * scale})
        for low, high in itertools.pairwise(edges):
            law += weight * integrate.quad_vec(at, low, high, epsabs=1e-12)[0]
    return law


def test_the_law_is_that_over_every_sample_of_runs():
    law = FEW.distribution(CHANCES)
    assert [*law.stop, law.none] == pytest.approx(over_all_samples(FEW, CHANCES), abs=1e-9)
    assert law.error < 1e-10


def test_more_runs_differ_by_no_more_than_the_error_from_their_chances():
    """The chain of 200 counts against the law that takes p_i for the share of the runs."""
    chained = ThresholdSearch(epsilon=9.0, beta=0.9, samples=200, **GIVEN)
    beyond = ThresholdSearch(epsilon=9.0, beta=0.9, samples=201, **GIVEN)
    one, other = (search.distribution(CHANCES) for search in (chained, beyond))
    missed = np.abs(one.stop - other.stop).sum() / 2
    assert 1e-3 < missed <= other.error < 0.4
    assert MANY.distribution(CHANCES).error < other.error / 4
    assert ThresholdSearch().distribution(CHANCES).error < 1e-9


@pytest.mark.parametrize("search", [FEW, MANY, ALL], ids=["few", "many", "all"])
def test_sampler_follows_the_law(search):
    law, found = search.distribution(CHANCES), search.sample(CHANCES, 20_000, rng=5)
    low, high = interval(np.bincount(found + 1, minlength=6), 20_000)
    chances, error = np.array([law.none, *law.stop]), law.error + 1e-12
    assert ((low - error <= chances) & (chances <= high + error)).all()


def worst(search):
    """The largest loss or δ over neighbours, the one that moves all queries but the last too."""
    rng, pairs = np.random.default_rng(6), []
    for _ in range(8):
        p, q = laws(rng, 6, search.candidate_epsilon)
        pairs.append([np.minimum(np.cumsum(one), 1.0)[:-1] for one in (p, q)])
    low = 1 / (1 + math.exp(search.candidate_epsilon))
    pairs.append([np.append(np.full(4, p), 1 - 1e-3) for p in (low, 1 - low)])
    found = [[stops(search.distribution(p)) for p in pair] for pair in pairs]
    meter = partial(smallest_delta, epsilon=search.epsilon) if search.samples else largest_loss
    return max(meter(p, q) for p, q in found)


class HalfTheNoise(ThresholdSearch):
    """A twin that breaks the promise: noise for half the sensitivity."""

    @property
    def query_scale(self):
        return super().query_scale / 2


STRICT = {"percentile": 0.5, "candidate_epsilon": 2.0, "epsilon0": 0.05, "beta": 0.5}


@pytest.mark.parametrize("epsilon", [0.5, 3.0])
def test_privacy_by_enumeration(epsilon):
    assert worst(ThresholdSearch(epsilon=epsilon, **STRICT)) <= epsilon + 1e-9
    assert worst(HalfTheNoise(epsilon=epsilon, **STRICT)) > epsilon
    assert worst(ThresholdSearch(epsilon=epsilon, samples=20, **GIVEN)) <= 0.05


def test_the_runs_are_those_of_the_theorems():
    """ε0 = ε1 = log 2 gives S = log 4; 4R/δ = e^10 at R = 2; β^(−12S/ε3) at ε3 = 12 log 4 is 2."""
    two = math.log(2)
    given = {"candidate_epsilon": two, "epsilon0": two, "delta": 8 * math.exp(-10), "beta": 0.5}
    search = ThresholdSearch(percentile=0.3, epsilon=12 * math.log(4), steps=2, **given)
    d = 20 * (5 + math.sqrt(2)) / (3 * two)
    runs = 3 * d * math.sqrt(2) / 0.3 * 2 * math.sqrt(3)
    assert search.log10_samples == pytest.approx(math.log10(runs), rel=1e-12)
    given = {"candidates": 10, "delta": 1e-6, "beta": 0.1, "steps": 10}
    for epsilon, power in ((0.1, 24), (1.0, 57)):
        chosen = SelectionBySearch(candidate_epsilon=epsilon, epsilon0=1.0, **given)
        assert -chosen.log10_run_pass_probability == pytest.approx(power, abs=0.5)
        # the search's own guarantee is p_1 or more: ε0 is halved, which makes the 12
        assert chosen.log10_run_pass_probability <= chosen.search.log10_least_chance
        assert chosen.log10_runs >= chosen.search.log10_samples > -chosen.log10_run_pass_probability
        assert chosen.total_epsilon == (2 * epsilon + 1, 1e-6)


def test_what_the_theorem_does_not_allow_is_refused():
    for chances, says in (([0.5, 0.4], "chances must be rising"), ([0.5] * 7, "at most steps = 6")):
        with pytest.raises(ParameterError, match=says):
            ALL.distribution(chances)


@pytest.mark.parametrize("candidates", [2, 5, 1000])
def test_each_way_to_the_best_median_runs_and_costs_as_its_rule_says(candidates):
    """Naively all runs are made and paid for: so many of each candidate that its best run misses
    its median with β at most.
    """
    epsilon, beta = 0.3, 0.1
    ways = runs_needed(candidates, epsilon, beta)
    of_each = next(n for n in itertools.count(1) if 0.5**n <= beta)
    (cost,), (runs,) = ways["naive"]
    assert (cost, 10**runs) == pytest.approx((candidates * of_each * epsilon, candidates * of_each))
    (cost,), (runs,) = ways["stopping"]
    assert (cost, 10**runs) == pytest.approx((3 * epsilon, 2 * candidates / beta))
    costs, runs = ways["known"]
    assert costs[0] == pytest.approx(2 * epsilon + 0.1)
    np.testing.assert_allclose(10**runs, 2 * candidates)
