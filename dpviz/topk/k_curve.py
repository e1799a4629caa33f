"""A figure of merit against k at one ε: what asking for more items costs.

Invariants: every point is the law's own figure at that k, with its bounds; nothing is interpolated.
"""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from dpviz.base.arrays import Floats, Ints
from dpviz.base.errors import ParameterError
from dpviz.base.parameters import check_integer
from dpviz.base.progress import Progress, portion, silent
from dpviz.base.scores import Scores
from dpviz.topk.budget import Goal
from dpviz.topk.mechanism import TopKMechanism

__all__ = ["KCurve", "figures_by_k", "spread_of_k"]


@dataclass(frozen=True)
class KCurve:
    """A figure at several k: arrays of shape (number of k,)."""

    event: str
    k: Ints
    value: Floats
    low: Floats
    high: Floats
    method: str


def spread_of_k(d: int, k: int, points: int = 20) -> list[int]:
    """Values of k from 1 to well past `k`, evenly in proportion, with `k` among them.

    >>> spread_of_k(60, 10, points=6)
    [1, 2, 4, 8, 10, 15, 30]
    """
    highest = max(min(d - 1, max(3 * k, 10)), 1)
    spread = np.round(np.geomspace(1, highest, points)).astype(int).tolist()
    return sorted({*spread, min(k, d - 1)})


def figures_by_k(
    m: TopKMechanism,
    s: Scores,
    ks: Sequence[int],
    *,
    events: Sequence[str] = ("top", "great", "good"),
    at_least: int | None = None,
    samples: int = 10_000,
    progress: Progress = silent,
) -> tuple[KCurve, ...]:
    """Several figures at each of `ks`; `m.k` is ignored. As `utility_curves`, over k.

    >>> from dpviz import Canonical
    >>> curve, = figures_by_k(Canonical(epsilon=1.0, k=1), Scores([4.0, 2.0, 0.0]), [1, 2], events=["top"])
    >>> curve.value.round(3).tolist()
    [0.506, 0.506]
    """
    if not ks:
        raise ParameterError("ks", list(ks), "at least one k")
    goals = [Goal.of(event, at_least=at_least) for event in events]
    value, low, high = (np.empty((len(ks), len(goals))) for _ in range(3))
    methods = set()
    for row, k in enumerate(ks):
        part = portion(progress, row / len(ks), (row + 1) / len(ks))
        dist = m.replace(k=check_integer("k", k, low=1)).distribution(s, samples=samples, progress=part)
        value[row] = [goal.figure(dist) for goal in goals]
        low[row], high[row] = dist.bounds(value[row])
        methods.add(dist.method)
        part(1.0)
    method = "estimated" if "estimated" in methods else "exact"
    at = np.asarray(ks, np.int64)
    return tuple(KCurve(goal.name, at, value[:, i], low[:, i], high[:, i], method) for i, goal in enumerate(goals))
