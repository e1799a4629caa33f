"""Every item's chance to come out with and without a person, side by side."""

from dataclasses import dataclass
from typing import Any

from dpviz.base.arrays import Floats
from dpviz.base.law import Law
from dpviz.base.progress import Progress, portion, silent
from dpviz.privacy.meter import check_pair


@dataclass(frozen=True, eq=False)
class Chances:
    """The chance of every item to come out, in one world; arrays of shape (d,), in item order.

    Parameters
    ----------
    value
        The chance.
    low, high
        Its bounds, 95 % where estimated.
    draws
        How many draws it rests on; 0 where it is exact.
    """

    value: Floats
    low: Floats
    high: Floats
    draws: int = 0

    @classmethod
    def of(cls, law: Law) -> "Chances":
        """Those of a law, with its bounds."""
        return cls(law.chances, *law.bounds(law.chances), law.draws)


def inclusion_with_and_without(
    mechanism: Any, scores: Any, neighbour: Any, *, progress: Progress = silent
) -> tuple[Chances, Chances]:
    """The chances of every item in two worlds, with their bounds.

    Items are the k chosen, queries that are answered, or candidates.

    Parameters
    ----------
    mechanism
        A mechanism of any menu.
    scores, neighbour
        The two worlds: `Scores`, or two of `CandidatePool` for a rule among candidates.
    progress
        Told the fraction done; may raise `Cancelled`.

    Returns
    -------
    tuple[Chances, Chances]
        The chances on `scores`, and those on `neighbour`.

    Raises
    ------
    ParameterError
        As `privacy_loss`.

    Examples
    --------
    >>> from dpviz import Canonical, Scores
    >>> s, t = (Scores([top, 0.0], monotonic=True) for top in (1.0, 2.0))
    >>> with_, without = inclusion_with_and_without(Canonical(epsilon=1.0, k=1), s, t)
    >>> with_.value.round(4).tolist(), without.value.round(4).tolist()
    ([0.6225, 0.3775], [0.7311, 0.2689])
    """
    check_pair(mechanism, scores, neighbour)
    return (
        Chances.of(mechanism.distribution(scores, progress=portion(progress, 0.0, 0.5))),
        Chances.of(mechanism.distribution(neighbour, progress=portion(progress, 0.5, 1.0))),
    )
