"""The mean of a user's own figure of merit: a function of the chosen set, or item weights.

Symbols: f = the figure, S = the set that comes out; E f(S) = Σ f(S)·P(S), and Σ w_i·P(i is in).
Invariants: exact if the law is (and its sets can be listed, for f). Otherwise a 95 % interval from
draws: Clopper–Pearson if f says yes or no, else empirical Bernstein.
Source: Maurer & Pontil 2009, Thm 4 (empirical Bernstein).
"""

import math
from collections.abc import Callable, Mapping, Sequence
from dataclasses import asdict, dataclass
from itertools import combinations
from typing import Any, Literal

import numpy as np
from numpy.random import Generator

from dpviz.base import (
    Frame,
    ParameterError,
    Progress,
    TabularResult,
    check_generator,
    check_integer,
    check_kind,
    check_number,
    check_numbers,
    ignore_progress,
    pd,
)
from dpviz.topk.distribution import TopKDistribution
from dpviz.topk.sampled_law import CONFIDENCE, clopper_pearson

_MOST_SETS = 20_000
_LOG_ERROR = 1e-8  # of log P(S)

Figure = Callable[[tuple[int, ...]], float | bool] | Mapping[str, float] | Sequence[float]
"""f(S) of the chosen item indices, ascending; or a weight for each item, by label or in item order.
"""


@dataclass(frozen=True)
class Expected(TabularResult):
    """The mean of a figure.

    Parameters
    ----------
    value
        The mean.
    low, high
        Its bounds: the error if exact, otherwise the 95 % interval.
    method
        "exact" or "estimated".
    """

    value: float
    low: float
    high: float
    method: Literal["exact", "estimated"]

    def frame(self) -> Frame:
        """One row: value, low, high, method."""
        return pd.DataFrame([asdict(self)])


def expected(
    law: TopKDistribution,
    figure: Figure,
    *,
    between: tuple[float, float] = (0.0, 1.0),
    samples: int = 10_000,
    rng: Generator | int | None = None,
    progress: Progress = ignore_progress,
) -> Expected:
    """The mean of a user's own figure of merit over the chosen items.

    Parameters
    ----------
    law
        The distribution, as `mechanism.distribution(scores)` gives it.
    figure
        A function of the chosen item indices, an ascending tuple; or weights to add up, in item
        order or by label (missing labels weigh 0).
    between
        The smallest and largest value of the function, for an interval from draws.
    samples
        Number of draws if there are too many sets to list.
    rng
        The generator of these draws, or its seed; None for seed 0.
    progress
        Told the fraction done; may raise `Cancelled`.

    Returns
    -------
    Expected
        The mean with its bounds.

    Raises
    ------
    ParameterError
        If a weight belongs to no item, or the function leaves `between`.

    Examples
    --------
    >>> from dpviz import Canonical, Scores
    >>> votes = Scores({"zoo": 9, "lake": 14, "castle": 12, "cave": 2}, monotonic=True)
    >>> law = Canonical(epsilon=1.0, k=2).distribution(votes)
    >>> neither = expected(law, lambda chosen: not {0, 3} & set(chosen))  # none of these two
    >>> round(neither.value, 3), neither.method
    (0.759, 'exact')
    >>> round(expected(law, {"lake": 0.7, "castle": 0.3}).value, 3)
    0.901
    """
    check_kind("law", law, TopKDistribution, "a law, as mechanism.distribution(scores) gives it")
    if not callable(figure):
        return _of_weights(law, figure)
    low, high = (check_number("between", limit) for limit in between)

    def checked(chosen: tuple[int, ...]) -> float:
        found = figure(chosen)
        number = int(found) if isinstance(found, bool | np.bool_) else found
        return check_number(f"figure{chosen}", number, low=low, high=high)

    sizes = range(0 if law.law.shorter else law.k, law.k + 1)
    if law.method == "exact" and sum(math.comb(law.scores.d, size) for size in sizes) <= _MOST_SETS:
        sets = [items for size in sizes for items in combinations(range(law.scores.d), size)]
        chance = np.exp([law.log_probability(items) for items in sets])
        values = np.array([checked(items) for items in sets])
        progress(1.0)
        mean = min(max(float(values @ chance), low), high)
        error = float(np.abs(values).max()) * (_LOG_ERROR + abs(1.0 - float(chance.sum())))
        return Expected(mean, max(low, mean - error), min(high, mean + error), "exact")
    samples = check_integer("samples", samples, low=2)
    drawn = law.draw(samples, check_generator(rng, default=0))
    rows, times = np.unique(drawn, axis=0, return_counts=True)
    answers = [tuple(item for item in row if item >= 0) for row in rows.tolist()]
    progress(0.5)
    values = np.array([checked(items) for items in answers])
    progress(1.0)
    mean = min(max(float(values @ times / samples), low), high)
    if all(isinstance(figure(items), bool | np.bool_) for items in answers):
        least, most = clopper_pearson(np.array(mean * samples).round(), samples)
        return Expected(mean, float(least), float(most), "estimated")
    told = math.log(4 / (1 - CONFIDENCE))  # 2/δ for each side, with δ = half of what may be missed
    spread = float(((values - mean) ** 2) @ times / (samples - 1))
    reach = math.sqrt(2 * spread * told / samples) + 7 * (high - low) * told / (3 * (samples - 1))
    return Expected(mean, max(low, mean - reach), min(high, mean + reach), "estimated")


def _of_weights(law: TopKDistribution, weights: Any) -> Expected:
    """Σ w_i·P(i is in), each with its bounds."""
    if isinstance(weights, Mapping):
        places = {name: at for at, name in enumerate(law.names)}
        if unknown := [name for name in weights if name not in places]:
            raise ParameterError("an item of figure", unknown[0], "one of those of the scores")
        by_item = np.zeros(law.scores.d)
        by_item[[places[name] for name in weights]] = list(weights.values())
    else:
        by_item = check_numbers("figure", weights)
        if by_item.shape != (law.scores.d,):
            raise ParameterError(
                "figure", by_item.shape, f"a function, or a weight for each of {law.scores.d} items"
            )
    chance = law.inclusion
    least, most = (
        law.bounds(chance)
        if not law.draws
        else clopper_pearson(
            np.round(chance * law.draws),
            law.draws,
            1 - (1 - CONFIDENCE) / max(1, int((by_item != 0).sum())),
        )
    )
    up, down = np.maximum(by_item, 0.0), np.minimum(by_item, 0.0)
    low, high = float(up @ least + down @ most), float(up @ most + down @ least)
    return Expected(float(by_item @ chance), low, high, law.method)
