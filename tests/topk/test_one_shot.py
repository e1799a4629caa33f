"""One-shot: its contract, brute force, product forms, simulation at size, and what any further
family must keep.
"""

import math
from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy import stats

from dpviz import NOISES, OneShot, Scores, TopKMechanism
from dpviz.base.arrays import Floats
from dpviz.base.errors import Cancelled
from dpviz.base.noise import Noise
from dpviz.numerics.cutoff import angles
from dpviz.numerics.cutoff.cutoff_race import CutoffRace, relative_levels
from dpviz.topk import cutoff_law as cutoff_module
from dpviz.topk.cutoff_law import CutoffLaw, cutoff_law
from tests.contract import MechanismContract, Sets, of_ranks
from tests.gaps.sparse.oracle import inclusion, one_shot_sets, within
from tests.meters import FALSE_ALARM


class TestOneShot(MechanismContract):
    examples = [
        *(OneShot(epsilon=2.0, k=2, noise=n) for n in NOISES),
        OneShot(epsilon=1.0, k=1, noise="laplace"),
        OneShot(epsilon=4.0, k=3, noise="exponential"),
    ]
    vector_name = "one_shot"
    vector_parameters = ("noise",)

    def definition(self, m: TopKMechanism, s: Scores) -> Sets:
        """The k largest of ε/(2k)·x + noise, by one integral a set."""
        return of_ranks(s, one_shot_sets(m.epsilon / (2 * m.k) * s.ranked, m.k, m.noise))  # type: ignore[attr-defined]


@settings(max_examples=40)
@given(
    values=st.lists(st.one_of(st.integers(0, 6), st.floats(-8, 8)), min_size=2, max_size=6),
    k=st.integers(1, 5),
    noise=st.sampled_from(list(NOISES)),
    epsilon=st.sampled_from([0.1, 1.0, 5.0, 30.0]),
)
def test_brute_force(values: list[float], k: int, noise: str, epsilon: float) -> None:
    s = Scores(values)
    k = min(k, s.d - 1)
    dist = OneShot(epsilon=epsilon, k=k, noise=noise).distribution(s)
    sets = one_shot_sets(epsilon / (2 * k) * s.ranked, k, noise)
    assert dist.error <= 1e-9
    slack = dist.error + 1e-12  # what brute force itself is off by
    for a in range(k + 1):
        for b in range(k, s.d + 1):
            assert dist.within(a, b) == pytest.approx(within(sets, a, b), abs=slack)
    np.testing.assert_allclose(dist.law.inclusion(), inclusion(sets, s.d), rtol=0, atol=slack)
    for chosen, p in sets.items():
        if p > 1e-30:
            assert dist.law.log_probability(np.array(chosen)) == pytest.approx(
                math.log(p), abs=1e-9
            )


@pytest.mark.parametrize("noise", NOISES)
def test_simulation_at_size(noise: str) -> None:
    """d = 2,000 and k = 50 against draws of every noise value, no window and no shortcut."""
    rng = np.random.default_rng(11)
    d, k, draws = 2000, 50, 2000
    s = Scores(np.round(rng.pareto(1.2, d) * 20), monotonic=True)
    m = OneShot(epsilon=20.0, k=k, noise=noise)
    dist = m.distribution(s)
    q = m.epsilon / (2 * k) * s.ranked
    counts, hits = np.zeros(d), {"top": 0, "great": 0, "good": 0}
    bounds = {"top": (k, k), "great": (5, 55), "good": (1, 75)}
    for _ in range(draws // 100):
        value = q + NOISES[noise].sample(rng, (100, d))
        ranks = np.sort(np.argpartition(-value, k, axis=1)[:, :k], axis=1)
        counts += np.bincount(ranks.ravel(), minlength=d)
        for event, (a, b) in bounds.items():
            hits[event] += int(np.sum((ranks[:, :a] == np.arange(a)).all(1) & (ranks[:, -1] < b)))
    for event, seen in hits.items():
        assert (
            stats.binomtest(seen, draws, min(1.0, max(0.0, dist.event_probability(event)))).pvalue
            > FALSE_ALARM
        )
    p = np.clip(dist.law.inclusion(), 1e-12, 1 - 1e-12)
    tails = np.minimum(stats.binom.cdf(counts, draws, p), stats.binom.sf(counts - 1, draws, p))
    assert tails.min() > FALSE_ALARM / d


class LateExponential(Noise):
    """A sixth family with a support and a kink of its own: F(u) = 1 − e^(−(u + 1)), u ≥ −1."""

    start = -1.0
    kinks = (-1.0,)

    def log_pdf(self, u: Floats) -> Floats:
        return NOISES["exponential"].log_pdf(u + 1)

    def log_cdf(self, u: Floats) -> Floats:
        return NOISES["exponential"].log_cdf(u + 1)

    def log_sf(self, u: Floats) -> Floats:
        return NOISES["exponential"].log_sf(u + 1)

    def quantile(self, log_p: Floats, log_q: Floats) -> Floats:
        return NOISES["exponential"].quantile(log_p, log_q) - 1


@pytest.mark.parametrize("family", [LateExponential()])
@pytest.mark.parametrize("k", [1, 2, 3])
def test_a_further_family_works_from_its_primitives_alone(family: Noise, k: int) -> None:
    q = np.array([2.0, 1.5, 0.0, 0.0, -0.5])

    def tails(u: Floats) -> tuple[Floats, Floats, Floats]:
        return tuple(np.exp(f(u)) for f in (family.log_cdf, family.log_sf, family.log_pdf))  # type: ignore[return-value]

    shift = (
        -family.start if math.isfinite(family.start) else 0.0
    )  # brute force splits at q: put the kink there
    sets = one_shot_sets(q, k, lambda u: tails(u - shift))
    assert sum(sets.values()) == pytest.approx(1.0, abs=1e-9)
    law = cutoff_law(q - q[k], k, family)
    np.testing.assert_allclose(law.inclusion(), inclusion(sets, 5), atol=1e-9)
    assert law.within(1, 4) == pytest.approx(within(sets, 1, 4), abs=1e-9)
    for chosen, p in sets.items():
        assert law.log_probability(np.array(chosen)) == pytest.approx(math.log(p), abs=1e-8)


@pytest.mark.parametrize("noise", NOISES)
@pytest.mark.parametrize("epsilon", [1e-6, 1.0, 1e3, 1e6])
def test_hard_inputs(noise: str, epsilon: float) -> None:
    hard = {
        "gaps of every size": [0, 1e5, 1e10, 1e15, 1e15 + 1, -1e200],
        "three plateaus": [0] * 20 + [1] * 20 + [50] * 5,
        "far apart": [1e300, -1e300],
        "all equal": [3.0] * 30,
    }
    for name, values in hard.items():
        s = Scores(values)
        for k in {1, 2, s.d // 2, s.d - 1} & set(range(1, s.d)):
            dist = OneShot(epsilon=epsilon, k=k, noise=noise).distribution(s)
            assert dist.error <= 1e-8, (name, k)
            assert dist.inclusion.sum() == pytest.approx(k, abs=1e-8), (name, k)
            assert dist.probability.sum() == pytest.approx(1.0, abs=1e-9), (name, k)
            best, worst = dist.log_probability(s.order[:k]), dist.log_probability(s.order[-k:])
            assert math.exp(best) == pytest.approx(dist.top, abs=1e-9), (name, k)
            assert worst <= best + 1e-9, (name, k)
            assert not math.isnan(worst)


def test_top_costs_no_table_and_work_can_be_cancelled() -> None:
    rng = np.random.default_rng(2)
    s = Scores(np.round(rng.exponential(30, 3000)), monotonic=True)
    seen: list[float] = []

    def stop(fraction: float) -> None:
        seen.append(fraction)
        if len(seen) > 3:
            raise Cancelled

    dist = OneShot(epsilon=5.0, k=300, noise="laplace").distribution(s, progress=stop)
    with pytest.raises(Cancelled):
        _ = dist.probability
    assert all(0 <= fraction <= 1 for fraction in seen)
    assert "_classes" not in vars(dist)


def test_the_error_covers_nodes_that_do_not_add_up() -> None:
    levels = np.array([2.0, 1.0, 0.5, 0.0, -1.0, -2.0])
    law = CutoffLaw(levels, 3, NOISES["logistic"])
    assert law.error < 1e-9
    law._nodes = replace(law._nodes, weight=1.01 * law._nodes.weight)
    missed = abs(law.within_table(np.array([0]), np.array([6]))[0, 0] - 1)
    assert missed == pytest.approx(0.01)
    assert law.error >= missed
    law._nodes = replace(law._nodes, weight=1.01 * law._nodes.weight)
    assert law.hits(3).sum() == pytest.approx(1.01**2, abs=1e-6)
    assert law.error >= 0.0201


@pytest.mark.parametrize("noise", NOISES)
def test_what_the_range_of_the_cut_off_forbids_is_nothing(noise: str) -> None:
    """Without the short way it is no more than `outside`, in a table that has all from 0 to 1."""
    k, levels = 300, 0.004 * np.arange(300.0, -2700.0, -1.0)
    law = CutoffLaw(levels, k, NOISES[noise])
    a, b = np.linspace(0, k, 13).astype(np.int64), np.linspace(k, 3000, 13).astype(np.int64)
    table, integrated = law.within_table(a, b), CutoffRace.within_table(law, a, b)
    assert np.abs(table - integrated).max() <= law.window.outside
    np.testing.assert_allclose(law.within_pairs(a, b), table.diagonal(), rtol=0, atol=1e-13)
    np.testing.assert_allclose(law.within_pairs(0 * a, b), table[0], rtol=0, atol=1e-13)
    assert not table[-1].any()
    assert not table[:, 0].any()
    assert (table > 0.1).any()
    assert 0 < math.exp(law.log_probability(np.arange(k))) < 1e-20


def test_the_error_covers_inclusions_that_do_not_add_up_to_k(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """With too few angles the sum over items shows more than P(anything) does."""
    monkeypatch.setattr(angles, "EXPONENT", 8.0)
    scores = Scores(np.linspace(3.0, -3.0, 40))
    law = CutoffLaw(relative_levels(scores, 15, 1.0), 15, NOISES["logistic"])
    before = law.error
    short = abs(law.inclusion().sum() - 15)
    assert before < short <= law.error


def test_mass_beyond_the_classes_listed_is_missing(monkeypatch: pytest.MonkeyPatch) -> None:
    """Over 10,000 classes: rows and columns with little mass are left out, here with up to a tenth
    of it.
    """
    monkeypatch.setattr(cutoff_module, "_MISSING", 0.1)
    law = OneShot(epsilon=20.0, k=40).distribution(Scores(np.arange(340.0)))
    left_out = 1 - law.probability.sum()
    assert 1e-3 < left_out <= law.missing <= 0.11
