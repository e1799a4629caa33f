"""Rényi differential privacy, as far as repeats need it.

Symbols: λ > 1 the order, ε(λ) the Rényi divergence bound at it.
Sources: Mironov 2017; Canonne, Kamath & Steinke 2020, Prop 12 (conversion to (ε, δ)).
"""

import numpy as np

from dpviz.base import Floats, check_open_interval

ORDERS: Floats = 1 + np.geomspace(0.01, 1e6, 600)


def pure_renyi_curve(orders: Floats, epsilon: float) -> Floats:
    """ε(λ) of randomised response, which no ε-DP mechanism exceeds: log(Σ p^λ q^(1−λ))/(λ−1)."""
    orders = np.asarray(orders, float)
    log_sum = np.logaddexp(orders * epsilon, (1 - orders) * epsilon) - np.logaddexp(epsilon, 0.0)
    return np.asarray(np.minimum(np.maximum(log_sum, 0.0) / (orders - 1), epsilon), float)


def renyi_to_epsilon(orders: Floats, curve: Floats, delta: float) -> float:
    """The smallest ε over the orders: ε(λ) + log(1 − 1/λ) − log(δλ)/(λ − 1), at least 0."""
    delta = check_open_interval("delta", delta)
    orders = np.asarray(orders, float)
    least = np.min(curve + np.log1p(-1 / orders) - np.log(delta * orders) / (orders - 1))
    return max(0.0, float(least))
