"""Large margin in its three parts: together they are the whole, and each keeps its third of ε."""

import itertools

import numpy as np
import pytest
from numpy.polynomial.legendre import leggauss

from dpviz import LargeMargin, Scores
from dpviz.margin import large_margin_parts as parts

RANKED = np.array([230.0, 228.0, 200.0, 20.0, 0.0])


def test_the_parts_one_after_the_other_are_the_mechanism():
    whole = LargeMargin(epsilon=1.5, delta=1e-3)
    margins, third = whole.required_margins(5), whole.epsilon / 3
    node, weight = leggauss(16)
    edges = np.union1d([RANKED[0]], np.linspace(RANKED[0] - 90, RANKED[0] + 90, 61))
    half = np.diff(edges)[:, None] / 2
    at, mass = (edges[:-1, None] + half * (node + 1)).ravel(), (half * weight).ravel()
    mass *= parts.max_estimate_density(third, RANKED[0], at)
    sizes = mass @ [parts.front_size_law(third, m, RANKED, margins) for m in at]
    items = sizes @ [parts.front_item_law(third, size, RANKED) for size in range(1, 6)]
    law = whole.distribution(Scores(RANKED))
    assert sizes == pytest.approx(law.rank_law, abs=1e-9)
    assert items == pytest.approx(law.inclusion, abs=1e-9)


def test_the_front_groups_size_is_private_at_every_estimate():
    """As scores move by 1 each; with half the noise (ε twice as large) the meter objects."""
    thresholds, worst = np.full(4, 10.0), {1.0: 0.0, 2.0: 0.0}
    for ranked, m in (
        (np.array([60.0, 50, 50, 45, 40]), 60.0),
        (np.array([60.0, 20, 110, 20, 110]), 60.0),
    ):
        for epsilon, step in itertools.product(worst, itertools.product((-1, 1), repeat=4)):
            moved = ranked + np.array([0, *step])
            p, q = (
                parts.front_size_law(epsilon, m, scores, thresholds) for scores in (ranked, moved)
            )
            worst[epsilon] = max(worst[epsilon], float(np.abs(np.log(p / q)).max()))
    assert worst[1.0] <= 1.0 + 1e-6 < worst[2.0]


def test_the_estimate_exceeds_the_best_as_rarely_as_lemma_2_says():
    node, weight = leggauss(40)
    for delta in (0.4, 1e-3):
        beyond = np.log(1 / delta) / 0.5
        at = beyond + 30 * (node + 1)
        tail = 30 * weight @ parts.max_estimate_density(0.5, 0.0, at)
        assert tail == pytest.approx(delta / 2, rel=1e-5)
