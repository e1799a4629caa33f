"""Worst neighbours beside every corner, and names of one world, which an ε alone never covers."""

import itertools
import math
from collections.abc import Iterator
from dataclasses import replace
from typing import Any

import numpy as np
from numpy.random import Generator

from dpviz import (
    LimitedDomain,
    ParameterError,
    PrivacyLoss,
    Scores,
    ThresholdCounts,
    privacy_loss,
    worst_neighbour,
)
from tests.audit.laws import hockey_stick, law_of, listed_law, log_ratio
from tests.audit.losses import LOOSE, TIGHT, smaller
from tests.audit.pairs import described, mechanism, scores
from tests.audit.runner import Family, Finding, about, between, says


def new_names(rng: Generator) -> Iterator[Finding]:
    """A name of one world alone is never told to be covered by an ε alone."""
    k, c = int(rng.integers(1, 3)), int(rng.integers(1, 3))
    d = int(rng.integers(k + 1, 5))
    here = {f"n{i}": float(rng.integers(1, 5)) for i in range(d)}
    there = dict(here)
    for name in rng.permutation([*here, "new", "newer"])[: int(rng.integers(1, c + 1))].tolist():
        there[name] = there.get(name, 0.0) + 1
    names = [f"n{i}" for i in range(d)] + ["new", "newer"]
    told = {"monotonic": True, "contributions": c, "names_known": False}
    as_items = bool(rng.random() < 0.5)  # listed with a count of 0, or not listed at all
    listed = [{n: w.get(n, 0.0) for n in names} if as_items else w for w in (here, there)]
    worlds = [Scores(w, **told) for w in listed]
    if rng.random() < 0.5:
        worlds.reverse()
    whole = [
        Scores({n: w.values[w.labels.index(n)] if n in w.labels else 0.0 for n in names}, **told)
        for w in worlds
    ]
    occurs = [{n for n, v in zip(w.labels, w.values, strict=True) if v > 0} for w in whole]
    epsilon = float(rng.choice([0.5, 1.0, 2.0]))
    if rng.random() < 0.5:
        known = mechanism(rng, k, c)
        case = described(known, *worlds)
        try:
            loss = privacy_loss(known, *worlds)
        except ParameterError as error:
            advised = "names_known=False" in str(error)
            yield says(case, "the refusal advises names_known=False", advised, False)
        else:
            true = math.inf if occurs[0] != occurs[1] else loss.largest
            yield about(case, "largest", loss.largest, true, 0.0)
        return
    delta = float(rng.choice([1e-4, 1e-2]))
    m: Any = ThresholdCounts(epsilon=epsilon, k=k, delta=delta)
    if rng.random() < 0.5:
        candidates = int(rng.integers(k, k + 4))
        m = LimitedDomain(epsilon=epsilon, k=k, delta=delta, candidates=candidates)
    case, loss = described(m, *worlds), privacy_loss(m, *worlds)
    laws = [listed_law(m, one) for one in whole]
    answers = sorted({*laws[0], *laws[1]})
    p, q = (np.array([law.get(answer, 0.0) for answer in answers]) for law in laws)
    true = float(np.abs(log_ratio(p, q)).max())
    least = true if loss.method == "exact" else 0.0
    yield between(case, "largest", loss.largest, least, true, LOOSE)
    for at in (0.0, epsilon / 2, epsilon):
        delta_at = hockey_stick(p, q, at)
        yield about(case, f"delta({at!r})", loss.delta(at), delta_at, TIGHT)
    worst = max(hockey_stick(p, q, epsilon), hockey_stick(q, p, epsilon))
    yield between(case, "the promised δ", loss.ceiling.delta, worst, delta * (1 + 1e-9))


def corners(s: Scores) -> list[Scores]:
    """Every neighbour that moves by Δ as many items as one person can; counts stay above 0."""
    most = s.d if s.contributions is None else min(s.d, s.contributions * (1 if s.monotonic else 2))
    counts = bool((s.values >= 0).all()) and s.monotonic
    ways = [(0.0, 1.0), (0.0, -1.0)] if s.monotonic else [(-1.0, 0.0, 1.0)]
    found = dict[tuple[float, ...], Scores]()
    for step in (np.array(step) for way in ways for step in itertools.product(way, repeat=s.d)):
        moving = int(np.count_nonzero(step))
        if moving <= most if s.monotonic else moving == most:
            below = counts & (s.values + step * s.sensitivity < 0)
            values = s.values + np.where(below, 0.0, step) * s.sensitivity
            found[tuple(values)] = replace(s, values=values)
    return list(found.values())


def worst_of_few(rng: Generator) -> Iterator[Finding]:
    """The worst neighbour is no better than any at a corner, and is what it is said to be."""
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
    exact = loss.method == "exact"
    yield between(case, "its own loss", told, true if exact else 0.0, true, LOOSE)
    if exact:
        worst = max(corners(s), key=badness)
        case = f"{case}: {worst.values.tolist()}"
        yield between(case, "worst of all corners", told, badness(worst), math.inf, LOOSE)


FAMILIES = [
    Family(new_names, 20, 160, [(PrivacyLoss, "largest", smaller)]),
    Family(worst_of_few, 20, 250, [(PrivacyLoss, "largest", smaller)]),
]
