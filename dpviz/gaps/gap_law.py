"""The law of the items that noisy top-k with gap releases, and comparisons of their gaps.

Symbols: b = noise scale as in `noisy_top_k`; levels = (f − f_[k+1])/b by rank.
Invariant: gaps tell more than any finite list of outputs, so comparisons give a lower bound.
"""

import math
import sys
from collections.abc import Iterable, Sequence

import numpy as np
from numpy.random import Generator

from dpviz.base import (
    NOISES,
    ExactLaw,
    Floats,
    Ints,
    OutcomeComparison,
    ParameterError,
    Plottable,
    Progress,
    RevealingOutput,
    Scores,
    cached_property,
    check_generator,
    check_integer,
    check_item_indices,
    ignore_progress,
    portion,
)
from dpviz.gaps.noisy_top_draws import draw_noisy_top_with_values
from dpviz.numerics.cutoff.cutoff_race import CutoffRace
from dpviz.numerics.group_race import log_win_and_lowest_value
from dpviz.numerics.item_race import item_win_probabilities

_GAPS = np.array(
    [0.0, 0.25, 0.5, 1.0, 1.5, 2.0, 3.0, 4.0, 6.0, 8.0, 12.0, 16.0]
)  # in scales of the noise


class GapLaw(ExactLaw, Plottable):
    """The law of the set of k items that noisy top-k with gap releases.

    Parameters
    ----------
    scores
        The scores to choose from.
    k
        Number of items that come out.
    epsilon
        ε of one release.
    scale
        Scale of the noise, in the unit of the scores.
    progress
        Told the fraction done; may raise `Cancelled`.
    noise
        "laplace", or "gumbel" for k = 1.
    """

    incomplete_list_probability = 0.0
    seen = "the set of items, without order and gaps"
    whole = False
    class_score = None  # no set's chance goes by its class alone

    _made_of = "scores", "scale", "k", "_levels", "_noise"

    def __init__(
        self,
        scores: Scores,
        k: int,
        epsilon: float,
        scale: float,
        progress: Progress,
        noise: str = "laplace",
    ) -> None:
        self.scores, self.scale = scores, scale
        self.k = k
        self._levels = epsilon / (2 * k) * scores.differences_from_rank(k + 1)
        self._noise = noise
        self.law = CutoffRace(self._levels, k, NOISES[noise], progress)

    @property
    def requested_count(self) -> int:
        return self.k

    @cached_property
    def _by_rank(self) -> tuple[Floats, float]:
        """P(rank r is in), and its error."""
        if self.k == 1:
            return item_win_probabilities(NOISES[self._noise], self._levels)
        return self.law.inclusion(), self.law.error

    @property
    def chances(self) -> Floats:
        """P(item is among the k), in item order."""
        return self._by_rank[0][self.scores.rank]

    @property
    def error(self) -> float:  # type: ignore[override]
        return self._by_rank[1]

    @property
    def names(self) -> Sequence[str]:
        return self.scores.names

    def draw(self, size: int, rng: Generator | int) -> Ints:
        """The items of `size` releases.

        Parameters
        ----------
        size
            Number of answers.
        rng
            The generator, or its seed.

        Returns
        -------
        Ints
            Item indices of shape (size, k), each row sorted by index.
        """
        size, rng = check_integer("size", size, low=0), check_generator(rng)
        if self._noise == "gumbel":
            return rng.choice(self.scores.d, (size, 1), p=self.chances)
        return np.sort(
            draw_noisy_top_with_values(self.scores.values, self.scale, self.k, size, rng)[0], axis=1
        )

    def log_probability(self, answer: Iterable[int]) -> float:
        chosen = check_item_indices("answer", answer, self.scores.d)
        if len(chosen) != self.k:
            raise ParameterError("answer", chosen, f"{self.k} distinct item indices")
        return self.law.log_probability(np.sort(self.scores.rank[chosen]))

    def compare_outcomes(
        self, other: "GapLaw", progress: Progress = ignore_progress
    ) -> OutcomeComparison | None:
        """For k = 1, compare the winning item together with the range in which its gap lies.

        Parameters
        ----------
        other
            The law of the same mechanism on a neighbour's data.
        progress
            Told the fraction done; may raise `Cancelled`.

        Returns
        -------
        OutcomeComparison | None
            The same outcomes with their chances in both worlds.
        """
        if self.k > 1 or 60 < self.scores.d <= 5_000:  # a privacy loss lists so many sets
            return None
        if self.scores.d > 5_000:

            def item_output(at: int) -> RevealingOutput:
                return RevealingOutput(self.scores.label(at), (at,))

            chances = self.chances, other.chances, self.error, other.error
            return OutcomeComparison(*chances, item_output, self.seen, whole=False)
        gaps = _GAPS * self.scale
        beyond = [
            law._survival(gaps, portion(progress, at, at + 0.5))
            for at, law in ((0.0, self), (0.5, other))
        ]
        p, q = (
            np.append(-np.diff(chance, axis=1), chance[:, -1:], axis=1).ravel() for chance in beyond
        )
        # below the smallest double all digits are lost
        error, other_error = (2e-10 * chance.ravel() + sys.float_info.min for chance in beyond)

        def output(at: int) -> RevealingOutput:
            item, which = divmod(at, len(gaps))
            above = f"with a gap above {gaps[which]:.4g}"
            below = f" and at most {gaps[which + 1]:.4g}" if which + 1 < len(gaps) else ""
            return RevealingOutput(f"{self.scores.label(item)} {above}{below}", (item,))

        return OutcomeComparison(
            p, q, error, other_error, output, "the item and a range of its gap", whole=False
        )

    def _survival(self, gaps: Floats, progress: Progress) -> Floats:
        values, rows = self.scores.values, []
        for item in range(len(values)):
            rows.append(
                [
                    win_by_gap_probability(values, self.scale, item, gap, self._noise)
                    for gap in gaps.tolist()
                ]
            )
            progress((item + 1) / len(values))
        return np.array(rows)


def win_by_gap_probability(
    values: Floats, scale: float, item: int, gap: float, noise: str = "laplace"
) -> float:
    """P(one item has the largest noisy value by more than `gap`): it wins with so much less."""
    level = (values - values.max()) / scale
    level[item] -= gap / scale
    return math.exp(log_win_and_lowest_value(NOISES[noise], level, np.zeros(len(level)), item)[0])
