import math
from collections.abc import Callable
from itertools import islice

import numpy as np
import pytest
from numpy.polynomial.legendre import leggauss
from scipy import stats

from dpviz import OneShot, ParameterError, Scores, compose, privacy_loss, smallest_epsilon
from dpviz.topk import stated_noise
from dpviz.topk.gaussian_counts import GaussianCounts
from dpviz.topk.stated_noise import StatedNoise
from dpviz.topk.threshold_counts import ThresholdCounts
from tests.topk.lists import delta_between, law_told, pairs, scores_of, threshold_counts

ERROR = 1e-7  # of δ, relative: the grid of losses
CASES = [
    (noise, scale, threshold, c)
    for noise in ("laplace", "gaussian")
    for scale, threshold in ((0.7, 3.0), (1.5, 8.0), (4.0, 2.0), (2.0, 0.5), (6.0, 40.0))
    for c in (1, 2, 3)
]


def stated(noise: str, scale: float, threshold: float, c: int, **more: object) -> ThresholdCounts:
    spread = {"sigma" if noise == "gaussian" else "scale": scale}
    return ThresholdCounts(threshold=threshold, contributions=c, **spread, **more)  # type: ignore[arg-type]


def moved_delta(noise: str, scale: float, epsilon: float, moved: int) -> float:
    """δ(ε) of `moved` noisy counts that one person raises by 1: an integral over the first."""
    if not moved:
        return max(0.0, 1 - math.exp(epsilon))
    if noise == "gaussian":
        s = math.sqrt(moved) / scale
        ends = stats.norm.cdf([s / 2 - epsilon / s, -s / 2 - epsilon / s])
        return float(ends[0] - math.exp(epsilon) * ends[1])
    t = 1 / scale
    if moved == 1:
        low = 1 - math.exp((epsilon - t) / 2)
        return 0.0 if epsilon >= t else 1 - math.exp(epsilon) if epsilon <= -t else low
    # between the two centres the loss falls from t to −t; δ of the others has kinks at multiples
    kinks = ((np.arange(-moved - 1, moved + 2)) * t + t - epsilon) / 2
    edges = np.unique(np.clip([0.0, t, *kinks], 0.0, t))
    nodes, weights = leggauss(12)
    x = ((nodes + 1) / 2 * np.diff(edges)[:, None] + edges[:-1, None]).ravel()
    w = (weights / 2 * np.diff(edges)[:, None]).ravel()
    ends = 0.5 * moved_delta(noise, scale, epsilon - t, moved - 1)
    ends += 0.5 * math.exp(-t) * moved_delta(noise, scale, epsilon + t, moved - 1)
    inner = [moved_delta(noise, scale, epsilon - t + 2 * at, moved - 1) for at in x]
    return ends + float(w @ (0.5 * np.exp(-x) * inner))


def worst_pair_delta(noise: str, scale: float, threshold: float, c: int, epsilon: float) -> float:
    """The largest δ of neighbours with any number of new names, noisy counts published."""
    law = stats.laplace(scale=scale) if noise == "laplace" else stats.norm(scale=scale)
    stay = float(law.cdf(threshold - 1))
    found = []
    for new in range(c + 1):
        out = math.log(stay) * new
        rest = [moved_delta(noise, scale, epsilon + sign * out, c - new) for sign in (-1, 1)]
        found += [1 - math.exp(out) + math.exp(out) * rest[0], rest[1]]
    return max(found)


def check_delta(noise: str, scale: float, threshold: float, c: int) -> None:
    told = StatedNoise(noise, scale, c, threshold)  # type: ignore[arg-type]
    for share in (0.1, 0.5, 1.0, 1.3):
        epsilon = share * c / scale
        worst = worst_pair_delta(noise, scale, threshold, c, epsilon)
        assert worst * (1 - ERROR) - 1e-12 <= told.delta(epsilon), (noise, scale, threshold, c)
        assert told.delta(epsilon) <= worst * (1 + ERROR) + 1e-11, (noise, scale, threshold, c)


@pytest.mark.parametrize(("noise", "scale", "threshold", "c"), CASES)
def test_delta_of_new_names_is_reached_and_never_passed(
    noise: str, scale: float, threshold: float, c: int
) -> None:
    check_delta(noise, scale, threshold, c)


def test_delta_without_the_way_to_new_names_is_caught(monkeypatch: pytest.MonkeyPatch) -> None:
    """A curve for names that are known: the chance 1 − (1 − p)^c that new ones pass is left out."""
    known = np.array([0]), np.array([0])
    monkeypatch.setattr(stated_noise, "new_name_count_blocks", lambda contributions: known)
    for case in CASES[3:6]:
        with pytest.raises(AssertionError):
            check_delta(*case)


@pytest.mark.parametrize(("noise", "scale", "threshold", "c"), CASES)
def test_laws_of_stated_rules_are_those_by_brute_force(
    noise: str, scale: float, threshold: float, c: int
) -> None:
    counts = {"a": 9, "b": 7, "c": 7, "d": 2}
    for k in (None, 2):
        m = stated(noise, scale, threshold, c, k=k)
        s = scores_of({**counts, "none": 0}, c=c)
        law = threshold_counts(counts, 4 if k is None else k, noise, scale, threshold)
        dist = m.distribution(s)
        for answer, p in law_told(m.fit_to_scores(s), s).items():
            assert p == pytest.approx(law[answer], rel=1e-7, abs=1e-11)
        length = np.zeros(dist.length.size)
        for answer, p in law.items():
            length[len(answer)] += p
        np.testing.assert_allclose(dist.length, length, atol=1e-9)
        if k is None:  # all that pass: each item alone
            alone = m.passing_rule().chance([9.0, 7.0, 7.0, 2.0])
            np.testing.assert_allclose(dist.inclusion, [*alone, 0.0], atol=1e-9)


@pytest.mark.parametrize("noise", ["laplace", "gaussian"])
def test_names_alone_keep_delta_on_any_neighbours(noise: str) -> None:
    for c in (1, 3):
        m = stated(noise, 1.5, 5.0, c, k=2, delta=0.4)
        for one, other in islice(pairs(np.random.default_rng(c), c, replaced=False, most=4), 10):
            names = sorted({*one, *other})
            if len(names) > 1:
                worlds = [scores_of(w, c=c, names=names) for w in (one, other)]
                assert delta_between(m, *worlds) <= m.delta * (1 + 1e-9), (m, one, other)
                loss = privacy_loss(m, *worlds)
                assert loss.ceiling == (m.epsilon, m.delta)


def test_the_pageviews_of_wikimedia_have_the_figures_that_follow() -> None:
    m = ThresholdCounts(
        sigma=math.sqrt(10 / 0.03), threshold=90, contributions=10, names_known=True, delta=1e-7
    )
    assert m.sigma == pytest.approx(18.257, abs=5e-4)
    assert m.zcdp == pytest.approx(0.015)
    assert m.epsilon == pytest.approx(0.80, abs=5e-4)
    np.testing.assert_allclose(
        m.passing_rule().chance([100, 120, 0]), [0.708, 0.95, 4.12e-7], rtol=1e-3
    )
    s = Scores({"a": 120, "b": 100, "none": 0}, monotonic=True, contributions=10)
    np.testing.assert_allclose(m.distribution(s).inclusion, [0.95, 0.708, 4.12e-7], rtol=1e-3)
    with_new_names = m.replace(names_known=False)
    assert math.isinf(with_new_names.epsilon), "a new name passes more often than 1e-7"
    assert with_new_names.replace(delta=1e-4).distribution(s).inclusion[2] == 0.0
    known = GaussianCounts(sigma=m.sigma, k=1, contributions=10, delta=1e-7)
    assert known.epsilon == m.epsilon
    assert m.zcdp_delta == 0.0
    assert compose([m], delta=1e-7).epsilon == pytest.approx(m.epsilon, rel=1e-6)


def test_laplace_counts_of_a_stated_scale_cost_what_follows() -> None:
    m = OneShot(noise="laplace", scale=10.0, k=5, contributions=3)
    s = Scores([90.0, 70, 60, 40, 20, 10], monotonic=True, contributions=3)
    given = OneShot(noise="laplace", epsilon=0.3, k=5)
    assert m.epsilon == 0.3
    assert m.distribution(s).top == pytest.approx(given.distribution(s).top, abs=1e-9)
    assert compose([m], delta=1e-6, contributions=3, monotonic=True).epsilon <= 0.3


def test_a_new_name_costs_its_delta_once_a_release() -> None:
    m = ThresholdCounts(scale=4.0, threshold=60, contributions=2, delta=1e-5)
    new = 2 * 0.5 * math.exp(-59 / 4)
    assert m.zcdp_delta == pytest.approx(new, rel=1e-6)
    assert m.zcdp == pytest.approx(2 * (1 / 4) ** 2 / 2)
    by = compose([(m, 20)], delta=2e-4, contributions=2, monotonic=True)
    assert by.find_way("rho").epsilon is not None
    hidden = m.replace(delta=1e-9)
    assert math.isinf(hidden.epsilon)
    ways = compose([hidden], delta=1e-4, contributions=2, monotonic=True)
    assert ways.find_way("basic").reason == "For one of them no ε holds at its own δ."
    assert ways.epsilon is not None


def refused(call: Callable[[], object]) -> str:
    with pytest.raises(ParameterError) as caught:
        call()
    return str(caught.value)


def test_what_is_stated_twice_or_not_at_all_is_refused_in_a_sentence() -> None:
    says = refused(lambda: stated("gaussian", 18.0, 90.0, 10, epsilon=1.0))
    assert says == "epsilon must be left out beside sigma, as ε follows from the noise, not 1.0."
    says = refused(lambda: stated("laplace", 0.0, 5.0, 1))
    assert "no ε holds where a count of 4 never comes out and one of 5 always does" in says
    says = refused(lambda: GaussianCounts(sigma=2.0, k=1))
    assert says.startswith("contributions must be a whole number of at least 1 beside sigma")
    says = refused(lambda: OneShot(scale=2.0, k=1, contributions=1))
    assert says == "noise must be laplace where scale is stated, not 'gumbel'."
    m = stated("gaussian", 2.0, 9.0, 2, k=1)
    says = refused(lambda: m.distribution(Scores([3, 1], monotonic=True, contributions=3)))
    assert says.startswith("contributions of the scores must be at most 2")
    says = refused(lambda: m.distribution(Scores([3, 1], contributions=1)))
    assert says.startswith("monotonic must be True where the noise is stated")
    s = Scores([30, 1], monotonic=True, contributions=1)
    says = refused(lambda: smallest_epsilon(m, s, probability=0.9))
    assert says.startswith("mechanism must be one whose ε can vary")
