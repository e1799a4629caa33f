"""Mechanisms at random, of few items, so that every set can be listed."""

import numpy as np
from numpy.random import Generator

from dpviz import (
    Canonical,
    GaussianCounts,
    JointExponential,
    OneShot,
    Peeling,
    Scores,
    TopKMechanism,
)

_NOISES = ("gumbel", "exponential", "laplace", "logistic", "half_logistic")


def mechanism(rng: Generator, k: int, few: int | None) -> TopKMechanism:
    """Any that keeps an ε or (ε, δ) on items that were known."""
    epsilon = float(np.round(rng.choice([0.3, 1, 2, 4, 6.5]) * rng.uniform(0.5, 1), 3))
    noise = str(rng.choice(_NOISES))
    kind = int(rng.integers(5 if few else 4))
    if kind == 0:
        gamma = float(rng.choice([0, 0.25, 0.5, 0.75, 1]))
        return Canonical(epsilon=epsilon, k=k, noise=noise, gamma=gamma)
    if kind < 3:
        return [OneShot, Peeling][kind - 1](epsilon=epsilon, k=k, noise=noise)
    if kind == 3:
        return JointExponential(epsilon=epsilon, k=k, over=str(rng.choice(["sets", "sequences"])))
    return GaussianCounts(epsilon=epsilon, k=k, delta=float(rng.choice([1e-6, 1e-2])))


def described(m: TopKMechanism, s: Scores) -> str:
    """What makes the case by hand."""
    told = (s.values.tolist(), s.sensitivity, s.monotonic, s.contributions, s.names_known)
    return f"{m!r}, scores {told}"
