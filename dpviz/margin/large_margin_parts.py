"""The three parts of the large margin mechanism, each with its own law and its third of ε.

Symbols: s = scores/Δ in descending order; m = the published estimate of s_1; θ_r = T_r; ℓ = the
size of the front group. M and S are ε-private, A only where s_1 − s_(ℓ+1) is large enough.
Source: Chaudhuri, Hsu & Song 2014, Algorithms 2, 3 and 4.
"""

import numpy as np
import scipy

from dpviz.base import Floats
from dpviz.numerics.first_pass import first_pass_law, shared_laplace_noise


def max_estimate_density(epsilon: float, best: float, max_estimate: Floats) -> Floats:
    """M (Algorithm 2): the density of m = s_1 + Lap(1/ε)."""
    return np.asarray(scipy.stats.laplace.pdf(max_estimate, best, 1 / epsilon))


def front_size_law(
    epsilon: float, max_estimate: float, ranked_scores: Floats, margins: Floats
) -> Floats:
    """S (Algorithm 3): P(ℓ = r) for r = 1..d, where m − s_(r+1) > Lap(4/ε)_r + Lap(2/ε) + θ_r."""
    leads = (max_estimate - ranked_scores[1:] - margins) * epsilon / 4
    law, rest = first_pass_law(leads, shared_laplace_noise(0.5))
    return np.append(law, rest.none)


def front_item_law(epsilon: float, size: int, ranked_scores: Floats) -> Floats:
    """A (Algorithm 4): P(item of each rank), by the exponential mechanism on the top `size`."""
    weights = np.where(
        np.arange(len(ranked_scores)) < size,
        np.exp(epsilon / 2 * (ranked_scores - ranked_scores[0])),
        0,
    )
    return np.asarray(weights / weights.sum())
