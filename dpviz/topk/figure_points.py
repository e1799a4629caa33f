"""Figures of merit at given k or ε: every point is the law's own, without interpolation."""

from collections.abc import Sequence

import numpy as np

from dpviz.base import (
    Floats,
    Ints,
    ParameterError,
    Progress,
    Scores,
    ignore_progress,
    iterate_with_progress,
)
from dpviz.topk.figure_curve import (
    FigureCurve,
    FigureCurves,
    FigureCurvesOverK,
    combined_method,
    compute_law_figures,
)
from dpviz.topk.goal import Goal
from dpviz.topk.mechanism import TopKMechanism


def k_grid(d: int, k: int, points: int = 20) -> list[int]:
    """Values of k from 1 to well past `k`, evenly in proportion, with `k` among them.

    >>> k_grid(60, 10, points=6)
    [1, 2, 4, 8, 10, 15, 30]
    """
    highest = max(min(d - 1, max(3 * k, 10)), 1)
    spread = np.round(np.geomspace(1, highest, points)).astype(int).tolist()
    return sorted({*spread, min(k, d - 1)})


def figures_by_k(
    m: TopKMechanism,
    s: Scores,
    ks: Sequence[int] | Ints,
    *,
    events: Sequence[str] = ("top", "great", "good"),
    at_least: int | None = None,
    samples: int = 10_000,
    progress: Progress = ignore_progress,
) -> FigureCurves:
    """Several figures of merit against k, each point from its own law.

    >>> from dpviz import Canonical
    >>> m, s = Canonical(epsilon=1.0, k=1), Scores([4.0, 2.0, 0.0])
    >>> figures_by_k(m, s, [1, 2], events=["top"])["top"].value.round(3).tolist()
    [0.506, 0.506]
    """
    if not len(ks):
        raise ParameterError("ks", [], "at least one k")
    points = [m.replace(k=k) for k in ks]
    return FigureCurvesOverK(
        _curves(np.array(ks, np.int64), points, s, events, at_least, samples, progress)
    )


def figures_by_epsilon(
    m: TopKMechanism,
    s: Scores,
    epsilons: Sequence[float] | Floats,
    *,
    events: Sequence[str] = ("top", "great", "good"),
    at_least: int | None = None,
    samples: int = 10_000,
    progress: Progress = ignore_progress,
) -> FigureCurves:
    """Several figures of merit at given ε, each point from its own law.

    Parameters
    ----------
    m
        The mechanism; its own ε is ignored.
    s
        The scores to choose from.
    epsilons
        Values of ε above 0, shape (points,), at least one, in any order.
    events
        "top", "optimal", "great", "good", "share" or "hits".
    at_least
        Number of hits required, with "hits" alone.
    samples
        Number of draws for an estimated law.
    progress
        Told the fraction done; may raise `Cancelled`.

    Returns
    -------
    FigureCurves
        A curve for each of `events`, by position or name. Its `x`, `value`, `low` and `high`
        have shape (points,), in the order given.

    Raises
    ------
    ParameterError
        If there is no ε, one is out of range, or a figure is not known.

    Examples
    --------
    >>> from dpviz import Canonical
    >>> m, s = Canonical(epsilon=1.0, k=2), Scores([4.0, 2.0, 0.0])
    >>> figures_by_epsilon(m, s, [0.5, 1.0, 2.0])["top"].value.round(3).tolist()
    [0.419, 0.506, 0.665]
    """
    x = np.asarray(epsilons)
    if x.ndim != 1 or not len(x):
        raise ParameterError("epsilons", epsilons, "a list of at least one ε")
    points = [m.replace(epsilon=epsilon) for epsilon in x.tolist()]
    return FigureCurves(_curves(x.astype(float), points, s, events, at_least, samples, progress))


def _curves(
    at: Floats | Ints,
    points: Sequence[TopKMechanism],
    s: Scores,
    events: Sequence[str],
    at_least: int | None,
    samples: int,
    progress: Progress,
) -> tuple[FigureCurve, ...]:
    goals = [Goal.for_event(event, at_least=at_least) for event in events]
    rows = [
        compute_law_figures(m, s, goals, samples, part)
        for m, part in iterate_with_progress(points, progress)
    ]
    value, low, high = (np.stack(column) for column in list(zip(*rows, strict=True))[:3])
    method = combined_method([row.method for row in rows])
    return tuple(
        FigureCurve(goal.name, at, value[:, i], low[:, i], high[:, i], 0.0, method)
        for i, goal in enumerate(goals)
    )
