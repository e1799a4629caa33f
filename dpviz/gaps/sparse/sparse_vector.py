"""Sparse vector with gap, plain and adaptive.

Symbols: as in `mechanism`; ε1 = the rate of the noise of the cheapest answer, ε2 = 2·ε1.
Invariants: an answer of rate ε' costs c·ε', c = 2 (monotonic: 1); the adaptive one has 2k units of
c·ε1 and stops when it cannot pay two, so it gives at most 2k − 1 answers, the plain one at most k.
Source: Ding, Wang, Zhang & Kifer 2019, Algorithms 1 and 4; the split of Lyu, Su & Li 2017.
"""

import math
from dataclasses import dataclass
from typing import ClassVar

from dpviz.base import parameter
from dpviz.gaps.sparse.mechanism import THRESHOLD, ThresholdMechanism
from dpviz.gaps.sparse.run_plan import Branch


@THRESHOLD.register(
    "sparse_vector",
    label="Sparse vector with gap",
    says=(
        "Answers whether each query lies above the threshold, until k of them do. Other queries"
        " cost nothing. Use it for many queries of which few lie above."
    ),
    field_names={
        "SVT": {},
        "sparse vector technique": {},
        "AboveThreshold": {"k": 1},
    },
)
@dataclass(frozen=True, kw_only=True)
class SparseVector(ThresholdMechanism):
    """Says which queries exceed T until it has done so k times.

    A query passes where f_i/Δ + Lap(1/ε1) ≥ T/Δ + Lap(1/ε0). Each answer comes with its gap, at no
    further cost. ε = ε0 + 2k·ε1 (monotonic ε0 + k·ε1).
    It is the sparse vector technique (SVT). For k = 1 it is AboveThreshold.

    Parameters
    ----------
    epsilon
        ε above 0, the total for one release of all answers.
    k
        The most answers, from 1 to n.
    threshold
        T, public, in the unit of the scores.
    split
        The division of ε between threshold and answers: "optimal", "even", or the pair (ε0, ε1).
    monotonic
        Whether the scores are, so that answers cost half.

    Examples
    --------
    >>> from dpviz import Scores
    >>> v = SparseVector(epsilon=1.0, k=2, threshold=3.0, split="even")
    >>> v.distribution(Scores([5, 1, 3, 4, 9])).answer_count_probabilities.round(4).tolist()
    [0.0268, 0.118, 0.8552]
    """

    @property
    def units(self) -> int:
        """k: every answer costs one unit."""
        return self.k

    def branches(self) -> tuple[Branch, ...]:
        return (Branch("answer", "T", self.epsilon1, 0.0, 1),)


_UPPER = ("top", "second", "third")  # branches above the last, the cheapest first


@THRESHOLD.register(
    "adaptive_sparse_vector",
    label="Adaptive sparse vector with gap",
    says=(
        "Pays less for a query far above the threshold, so it can give more answers. Use it if many"
        " queries lie far above."
    ),
    field_names={
        "adaptive SVT": {},
    },
)
@dataclass(frozen=True, kw_only=True)
class AdaptiveSparseVector(ThresholdMechanism):
    """A sparse vector that pays less for queries far above the threshold, so it gives more answers.

    First f_i/Δ + Lap(1/ε1) against T/Δ + Lap(1/ε0) + σ (the top branch, one unit), then with
    Lap(1/ε2) against the same without σ (the middle branch, two units); σ = 2√2/ε1 is two standard
    deviations, in units of Δ. ε = ε0 + 4k·ε1 (monotonic ε0 + 2k·ε1), also for a pair (ε0, ε1).
    Each further branch halves the cheapest answer: with m branches ε = ε0 + 2^m·k·ε1.
    It is the adaptive SVT.

    Parameters
    ----------
    epsilon
        ε above 0, the total for one release of all answers.
    k
        The number of answers that the budget is made for, from 1 to n. Up to 2k − 1 come out, and
        with m branches up to 2^(m − 1)·(k − 1) + 1.
    threshold
        T, public, in the unit of the scores.
    split
        The division of ε between threshold and answers: "optimal", "even", or the pair (ε0, ε1).
    monotonic
        Whether the scores are, so that answers cost half.
    branch_count
        From 2 to 4 branches; each costs twice the one before it.
    deviations
        σ of every branch but the last, in standard deviations of its noise, from 0 to 10.

    Examples
    --------
    >>> a = AdaptiveSparseVector(epsilon=1.0, k=1, threshold=25.0, split="even")
    >>> a.epsilon0, a.epsilon1, a.epsilon2, round(a.sigma, 3)
    (0.5, 0.125, 0.25, 22.627)
    """

    _added: ClassVar = frozenset({"branch_count", "deviations"})

    branch_count: int = parameter(
        2, low=2, high=4, integer=True, label="Branches", help="Each costs half the next one."
    )
    deviations: float = parameter(
        2.0, low=0.0, high=10.0, label="σ in standard deviations", help="The start of a branch."
    )

    @property
    def units(self) -> int:
        """2k: an answer of the top branch costs one unit, of the middle branch two (of m: 2^(m−1))."""
        return self.k << (self.branch_count - 1)

    @property
    def epsilon2(self) -> float:
        """The rate of the middle branch's noise."""
        return self.branches()[-1].rate

    @property
    def sigma(self) -> float:
        """The start of the top branch above the noisy threshold, in units of Δ."""
        return self.deviations * math.sqrt(2) / self.epsilon1

    def branches(self) -> tuple[Branch, ...]:
        costs = [1 << level for level in range(self.branch_count)]
        names = [*_UPPER[: self.branch_count - 1], "middle"]
        return tuple(
            Branch(
                name,
                name[0].upper() if level else "H",
                self.epsilon1 * cost,
                0.0 if name == "middle" else self.sigma / cost,
                cost,
            )
            for level, (name, cost) in enumerate(zip(names, costs, strict=True))
        )
