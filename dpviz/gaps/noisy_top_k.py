"""Noisy top-k with gap: the gaps between the noisy values come out at no further cost.

Symbols: f_i = raw scores, Δ = sensitivity, b = noise scale in units of the scores.
Invariants: gaps come from the noise that chose the items; they and all their sums are in units of
the scores. The order of the items is private too and is released.
With Gumbel noise (k = 1, the exponential mechanism) the best of the rest is Gumbel at log Z without
i, so item i leads by a logistic at u_i = f_i/b − log Σ_{j≠i} e^(f_j/b). Its log density is
1-Lipschitz in u_i, which moves by at most ε: items with gaps are ε-private, as items alone. But the
loss then ranges over 2ε, and the price ρ = ε²/8 of the exponential mechanism does not hold: between
two items that swap ε/2 the mean loss is near ε²/6.
Source: Ding, Wang, Zhang & Kifer 2019, Algorithms 2 and 3; 2023 (VLDB Journal) for Gumbel noise.
"""

from dataclasses import dataclass
from typing import ClassVar

import numpy as np
from numpy.random import Generator

from dpviz.base import (
    Floats,
    Ints,
    Mechanism,
    ParameterError,
    Progress,
    Registry,
    Scores,
    check_generator,
    check_integer,
    check_number,
    check_top_k,
    ignore_progress,
    parameter,
)
from dpviz.gaps.gap_law import GapLaw, win_by_gap_probability


@dataclass(frozen=True, eq=False)
class GapRelease:
    """One release: `items` (k,), the noisiest best first, and each item's gap to the next, (k,)."""

    items: Ints
    gaps: Floats


GAP_NOISES = {"laplace": "Laplace", "gumbel": "Gumbel (exponential mechanism)"}

GAPS: "Registry[type[NoisyTopKWithGap]]" = Registry("mechanism")


@GAPS.register(
    "noisy_top_k_with_gap",
    label="Noisy top-k with gap",
    says=(
        "Publishes the k items with the largest noisy scores. The gap of each to the next has no"
        " extra cost. Use it if the gaps matter too."
    ),
    field_names={
        "free gap": {},
        "noisy max with gap": {"k": 1},
    },
)
@dataclass(frozen=True, kw_only=True)
class NoisyTopKWithGap(Mechanism):
    """The k largest of f_i + Lap(b), in noisy order, each with its gap to the next.

    b = 2kΔ/ε, or kΔ/ε for monotonic scores. The gaps are the free gap information. For k = 1 it is
    noisy max with gap.

    Parameters
    ----------
    epsilon
        ε above 0, the total for one release of items and gaps.
    k
        How many items come out, from 1 to d − 1.
    noise
        "laplace", or "gumbel" for k = 1: the exponential mechanism with its gap.

    Raises
    ------
    ParameterError
        For parameters out of range when it is made, and for k ≥ d when it meets the scores.

    Examples
    --------
    >>> s = Scores([50.0, 20.0, 10.0])
    >>> NoisyTopKWithGap(epsilon=2.0, k=2).release(s, rng=np.random.default_rng(1)).items.tolist()
    [0, 1]
    """

    _menu: ClassVar = GAPS
    _added: ClassVar = frozenset({"noise"})
    releases_order: ClassVar[bool] = True

    epsilon: float = parameter(
        low=0.0,
        above=True,
        high=1e6,
        label="ε, the privacy budget",
        help="Total for one release of items and gaps.",
    )
    k: int = parameter(low=1, integer=True, label="k", help="The number of items in the list.")
    noise: str = parameter("laplace", choices=GAP_NOISES, label="Noise", help="Gumbel: for k = 1.")

    def __post_init__(self) -> None:
        super().__post_init__()
        if self.noise == "gumbel" and self.k > 1:
            raise ParameterError("k", self.k, "1 with Gumbel noise")

    def check_scores(self, scores: Scores) -> None:
        """Raise `ParameterError` unless 1 ≤ k ≤ d − 1."""
        check_top_k(scores, self.k)

    def scale(self, scores: Scores) -> float:
        """2kΔ_eff/ε: 2kΔ/ε, or kΔ/ε for monotonic scores; in units of the scores."""
        return 2 * scores.effective_sensitivity * self.k / self.epsilon

    def distribution(self, scores: Scores, *, progress: Progress = ignore_progress) -> GapLaw:
        """The exact law of the k items that come out.

        Parameters
        ----------
        scores
            The data, of more than k items.
        progress
            Told the fraction done; may raise `Cancelled`.

        Returns
        -------
        GapLaw
            The law of the set, and of each item's gap.

        Raises
        ------
        ParameterError
            For k ≥ d.
        """
        self.check_scores(scores)
        return GapLaw(scores, self.k, self.epsilon, self.scale(scores), progress, self.noise)

    def release(self, scores: Scores, *, rng: Generator | int) -> GapRelease:
        """One release: an illustration, as noise in double precision is not for publishing.

        Parameters
        ----------
        scores
            The data.
        rng
            The generator, or its seed.

        Returns
        -------
        GapRelease
            The items in noisy order, and their gaps in the unit of the scores.
        """
        self.check_scores(scores)
        rng = check_generator(rng)
        noisy = scores.values + getattr(rng, self.noise)(scale=self.scale(scores), size=scores.d)
        best = np.argpartition(-noisy, self.k)[: self.k + 1]
        best = best[np.argsort(-noisy[best], kind="stable")]
        return GapRelease(items=best[:-1], gaps=-np.diff(noisy[best]))

    def gap_survival(self, scores: Scores, item: int, gap: float) -> float:
        """P(one item wins with a gap above a given one), for k = 1.

        It is ∫ f(z − q_item + g) Π_{j ≠ item} F(z − q_j) dz, g = gap, q and g in noise scales.
        Right to 1e-10, relatively above 1e-280.

        Parameters
        ----------
        scores
            The data.
        item
            The item's index.
        gap
            At least 0, in the unit of the scores.

        Returns
        -------
        float
            The chance.

        Raises
        ------
        ParameterError
            For another k, an item that does not exist, and a gap below 0.

        Examples
        --------
        >>> round(NoisyTopKWithGap(epsilon=1.0, k=1).gap_survival(Scores([3.0, 3.0]), 0, 0.0), 12)
        0.5
        """
        self.check_scores(scores)
        if self.k != 1:
            raise ParameterError("k", self.k, "1 (the gap of noisy max)")
        item = check_integer("item", item, low=0, high=scores.d - 1)
        gap = check_number("gap", gap, low=0.0)
        return win_by_gap_probability(scores.values, self.scale(scores), item, gap, self.noise)
