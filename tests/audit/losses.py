"""The privacy loss between two neighbours of a few items, beside every set.

P, Q = the laws of the two worlds; the curve of tests sorts sets by Q/P and cumulates both.
"""

import math
from collections.abc import Iterator
from typing import Any

import numpy as np
from numpy.random import Generator

from dpviz import PrivacyLoss, privacy_loss
from tests.audit.laws import Array, hockey_stick, law_of, log_ratio
from tests.audit.pairs import closed_form, described, mechanism, moved, scores
from tests.audit.runner import Family, Finding, between

TIGHT = 1e-9  # of a chance, what brute force may be off by
LOOSE = 1e-7  # of a loss


def pair(rng: Generator) -> tuple[Any, PrivacyLoss, Array, Array]:
    """A case, the loss told, and both laws, set by set."""
    many = rng.random() < 0.35
    s = scores(rng, most=8 if many else 5)
    k = int(rng.integers(1, min(s.d, 5)))
    m = closed_form(rng, k) if many else mechanism(rng, k, s.contributions)
    other = moved(rng, s)
    laws = [law_of(m, one) for one in (s, other)]
    p, q = (np.array(list(laws[0].values())), np.array([laws[1][chosen] for chosen in laws[0]]))
    return described(m, s, other), privacy_loss(m, s, other), p, q


def misses(p: Array, q: Array, alpha: Array) -> Array:
    """The smallest chance to miss at each chance of a false alarm (Neyman & Pearson)."""
    order = np.argsort(-log_ratio(q, p), kind="stable")
    alarms, caught = (np.concatenate([[0.0], np.cumsum(side[order])]) for side in (p, q))
    free = float(q[p == 0].sum())  # at no false alarm at all
    line = np.interp(alpha, alarms / alarms[-1], caught / caught[-1])
    return np.minimum(1 - np.maximum(line, free), 1.0)


def trade_off(rng: Generator) -> Iterator[Finding]:
    """`trade_off` is the curve where exact, else never below; `trade_off_least` never above it."""
    case, loss, p, q = pair(rng)
    some, ends = rng.random(4), rng.choice(np.cumsum(np.sort(p)), 2)
    alpha = np.concatenate([[0.0, 1.0], some, ends]).clip(0, 1)
    exact = loss.method == "exact"
    for one, here, there in ((loss, p, q), (loss.reversed, q, p)):
        curves = one.trade_off(alpha), one.trade_off_least(alpha), misses(here, there, alpha)
        for a, told, least, true in zip(alpha.tolist(), *curves, strict=True):
            high, error = true if exact else 1.0, 10 * TIGHT
            yield between(case, f"trade_off({a!r})", told, true, high, error + one.missing)
            low = true - 1e-4 if exact else 0.0  # what rounding and pruned mass may add to it
            yield between(case, f"trade_off_least({a!r})", least, low, true, error)


def delta_and_advantage(rng: Generator) -> Iterator[Finding]:
    """δ(ε), P(loss > ε), the advantage, and divergences."""
    case, loss, p, q = pair(rng)
    exact = loss.method == "exact"
    epsilons = [0.0, *(float(e) for e in rng.uniform(0, loss.ceiling.epsilon * 1.2, 3))]
    for one, here, there in ((loss, p, q), (loss.reversed, q, p)):
        told = log_ratio(here, there)
        for epsilon in epsilons:
            delta = hockey_stick(here, there, epsilon)
            low = delta if exact else 0.0
            found, exceeds = one.delta(epsilon), one.exceeds(epsilon)
            yield between(case, f"delta({epsilon!r})", found, low - one.missing, delta, TIGHT)
            apart, near = np.abs(told - epsilon), 1e-11 if loss.ceiling.epsilon < 1e-3 else 1e-8
            clear = apart > near * (1 + epsilon)
            surely = float(here[(told > epsilon) & clear].sum())
            most = surely + float(here[~clear & ((epsilon > 0) | (apart > 1e-15))].sum())
            low = surely - one.missing if exact else 0.0
            yield between(case, f"exceeds({epsilon!r})", exceeds, low, most, TIGHT)
            yield between(case, "exceeds is never below δ", exceeds, found, 1.0, TIGHT)
        mean = float(here[here > 0] @ told[here > 0])
        yield between(case, "mean", one.mean, mean if exact else 0.0, mean, LOOSE)
        order = float(rng.uniform(1.1, 5))
        with np.errstate(divide="ignore"):
            powers = np.exp(order * np.log(here) + (1 - order) * np.log(there))
        power = float(np.sum(powers[here > 0]))
        renyi = math.log(power) / (order - 1) if math.isfinite(power) else math.inf
        low = renyi if exact else 0.0
        yield between(case, f"renyi({order!r})", one.renyi(order), low, renyi, LOOSE * order)
    apart = hockey_stick(p, q, 0.0)
    low = apart - loss.missing if exact else 0.0
    yield between(case, "advantage", loss.advantage, low, apart, TIGHT)


def largest_loss(rng: Generator) -> Iterator[Finding]:
    """The largest loss over all sets, either way; never above the promise of a pure mechanism."""
    case, loss, p, q = pair(rng)
    both = log_ratio(p, q)
    true = float(np.abs(both).max())
    low = true if loss.method == "exact" else 0.0
    yield between(case, "largest", loss.largest, low, true, LOOSE + loss.error)
    most = loss.ceiling.epsilon
    if not loss.ceiling.delta:
        yield between(case, "largest, by the promise", loss.largest, 0.0, most, LOOSE)
        yield between(case, "the promise", most, true, math.inf, LOOSE)
    else:
        delta = max(hockey_stick(p, q, most), hockey_stick(q, p, most))
        yield between(case, "the promised δ", loss.ceiling.delta, delta, 1.0, TIGHT)


def smaller(largest: Any) -> Any:
    """A largest loss that is told a little too small."""
    return property(lambda loss: 0.999 * largest.fget(loss))


_SOON = PrivacyLoss, "trade_off", lambda f: lambda loss, alpha: f(loss, alpha) + 1e-4
_MORE = PrivacyLoss, "delta", lambda f: lambda loss, epsilon: 1.001 * f(loss, epsilon)
_LATE = PrivacyLoss, "exceeds", lambda f: lambda loss, epsilon: f(loss, epsilon + 0.05)
FAMILIES = [
    Family(trade_off, 30, 260, [_SOON]),
    Family(delta_and_advantage, 25, 200, [_MORE, _LATE]),
    Family(largest_loss, 25, 200, [(PrivacyLoss, "largest", smaller)]),
]
