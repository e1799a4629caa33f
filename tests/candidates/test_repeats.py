"""Accounting of repeats: our Rényi formulas against the dp-accounting package."""

import math

import dp_accounting
import numpy as np
import pytest
from dp_accounting.rdp import rdp_privacy_accountant as accountant

from dpviz.base.errors import ParameterError
from dpviz.candidates import NegativeBinomialRepeats, PoissonRepeats, accounted_epsilon
from dpviz.candidates.repeats import pure_renyi_curve, renyi_to_epsilon

ORDERS = 1 + np.geomspace(0.1, 1000, 80)


def test_renyi_of_randomised_response():
    p = np.array([math.e, 1]) / (1 + math.e)
    for order in (1.5, 2.0, 30.0):
        expected = math.log(np.sum(p**order * p[::-1] ** (1 - order))) / (order - 1)
        assert pure_renyi_curve(np.array([order]), 1.0)[0] == pytest.approx(expected, rel=1e-12)


def test_curves_equal_those_of_dp_accounting():
    candidate = ORDERS / (2 * 4.0**2)
    for shape in (0.0, 1.0, 3.0):
        rule = NegativeBinomialRepeats(shape=shape, stop=0.05)
        theirs = accountant._compute_rdp_repeat_and_select(
            ORDERS, candidate, rule.run_count.mean, shape
        )
        assert rule.renyi_curve(ORDERS, candidate) == pytest.approx(theirs, rel=1e-6)
    poisson = PoissonRepeats(mean=7.0)
    theirs = accountant._compute_rdp_repeat_and_select(ORDERS, candidate, 7.0, math.inf)
    ours = poisson.renyi_curve(
        ORDERS, candidate, lambda hat: accountant.compute_delta(ORDERS, candidate, hat)[0]
    )
    assert ours == pytest.approx(theirs, rel=1e-9)
    assert renyi_to_epsilon(ORDERS, candidate, 1e-6) == pytest.approx(
        accountant.compute_epsilon(ORDERS, candidate, 1e-6)[0], rel=1e-9
    )


def test_accountant_of_dp_accounting():
    rule = NegativeBinomialRepeats(shape=1.0, stop=0.05)
    orders = 1 + np.geomspace(0.01, 1000, 400)
    ours = renyi_to_epsilon(orders, rule.renyi_curve(orders, orders / (2 * 4.0**2)), 1e-6)
    assert accounted_epsilon(rule, dp_accounting.GaussianDpEvent(4.0), 1e-6) == pytest.approx(
        ours, rel=0.02
    )
    with pytest.raises(ParameterError, match="shape must be at least 0"):
        accounted_epsilon(rule.replace(shape=-0.5), dp_accounting.GaussianDpEvent(4.0), 1e-6)


def test_approximate_candidates_are_refused():
    for rule in (PoissonRepeats(), NegativeBinomialRepeats()):
        with pytest.raises(ParameterError, match="candidate_delta must be 0 for this rule"):
            rule.total_epsilon(1.0, 1e-6)
