"""Mechanisms, scores and neighbours at random, of few items, so that every set can be listed."""

from dataclasses import replace

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


def closed_form(rng: Generator, k: int) -> TopKMechanism:
    """One whose law needs no integral: more sets, and losses that hardly differ from 0."""
    epsilon = float(rng.choice([0.5, 2.0, 5.0, 1e-5, 1e-7]))
    if rng.random() < 0.6:
        return Canonical(epsilon=epsilon, k=k, gamma=float(rng.choice([0, 0.25, 0.5, 1])))
    return JointExponential(epsilon=epsilon, k=k, over=str(rng.choice(["sets", "sequences"])))


def scores(rng: Generator, most: int = 5) -> Scores:
    """A few small counts or scores, ties among them."""
    d = int(rng.integers(2, most + 1))
    values = rng.integers(0, int(rng.choice([2, 4, 9])), d).astype(float)
    if rng.random() < 0.2:
        values = np.round(values + rng.normal(0, 1, d), 2)
    few = None if rng.random() < 0.4 else int(rng.integers(1, d + 1))
    monotonic, sensitivity = bool(rng.random() < 0.6), float(rng.choice([1, 2]))
    return Scores(values, monotonic=monotonic, contributions=few, sensitivity=sensitivity)


def moved(rng: Generator, s: Scores) -> Scores:
    """A neighbour at a corner, or now and then inside."""
    way = float(rng.choice([-1, 1]))
    step = rng.integers(0, 2, s.d) * way if s.monotonic else rng.choice([-1.0, 1.0], s.d)
    if s.contributions is not None:
        most = s.contributions if s.monotonic else 2 * s.contributions
        step[rng.permutation(s.d)[most:]] = 0.0
    if rng.random() < 0.15:
        step = step * np.round(rng.random(s.d), 2)
    return replace(s, values=s.values + step * s.sensitivity)


def described(m: TopKMechanism, s: Scores, *others: Scores) -> str:
    """What makes the case by hand."""
    told = (s.values.tolist(), s.sensitivity, s.monotonic, s.contributions, s.names_known)
    return f"{m!r}, scores {told}" + "".join(f", {other.values.tolist()}" for other in others)
