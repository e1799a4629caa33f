import math

import numpy as np
import pytest
from scipy import stats

from dpviz import GaussianCounts, OneShot, ParameterError, Scores, TopKMechanism, compose
from dpviz.numerics.gaussian_shift import gaussian_delta, gaussian_shift
from tests import meters
from tests.contract import INPUTS, MechanismContract, Sets
from tests.topk.lists import threshold_counts


class TestGaussianCounts(MechanismContract):
    examples = [GaussianCounts(epsilon=2.0, k=2, delta=1e-3), GaussianCounts(epsilon=0.5, k=3, delta=0.05)]
    contributions = 2

    def definition(self, m: TopKMechanism, s: Scores) -> Sets:
        """The k largest of counts with gaussian noise: a threshold so far down that nothing is below it."""
        assert isinstance(m, GaussianCounts)
        counts = {str(item): s.values[item] - s.values.min() + 1 for item in range(s.d)}
        scale = s.sensitivity * math.sqrt(2 if s.monotonic else 4) / gaussian_shift(m.epsilon, m.delta)
        law = threshold_counts(counts, m.k, "gaussian", scale, 1 - 12 * scale)
        return {tuple(sorted(map(int, names))): p for names, p in law.items() if len(names) == m.k}

    def test_realised_loss_never_exceeds_epsilon(self) -> None:
        """Between neighbours of two items, δ(ε) of the set and of the noisy counts, which reach it."""
        for m in self.examples:
            for s in (Scores([9.0, 5.0, 4.0, 1.0], monotonic=True, contributions=2), self.known(INPUTS["flat"])):
                other = Scores(s.values + np.array([0, 1, 1, 0]), monotonic=True, contributions=2)
                pair = [self.definition(m, world) for world in (s, other)]
                for here, there in (pair, pair[::-1]):
                    delta = sum(max(p - math.exp(m.epsilon) * there[items], 0.0) for items, p in here.items())
                    assert delta <= m.delta
                shift = math.sqrt(2.0) / m.scale(s)
                assert 0.999 * m.delta <= float(gaussian_delta(m.epsilon, shift)) <= m.delta

    def test_draws_show_no_loss_above_epsilon(self) -> None:
        """Nor more than δ of it, as two items move."""
        for m in self.examples:
            s, other = (
                Scores([*top, 0.0, 0.0, 0.0], monotonic=True, contributions=2) for top in ([1.0, 1.0], [0.0, 0.0])
            )
            here, there = (meters.rows(m.sample(world, 4000, rng=at)) for at, world in enumerate((s, other)))
            assert meters.delta_seen(here, there, m.epsilon) <= m.delta


def test_delta_of_a_shift_is_the_hockey_stick_of_two_normals() -> None:
    x = np.linspace(-15, 18, 600_001)
    for epsilon in (-0.5, 0.0, 0.3, 2.0):
        for shift in (0.1, 1.0, 3.0):
            excess = stats.norm.pdf(x, shift) - math.exp(epsilon) * stats.norm.pdf(x)
            told = float(gaussian_delta(epsilon, shift))
            assert told == pytest.approx(float(np.trapezoid(np.maximum(excess, 0), x)), abs=1e-8)


def test_rho_is_the_same_for_every_number_of_items_and_needs_no_delta() -> None:
    m = GaussianCounts(epsilon=0.5, k=10, delta=1e-6)
    for c, monotonic in ((1, True), (7, True), (3, False)):
        s = Scores([9.0, 5.0, 1.0], monotonic=monotonic, contributions=c)
        assert (c if monotonic else 2 * c) / (2 * m.scale(s) ** 2) == pytest.approx(m.zcdp)
    many = compose([(m, 100)], delta=1e-6)
    assert many.way("basic").total is None
    assert many.total is not None
    assert (many.total.way, many.delta) == ("rho", 1e-6)


def test_at_equal_rho_it_beats_one_shot_where_people_count_in_few_items() -> None:
    values = np.round(1000 / np.arange(1, 61))
    one_shot = OneShot(epsilon=1.0, k=10)
    told = {}
    for c in (2, 10):
        s = Scores(values, monotonic=True, contributions=c)
        low, high = 1e-3, 10.0
        for _ in range(60):
            middle = math.sqrt(low * high)
            low, high = (middle, high) if (gaussian_shift(middle, 1e-6) ** 2 / 2 < one_shot.zcdp) else (low, middle)
        told[c] = GaussianCounts(epsilon=low, k=10, delta=1e-6).distribution(s).expected_hits
    against = one_shot.distribution(Scores(values, monotonic=True)).expected_hits
    assert told[2] > against > told[10]


def test_contributions_have_to_be_known() -> None:
    with pytest.raises(ParameterError, match="contributions must be a number"):
        GaussianCounts(epsilon=1.0, k=1, delta=1e-6).distribution(Scores([3.0, 1.0]))
