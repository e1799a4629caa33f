"""Figures of merit of a law that was enumerated, and cases to take them of.

Symbols: reach = k, or the number of items that occur where fewer do; right = the items that score
at least the reach-th largest score; a figure is of the sets of items alone.
"""

import math
from collections.abc import Callable
from dataclasses import replace

import numpy as np
from numpy.random import Generator

from dpviz import LimitedDomain, Scores, ThresholdCounts, TopKMechanism
from tests.audit.laws import Sets, law_of, listed_law
from tests.audit.pairs import mechanism

EVENTS = ("top", "optimal", "great", "good", "share", "hits")
Figure = tuple[str, int | None, int | None]
"""The event, how many hits it wants, the item that it is about."""


def figure_of(law: Sets, s: Scores, k: int, figure: Figure) -> float:
    """A figure of merit, from every set."""
    event, at_least, item = figure
    values = s.values
    occurring = int((values > 0).sum())
    reach = k if all(len(chosen) == k for chosen in law) else min(k, max(1, occurring))
    order = np.argsort(-values, kind="stable").tolist()
    level = values[order[reach - 1]]
    above, upto = {i for i in order if values[i] > level}, {i for i in order if values[i] >= level}
    if event == "inclusion":
        return math.fsum(p for chosen, p in law.items() if item in chosen)
    if event == "share":
        best = set(order[:reach])
        return math.fsum(p * len(set(chosen) & best) for chosen, p in law.items()) / reach
    if event == "hits":
        assert at_least is not None
        return math.fsum(p for chosen, p in law.items() if len(upto & set(chosen)) >= at_least)
    if event == "optimal":
        return math.fsum(
            p for chosen, p in law.items() if len(chosen) == reach and above <= set(chosen) <= upto
        )
    first, last = {
        "top": (reach, reach),
        "great": (-(-reach // 10), reach + reach // 10),
        "good": (-(-reach // 100), reach + reach // 2),
    }[event]
    best, allowed = set(order[:first]), set(order[:last])
    return math.fsum(p for chosen, p in law.items() if best <= set(chosen) <= allowed)


def true_figure(m: TopKMechanism, s: Scores, figure: Figure) -> Callable[[float], float]:
    """The figure at an ε, by enumeration."""

    def at(epsilon: float) -> float:
        one = replace(m, epsilon=epsilon)
        law = listed_law(one, s) if m.shorter else law_of(one, s)
        return figure_of(law, s, m.k, figure) if law else 0.0  # what is refused reaches nothing

    return at


def _known(rng: Generator) -> tuple[TopKMechanism, Scores]:
    """Lists that are never shorter."""
    d = int(rng.integers(2, 6))
    values = np.round(rng.choice([3, 20, 300]) / rng.integers(1, 12, d)) + rng.integers(0, 3, d)
    few = None if rng.random() < 0.4 else int(rng.integers(1, 4))
    s = Scores(values, monotonic=bool(rng.random() < 0.7), contributions=few)
    return mechanism(rng, int(rng.integers(1, d)), few), s


def _unknown(rng: Generator) -> tuple[TopKMechanism, Scores, bool]:
    """Lists that may be shorter, and whether some counts are far above the others."""
    c, k = int(rng.integers(1, 3)), int(rng.integers(1, 4))
    if steps := bool(rng.random() < 0.5):  # those come out alone where ε is small
        d = int(rng.integers(3, 7))
        high, low = int(rng.choice([100, 600])), int(rng.choice([3, 10, 60]))
        level = np.where(np.arange(d) < rng.integers(1, d), high, low)
        counts = level - rng.integers(0, 2 + low // 5, d)
    else:
        d, size = int(rng.integers(2, 6)), float(rng.choice([4, 30, 600]))
        counts = np.maximum(np.round(size / rng.integers(1, 12, d)), rng.integers(0, 2, d))
    told = {"monotonic": bool(rng.random() < 0.8), "contributions": c, "names_known": False}
    s = Scores(counts, [f"n{i}" for i in range(d)], **told)
    delta = float(rng.choice([1e-8, 1e-6, 1e-3]))
    if rng.random() < 0.5:
        candidates = int(rng.choice([0, k, k + 2]))
        return LimitedDomain(epsilon=1.0, k=k, delta=delta, candidates=candidates), s, steps
    return ThresholdCounts(epsilon=1.0, k=k, delta=delta), s, steps


def case_of(rng: Generator, *, shorter: bool) -> tuple[TopKMechanism, Scores, Figure]:
    """A mechanism with its scores and a figure; of lists that may be shorter, or never are."""
    m, s, steps = _unknown(rng) if shorter else (*_known(rng), False)
    event = str(rng.choice(["great", "good"] if steps else [*EVENTS, "inclusion"]))
    at_least = int(rng.integers(1, m.k + 1)) if event == "hits" else None
    return m, s, (event, at_least, int(rng.integers(0, s.d)) if event == "inclusion" else None)
