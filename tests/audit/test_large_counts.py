"""Laws of shorter lists at counts up to 1e15 and beyond, of random cases, list by list.

Symbols: b = scale of laplace noise, τ = the public threshold; log P in mpmath where lists are drawn
name by name, and products of tails, or an integral over the last one left out, where noisy counts
pass a threshold.
"""

import itertools
import math
from collections.abc import Callable
from typing import Any

import mpmath
import numpy as np
import pytest
from numpy.polynomial.legendre import leggauss
from numpy.random import Generator

from dpviz import LimitedDomain, Scores, ThresholdCounts, TopKDistribution, expected

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


def limited_domain(rng: Generator, s: Scores) -> tuple[Any, Logs]:
    """Every list, drawn one name after the other with 60 digits."""
    k, epsilon = int(rng.integers(1, 4)), float(rng.choice([0.1, 3.0, 10.0]))
    epsilon /= 1.0 if rng.random() < 0.75 else s.values.max() / 10
    m = LimitedDomain(epsilon=epsilon, k=k, delta=1e-6, candidates=int(rng.choice([0, k, k + 1])))
    with mpmath.workdps(60):
        logs = limited_log_law(m, s)
        return m, {chosen: float(log) for chosen, log in logs.items()}


def limited_log_law(m: LimitedDomain, s: Scores) -> dict[tuple[int, ...], Any]:
    """log P of every list of limited domain; names decide ties, and rise with the items."""
    occur = (i for i in range(s.d) if s.values[i] > 0)
    order = sorted(occur, key=lambda i: (-s.values[i], s.label(i)))
    most = m.candidates or 10 * m.k
    real = mpmath.mpf
    e = real(m.epsilon) / (m.k if s.monotonic else 2 * m.k)
    after = real(s.values[order[most]]) if len(order) > most else real(0)
    few = most if s.contributions is None else min(s.contributions, most)
    best = real(s.values[order[0]]) if order else real(0)
    bottom = e * (after - best + (1 if s.monotonic else 2)) + mpmath.log(real(few) / real(m.delta))
    level = {i: e * (real(s.values[i]) - best) for i in order[:most]}
    found: dict[tuple[int, ...], list[Any]] = {}

    def total(levels: list[Any]) -> Any:
        top = max(levels)
        return top + mpmath.log(sum(mpmath.exp(one - top) for one in levels))

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


def _above(u: Any) -> Any:
    """P(laplace noise > u)."""
    return np.where(u > 0, 0.5 * np.exp(-np.abs(u)), 1 - 0.5 * np.exp(-np.abs(u)))


def _log_above(u: float) -> float:
    return -u - math.log(2) if u > 0 else math.log1p(-0.5 * math.exp(u))


def threshold_counts(rng: Generator, s: Scores) -> tuple[Any, Logs]:
    """Shorter lists: products of tails; full ones: besides, the last one left out at its noise."""
    counts, c, k = s.values.tolist(), int(s.contributions or 0), int(rng.integers(1, 4))
    epsilon = float(10 ** rng.uniform(-1, 1.0)) / (1.0 if rng.random() < 0.6 else max(counts) / 30)
    delta = min(1e-6, epsilon / 10)
    b, tau = c / epsilon, max(0.0, math.log(c / (2 * delta)))  # less 1, in units of b
    over = [(count - 1) / b - tau for count in counts]
    logs = Logs()
    for size in range(min(k, len(counts)) + 1):
        for chosen in itertools.combinations(range(len(counts)), size):
            out = [i for i in range(len(counts)) if i not in chosen]
            log = math.fsum(_log_above(-over[i]) for i in chosen)
            log += math.fsum(_log_above(over[i]) for i in out)
            if size == k and out:
                p = math.exp(log) + _passed(counts, b, over, chosen, out)
                log = math.log(p) if p > 1e-40 else -math.inf  # panels end where less is left
            logs[chosen] = log
    m = ThresholdCounts(epsilon=epsilon, k=k, delta=delta)
    return m, {chosen: log for chosen, log in logs.items() if log > -1e14}


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


def check_law(law: TopKDistribution, logs: Logs, rng: Generator) -> None:
    """log P of every list that is known, and the mean of some figure."""
    for chosen, log in logs.items():
        told = law.log_probability(chosen)
        assert told == pytest.approx(log, abs=1e-8, rel=1e-10)
        assert told <= 1e-9
    if abs(math.fsum(math.exp(log) for log in logs.values()) - 1) > 1e-9:
        return
    worth = {chosen: float(rng.random()) for chosen in logs}
    mean = math.fsum(worth[chosen] * math.exp(log) for chosen, log in logs.items())
    found = expected(law, lambda chosen: worth.get(tuple(chosen), 0.5))
    assert found.value == pytest.approx(mean, abs=1e-7)
    assert found.low <= min(found.value, mean) <= max(found.value, mean) <= found.high
    assert math.fsum(law.length) == pytest.approx(1.0, abs=1e-9)


def check_cases(kind: Callable[[Generator, Scores], tuple[Any, Logs]], cases: range) -> None:
    for case in cases:
        rng = np.random.default_rng([2021, case])
        counts, c = _counts(rng), int(rng.integers(1, 3))
        names = [f"n{i}" for i in range(len(counts))]
        s = Scores(counts, names, monotonic=True, contributions=c, names_known=False)
        m, logs = kind(rng, s)
        check_law(m.distribution(s), logs, rng)


@pytest.mark.parametrize("cases", [range(20), pytest.param(range(20, 250), marks=pytest.mark.long)])
@pytest.mark.parametrize("kind", [limited_domain, threshold_counts])
def test_every_list_of_large_counts_has_the_chance_that_is_told(kind: Any, cases: range) -> None:
    check_cases(kind, cases)


@pytest.mark.parametrize("kind", [limited_domain, threshold_counts])
def test_a_law_that_is_a_little_off_is_noticed(kind: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    right = TopKDistribution.log_probability

    def wrong(law: TopKDistribution, items: Any) -> Any:
        return right(law, items) * 1.0001 + 1e-6

    monkeypatch.setattr(TopKDistribution, "log_probability", wrong)
    with pytest.raises(AssertionError):
        check_cases(kind, range(20))
