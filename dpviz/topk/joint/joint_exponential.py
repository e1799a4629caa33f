"""Joint exponential mechanism: one exponential mechanism over all answers of k items at once.

Symbols: x = ranked scores / effective sensitivity; loss(y) = max_l (x_[l] − y_l)/2, with y_l the
l-th largest score of a set, or the l-th entry of an ordered list; P(y) ∝ e^(−ε/2·loss(y)).
Invariants: the loss has sensitivity 1 in x, so the answer (and the order of a list) is ε-DP.
Source: Gillenwater et al. 2022 (lists); Joseph et al. 2021 and Shekelyan & Loukides 2022, A.24
(sets).
"""

import math
from collections.abc import Callable
from dataclasses import dataclass
from typing import ClassVar, Literal

import numpy as np
from numpy.random import Generator

from dpviz.base import (
    Floats,
    Ints,
    ParameterError,
    Progress,
    Scores,
    check_generator,
    check_integer,
    ignore_progress,
    parameter,
    portion,
)
from dpviz.topk.joint import ordered_choices
from dpviz.topk.joint.bounded_paths import UniformSetSampler
from dpviz.topk.joint.level_distribution import (
    ANSWERS,
    draw_distinct_reaches_and_indices,
    list_loss_levels,
    sampling_envelope,
)
from dpviz.topk.joint.level_law import SequenceLaw, SetLaw
from dpviz.topk.joint.loss_levels import LevelEnvelope, WorkLimitExceeded, counts_within_gap_by_rank
from dpviz.topk.law import Draw, RankLaw, row_chunks
from dpviz.topk.mechanism import TOP_K, TopKMechanism

# states that a pass may visit, for the law to be exact
_MOST_STATES = {"sets": 20_000_000, "sequences": 30_000_000}
# log of the factor by which N may grow within a stretch: nearly two draws in three are kept
_TOGETHER = 1.0
# than are kept on average are proposed, as every stretch that is opened again is counted again
_MORE = 1.1
_CELLS = 1 << 20  # reaches computed at once
_LEAST = 1e-307  # a quarter of the smallest ε must not be 0
_DRAWN = 1 << 21  # reaches computed at once in draws
_EXCESS = 1.0  # of the envelope of sets: a rejected set costs less than another count


@TOP_K.register(
    "joint",
    label="Joint exponential",
    says=(
        "Judges a whole list by the one place that falls furthest short. Use it if every place must"
        " be good."
    ),
)
@dataclass(frozen=True, kw_only=True)
class JointExponential(TopKMechanism):
    """The exponential mechanism with loss max_l (x_[l] − y_l)/2 over all sets or lists of k items.

    The law is exact if a pass over the levels of the loss visits at most 20 million states (sets)
    or 30 million (lists); otherwise it is estimated. Draws are always exact.

    Parameters
    ----------
    epsilon
        ε above 0, the total for one release of all k items.
    k
        Number of items that come out, from 1 to d − 1.
    over
        "sets" weighs each set once, "sequences" each order of it; take sequences to publish an
        order.

    Examples
    --------
    >>> from dpviz import Scores
    >>> s = Scores([2.0, 1.0, 0.0])
    >>> round(JointExponential(epsilon=2.0, k=2, over="sequences").distribution(s).top, 6)
    0.451863
    """

    heavy: ClassVar[bool] = True

    over: Literal["sets", "sequences"] = parameter(
        "sets",
        choices={name: kind.label for name, kind in ANSWERS.items()},
        label="Over",
        help=(
            "With ordered lists each order of a set has its own weight, with sets there is one"
            " weight. Use ordered lists if the order is published."
        ),
    )

    @property
    def releases_order(self) -> bool:  # type: ignore[override]
        """True if the order of the answer is private too: `sample_ordered` gives it."""
        return self.over == "sequences"

    @property
    def exponential_rounds(self) -> int:
        return 1

    def _gaps(self, scores: Scores) -> tuple[Floats, float]:
        """(x, rate): raw scores, whose gaps are exact, with e^(−ε/2·loss) = e^(−rate·gap)."""
        raw, unit = scores.rescaled_scores_and_sensitivity
        return raw, max(self.epsilon / 4 / unit, _LEAST)

    def _law(self, scores: Scores, progress: Progress) -> RankLaw | None:
        x, rate = self._gaps(scores)
        most = _MOST_STATES[self.over]
        try:
            levels = list_loss_levels(
                x,
                self.k,
                rate,
                ANSWERS[self.over],
                work_limit=most,
                progress=portion(progress, 0.0, 0.7),
            )
            if self.over == "sets":
                return SetLaw(x, self.k, rate, levels, progress)
            law = SequenceLaw(x, self.k, rate, levels, progress, most)
            law.error  # noqa: B018 — finds out whether the chain is affordable
        except WorkLimitExceeded:
            return None
        return law

    def _sampler(self, scores: Scores, progress: Progress) -> Draw:
        if self.over == "sequences":
            ordered = self._ordered(scores, progress)
            return lambda size, rng: np.sort(ordered(size, rng), axis=1)
        x, rate = self._gaps(scores)
        known = sampling_envelope(
            x, self.k, rate, ANSWERS["sets"], progress=progress, excess=_EXCESS
        )
        return JointSetSampler(x, self.k, known, progress)

    def _ordered(
        self, scores: Scores, progress: Progress = ignore_progress
    ) -> Callable[[int, Generator], Ints]:
        (x, rate), kind, k = self._gaps(scores), ANSWERS["sequences"], self.k
        known = sampling_envelope(x, k, rate, kind, progress=progress)

        def draw(size: int, rng: Generator) -> Ints:
            out = np.empty((size, k), np.int64)
            for part in row_chunks(size, k, _DRAWN):
                reached, back = draw_distinct_reaches_and_indices(
                    x, k, known, kind, part.stop - part.start, rng
                )
                out[part] = ordered_choices.draw_ordered_choices(reached[back], rng)
            return out

        return draw

    def sample_ordered(self, scores: Scores, size: int = 1, *, rng: Generator | int) -> Ints:
        """Independent ordered lists; over sequences only, as ε covers their order.

        Parameters
        ----------
        scores, size, rng
            As in `sample`.

        Returns
        -------
        Ints
            Item indices of shape (size, k), the first entry of each list first.

        Raises
        ------
        ParameterError
            Over sets, whose order would leak.

        Examples
        --------
        >>> m = JointExponential(epsilon=50.0, k=2, over="sequences")
        >>> m.sample_ordered(Scores([0.0, 9.0, 5.0]), rng=np.random.default_rng(1)).tolist()
        [[1, 2]]
        """
        if not self.releases_order:
            raise ParameterError("over", self.over, "sequences for an ordered answer")
        size = check_integer("size", size, low=0)
        rng = check_generator(rng)
        self.check_scores(scores)
        return scores.order[self._ordered(scores)(size, rng)]


@dataclass(frozen=True)
class JointSetSampler:
    """draw(size, rng): 0-based ranks, ascending along each row, shape (size, k)."""

    x: Floats
    k: int
    known: LevelEnvelope
    progress: Progress

    def __call__(self, size: int, rng: Generator) -> Ints:
        known = self.known.merge_stretches(_TOGETHER)
        kept = math.exp(
            0.5 * (self.known.log_total_weight_low + self.known.log_total_weight_high)
            - known.log_total_weight_high
        )
        parts: list[Ints] = [np.empty((0, self.k), np.int64)]
        there = 0
        while there < size:
            sets = self._some(known, math.ceil(_MORE * (size - there) / kept), rng)
            parts.append(sets[: size - there])
            there += len(parts[-1])
        return np.concatenate(parts)

    def _some(self, known: LevelEnvelope, size: int, rng: Generator) -> Ints:
        """The accepted ones of `size` proposals, in the order of the proposals."""
        x, k = self.x, self.k
        at, gap = known.draw_stretches_and_gaps(size, rng)
        sets, kept = np.empty((size, k), np.int64), np.zeros(size, bool)
        stretches, back = np.unique(at, return_inverse=True)
        end = known.end[stretches]
        widest = np.where(np.isfinite(end), np.nextafter(end, -np.inf), x[0] - x[-1])
        for number, reached in enumerate(counts_within_gap_by_rank(x, k, widest)):
            self.progress(1.0)  # a stretch may take a tenth of a second
            rows = np.flatnonzero(back == number)
            choices = UniformSetSampler(reached)
            log_share = choices.log_count - known.high[stretches[number]]  # N over its bound
            rows = rows[np.log1p(-rng.random(len(rows))) <= log_share]
            sets[rows] = choices.draw_rank_sets(len(rows), rng)
            # kept if its gap is at most g, with chance N(g)/N(widest), so loose bounds do no harm
            for part in np.split(rows, range(_CELLS // k + 1, len(rows), _CELLS // k + 1)):
                kept[part] = (sets[part] < counts_within_gap_by_rank(x, k, gap[part])).all(axis=1)
        return sets[kept]
