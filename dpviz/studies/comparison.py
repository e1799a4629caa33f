"""Mechanisms side by side on the same scores, in Python."""

from collections.abc import Sequence
from dataclasses import dataclass

from dpviz.base import (
    Frame,
    ParameterError,
    Progress,
    Scores,
    TabularResult,
    check_several,
    ignore_progress,
    iterate_with_progress,
    pd,
)
from dpviz.base.live_figure import LiveResult
from dpviz.studies.design import Design
from dpviz.topk import TopKDistribution, TopKMechanism
from dpviz.topk.mechanism import check_top_k_mechanism

_MOST = 6


@dataclass(frozen=True)
class Comparison(TabularResult, LiveResult):
    """Laws of several mechanisms on the same scores, at one ε and one k; `compare` makes it.

    Parameters
    ----------
    laws
        The law of each mechanism, in the order given.
    """

    laws: tuple[TopKDistribution, ...]

    @property
    def designs(self) -> tuple[Design, ...]:
        """The mechanisms without their ε and k."""
        return tuple(Design(mechanism=law.mechanism) for law in self.laws)

    def frame(self) -> Frame:
        """The figures of merit of each: design, figure, value, low, high, method."""
        frames = [
            law.frame().assign(design=design.label)
            for law, design in zip(self.laws, self.designs, strict=True)
        ]
        return pd.concat(frames)[["design", *frames[0].columns[:-1]]].reset_index(drop=True)


def compare(
    mechanisms: Sequence[TopKMechanism], scores: Scores, *, progress: Progress = ignore_progress
) -> Comparison:
    """Compare mechanisms on the same scores, at one ε and one k.

    Parameters
    ----------
    mechanisms
        One to six mechanisms with the same ε and k.
    scores
        The scores.
    progress
        Called with the fraction done; may raise `Cancelled`.

    Returns
    -------
    Comparison
        Their laws, with a table and a live figure.

    Raises
    ------
    ParameterError
        For mechanisms that differ in ε or k, and for scores that a mechanism cannot choose from.

    Examples
    --------
    >>> from dpviz import OneShot, Peeling
    >>> both = compare([Peeling(epsilon=1.0, k=1), OneShot(epsilon=1.0, k=1)], Scores([4.0, 0.0]))
    >>> both.frame().query("figure == 'top'")[["design", "value"]].round(3).values.tolist()
    [['Peeling', 0.881], ['One-shot', 0.881]]
    """
    allowed = "a list of mechanisms for k items"
    mechanisms = [
        check_top_k_mechanism(one) for one in check_several("mechanisms", mechanisms, allowed)
    ]
    if not 1 <= len(mechanisms) <= _MOST:
        raise ParameterError("the number of mechanisms", len(mechanisms), f"from 1 to {_MOST}")
    for name in ("epsilon", "k"):
        values = [getattr(one, name) for one in mechanisms]
        if len(set(values)) > 1:
            raise ParameterError(name, values, "the same for all mechanisms")
    return Comparison(
        tuple(
            mechanism.distribution(scores, progress=part)
            for mechanism, part in iterate_with_progress(mechanisms, progress)
        )
    )
