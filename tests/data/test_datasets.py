"""Examples and generators: what they promise, and that the promise repeats."""

from collections import Counter

import numpy as np
import pytest

from dpviz import Canonical
from dpviz.base.errors import ParameterError
from dpviz.base.parameters import declared_parameters
from dpviz.data import DEFAULT_EXAMPLE, EXAMPLES, GENERATORS
from dpviz.data.generators import (
    ZIPF_TOTAL,
    Geometric,
    Linear,
    LogNormal,
    NearTies,
    OneWinner,
    TwoClusters,
    Zipf,
)
from tests.menus import Contract


@pytest.mark.parametrize("name", EXAMPLES)
class TestExamples(Contract):
    menu = EXAMPLES
    names = frozenset(EXAMPLES)

    def test_scores_are_labelled_whole_numbers(self, name):
        example = EXAMPLES[name]
        scores = example.scores()
        assert scores == example.scores()
        assert example.description.startswith("Made-up ")
        assert len(set(scores.labels)) == scores.d
        assert np.array_equal(scores.values, np.rint(scores.values))
        assert scores.values.min() > 0
        assert 1 <= example.k < scores.d

    def test_sensitivity_and_monotonic_are_its_own_unless_given(self, name):
        example = EXAMPLES[name]
        own = example.scores()
        assert (own.sensitivity, own.monotonic) == (example.sensitivity, example.monotonic)
        other = example.scores(sensitivity=3.0, monotonic=not example.monotonic)
        assert (other.sensitivity, other.monotonic) == (3.0, not example.monotonic)


def test_default_example_is_neither_hopeless_nor_certain():
    example = EXAMPLES[DEFAULT_EXAMPLE]
    scores = example.scores()
    assert (scores.d, example.k) == (60, 10)
    assert 0.3 < Canonical(epsilon=1.0, k=10).distribution(scores).top < 0.95


def test_ties_example_ties_at_its_k():
    example = EXAMPLES["library_loans"]
    assert example.scores().tie_counts(example.k) == (7, 13)


def test_there_is_an_example_that_is_not_monotonic():
    example = EXAMPLES["canteen_ratings"]
    scores = example.scores()
    assert not scores.monotonic
    assert scores.sensitivity == 5.0
    assert scores.values.max() <= 400 * 5  # no dish has more than every guest's full points


def test_sizes_from_a_handful_to_thousands():
    assert EXAMPLES["class_trip"].scores().d == 6
    ranked = np.sort(EXAMPLES["song_listeners"].scores().values)[::-1]
    assert len(ranked) == 2000
    assert ranked[:200].sum() > 0.4 * ranked.sum()  # a long tail


@pytest.mark.parametrize("name", GENERATORS)
class TestGenerators(Contract):
    menu = GENERATORS
    names = frozenset(GENERATORS)

    def test_defaults(self, name):
        scores = GENERATORS[name]().scores()
        assert scores.d == 200
        assert scores.labels is None
        assert scores.monotonic
        assert scores.sensitivity == 1.0
        assert np.array_equal(scores.values, np.rint(scores.values))

    def test_the_scores_are_those_of_its_seed(self, name):
        generator = GENERATORS[name]
        assert generator().scores() == generator().scores()
        if any(declared.name == "seed" for declared in declared_parameters(generator)):
            assert generator(seed=1).scores() != generator(seed=2).scores()

    def test_smallest_size(self, name):
        extra = {"front": 1} if name == "two_clusters" else {}
        assert GENERATORS[name](size=2, **extra).scores().d == 2

    @pytest.mark.parametrize("size", [1, 1_000_001, 2.0, True, "9", None])
    def test_refuses_size(self, name, size):
        with pytest.raises(ParameterError, match="size must be a whole number from 2 to 1,000,000"):
            GENERATORS[name](size=size)

    def test_every_extreme_of_every_parameter_gives_scores(self, name):
        generator = GENERATORS[name]
        for declared in declared_parameters(generator):
            if declared.name in {"size", "front"}:
                continue
            for value in (declared.low, declared.high):
                given = int(value) if declared.integer else value
                assert generator(**{declared.name: given}).scores().d == 200

    def test_override(self, name):
        scores = GENERATORS[name]().scores(sensitivity=2.0, monotonic=False)
        assert (scores.sensitivity, scores.monotonic) == (2.0, False)


def test_zipf_is_even_at_zero_and_proportional_to_a_power():
    assert set(Zipf(size=15, exponent=0.0).scores().values) == {ZIPF_TOTAL / 15}
    shares = [i**-0.7 for i in range(1, 101)]
    expected = [round(ZIPF_TOTAL * share / sum(shares)) for share in shares]
    assert Zipf(size=100, exponent=0.7).scores().values.tolist() == expected


def test_linear_steps_and_geometric_ratios():
    assert Linear(size=4, highest=10.0, step=4.0).scores().values.tolist() == [10, 6, 2, -2]
    halves = Geometric(size=4, highest=800.0, ratio=0.5).scores().values.tolist()
    assert halves == [800, 400, 200, 100]


def test_one_winner_leads_by_the_lead():
    ranked = OneWinner(level=40.0, lead=33.0).scores()
    assert ranked.order[0] == 0
    first, second = np.sort(ranked.values)[::-1][:2]
    assert first - second == 33
    assert abs(ranked.values[1:].mean() - 40) < 3  # 199 Poisson(40): three standard errors are 1.3


def test_near_ties_fill_their_range():
    counted = Counter(NearTies(size=10_000, level=50.0, spread=2).scores().values.tolist())
    assert set(counted) == {48, 49, 50, 51, 52}
    assert all(abs(n - 2000) < 5 * np.sqrt(1600) for n in counted.values())


def test_two_clusters_stay_apart():
    values = TwoClusters(size=50, front=7, level=100.0, gap=30.0, spread=4).scores().values
    assert np.all(np.abs(values[:7] - 130) <= 4)
    assert np.all(np.abs(values[7:] - 100) <= 4)
    with pytest.raises(ParameterError, match="front must be below the number of items, 10, not 10"):
        TwoClusters(size=10, front=10)


def test_log_normal_has_the_median_and_spread_asked_for():
    values = LogNormal(size=20_000, median=10_000.0, sigma=0.5, seed=3).scores().values
    logs = np.log(values)
    assert abs(np.median(logs) - np.log(10_000)) < 0.02
    assert abs(logs.std() - 0.5) < 0.02


def test_a_total_is_shared_and_the_app_opens_on_scores_of_a_readable_size():
    assert Zipf(size=4, exponent=1.0, total=250).scores().values.tolist() == [120, 60, 40, 30]
    assert 100 < Zipf(**Zipf.opening).scores().values.max() < 10_000
