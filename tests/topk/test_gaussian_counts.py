import itertools
import math

import mpmath
import pytest

from dpviz import GaussianCounts, ParameterError, Scores, ThresholdCounts, TopKMechanism, compose
from dpviz.numerics.noise_shifts import gaussian_delta, largest_gaussian_shift
from tests.contract import MechanismContract, Sets
from tests.topk.lists import threshold_counts


class TestGaussianCounts(MechanismContract):
    examples = [
        GaussianCounts(epsilon=2.0, k=2, delta=1e-3),
        GaussianCounts(epsilon=0.5, k=3, delta=0.05),
    ]
    contributions = 2

    def definition(self, m: TopKMechanism, s: Scores) -> Sets:
        """The k largest of counts with gaussian noise, above a threshold that all pass."""
        assert isinstance(m, GaussianCounts)
        counts = {str(item): s.values[item] - s.values.min() + 1 for item in range(s.d)}
        scale = (
            s.sensitivity
            * math.sqrt(2 if s.monotonic else 4)
            / largest_gaussian_shift(m.epsilon, m.delta)
        )
        law = threshold_counts(counts, m.k, "gaussian", scale, 1 - 12 * scale)
        return {tuple(sorted(map(int, names))): p for names, p in law.items() if len(names) == m.k}


TINY = [1e-12, 1e-6, 0.01, 0.5, 3.0, 50.0, 1e6]
DELTAS = [1e-300, 1e-30, 1e-12, 1e-6, 1e-3, 0.3]


def exact_delta(epsilon: object, shift: object) -> mpmath.mpf:
    """Of two normals, by the cdf at 120 digits."""
    e, s = mpmath.mpf(epsilon), mpmath.mpf(shift)
    if s == 0:
        return max(mpmath.mpf(0), 1 - mpmath.exp(e))
    return mpmath.ncdf(s / 2 - e / s) - mpmath.exp(e) * mpmath.ncdf(-s / 2 - e / s)


@pytest.mark.parametrize("epsilon", TINY)
@pytest.mark.parametrize("delta", DELTAS)
def test_the_shift_returned_keeps_epsilon_and_delta(epsilon: float, delta: float) -> None:
    m = GaussianCounts(epsilon=epsilon, k=1, delta=delta)
    with mpmath.workdps(330):  # the two terms may agree in 300 digits
        shift = largest_gaussian_shift(epsilon, delta)
        assert 1 - 1e-10 <= exact_delta(epsilon, shift) / mpmath.mpf(delta) <= 1
        told = float(gaussian_delta(epsilon, shift))
        assert told == pytest.approx(float(exact_delta(epsilon, shift)), rel=1e-12)
        for c, monotonic in ((1, True), (3, False)):
            scale = m.scale(Scores([3.0, 1.0], monotonic=monotonic, contributions=c))
            moved = mpmath.sqrt(c if monotonic else 2 * c) / mpmath.mpf(scale)
            assert exact_delta(epsilon, moved) <= delta


@pytest.mark.parametrize("noise", ["laplace", "gaussian"])
@pytest.mark.parametrize(
    ("epsilon", "delta"), list(itertools.product([1e-4, 0.01, 0.5, 3.0, 50.0], DELTAS[1:-1]))
)
def test_no_new_name_passes_a_threshold_more_often_than_delta(
    epsilon: float, delta: float, noise: str
) -> None:
    for c in (1, 5):
        m = ThresholdCounts(epsilon=epsilon, k=1, delta=delta, noise=noise)  # type: ignore[arg-type]
        s = Scores([9.0, 1.0], monotonic=True, contributions=c, names_known=False)
        try:
            scale, tau = mpmath.mpf(m.scale(s)), mpmath.mpf(m.threshold(s))
        except ParameterError:
            continue  # δ is too large for ε, and it says so
        with mpmath.workdps(330):
            if noise == "laplace":
                assert 1 - (1 - mpmath.exp((1 - tau) / scale) / 2) ** c <= delta
                continue
            passing = mpmath.ncdf((1 - tau) / scale)
            for new in range(c + 1):
                stay, shift = (1 - passing) ** new, mpmath.sqrt(c - new) / scale
                assert 1 - stay + stay * exact_delta(epsilon - mpmath.log(stay), shift) <= delta
                assert exact_delta(epsilon + mpmath.log(stay), shift) <= delta


def test_rho_is_the_same_for_every_number_of_items_and_needs_no_delta() -> None:
    m = GaussianCounts(epsilon=0.5, k=10, delta=1e-6)
    for c, monotonic in ((1, True), (7, True), (3, False)):
        s = Scores([9.0, 5.0, 1.0], monotonic=monotonic, contributions=c)
        assert (c if monotonic else 2 * c) / (2 * m.scale(s) ** 2) == pytest.approx(m.zcdp)
    many = compose([(m, 100)], delta=1e-6)
    assert many.find_way("basic").total is None
    assert many.total is not None
    assert (many.total.way, many.delta) == ("own loss", 1e-6)
    by_rho = many.find_way("rho").total
    assert by_rho is not None
    assert many.total.epsilon < by_rho.epsilon


def test_contributions_have_to_be_known() -> None:
    with pytest.raises(ParameterError, match="contributions must be a number"):
        GaussianCounts(epsilon=1.0, k=1, delta=1e-6).distribution(Scores([3.0, 1.0]))
