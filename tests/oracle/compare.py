"""Figures of dpviz beside the truth, one `Gap` each, not blamed on the oracle's own radius."""

import math
from collections.abc import Iterator
from dataclasses import dataclass
from itertools import combinations
from typing import Any

import numpy as np
from flint import arb

from dpviz import Scores, TopKMechanism
from tests.oracle.balls import exact
from tests.oracle.top_k import Truth, ranked, truth

EVENTS = ("top", "great", "good", "optimal")


@dataclass(frozen=True)
class Gap:
    """|figure − truth| at least, and the error stated for it."""

    figure: str
    told: float
    true: float
    error: float
    bound: float
    case: Any = None

    @property
    def ratio(self) -> float:
        """True error over stated error."""
        return self.error / self.bound if self.bound else math.inf if self.error else 0.0


def gap(figure: str, told: float, true: arb, bound: float, case: Any = None) -> Gap:
    """The least distance that the ball leaves possible."""
    assert true.is_finite(), (figure, case)
    assert math.isfinite(told) or figure.startswith("log P"), (figure, told, case)
    if not math.isfinite(told):
        return Gap(figure, told, float(true), math.inf, bound, case)
    error = float(abs(arb(exact(told)) - true).abs_lower())
    return Gap(figure, told, float(true), error, bound, case)


def event_bounds(name: str, x: list[Any], k: int) -> tuple[int, int]:
    """(a, b) of a named event as mechanisms.md 3 has it."""
    if name == "optimal":
        return sum(v > x[k - 1] for v in x), sum(v >= x[k - 1] for v in x)
    great, good = (-(-k // 10), k + k // 10), (-(-k // 100), k + k // 2)
    a, b = {"top": (k, k), "great": great, "good": good}[name]
    return a, min(b, len(x))


def top_k_gaps(m: TopKMechanism, s: Scores) -> Iterator[Gap]:
    """Named events with intervals, some within(a, b), inclusion, classes of an exact law."""
    dist = m.distribution(s, samples=20)
    if dist.method != "exact":
        return
    law, (x, order) = truth(m, s), ranked(s)
    k, d, case = m.k, s.d, (m, s.values.tolist(), s.sensitivity, s.monotonic)
    named = [event_bounds(name, x, k) for name in EVENTS]
    ends = {(1, min(k + 1, d)), (k // 2, min(2 * k, d))}
    some = sorted({(0, k), *ends, (k - 1, d), (0, d - 1), (k, d)})
    true = law.within([*named, *some])
    for name, p in zip(EVENTS, true, strict=False):
        yield gap(name, dist.event_probability(name), p, dist.error, case)
        low, high = dist.interval(name)
        yield gap(f"low of {name}", low, arb(exact(low)).min(p), 0.0, case)
        yield gap(f"high of {name}", high, arb(exact(high)).max(p), 0.0, case)
    for (a, b), p in zip(some, true[len(EVENTS) :], strict=True):
        yield gap(f"within({a},{b})", dist.within(a, b), p, dist.error, case)
    shown = sorted({*range(d if d <= 6 else 1), k - 1, k, d - 1})
    for rank, p in zip(shown, law.inclusion(shown), strict=True):
        told = float(dist.inclusion[order[rank]])
        yield gap(f"inclusion of rank {rank + 1}", told, p, dist.error, case)
    yield from _class_gaps(dist, law, case)


def _class_gaps(dist: Any, law: Truth, case: Any) -> Iterator[Gap]:
    """Listed classes one by one, and the mass not listed."""
    if law.k * (law.d - law.k) > law.most_classes:
        return
    classes, rest = zip(dist.h.tolist(), dist.t.tolist(), strict=True), arb(0)
    told = dict(zip(classes, dist.probability.tolist(), strict=True))
    for c, p in law.classes.items():
        if c in told:
            yield gap(f"class {c}", told[c], p, dist.error, case)
        else:
            rest += p
    yield gap("mass not listed", 0.0, rest, dist.missing, case)


WIDEST = 2_000  # between the levels, for log P


def log_gaps(m: TopKMechanism, s: Scores, sets: int, rng: np.random.Generator) -> Iterator[Gap]:
    """log P of sets, right to 1e-9 and 1e-12 of itself, where levels lie within `WIDEST`."""
    dist = m.distribution(s, samples=20)
    if dist.method != "exact":
        return
    law, (_, order) = truth(m, s), ranked(s)
    if law.spread > WIDEST:
        return
    k, d = m.k, s.d
    asked = {tuple(range(k)), tuple(range(d - k, d)), (*range(k - 1), d - 1), (*range(k - 1), k)}
    if math.comb(d, k) <= sets:
        asked = set(combinations(range(d), k))
    while len(asked) < min(sets, math.comb(d, k)):
        asked.add(tuple(sorted(rng.choice(d, k, replace=False).tolist())))
    for ranks in sorted(asked):
        true = law.log_probability(ranks)
        items = sorted(order[rank] for rank in ranks)
        bound = 1e-9 + 1e-12 * abs(float(true))
        case = (m, s.values.tolist(), s.sensitivity, s.monotonic, items)
        yield gap(f"log P{items}", dist.log_probability(items), true, bound, case)


def outside(gaps: Iterator[Gap]) -> list[Gap]:
    """The gaps that pass their bound."""
    return [g for g in gaps if not g.error <= g.bound]
