"""Large margin: its contract, privacy by enumerating neighbours, and twins that it catches."""

import itertools
import math
from collections.abc import Iterator

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from numpy.polynomial.legendre import leggauss
from scipy import stats

from dpviz import LargeMargin, Scores
from dpviz.margin.top_one import TopOneMechanism
from dpviz.numerics.first_pass import shared_laplace_difference
from tests.top_one_contract import ZEROS, Outcomes, TopOneContract


@given(
    values=st.lists(st.integers(0, 400), min_size=2, max_size=40),
    epsilon=st.floats(0.05, 20),
    delta=st.floats(1e-12, 0.9),
    zeros=st.integers(0, 300),
)
def test_unlisted_zeros_are_items_like_any_other(values, epsilon, delta, zeros):
    mechanism, scores = LargeMargin(epsilon=epsilon, delta=delta), Scores(values)
    short = mechanism.distribution(scores, zeros=zeros)
    full = mechanism.distribution(Scores(values + [0] * zeros))
    d = scores.d
    assert np.abs(short.inclusion - full.inclusion[:d]).max() <= 1e-11
    assert np.abs(short.rank_law - full.rank_law[:d]).max() <= 1e-11
    for told, truth in (
        (short.zero_mass, full.inclusion[d:].sum()),
        (short.beyond, full.rank_law[d:].sum()),
        (short.best_probability, full.best_probability),
        (short.inclusion.sum() + short.zero_mass, 1.0),
    ):
        assert told == pytest.approx(truth, abs=1e-11)


@given(
    st.lists(st.floats(0, 3000), min_size=2, max_size=12), st.floats(0.1, 5), st.floats(0.01, 0.5)
)
def test_utility_bound_holds(values, epsilon, eta):
    mechanism, scores = LargeMargin(epsilon=epsilon, delta=1e-3), Scores(values, sensitivity=0.5)
    bound = mechanism.utility_bound(scores, eta)
    law = mechanism.distribution(scores)
    assert law.near_best_probability(bound.distance) >= bound.probability - law.error
    ranked = np.sort(values)[::-1]
    if bound.rank < len(values):
        assert ranked[0] - ranked[bound.rank] > bound.margin_needed


def neighbours(rng, mechanism):
    """Pairs one person apart: random, ties, swapped blocks, gaps about the margin."""
    d = int(rng.integers(2, 9))
    base = rng.choice([rng.uniform(0, 30, d), rng.integers(0, 4, d).astype(float)])
    yield base, base + rng.uniform(-1, 1, d), 0
    yield base, base + rng.choice([-1.0, 1.0], d), 0
    for size in (2, 50, 2000):
        flip = np.repeat([0.5, -0.5], size)
        yield 100 + flip, 100 - flip, 0
    margin = mechanism.required_margins(4)
    for r, jitter, zeros in itertools.product((1, 2, 3), (rng.uniform(-3, 3), 0.0), (0, 5_000)):
        front = np.full(r, max(1.0, margin[r - 1] + 1 + jitter))
        yield np.append(front, 0.0), np.append(front - 1, 1.0), zeros


class TestLargeMargin(TopOneContract):
    examples = [
        LargeMargin(epsilon=epsilon, delta=delta)
        for epsilon, delta in ((0.5, 1e-3), (1.0, 1e-6), (4.0, 0.01), (0.3, 0.5))
    ]

    def definition(self, m: TopOneMechanism, s: Scores, zeros: int) -> Outcomes:
        """Alg 1 with all items listed, by one integral over the shared noise w = Z − G."""
        e, log = m.epsilon, math.log
        values = np.append(s.values, np.zeros(zeros)) / s.sensitivity
        order = np.argsort(-values, kind="stable")
        f = values[order]
        fixed = 3 / e * log(1.5 / m.delta) + 6 / e * log(3 / m.delta) + 6
        ranks = range(1, len(f))
        margin = [
            fixed + 12 / e * log(3 * r * (r + 1) / m.delta) + 6 / e * log(3 * r / m.delta)
            for r in ranks
        ]
        kinks = np.array([0.0, *(t - (f[0] - f[r]) for r, t in zip(ranks, margin, strict=True))])
        edges = np.unique([*kinks, *np.arange(-300 / e, 300 / e, 1 / e)])
        node, weight = leggauss(12)
        half = np.diff(edges)[:, None] / 2
        w, weight = (edges[:-1, None] + half * (node + 1)).ravel(), (half * weight).ravel()
        a, b = 6 / e, 3 / e  # the scales of G and Z
        weight = (
            weight * (a * np.exp(-np.abs(w) / a) - b * np.exp(-np.abs(w) / b)) / (2 * (a**2 - b**2))
        )
        chosen, near = np.zeros(len(f)), np.exp(e / 6 * (f - f[0]))
        for r, t in zip(ranks, margin, strict=True):
            passes = stats.laplace.cdf(f[0] - f[r] - t + w, scale=12 / e)
            chosen[:r] += weight @ passes * near[:r] / near[:r].sum()
            weight = weight * (1 - passes)
        chosen += weight.sum() * near / near.sum()
        found = dict(zip(order.tolist(), chosen.tolist(), strict=True))
        return {
            **{i: found[i] for i in range(s.d)},
            ZEROS: sum(found[i] for i in found if i >= s.d),
        }

    def pairs(self, m: TopOneMechanism) -> Iterator[tuple[Scores, Scores, int]]:
        yield from super().pairs(m)
        for here, there, zeros in neighbours(np.random.default_rng(11), m):
            yield Scores(here), Scores(there), zeros


class InvertedScales(LargeMargin):
    """Noise of scale ε/3, ε/6 and ε/12."""

    _shared = shared_laplace_difference(2.0, 4.0)

    @property
    def _scale(self):
        return self.epsilon / 12


class WithoutLogRank(LargeMargin):
    """T_r that does not grow with r."""

    def _margin(self, r):
        return super()._margin(np.ones_like(r))


class WithoutMargin(LargeMargin):
    """Stops wherever the scores drop below the noisy best."""

    def _margin(self, r):
        return np.zeros_like(r)


@pytest.mark.parametrize("twin", [InvertedScales, WithoutLogRank, WithoutMargin])
def test_broken_twins_are_caught(twin):
    broken = twin(epsilon=0.3, delta=0.5)
    assert any(excess > 0.01 for excess in TestLargeMargin().excess(broken))


def test_the_theorem_asks_for_more_than_its_margin():
    """At s_1 − s_2 = (21/ε)log(3/η) + T_1 it promises nothing of the first item alone."""
    mechanism, eta = LargeMargin(epsilon=1.0, delta=1e-3), 0.1
    needed = 21 / 1.0 * math.log(3 / eta) + float(mechanism.required_margins(2)[0])
    assert mechanism.utility_bound(Scores([needed, 0.0]), eta).rank == 2
    assert mechanism.utility_bound(Scores([np.nextafter(needed, np.inf), 0.0]), eta).rank == 1


@given(
    values=st.lists(st.integers(0, 900), min_size=2, max_size=9),
    zeros=st.integers(1, 40),
    epsilon=st.floats(0.3, 9),
    eta=st.floats(0.01, 0.5),
)
def test_the_theorem_promises_the_same_whether_zeros_are_listed_or_not(values, zeros, epsilon, eta):
    mechanism = LargeMargin(epsilon=epsilon, delta=0.1)
    listed = mechanism.utility_bound(Scores(values + [0] * zeros, sensitivity=0.5), eta)
    assert mechanism.utility_bound(Scores(values, sensitivity=0.5), eta, zeros=zeros) == listed
