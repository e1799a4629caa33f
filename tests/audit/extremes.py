"""Counts up to 1e15 and beyond, lists of names where hardly any occur, and noises of one's own.

Symbols: b = scale of laplace noise, τ = the public threshold; log P in mpmath where lists are drawn
name by name, and products of tails, or an integral over the last one left out, where noisy counts
pass a threshold.
"""

import itertools
import math
from collections.abc import Iterator
from typing import Any

import mpmath
import numpy as np
from numpy.polynomial.legendre import leggauss
from numpy.random import Generator
from scipy.special import log_ndtr, ndtri_exp

from dpviz import (
    NOISES,
    LimitedDomain,
    OneShot,
    ParameterError,
    Scores,
    ThresholdCounts,
    TopKDistribution,
    expected,
    privacy_loss,
)
from dpviz.base.noise import Noise
from tests.audit.laws import limited_log_law, listed_law
from tests.audit.runner import Family, Finding, about, between, says
from tests.meters import disagreement

Logs = dict[tuple[int, ...], float]
_X, _W = leggauss(40)
_POSITIVE = np.array([0.5, 1, 2, 3, 5, 7, 10, 15, 25, 40, 60])
_EDGES = np.concatenate([-_POSITIVE[::-1], [0], _POSITIVE])


def _counts(rng: Generator) -> list[float]:
    """Counts of any size: close to each other, far apart, or both."""
    d, size = int(rng.integers(2, 6)), float(10 ** (15.5 * rng.random() ** 0.3))
    kind = int(rng.integers(3))
    if kind == 0:
        values = size + rng.integers(-5, 6, d)
    elif kind == 1:
        values = 10 ** rng.uniform(0, math.log10(size) + 0.1, d)
    else:
        values = size * rng.integers(1, 4, d) + rng.integers(0, 3, d)
    return np.maximum(np.round(values), 1.0).tolist()


def _unknown(counts: list[float], c: int | None) -> Scores:
    names = [f"n{i}" for i in range(len(counts))]
    return Scores(counts, names, monotonic=True, contributions=c, names_known=False)


def _said(rng: Generator, m: Any, s: Scores, logs: Logs) -> Iterator[Finding]:
    """log P of every list that is known, and the mean of some figure."""
    law, case = m.distribution(s), f"{m!r}, {s.values.tolist()}, contributions={s.contributions}"
    for chosen, log in logs.items():
        told = law.log_probability(chosen)
        yield between(case, f"log P of {chosen}", told, log, log, 1e-8 + 1e-10 * abs(log))
        yield between(case, f"log P of {chosen}, at most 0", told, -math.inf, 0.0, 1e-9)
    if abs(math.fsum(math.exp(log) for log in logs.values()) - 1) > 1e-9:
        return
    worth = {chosen: float(rng.random()) for chosen in logs}
    mean = math.fsum(worth[chosen] * math.exp(log) for chosen, log in logs.items())
    told = expected(law, lambda chosen: worth.get(tuple(chosen), 0.5))
    yield between(case, "expected", told.value, mean, mean, 1e-7)
    yield between(case, "expected, its bounds", mean, told.low, told.high, 0.0)
    yield between(case, "expected, within its bounds", told.value, told.low, told.high, 0.0)
    yield between(case, "all of them together", math.fsum(law.length), 1.0, 1.0, 1e-9)


def large_counts_of_limited_domain(rng: Generator) -> Iterator[Finding]:
    """Every list, drawn one name after the other with 60 digits."""
    counts = _counts(rng)
    s = _unknown(counts, None)
    k = int(rng.integers(1, 4))
    epsilon = float(rng.choice([0.1, 3.0, 10.0]))
    epsilon /= 1.0 if rng.random() < 0.75 else max(counts) / 10
    m = LimitedDomain(epsilon=epsilon, k=k, delta=1e-6, candidates=int(rng.choice([0, k, k + 1])))
    with mpmath.workdps(60):
        logs = {chosen: float(log) for chosen, log in limited_log_law(m, s, mpmath.mp).items()}
    yield from _said(rng, m, s, {chosen: logs[chosen] for chosen in logs if logs[chosen] > -1e14})


def _above(u: Any) -> Any:
    """P(laplace noise > u)."""
    return np.where(u > 0, 0.5 * np.exp(-np.abs(u)), 1 - 0.5 * np.exp(-np.abs(u)))


def _log_above(u: float) -> float:
    return -u - math.log(2) if u > 0 else math.log1p(-0.5 * math.exp(u))


def large_counts_of_threshold(rng: Generator) -> Iterator[Finding]:
    """Shorter lists: products of tails; full ones: besides, the last one left out at its noise."""
    counts, c = _counts(rng), int(rng.integers(1, 3))
    k = int(rng.integers(1, 4))
    s = _unknown(counts, c)
    epsilon = float(10 ** rng.uniform(-1, 1.0)) / (1.0 if rng.random() < 0.6 else max(counts) / 30)
    delta = min(1e-6, epsilon / 10)
    m = ThresholdCounts(epsilon=epsilon, k=k, delta=delta)
    b = c / epsilon
    tau = max(0.0, math.log(c / (2 * delta)))  # less 1, in units of b
    over = [(count - 1) / b - tau for count in counts]
    logs = Logs()
    for size in range(min(k, len(counts)) + 1):
        for chosen in itertools.combinations(range(len(counts)), size):
            out = [i for i in range(len(counts)) if i not in chosen]
            log = math.fsum(_log_above(-over[i]) for i in chosen)
            log += math.fsum(_log_above(over[i]) for i in out)
            if size == k and out:
                p = math.exp(log) + _passed(counts, b, over, chosen, out)
                if p < 1e-40:  # panels end where less than that is left
                    continue
                log = math.log(p)
            logs[chosen] = log
    yield from _said(rng, m, s, {chosen: log for chosen, log in logs.items() if log > -1e14})


def _passed(
    counts: list[float], b: float, over: list[float], chosen: tuple[int, ...], out: list[int]
) -> float:
    """P(the chosen lie above the best one left out, and that above τ)."""
    total = 0.0
    for last in out:
        apart = {i: (counts[last] - counts[i]) / b for i in (*chosen, *out) if i != last}
        near = [_EDGES - gap for gap in apart.values() if abs(gap) < 200]
        ends = np.concatenate([_EDGES, *near, [-over[last]]])
        edges = np.unique(ends[(ends >= -over[last]) & (np.abs(ends) <= 200)])
        if len(edges) < 2:
            continue
        half, middle = np.diff(edges)[:, None] / 2, (edges[1:] + edges[:-1])[:, None] / 2
        u, w = (middle + half * _X).ravel(), (half * _W).ravel()
        value = 0.5 * np.exp(-np.abs(u))
        for i, gap in apart.items():
            value = value * _above(u + gap if i in chosen else -u - gap)
        total += float(w @ value)
    return total


def lists_of_few(rng: Generator) -> Iterator[Finding]:
    """Where nothing or next to nothing occurs: laws, figures and draws, the empty list among them."""
    d, c = int(rng.integers(2, 5)), int(rng.integers(1, 3))
    values = rng.choice([0.0, 0.0, 1.0, 2.0, 6.0], d)
    s = _unknown(values.tolist(), c)
    k, epsilon = int(rng.integers(1, 5)), float(rng.choice([0.5, 2.0, 8.0]))
    delta = float(rng.choice([1e-6, 0.05]))
    kind = [LimitedDomain, ThresholdCounts][int(rng.integers(2))]
    m = kind(epsilon=epsilon, k=k, delta=delta)
    case, law = f"{m!r}, {values.tolist()}, contributions={c}", listed_law(m, s)
    told = m.distribution(s)
    length = [math.fsum(p for chosen, p in law.items() if len(chosen) == j) for j in range(k + 1)]
    for j in range(k + 1):
        yield about(case, f"length {j}", told.length[j], length[j], 1e-9)
    mean = sum(j * p for j, p in enumerate(length))
    yield about(case, "expected length", told.expected_length, mean, 1e-9 * k)
    for item in range(d):
        true = math.fsum(p for chosen, p in law.items() if item in chosen)
        yield about(case, f"inclusion of {item}", told.inclusion[item], true, 1e-9)
    drawn = m.sample(s, 400, rng=int(rng.integers(1 << 30)))
    answers = [tuple(sorted(i for i in row if i >= 0)) for row in drawn.tolist()]
    yield says(case, "draws", disagreement(answers, law, 1000), "")
    yield says(case, "shape of draws", drawn.shape, (400, k))
    if isinstance(m, ThresholdCounts):
        items, noisy = m.sample_with_scores(s, 50, rng=1)
        together = bool(((items < 0) == np.isnan(noisy)).all())
        yield says(case, "noisy counts go with names", together, True)


class _Own(Noise):
    """A noise made of another: at a scale of its own, or with parts that do not belong together."""

    def __init__(self, base: Noise, scale: float, part: str = "", other: float = 1.0) -> None:
        self.base, self.scale, self.part, self.other = base, scale, part, other
        self.start, self.kinks = base.start * scale, tuple(kink * scale for kink in base.kinks)

    def _of(self, part: str) -> float:
        return self.other if part == self.part else self.scale

    def log_pdf(self, u: Any) -> Any:
        scale = self._of("pdf")
        return self.base.log_pdf(np.asarray(u) / scale) - math.log(scale)

    def log_cdf(self, u: Any) -> Any:
        return self.base.log_cdf(np.asarray(u) / self._of("cdf"))

    def log_sf(self, u: Any) -> Any:
        return self.base.log_sf(np.asarray(u) / self._of("sf"))

    def quantile(self, log_p: Any, log_q: Any) -> Any:
        return self._of("quantile") * self.base.quantile(log_p, log_q)


class _Gaussian(Noise):
    """No bound on its hazard rate."""

    def __init__(self, sigma: float) -> None:
        self.sigma = sigma

    def log_pdf(self, u: Any) -> Any:
        log_peak = -math.log(self.sigma * math.sqrt(2 * math.pi))
        return log_peak - ((np.asarray(u) / self.sigma) ** 2) / 2

    def log_cdf(self, u: Any) -> Any:
        return log_ndtr(np.asarray(u) / self.sigma)

    def log_sf(self, u: Any) -> Any:
        return self.log_cdf(-np.asarray(u))

    def quantile(self, log_p: Any, log_q: Any) -> Any:
        return self.sigma * np.where(np.asarray(log_p) < -0.7, ndtri_exp(log_p), -ndtri_exp(log_q))


def own_noises(rng: Generator) -> Iterator[Finding]:
    """A hazard rate above 1 and mixed parts are refused; what is taken keeps its promise.

    One that is wider than it has to be qualifies; whether it is taken is left open.
    """
    base = str(rng.choice(["gumbel", "exponential", "laplace", "logistic", "half_logistic"]))
    kind = int(rng.integers(4))
    scale = float(rng.choice([np.round(rng.uniform(0.3, 2.5), 2), 1.0, 0.99]))
    if kind == 0:
        noise: Noise = _Gaussian(sigma := float(np.round(rng.uniform(0.3, 6), 2)))
        case, scale = f"gaussian at {sigma}", 0.0
    elif kind == 1:
        part = str(rng.choice(["pdf", "cdf", "sf", "quantile"]))
        noise = _Own(NOISES[base], 1.0, part, other := float(rng.choice([0.9, 1.05, 1.2, 2.0])))
        case, scale = f"{base} with its {part} at {other}", 0.0
    else:
        noise, case = _Own(NOISES[base], scale), f"{base} at {scale}"
    taken, loss = _taken(noise)
    if scale <= 1.0:
        yield says(case, "taken for a noise that keeps ε", taken, scale == 1.0)
    if scale >= 1.0:
        yield between(case, "largest loss of ε = 1", loss or 0.0, 0.0, 1.0, 1e-7)


def _taken(noise: Noise) -> tuple[bool, float | None]:
    """Whether a mechanism runs with it, and the largest loss between two worlds."""
    name = "noise of an audit"
    try:
        NOISES.add(name, noise, label="Its own", says="Nobody knows.")
        m = OneShot(epsilon=1.0, k=1, noise=name)
        worlds = [Scores([first, second]) for first, second in ((0.0, 0.0), (1.0, -1.0))]
        return True, privacy_loss(m, *worlds).largest
    except ParameterError:
        return False, None
    finally:
        if name in NOISES:
            NOISES.remove(name)


def _likelier(log: Any) -> Any:
    return lambda law, items: log(law, items) * 1.0001 + 1e-6


def _often(inclusion: Any) -> property:
    return property(lambda law: inclusion.fget(law) * 1.001)


_LOG = (TopKDistribution, "log_probability", _likelier)
FAMILIES = [
    Family(large_counts_of_limited_domain, 20, 250, [_LOG]),
    Family(large_counts_of_threshold, 20, 120, [_LOG]),
    Family(lists_of_few, 20, 120, [(TopKDistribution, "inclusion", _often)]),
    Family(own_noises, 20, 80, [(NOISES, "add", lambda f: lambda *a, **b: None)]),
]
