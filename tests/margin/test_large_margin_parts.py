"""Large margin in its three parts: one after the other they are the whole."""

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
