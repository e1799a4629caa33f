"""Laws of a few items by brute force, right relative to each probability.

Symbols: x = f/Δ_eff, F, S, f = a noise's cdf, survival, density. Written from the definitions; of
dpviz only the parameters of a mechanism are read.
"""

import itertools
import math
from typing import Any

import numpy as np
import scipy
from numpy.polynomial.legendre import leggauss

from dpviz import Scores, TopKMechanism
from tests.topk import lists

Sets = dict[tuple[int, ...], float]
Array = np.ndarray[Any, Any]

_X, _W = leggauss(24)
_STEPS = np.r_[-40, -20, -12, -8, -6, -5, -4:2.5:0.5, 3, 4, 5, 7]
_FAR = np.array([10, 14, 20, 30, 45, 70, 110.0])


def _tails(noise: str, u: Array) -> tuple[Array, Array, Array]:
    """(F, S, f) in standard form."""
    e, v = np.exp(-np.abs(u)), np.maximum(u, 0.0)
    t = np.exp(-v)
    if noise == "gumbel":
        with np.errstate(over="ignore", invalid="ignore"):
            g = np.exp(-u)
            return np.exp(-g), -np.expm1(-g), np.where(np.isfinite(g), g * np.exp(-g), 0.0)
    if noise == "exponential":
        return -np.expm1(-v), t, np.where(u > 0, t, 0.0)
    if noise == "laplace":
        return np.where(u < 0, e / 2, 1 - e / 2), np.where(u < 0, 1 - e / 2, e / 2), e / 2
    if noise == "logistic":
        below, above = np.where(u < 0, e, 1.0), np.where(u < 0, 1.0, e)
        return below / (1 + e), above / (1 + e), e / (1 + e) ** 2
    if noise == "half_logistic":
        return (1 - t) / (1 + t), 2 * t / (1 + t), np.where(u > 0, 2 * t / (1 + t) ** 2, 0.0)
    assert noise == "gaussian", noise
    pdf = np.exp(-u * u / 2) / math.sqrt(2 * math.pi)
    return scipy.special.ndtr(u), scipy.special.ndtr(-u), pdf


def _nodes(q: Array) -> tuple[Array, Array]:
    edges = np.unique((q[:, None] + np.concatenate([_STEPS, _FAR])).ravel())
    half, middle = np.diff(edges)[:, None] / 2, (edges[1:] + edges[:-1])[:, None] / 2
    return (middle + half * _X).ravel(), (half * _W).ravel()


def _largest(q: Array, k: int, noise: str) -> Sets:
    """P(the k largest of q + noise are these), for every k-subset of positions."""
    z, w = _nodes(q)
    cdf, sf, pdf = _tails(noise, z - q[:, None])
    found: Sets = {}
    for chosen in itertools.combinations(range(len(q)), k):
        rest = [i for i in range(len(q)) if i not in chosen]
        slope = sum(pdf[j] * np.prod(cdf[[i for i in rest if i != j]], axis=0) for j in rest)
        found[chosen] = float(w @ (np.prod(sf[list(chosen)], axis=0) * slope))
    return found


def _first(q: Array, noise: str) -> Array:
    """P(position i is the largest)."""
    if noise == "gumbel":
        weight = np.exp(q - q.max())
        return weight / weight.sum()
    z, w = _nodes(q)
    cdf, _, pdf = _tails(noise, z - q[:, None])
    return np.array(
        [w @ (pdf[i] * np.prod(np.delete(cdf, i, axis=0), axis=0)) for i in range(len(q))]
    )


def _peeled(q: Array, k: int, noise: str) -> Sets:
    reached: Sets = {(): 1.0}
    for _ in range(k):
        following: Sets = {}
        for taken, mass in reached.items():
            left = [i for i in range(len(q)) if i not in taken]
            for i, p in zip(left, _first(q[left], noise), strict=True):
                key = tuple(sorted((*taken, i)))
                following[key] = following.get(key, 0.0) + mass * float(p)
        reached = following
    return reached


def _canonical(x: Array, m: Any, few: int | None) -> Sets:
    epsilon = m.epsilon / max(m.gamma, 1 - m.gamma) if few == 1 else m.epsilon
    sets = list(itertools.combinations(range(len(x)), m.k))
    missed = [min({*range(len(x))}.difference(ranks)) for ranks in sets]
    best, worst = x[np.minimum(missed, m.k - 1)], x[[ranks[-1] for ranks in sets]]
    levels = -epsilon / 2 * ((1 - m.gamma) * best - m.gamma * worst)
    return dict(zip(sets, _first(levels, m.noise).tolist(), strict=True))


def _joint(x: Array, m: Any) -> Sets:
    answers = itertools.combinations if m.over == "sets" else itertools.permutations
    weight: Sets = {}
    for listed in answers(range(len(x)), m.k):
        key = tuple(sorted(listed))
        loss = max(x[place] - x[rank] for place, rank in enumerate(listed)) / 2
        weight[key] = weight.get(key, 0.0) + math.exp(-m.epsilon / 2 * loss)
    total = math.fsum(weight.values())
    return {key: w / total for key, w in weight.items()}


def law_of(m: TopKMechanism, s: Scores) -> Sets:
    """P of every set of k item indices, names known beforehand."""
    order = np.argsort(-s.values, kind="stable")
    x = s.values[order] / s.sensitivity * (2 if s.monotonic else 1)
    kind, k, few = type(m).__name__, m.k, s.contributions
    if kind == "Canonical":
        ranks = _canonical(x, m, few)
    elif kind == "JointExponential":
        ranks = _joint(x, m)
    elif kind == "GaussianCounts":
        moved = math.sqrt((few or 0) * (1 if s.monotonic else 2))
        sigma = moved / gaussian_shift(m.epsilon, m.delta)
        ranks = _largest(s.values[order] / s.sensitivity / sigma, k, "gaussian")
    else:
        noise = m.noise
        cheap = kind == "OneShot" and noise in {"laplace", "logistic"} and few is not None
        rounds = min(k, few) if cheap and few else k
        q = m.epsilon / (2 * rounds) * x
        ranks = _peeled(q, k, noise) if kind == "Peeling" else _largest(q, k, noise)
    return {tuple(sorted(order[list(chosen)].tolist())): p for chosen, p in ranks.items()}


def listed_law(m: TopKMechanism, s: Scores) -> Sets:
    """P of every list of at most k item indices that occur, by name; empty if refused."""
    if type(m).__name__ == "LimitedDomain":
        return {chosen: math.exp(log) for chosen, log in limited_log_law(m, s).items()}
    counts = {s.label(i): value for i, value in enumerate(s.values.tolist()) if value > 0}
    at, c = {s.label(i): i for i in range(s.d)}, s.contributions or 0
    assert m.noise == "laplace", "with gaussian noise σ and τ are chosen by a search of dpviz"
    scale = (c if s.monotonic else 2 * c) / m.epsilon
    tau = max(1.0, 1 + scale * math.log(c / (2 * m.delta)))
    if -math.log1p(-0.5 * math.exp(-(tau - 1) / scale)) > 1 / scale:
        return {}
    law = lists.threshold_counts(counts, m.k, "laplace", scale, tau)
    return {tuple(sorted(at[name] for name in answer)): p for answer, p in law.items()}


def limited_log_law(m: Any, s: Scores, numbers: Any = math) -> dict[tuple[int, ...], Any]:
    """log P of every list of limited domain, name by name; `numbers` may be mpmath.

    Names decide ties, so labels have to rise with the items.
    """
    occur = (i for i in range(s.d) if s.values[i] > 0)
    order = sorted(occur, key=lambda i: (-s.values[i], s.label(i)))
    most = m.candidates or 10 * m.k
    real = float if numbers is math else numbers.mpf
    e = real(m.epsilon) / (m.k if s.monotonic else 2 * m.k)
    after = real(s.values[order[most]]) if len(order) > most else real(0)
    few = most if s.contributions is None else min(s.contributions, most)
    best = real(s.values[order[0]]) if order else real(0)
    bottom = e * (after - best + (1 if s.monotonic else 2)) + numbers.log(real(few) / real(m.delta))
    level = {i: e * (real(s.values[i]) - best) for i in order[:most]}
    found: dict[tuple[int, ...], list[Any]] = {}

    def total(levels: list[Any]) -> Any:
        top = max(levels)
        return top + numbers.log(sum(numbers.exp(one - top) for one in levels))

    def go(chosen: tuple[int, ...], log: Any) -> None:
        key = tuple(sorted(chosen))
        rest = [i for i in level if i not in chosen]
        if len(chosen) == m.k:
            found.setdefault(key, []).append(log)
            return
        of_all = total([bottom, *(level[i] for i in rest)])
        found.setdefault(key, []).append(log + bottom - of_all)
        for i in rest:
            go((*chosen, i), log + level[i] - of_all)

    go((), real(0))
    return {key: total(logs) for key, logs in found.items()}


def gaussian_delta(epsilon: float, shift: float) -> float:
    """The hockey stick of N(shift, 1) and N(0, 1) (Balle & Wang 2018, Thm 8)."""
    if shift == 0:
        return 0.0
    a, b = shift / 2 - epsilon / shift, -shift / 2 - epsilon / shift
    return float(np.exp(scipy.special.log_ndtr(a)) - np.exp(epsilon + scipy.special.log_ndtr(b)))


def gaussian_shift(epsilon: float, delta: float) -> float:
    """The shift that (ε, δ) allows, in units of σ."""
    low, high = 1e-9, 1.0
    while gaussian_delta(epsilon, high) < delta:
        high *= 2

    def off(shift: float) -> float:
        return gaussian_delta(epsilon, shift) - delta

    return float(scipy.optimize.brentq(off, low, high, xtol=1e-15))
