"""Noisy counts that may be published with the names: shared by one-shot, threshold and gaussian.

Symbols: c = the most items that one person counts in.
"""

import numpy as np
from numpy.random import Generator

from dpviz.base import Floats, Ints, Noise, ParameterError, Scores

_CELLS = 2_000_000  # noise values drawn at once


def require_contributions(scores: Scores) -> int:
    """c; raises `ParameterError` if it is not known."""
    if scores.contributions is None:
        raise ParameterError(
            "contributions", None, "a number: noise goes by the items that one person can count in"
        )
    return scores.contributions


def largest_noisy_scores(
    scores: Scores, k: int, noise: Noise, scale: float, least: float, size: int, rng: Generator
) -> tuple[Ints, Floats]:
    """The items of the k largest noisy scores above a least one, and these scores."""
    items, noisy = np.full((size, k), -1, np.int64), np.full((size, k), np.nan)
    taking = np.arange(scores.d) if least == -np.inf else np.flatnonzero(scores.values > 0)
    rows, most = max(1, _CELLS // max(1, len(taking))), min(k, len(taking))
    for start in range(0, size, rows):
        part = slice(start, min(start + rows, size))
        value = scores.values[taking] + scale * noise.sample(rng, (part.stop - start, len(taking)))
        best = np.argsort(-value, axis=1, kind="stable")[:, :most]
        value = np.take_along_axis(value, best, axis=1)
        passed = value > least
        items[part, :most] = np.where(passed, taking[best], -1)
        noisy[part, :most] = np.where(passed, value, np.nan)
    return items, noisy
