"""`privacy_loss` between two neighbouring worlds, and every item's chance in both."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from dpviz.base import (
    Floats,
    Frame,
    Law,
    ParameterError,
    PrivacyCeiling,
    Progress,
    ReadOnlyArrays,
    Scores,
    TabularResult,
    ValueEquality,
    check_kind,
    check_mechanism,
    check_scores,
    ignore_progress,
    pd,
    portion,
)
from dpviz.candidates import CandidatePool
from dpviz.privacy.item_alignment import align_items
from dpviz.privacy.loss import PrivacyLoss
from dpviz.privacy.neighbours import check_neighbour
from dpviz.privacy.outcomes import comparison_loss
from dpviz.privacy.top_k_loss import item_set_loss
from dpviz.privacy.unshared_names import (
    own_items_by_world,
    own_items_loss,
    scatter_item_values,
    select_items,
)


def privacy_loss(
    mechanism: Any, scores: Any, neighbour: Any, *, progress: Progress = ignore_progress
) -> PrivacyLoss:
    """The privacy loss of one release between two neighbouring worlds.

    It is infinite where a mechanism that needs to know all names may publish one that was not known
    beforehand and that one world alone has.

    Parameters
    ----------
    mechanism
        A mechanism of any menu.
    scores, neighbour
        `Scores` that one person can turn into each other, or two of `CandidatePool` for a rule
        among private candidates. They meet by label where both have labels.
    progress
        Told the fraction done; may raise `Cancelled`.

    Returns
    -------
    PrivacyLoss
        The loss in both directions, exact where it can be, else a lower bound.

    Raises
    ------
    ParameterError
        Where they are no neighbours, a label known beforehand is in one of them only, or the
        mechanism has no exact law on them.

    Examples
    --------
    >>> from dpviz import Canonical, Scores
    >>> one, other = (Scores(votes, monotonic=True) for votes in ([5, 3, 1], [6, 3, 2]))
    >>> round(privacy_loss(Canonical(epsilon=1.0, k=1), one, other).largest, 4)
    0.3987
    """
    return NeighbourLossMeter(mechanism, scores)(neighbour, progress)


class NeighbourLossMeter:
    """The privacy loss from one world to many neighbours; its own law is made once."""

    def __init__(self, mechanism: Any, scores: Any) -> None:
        self._mechanism, self._scores = mechanism, scores
        self._law: Law | None = None

    def __call__(self, neighbour: Any, progress: Progress = ignore_progress) -> PrivacyLoss:
        mechanism = self._mechanism
        scores, neighbour = align_neighbour_pair(mechanism, self._scores, neighbour)
        if getattr(mechanism, "k", 1) is None:  # all that pass, of the items of both worlds
            mechanism = mechanism.replace(k=scores.d)
        if items := own_items_by_world(mechanism, scores, neighbour):
            return own_items_loss(mechanism, (scores, neighbour), items, progress)
        if self._law is None:
            self._law = mechanism.exact_law(scores, portion(progress, 0.0, 0.25))
        other = mechanism.exact_law(neighbour, portion(progress, 0.25, 0.5))
        return loss_between_laws(
            self._law,
            other,
            mechanism.privacy_ceiling(scores, neighbour),
            progress=portion(progress, 0.5, 1.0),
        )


def loss_between_laws(
    law: Law, other: Law, ceiling: PrivacyCeiling, *, progress: Progress = ignore_progress
) -> PrivacyLoss:
    labels = [getattr(getattr(each, "scores", None), "labels", None) for each in (law, other)]
    if None not in labels and labels[0] != labels[1]:
        raise ParameterError(
            "the laws", "other items", "of the same items in the same order: see `align_items`"
        )
    both = law.compare_outcomes(other, progress)
    if both is None:
        return item_set_loss(law, other, ceiling, progress)
    return comparison_loss(both, ceiling)


def align_neighbour_pair(mechanism: Any, scores: Any, neighbour: Any) -> tuple[Any, Any]:
    """The two worlds item by item; raises `ParameterError` where seen to be no neighbours."""
    kind = check_mechanism(mechanism).runs_on
    for name, given in (("scores", scores), ("neighbour", neighbour)):
        if kind is Scores:
            check_scores(given, name)
        else:
            check_kind(name, given, kind, f"a dpviz.{kind.__name__}")
    if kind is CandidatePool and scores.size != neighbour.size:
        raise ParameterError(
            "the number of candidates of neighbour",
            neighbour.size,
            f"{scores.size}, as in the first",
        )
    scores, neighbour = align_items(scores, neighbour)
    if kind is Scores:
        check_neighbour(scores, neighbour)
    return scores, neighbour


@dataclass(frozen=True, eq=False, repr=False)
class InclusionChances(ReadOnlyArrays, ValueEquality, TabularResult):
    """The chance of every item to come out in one world.

    Parameters
    ----------
    value, low, high
        The chances with their bounds, of shape (d,), in item order.
    draws
        Number of draws behind them; 0 where they are exact.
    names
        The names of the items.
    """

    value: Floats
    low: Floats
    high: Floats
    draws: int = 0
    names: Sequence[str] = ()

    def frame(self) -> Frame:
        """A row for each item: name, value, low, high."""
        columns = {"value": self.value, "low": self.low, "high": self.high}
        return pd.DataFrame({"name": list(self.names), **columns} if self.names else columns)

    def __repr__(self) -> str:
        told = f"{len(self.value):,} items, chances from {self.value.min():.4g} to"
        return f"InclusionChances({told} {self.value.max():.4g})"


def inclusion_with_and_without(
    mechanism: Any, scores: Any, neighbour: Any, *, progress: Progress = ignore_progress
) -> tuple[InclusionChances, InclusionChances]:
    """The chances of every item, query or candidate to come out in two worlds, with their bounds.

    Parameters
    ----------
    mechanism
        A mechanism of any menu.
    scores, neighbour
        Two worlds, one person apart, as for `privacy_loss`.
    progress
        Told the fraction done; may raise `Cancelled`.

    Returns
    -------
    tuple[InclusionChances, InclusionChances]
        The chances on `scores`, and those on `neighbour`, in the order of the items of `scores` and
        then names that only `neighbour` has. A world that lacks a name never publishes it.

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
    scores, neighbour = align_neighbour_pair(mechanism, scores, neighbour)
    items = own_items_by_world(mechanism, scores, neighbour) or (None, None)
    found = []
    for at, world, own in zip((0.0, 0.5), (scores, neighbour), items, strict=True):
        law = mechanism.distribution(
            world if own is None else select_items(world, own),
            progress=portion(progress, at, at + 0.5),
        )
        value, low, high = (
            scatter_item_values(figure, own, world.d)
            for figure in (law.chances, *law.bounds(law.chances))
        )
        names = law.names if own is None else world.names
        found.append(InclusionChances(value, low, high, law.draws, names))
    return found[0], found[1]
