"""Guarantees of the papers for a private top-k selection, to compare with the exact law.

Symbols: x = ranked normalised scores, T = the worst rank chosen, shortfall = x_[k] − x_[T] ≥ 0 for
T > k. With probability at least 1 − α it is below scale·(offset + log(1/α)).
Source: Shekelyan & Loukides 2022, utility of canonical and of peeling with gumbel noise; signs
corrected.
"""

import math
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from dpviz.base import (
    Floats,
    Progress,
    Scores,
    check_number,
    ignore_progress,
    iterate_with_progress,
)
from dpviz.topk.canonical import Canonical
from dpviz.topk.distribution import TopKDistribution
from dpviz.topk.mechanism import TopKMechanism
from dpviz.topk.one_shot import OneShot
from dpviz.topk.peeling import Peeling


@dataclass(frozen=True)
class ShortfallGuarantee:
    scale: float
    offset: float

    def shortfall_bound(self, probability: float) -> float:
        """The bound that holds with at least this probability (above 0, below 1)."""
        return self.scale * (
            self.offset - math.log1p(-check_number("probability", probability, low=0.0, high=1.0))
        )

    def guaranteed_probability(self, shortfall: float) -> float:
        """The guaranteed probability of a shortfall below this; 0 if there is none."""
        return max(0.0, -math.expm1(min(0.0, self.offset - shortfall / self.scale)))


def shortfall_guarantee(m: TopKMechanism, d: int) -> ShortfallGuarantee | None:
    """The proved guarantee of `m` on d items, or None."""
    if isinstance(m, Canonical) and m.noise == "gumbel" and m.gamma > 0 and not m.rounded:
        return ShortfallGuarantee(2 / (m.gamma * m.epsilon), m.k * math.log(d / m.k) + m.k)
    # k exponential mechanisms with ε/k each, or their law
    if isinstance(m, Peeling | OneShot) and m.noise == "gumbel":
        return ShortfallGuarantee(2 * m.k / m.epsilon, math.log(d * m.k))
    return None


def guaranteed_top_probability(m: TopKMechanism, x: Floats) -> float | None:
    """The guaranteed chance of the true top k on ranked scores `x`; None if nothing was proved."""
    proved = shortfall_guarantee(m, len(x))
    return None if proved is None else proved.guaranteed_probability(float(x[m.k - 1] - x[m.k]))


def shortfall_quantile(dist: TopKDistribution, probability: float) -> float:
    """The smallest normalised shortfall that is not exceeded with at least this probability."""
    probability = check_number("probability", probability, low=0.0, high=1.0)
    x, k = dist.scores.ranked, dist.k
    worst = np.arange(k, len(x) + 1)
    below = np.maximum.accumulate(dist.law.within_table(np.array([0]), worst)[0])
    at = min(int(np.searchsorted(below, probability)), len(worst) - 1)
    return float(x[k - 1] - x[worst[at] - 1])


@dataclass(frozen=True)
class ShortfallCurve:
    probability: float
    epsilon: Floats
    exact: Floats
    promised: Floats | None
    most: float
    method: str


def shortfall_curve(
    m: TopKMechanism,
    s: Scores,
    epsilons: Sequence[float],
    *,
    probability: float = 0.95,
    samples: int = 10_000,
    progress: Progress = ignore_progress,
) -> ShortfallCurve:
    exact, promised, method = [], [], "exact"
    for epsilon, part in iterate_with_progress(epsilons, progress):
        at = m.replace(epsilon=float(epsilon))
        dist = at.distribution(s, samples=samples, progress=part)
        exact.append(shortfall_quantile(dist, probability))
        method = dist.method
        if (proved := shortfall_guarantee(at, s.d)) is not None:
            promised.append(proved.shortfall_bound(probability))
    unit, x = s.effective_sensitivity, s.ranked
    return ShortfallCurve(
        probability=probability,
        epsilon=np.asarray(epsilons, float),
        exact=np.array(exact) * unit,
        promised=np.array(promised) * unit if promised else None,
        most=float(x[m.k - 1] - x[-1]) * unit,
        method=method,
    )
