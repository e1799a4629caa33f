"""Brute force for "the k largest of q_i + N_i": every subset, Gauss–Legendre between kinks."""

import itertools
from collections.abc import Callable

import numpy as np
from numpy.polynomial.legendre import leggauss

Tails = Callable[[np.ndarray], tuple[np.ndarray, np.ndarray, np.ndarray]]
Sets = dict[tuple[int, ...], float]


def tails(noise: str, u: np.ndarray) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """(F, S, f), written from the definitions."""
    u = np.clip(u, -300.0, 300.0)
    v = np.maximum(u, 0.0)
    e = np.exp(-np.abs(u))
    if noise == "gumbel":
        g = np.exp(-u)
        return np.exp(-g), -np.expm1(-g), g * np.exp(-g)
    if noise == "exponential":
        return -np.expm1(-v), np.exp(-v), np.where(u > 0, np.exp(-v), 0.0)
    if noise == "laplace":
        return np.where(u < 0, e / 2, 1 - e / 2), np.where(u < 0, 1 - e / 2, e / 2), e / 2
    if noise == "logistic":
        return 1 / (1 + np.exp(-u)), 1 / (1 + np.exp(u)), 0.25 / np.cosh(u / 2) ** 2
    assert noise == "half_logistic", f"brute force knows no noise {noise!r}: write it here"
    return np.tanh(v / 2), 2 / (1 + np.exp(v)), np.where(u > 0, 0.5 / np.cosh(v / 2) ** 2, 0.0)


def one_shot_sets(q: np.ndarray, k: int, noise: str | Tails) -> Sets:
    """P of every k-subset of positions."""
    q = np.asarray(q, float)
    z, weight = _nodes(q)
    u = z - q[:, None]
    cdf, sf, pdf = tails(noise, u) if isinstance(noise, str) else noise(u)
    found: Sets = {}
    for chosen in itertools.combinations(range(len(q)), k):
        rest = [i for i in range(len(q)) if i not in chosen]
        slope = sum(pdf[j] * np.prod(cdf[[i for i in rest if i != j]], axis=0) for j in rest)
        found[chosen] = float(weight @ (np.prod(sf[list(chosen)], axis=0) * slope))
    return found


def winners(q: np.ndarray, noise: str) -> np.ndarray:
    """P of being the largest, for every position: its density times F of all others."""
    q = np.asarray(q, float)
    z, weight = _nodes(q)
    cdf, _, pdf = tails(noise, z - q[:, None])
    others = [np.prod(np.delete(cdf, i, axis=0), axis=0) for i in range(len(q))]
    return np.array([weight @ (pdf[i] * others[i]) for i in range(len(q))])


def peeled_sets(q: np.ndarray, k: int, noise: str) -> Sets:
    """P of every set after k rounds, by following the ordered answers one by one."""
    q = np.asarray(q, float)
    found: dict[tuple[int, ...], float] = {(): 1.0}
    for _ in range(k):
        longer: dict[tuple[int, ...], float] = {}
        for taken, mass in found.items():
            left = [i for i in range(len(q)) if i not in taken]
            for at, share in zip(left, winners(q[left], noise), strict=True):
                longer[(*taken, at)] = mass * float(share)
        found = longer
    sets: Sets = {}
    for taken, mass in found.items():
        key = tuple(sorted(taken))
        sets[key] = sets.get(key, 0.0) + mass
    return sets


def _nodes(q: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    edges = np.unique(np.concatenate([np.arange(q.min() - 40, q.max() + 46, 0.5), q]))
    x, w = leggauss(16)
    half = np.diff(edges)[:, None] / 2
    return (edges[:-1, None] + half * (x + 1)).ravel(), (half * w).ravel()
