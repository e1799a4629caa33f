"""Claims of Shekelyan & Loukides 2022 on the budget saved, on its definitions, and its misprints.

Symbols: a multiple is the smallest ε of a mechanism over that of another, at the same P(TOP).
"""

import math
from collections.abc import Mapping, Sequence
from itertools import product
from typing import Any

import numpy as np

from dpviz import Canonical, OneShot, Peeling, TopKMechanism, smallest_epsilon
from dpviz.base import NOISES, Scores
from dpviz.charts import stated_percent_text
from dpviz.data.generators import Zipf
from dpviz.export.reproduction.claims.claim import register_claim
from dpviz.export.reproduction.report_text import format_multiple
from dpviz.numerics.interval_search import bisect
from dpviz.topk import event_bounds

_ROUND = 5e-6  # of a multiple: smallest ε are found to a relative 1e-6


def _new(k: int) -> dict[str, TopKMechanism]:
    return {
        "canonical": Canonical(epsilon=1.0, k=k),
        "canonical γ=1": Canonical(epsilon=1.0, k=k, gamma=1.0),
    }


def _classical(k: int) -> dict[str, TopKMechanism]:
    return {
        "one-shot exponential": OneShot(epsilon=1.0, k=k, noise="exponential"),
        "peeling": Peeling(epsilon=1.0, k=k),
    }


def classical_to_new_epsilon_ratios(
    scores: Scores, k: int, chances: Sequence[float] = (0.9, 0.99)
) -> dict[str, float]:
    """The multiple of each classical mechanism over each new one, by reading."""
    ratios = {}
    for p in chances:
        new, classical = (
            {name: smallest_epsilon(m, scores, probability=p) for name, m in group.items()}
            for group in (_new(k), _classical(k))
        )
        for (old, theirs), (newer, ours) in product(classical.items(), new.items()):
            ratios[f"{old} against {newer}, P(TOP) ≥ {stated_percent_text(p)}"] = theirs / ours
    return ratios


def top_probability_at_epsilon_ratio(scores: Scores, k: int, multiple: float) -> float:
    """P(TOP) at which one-shot needs `multiple` times the ε of canonical γ=1, to 0.001."""
    old, new = _classical(k)["one-shot exponential"], _new(k)["canonical γ=1"]

    def needs_as_much(p: float) -> bool:
        theirs, ours = (smallest_epsilon(m, scores, probability=p) for m in (old, new))
        return theirs / ours >= multiple

    return sum(bisect(needs_as_much, 0.05, 0.999, rounds=60, tolerance=1e-3)) / 2


@register_claim("canonical.multiple_100", k=100)
@register_claim("canonical.multiple_10", k=10)
def _multiple(netflix: Scores, k: int) -> tuple[dict[str, float], dict[str, Any]]:
    ratios = classical_to_new_epsilon_ratios(netflix, k)
    ends = [end(ratios, key=lambda name: ratios[name]) for end in (min, max)]
    span = " to ".join(f"{format_multiple(ratios[name])} ({name})" for name in ends)
    return ratios, {"span": span, "error": _ROUND * max(ratios.values())}


@register_claim("canonical.multiple_1000")
def _multiple_1000(netflix: Scores) -> tuple[dict[str, float], dict[str, Any]]:
    ratios, facts = _multiple(netflix, 1000)
    p = round(top_probability_at_epsilon_ratio(netflix, 1000, 81.0), 2)
    return ratios, facts | {"p": stated_percent_text(p)}


@register_claim("canonical.sure_at_one")
def _sure_at_one(netflix: Scores) -> tuple[dict[str, float], dict[str, Any]]:
    dists = {name: m.distribution(netflix) for name, m in _new(1000).items()}
    tops = {name: dist.top for name, dist in dists.items()}
    least = min(tops, key=lambda name: tops[name])
    return {f"the lesser, {least}": tops[least]}, {
        "listed": " and ".join(f"{100 * p:.2f}\u202f% with {name}" for name, p in tops.items()),
        "error": max(dist.error for dist in dists.values()),
    }


@register_claim("canonical.movies")
def _movies(netflix: Scores) -> float:
    return float(netflix.d)


def least_top_probabilities_by_reading(
    exponents: Sequence[float], size: int = 10_000, k: int = 10
) -> dict[str, float]:
    """The least P(TOP) of four mechanisms at ε = 1, by how the total of the scores is read."""

    def unrounded(s: float) -> Scores:
        share = np.arange(1.0, size + 1) ** -s
        return Scores(1.5e8 * share / share.sum(), monotonic=True)

    readings = {
        "15⁷, rounded to counts": [Zipf(size=size, exponent=s).scores() for s in exponents],
        "1.5·10⁸, unrounded": [unrounded(s) for s in exponents],
    }
    four = (_new(k) | _classical(k)).values()
    return {
        name: min(m.distribution(scores).top for scores in read for m in four)
        for name, read in readings.items()
    }


@register_claim("canonical.zipf")
def _zipf() -> tuple[dict[str, float], Mapping[str, str]]:
    chances = least_top_probabilities_by_reading([0.04 * 25 ** (i / 24) for i in range(25)])
    totals = [f"{100 * p:.3f}\u202f% with a total of {name}" for name, p in chances.items()]
    return chances, {"listed": " and ".join(totals)}


def one_shot_epsilon_by_noise(scores: Scores, k: int, probability: float) -> dict[str, float]:
    """The ε that the one-shot mechanism needs for TOP, by noise."""
    one_shot = OneShot(epsilon=1.0, k=k)
    return {
        noise: smallest_epsilon(one_shot.replace(noise=noise), scores, probability=probability)
        for noise in NOISES
    }


def best_one_shot_noises(
    scores: Scores, ks: Sequence[int], chances: Sequence[float] = (0.5, 0.9, 0.99)
) -> dict[str, str]:
    """The noise with which one-shot needs the least ε for TOP, for each k and chance."""
    noises = {}
    for k, p in product(ks, chances):
        needs = one_shot_epsilon_by_noise(scores, k, p)
        best = min(needs, key=lambda noise: needs[noise])
        noises[f"k = {k:,}, {stated_percent_text(p)}"] = (
            best if needs["exponential"] > needs[best] * (1 + 1e-5) else "exponential"
        )
    return noises


@register_claim("canonical.best_noise")
def _best_noise(netflix: Scores) -> tuple[float, dict[str, Any]]:
    noises = best_one_shot_noises(netflix, (1, 10, 100, 1000))
    others = [
        f"{NOISES.label(noise).lower()} at {at}"
        for at, noise in noises.items()
        if noise != "exponential"
    ]
    listed = f": {', '.join(others)}" if others else ""
    return float(len(others)), {"settings": len(noises), "listed": listed}


# Definitions


@register_claim("canonical.great")
def _great() -> tuple[float, dict[str, int]]:
    first, last = event_bounds("great", np.arange(200.0, 0.0, -1.0), 100)
    return float(last), {"first": first}


_TEN = np.arange(10.0, 0.0, -1.0)  # the scores 1 to 10, of which these are chosen
_CHOSEN = np.array([10.0, 5.0, 1.0])


@register_claim("canonical.loss_of_example")
def _loss_of_example() -> float:
    ranks = (11 - _CHOSEN).astype(int)
    missing = np.flatnonzero(ranks != [1, 2, 3])[:1]
    loss = Canonical(epsilon=1.0, k=3).class_loss(_TEN, missing, ranks[-1:])
    return math.nan if loss is None else float(loss[0])


@register_claim("canonical.joint_of_example")
def _joint_of_example() -> float:
    return float((_TEN[:3] - _CHOSEN).max() / 2)


def noise_variance(noise: str) -> float:
    """The variance by the trapezoid rule over the quantile, to about 1e-3."""
    grid = np.linspace(0.0, 1.0, 400_001)[1:-1]
    return float(np.var(NOISES[noise].quantile(np.log(grid), np.log1p(-grid))))


@register_claim("canonical.least_variance")
def _least_variance() -> tuple[float, dict[str, str]]:
    variances = {noise: noise_variance(noise) for noise in NOISES}
    others = min(v for noise, v in variances.items() if noise != "exponential")
    listed = ", ".join(f"{NOISES.label(noise).lower()} {v:.2f}" for noise, v in variances.items())
    return variances["exponential"] - others, {"listed": listed}


@register_claim("canonical.classes")
def _classes() -> tuple[float, dict[str, float]]:
    d, k = 30, 12
    scores = Scores(np.arange(float(d), 0.0, -1.0))
    sizes = Canonical(epsilon=1e-6, k=k).distribution(scores).table()["size"]
    apart = abs(len(sizes) - (1 + k * (d - k))) + abs(sizes.sum() / math.comb(d, k) - 1) // 1e-9
    return float(apart), {"classes": len(sizes), "subsets": sizes.sum()}


# Misprints


@register_claim("canonical.laplace_cdf")
def _laplace_cdf() -> float:
    return float(np.exp(NOISES["laplace"].log_cdf(np.array(1.0))))


@register_claim("canonical.laplace_quantile", noise="laplace")
@register_claim("canonical.logistic_quantile", noise="logistic")
def _quantile(noise: str) -> float:
    return float(NOISES[noise].quantile(np.array(math.log(0.9)), np.array(math.log1p(-0.9))))
