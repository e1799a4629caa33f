"""Noisy max over a universe most of which scores zero and is not listed: what large margin is held against.

Symbols: x = f/Δ_eff (Δ/2 for monotonic scores), q = ε/2·x; the item with the largest q + noise comes
out: gumbel noise is the exponential mechanism, laplace max-of-Laplaces. `zeros` items share q = 0.
Invariant: items of equal score are one group of the integral, so ten million cost no more than one.
Source: McSherry & Talwar 2007; Bhaskar et al. 2010; as compared in Chaudhuri, Hsu & Song 2014, Sec 2.2.
"""

import numpy as np

from dpviz.base.noise import NOISES
from dpviz.base.parameters import check_number
from dpviz.base.progress import Progress, silent
from dpviz.base.scores import Scores, differences
from dpviz.margin.one_item import TopOneLaw, check_zeros
from dpviz.numerics.group_race import winner

__all__ = ["noisy_max"]


def noisy_max(
    scores: Scores, epsilon: float, *, noise: str = "gumbel", zeros: int = 0, progress: Progress = silent
) -> TopOneLaw:
    """Which item ε-DP noisy max releases from `scores` and `zeros` unlisted items of score zero.

    Raises `ParameterError` for an unknown `noise`, an ε that is not above 0, or scores that cannot
    have unlisted zeros below them.

    >>> law = noisy_max(Scores([20.0, 0.0]), 1.0, zeros=9998)
    >>> round(law.best, 4)
    0.6878
    """
    zeros = check_zeros(scores, zeros)
    epsilon = check_number("epsilon", epsilon, low=0.0, above=True)
    family = NOISES[noise]
    level, group, size = np.unique(scores.values, return_inverse=True, return_counts=True)
    size = size.astype(float)
    if zeros and level[0] > 0:
        level, group, size = np.append(0.0, level), group + 1, np.append(0.0, size)
    if zeros:
        size[0] += zeros
    q = epsilon / 2 * differences(level, float(level[-1]), scores.effective_sensitivity)
    won = winner(family, q, np.log(size), progress)
    each = won.probability / size
    return TopOneLaw(
        scores=scores,
        inclusion=each[group],
        error=won.error,
        zeros=zeros,
        zero_mass=float(each[0]) * zeros,
    )
