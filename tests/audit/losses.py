"""The privacy loss between two neighbours of a few items: largest loss, δ, chances above ε, tests, beside every set.

Symbols: P, Q = the laws in the two worlds; the curve of tests sorts the sets by Q/P and cumulates both.
"""

import itertools
import math
from collections.abc import Iterator
from dataclasses import replace
from typing import Any

import numpy as np
from numpy.random import Generator

from dpviz import (
    NOISES,
    Canonical,
    GaussianCounts,
    JointExponential,
    LimitedDomain,
    OneShot,
    ParameterError,
    Peeling,
    PrivacyLoss,
    Scores,
    ThresholdCounts,
    TopKMechanism,
    privacy_loss,
    worst_neighbour,
)
from tests.audit.laws import Array, hockey_stick, law_of, listed_law, log_ratio
from tests.audit.runner import Family, Finding, about, between, says

TIGHT = 1e-9  # of a chance, what brute force may be off by
LOOSE = 1e-7  # of a loss


def mechanism(rng: Generator, k: int, few: int | None) -> TopKMechanism:
    """Any that keeps an ε or (ε, δ) on items that were known."""
    noises, epsilon = list(NOISES), float(np.round(rng.choice([0.3, 1, 2, 4, 6.5]) * rng.uniform(0.5, 1), 3))
    noise = str(rng.choice([name for name in noises if name in _OURS]))
    makers = [
        lambda: Canonical(epsilon=epsilon, k=k, noise=noise, gamma=float(rng.choice([0, 0.25, 0.5, 0.75, 1]))),
        lambda: OneShot(epsilon=epsilon, k=k, noise=noise),
        lambda: Peeling(epsilon=epsilon, k=k, noise=noise),
        lambda: JointExponential(epsilon=epsilon, k=k, over=str(rng.choice(["sets", "sequences"]))),
        lambda: GaussianCounts(epsilon=epsilon, k=k, delta=float(rng.choice([1e-6, 1e-2]))),
    ]
    return makers[int(rng.integers(len(makers) if few else len(makers) - 1))]()


_OURS = ("gumbel", "exponential", "laplace", "logistic", "half_logistic")


def scores(rng: Generator, most: int = 5) -> Scores:
    """A few small counts or scores, ties among them."""
    d = int(rng.integers(2, most + 1))
    values = rng.integers(0, int(rng.choice([2, 4, 9])), d).astype(float)
    if rng.random() < 0.2:
        values = np.round(values + rng.normal(0, 1, d), 2)
    few = None if rng.random() < 0.4 else int(rng.integers(1, d + 1))
    return Scores(values, monotonic=bool(rng.random() < 0.6), contributions=few, sensitivity=float(rng.choice([1, 2])))


def moved(rng: Generator, s: Scores) -> Scores:
    """A neighbour at a corner, or now and then inside."""
    if s.monotonic:
        step = rng.integers(0, 2, s.d) * float(rng.choice([-1, 1]))
    else:
        step = rng.choice([-1.0, 1.0], s.d)
    if s.contributions is not None:
        most = s.contributions if s.monotonic else 2 * s.contributions
        step[rng.permutation(s.d)[most:]] = 0.0
    if rng.random() < 0.15:
        step = step * np.round(rng.random(s.d), 2)
    return replace(s, values=s.values + step * s.sensitivity)


def pair(rng: Generator) -> tuple[Any, PrivacyLoss, Array, Array]:
    """A case, the loss told, and both laws, set by set."""
    s = scores(rng)
    m = mechanism(rng, int(rng.integers(1, s.d)), s.contributions)
    other = moved(rng, s)
    laws = [law_of(m, one) for one in (s, other)]
    p, q = (np.array(list(laws[0].values())), np.array([laws[1][chosen] for chosen in laws[0]]))
    return described(m, s, other), privacy_loss(m, s, other), p, q


def described(m: TopKMechanism, s: Scores, *others: Scores) -> str:
    """What makes the case by hand."""
    told = (s.values.tolist(), s.sensitivity, s.monotonic, s.contributions, s.names_known)
    return f"{m!r}, scores {told}" + "".join(f", {other.values.tolist()}" for other in others)


def misses(p: Array, q: Array, alpha: Array) -> Array:
    """The smallest chance to miss at each chance of a false alarm (Neyman & Pearson)."""
    order = np.argsort(-log_ratio(q, p), kind="stable")
    alarms, caught = (np.concatenate([[0.0], np.cumsum(side[order])]) for side in (p, q))
    free = float(q[p == 0].sum())  # at no false alarm at all
    line = np.interp(alpha, alarms / alarms[-1], caught / caught[-1])
    return np.minimum(1 - np.maximum(line, free), 1.0)


def trade_off(rng: Generator) -> Iterator[Finding]:
    """`trade_off` is the curve itself where exact, never below it elsewhere; `trade_off_least` never above it."""
    case, loss, p, q = pair(rng)
    alpha = np.concatenate([[0.0, 1.0], rng.random(4), rng.choice(np.cumsum(np.sort(p)), 2)]).clip(0, 1)
    exact = loss.method == "exact"
    for one, here, there in ((loss, p, q), (loss.reversed, q, p)):
        told, least, true = one.trade_off(alpha), one.trade_off_least(alpha), misses(here, there, alpha)
        for at, a in enumerate(alpha.tolist()):
            high = true[at] if exact else 1.0
            yield between(case, f"trade_off({a!r})", told[at], true[at], high, 10 * TIGHT + one.missing)
            low = true[at] - 1e-4 if exact else 0.0  # by what rounding and pruned mass may add to it
            yield between(case, f"trade_off_least({a!r})", least[at], low, true[at], 10 * TIGHT)


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
            yield between(case, f"delta({epsilon!r})", one.delta(epsilon), low - one.missing, delta, TIGHT)
            clear = np.abs(told - epsilon) > 1e-6 * (1 + epsilon)
            surely = float(here[(told > epsilon) & clear].sum())
            most = surely + float(here[~clear].sum()) * (epsilon > 0)
            low = surely - one.missing if exact else 0.0
            yield between(case, f"exceeds({epsilon!r})", one.exceeds(epsilon), low, most, TIGHT)
            yield between(case, "exceeds is never below δ", one.exceeds(epsilon), one.delta(epsilon), 1.0, TIGHT)
        mean = float(here[here > 0] @ told[here > 0])
        yield between(case, "mean", one.mean, mean if exact else 0.0, mean, LOOSE)
        order = float(rng.uniform(1.1, 5))
        with np.errstate(divide="ignore"):
            power = float(np.sum(np.exp(order * np.log(here) + (1 - order) * np.log(there))[here > 0]))
        renyi = math.log(power) / (order - 1) if math.isfinite(power) else math.inf
        yield between(case, f"renyi({order!r})", one.renyi(order), renyi if exact else 0.0, renyi, LOOSE * order)
    apart = hockey_stick(p, q, 0.0)
    yield between(case, "advantage", loss.advantage, apart - loss.missing if exact else 0.0, apart, TIGHT)


def largest_loss(rng: Generator) -> Iterator[Finding]:
    """The largest loss over all sets, in either direction; never above what is promised of a pure mechanism."""
    case, loss, p, q = pair(rng)
    both = log_ratio(p, q)
    true = float(np.abs(both).max())
    low = true if loss.method == "exact" else 0.0
    yield between(case, "largest", loss.largest, low, true, LOOSE + loss.error)
    if not loss.ceiling.delta:
        yield between(case, "largest, by the promise", loss.largest, 0.0, loss.ceiling.epsilon, LOOSE)
        yield between(case, "the promise", loss.ceiling.epsilon, true, math.inf, LOOSE)
    else:
        delta = max(hockey_stick(p, q, loss.ceiling.epsilon), hockey_stick(q, p, loss.ceiling.epsilon))
        yield between(case, "the promised δ", loss.ceiling.delta, delta, 1.0, TIGHT)


def new_names(rng: Generator) -> Iterator[Finding]:
    """Where names were not known a name of one world alone is never told to be covered by an ε alone."""
    k, c = int(rng.integers(1, 3)), int(rng.integers(1, 3))
    d = int(rng.integers(k + 1, 5))
    here = {f"n{i}": float(rng.integers(1, 5)) for i in range(d)}
    there = dict(here)
    for name in rng.permutation([*here, "new", "newer"])[: int(rng.integers(1, c + 1))].tolist():
        there[name] = there.get(name, 0.0) + 1
    names = [f"n{i}" for i in range(d)] + ["new", "newer"]
    told = {"monotonic": True, "contributions": c, "names_known": False}
    as_items = bool(rng.random() < 0.5)  # listed with a count of 0, or not listed at all
    worlds = [Scores({n: w.get(n, 0.0) for n in names} if as_items else w, **told) for w in (here, there)]
    if rng.random() < 0.5:
        worlds.reverse()
    whole = [Scores({n: w.values[w.labels.index(n)] if n in w.labels else 0.0 for n in names}, **told) for w in worlds]
    occurs = [{n for n, v in zip(w.labels, w.values, strict=True) if v > 0} for w in whole]
    epsilon = float(rng.choice([0.5, 1.0, 2.0]))
    if rng.random() < 0.5:
        known = mechanism(rng, k, c)
        case = described(known, *worlds)
        try:
            loss = privacy_loss(known, *worlds)
        except ParameterError as error:
            yield says(case, "the refusal does not advise names_known=False", "names_known=False" in str(error), False)
        else:
            yield about(case, "largest", loss.largest, math.inf if occurs[0] != occurs[1] else loss.largest, 0.0)
        return
    delta = float(rng.choice([1e-4, 1e-2]))
    m = (
        LimitedDomain(epsilon=epsilon, k=k, delta=delta, candidates=int(rng.integers(k, k + 4)))
        if rng.random() < 0.5
        else ThresholdCounts(epsilon=epsilon, k=k, delta=delta)
    )
    case, loss = described(m, *worlds), privacy_loss(m, *worlds)
    laws = [listed_law(m, one) for one in whole]
    answers = sorted({*laws[0], *laws[1]})
    p, q = (np.array([law.get(answer, 0.0) for answer in answers]) for law in laws)
    true = float(np.abs(log_ratio(p, q)).max())
    yield between(case, "largest", loss.largest, true if loss.method == "exact" else 0.0, true, LOOSE)
    for at in (0.0, epsilon / 2, epsilon):
        delta_at = hockey_stick(p, q, at)
        yield about(case, f"delta({at!r})", loss.delta(at), delta_at, TIGHT)
    worst = max(hockey_stick(p, q, epsilon), hockey_stick(q, p, epsilon))
    yield between(case, "the promised δ", loss.ceiling.delta, worst, delta * (1 + 1e-9))


def corners(s: Scores) -> list[Scores]:
    """Every neighbour at a corner: as many items as one person can move, each by Δ; counts stay above 0."""
    most = s.d if s.contributions is None else min(s.d, s.contributions * (1 if s.monotonic else 2))
    counts = bool((s.values >= 0).all()) and s.monotonic
    steps = set[tuple[float, ...]]()
    for sign in (1.0, -1.0) if s.monotonic else (1.0,):
        for step in itertools.product((0.0, sign) if s.monotonic else (-1.0, 0.0, 1.0), repeat=s.d):
            moving = sum(one != 0 for one in step)
            if moving <= most if s.monotonic else moving == most:
                steps.add(tuple(0.0 if counts and v + one * s.sensitivity < 0 else one for v, one in zip(s.values, step)))
    return [replace(s, values=s.values + np.array(step) * s.sensitivity) for step in sorted(steps)]


def worst_of_few(rng: Generator) -> Iterator[Finding]:
    """Of up to five items the worst neighbour is no better than any at a corner, and is what it is said to be."""
    s = scores(rng, most=4 if rng.random() < 0.6 else 5)
    m = mechanism(rng, int(rng.integers(1, s.d)), s.contributions)
    at = None if rng.random() < 0.6 else float(np.round(rng.uniform(0, m.epsilon), 3))
    neighbour, loss = worst_neighbour(m, s, at=at)
    law, case = law_of(m, s), f"{described(m, s)}, at={at}"
    if at is None and m.delta_spent:
        at = m.epsilon

    def badness(other: Scores) -> float:
        there = law_of(m, other)
        p, q = np.array(list(law.values())), np.array([there[chosen] for chosen in law])
        if at is None:
            return float(np.abs(log_ratio(p, q)).max())
        return max(hockey_stick(p, q, at), hockey_stick(q, p, at))

    told = loss.largest if at is None else max(loss.delta(at), loss.reversed.delta(at))
    true = badness(neighbour)
    yield between(case, "its own loss", told, true if loss.method == "exact" else 0.0, true, LOOSE)
    if loss.method == "exact":
        worst = max(corners(s), key=badness)
        most = badness(worst)
        yield between(f"{case}: {worst.values.tolist()}", "worst of all corners", told, most, math.inf, LOOSE)


def _wrong_law(largest: Any) -> Any:
    return property(lambda loss: 0.999 * largest.fget(loss))


FAMILIES = [
    Family(trade_off, 30, 260, [(PrivacyLoss, "trade_off", lambda f: lambda loss, alpha: f(loss, alpha) + 1e-4)]),
    Family(
        delta_and_advantage,
        25,
        200,
        [
            (PrivacyLoss, "delta", lambda f: lambda loss, epsilon: 1.001 * f(loss, epsilon)),
            (PrivacyLoss, "exceeds", lambda f: lambda loss, epsilon: f(loss, epsilon + 0.05)),
        ],
    ),
    Family(largest_loss, 25, 200, [(PrivacyLoss, "largest", _wrong_law)]),
    Family(new_names, 20, 160, [(PrivacyLoss, "largest", _wrong_law)]),
    Family(worst_of_few, 20, 250, [(PrivacyLoss, "largest", _wrong_law)]),
]
