"""Prefix sums of a million terms that keep their digits.

A term passes through one sum within its block and one over blocks, so the relative error grows with
√n only; a plain running sum rounds once a term, for equal terms always the same way.
"""

import numpy as np

from dpviz.base import Floats

_BLOCK = 1024
_ULP = 2.3e-16


def running_sums(terms: Floats) -> Floats:
    """Σ_{j≤i} terms_j for every i, shape of `terms` (one axis)."""
    n = len(terms)
    if n <= _BLOCK:
        return np.asarray(np.cumsum(terms), float)
    blocks = np.zeros(-(-n // _BLOCK) * _BLOCK)
    blocks[:n] = terms
    within = np.cumsum(blocks.reshape(-1, _BLOCK), axis=1)
    before = np.append(0.0, np.cumsum(within[:-1, -1]))
    return np.asarray((within + before[:, None]).ravel()[:n])


def running_sum_relative_error(n: int) -> float:
    """Bound on the relative error of `running_sums` of n terms of one sign."""
    return _ULP * (min(n, _BLOCK) + n / _BLOCK)
