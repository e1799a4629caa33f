"""One person's data as a change of the scores: whom to look at where nobody is named.

Symbols: a step says for every item how it moves when she is gone, in units of Δ: −1 for each of her items, and for each
item of whoever stands in her place +1 (general scores only).
Invariants: nobody counts in more items than `contributions` allow; counts never fall below 0. An average person has
Σf/N items, and the N people behind the scores are at least max f/Δ, so without N that is what is divided by.
"""

from collections.abc import Iterable

import numpy as np

from dpviz.base.arrays import Floats, Ints
from dpviz.base.errors import ParameterError
from dpviz.base.parameters import check_integer
from dpviz.base.scores import Scores
from dpviz.candidates.pool import CandidatePool
from dpviz.privacy.neighbours import possible


def most_items(scores: Scores | CandidatePool) -> int:
    """In how many items, or the runs of how many candidates, one person can count at most.

    >>> most_items(Scores([3, 2, 1])), most_items(Scores([3, 2, 1], contributions=2))
    (3, 2)
    """
    return min(scores.d, scores.contributions or scores.d)


def average_size(scores: Scores, people: int | None = None) -> int:
    """How many items an average person counts in: Σf/(Δ·people), rounded, at least 1.

    >>> average_size(Scores([9, 7, 4, 3, 2, 1], monotonic=True))  # 26 hands of at least 9 people
    3
    """
    weight = _weight(scores)
    largest = float(weight.max())
    behind = largest if people is None else people * scores.sensitivity
    share = float((weight / largest).sum()) * (largest / behind) if largest else 1.0
    return min(max(1, round(share)), most_items(scores))


def typical_items(scores: Scores, size: int) -> Ints:
    """`size` items, spread over the ranks in proportion to their scores, the best first; the same ones every time.

    Systematic sampling: an item that would be hit more than once is taken once, for certain.

    >>> typical_items(Scores([9, 7, 4, 3, 2, 1]), 3).tolist()
    [0, 1, 3]
    """
    size = check_integer("size", size, low=1, high=scores.d)
    weight = _weight(scores)[scores.order]
    if not weight.any():
        weight = np.ones(scores.d)
    certain = np.zeros(scores.d, bool)
    while True:
        left, rest = size - int(certain.sum()), np.where(certain, 0.0, weight)
        sure = (rest * left >= rest.sum()) & (rest > 0)
        if not left or not sure.any():
            break
        certain |= sure & (np.cumsum(sure) <= left)
    chosen = certain.copy()
    if left and rest.any():
        total = np.cumsum(rest)
        hit = np.searchsorted(total, (np.arange(left) + 0.5) / left * total[-1], side="right")
        chosen[np.minimum(hit, scores.d - 1)] = True
    missing = size - int(chosen.sum())  # where fewer items than asked for have any weight
    chosen[np.flatnonzero(~chosen)[:missing]] = True
    return scores.order[chosen]


def person_step(scores: Scores, items: Iterable[int], other: Iterable[int] = (), *, joins: bool = False) -> Floats:
    """How one person's data move the scores, in units of Δ.

    Parameters
    ----------
    scores
        The data.
    items
        The indices of the items that the person counts in.
    other
        Those of the person in her place, where one replaces another (general scores).
    joins
        Whether she comes on top of the data: the step is then to the data with her, else to those without.

    Returns
    -------
    Floats
        −1, 0 or 1 for each item, shape (d,).

    Raises
    ------
    ParameterError
        For an item that is not there, for too many, and for another in her place where scores are monotonic.

    Examples
    --------
    >>> s = Scores([3, 2, 0], monotonic=True)
    >>> person_step(s, [0, 2]).tolist(), person_step(s, [0, 2], joins=True).tolist()
    ([-1.0, 0.0, 0.0], [1.0, 0.0, 1.0])
    """
    hers, theirs = _checked(scores, "items", items), _checked(scores, "other", other)
    if scores.monotonic and len(theirs):
        raise ParameterError("other", theirs.tolist(), "empty where one person is added or removed")
    step = np.zeros(scores.d)
    step[hers] += 1.0 if joins and scores.monotonic else -1.0
    step[theirs] += 1.0
    return possible(scores, step)


def _checked(scores: Scores, name: str, items: Iterable[int]) -> Ints:
    found = np.array(sorted({check_integer(name, item, low=0, high=scores.d - 1) for item in items}), np.int64)
    if len(found) > most_items(scores):
        raise ParameterError(f"the number of {name}", len(found), f"at most {most_items(scores):,}")
    return found


def _weight(scores: Scores) -> Floats:
    """The scores from 0 up."""
    return np.asarray(np.maximum(scores.values - min(0.0, float(scores.values.min())), 0.0), float)
