"""Limited domain: the best k̄ items that occur race with one nameless item, and winners come out.

Symbols: e = ε/k; k̄ = candidates; c = the most items that one person counts in; the nameless item ⊥
stands at f_(k̄+1) + Δ + Δ·ln(min(c, k̄)/δ)/e, f_(k̄+1) = the count after the candidates, or 0. All
get gumbel noise of scale Δ/e. If one person replaces another, e is ε/(2k), with 2Δ for Δ.
Invariants: (ε, δ)-DP for the list in noisy order. k̄ never follows the scores; ties at k̄ go by
name.
Proof for the replaced (ours): let D, D' be the candidates of two neighbours, M = min(c, k̄). (1)
Items with unchanged counts keep their order, so D − D' or D' − D holds none of them, and has at
most c items. An item that leaves has f ≤ f_(k̄+1) + 2Δ, so it beats ⊥ with a chance of at most δ/M.
(2) If D' has more candidates than D, f_(k̄+1) = 0 and entering items are new, at most M. Each one
that is not paired with a leaving one changes the first world's law by at most δ/M. Together at most
M of both, hence δ. (3) In each of at most k rounds the drawn weight moves by at most e^(ε/2k), and
so does the sum of the others: e^(ε/k) a round.
Source: Durfee & Rogers 2019, Alg 1 and Thm 1, with ε for the whole list.
"""

import math
from dataclasses import dataclass

import numpy as np

from dpviz.base import NOISES, Ints, ParameterError, Scores, parameter
from dpviz.base.former_names import former_names
from dpviz.numerics.cutoff.floor import Floor
from dpviz.topk.mechanism import TOP_K
from dpviz.topk.occurring_items import (
    FlooredScores,
    OccurringItemsMechanism,
    levels_relative_to_best,
    occurring_item_count,
)


@former_names(most_candidates="candidate_limit")
@TOP_K.register(
    "limited_domain",
    label="Limited domain",
    says=(
        "Needs no list of all possible items. The best items compete with an empty one, and those"
        " that beat it are published. Use it if people count in many items."
    ),
    field_names={
        "unknown domain": {},
        "top-k from an unknown domain": {},
    },
)
@dataclass(frozen=True, kw_only=True)
class LimitedDomain(OccurringItemsMechanism):
    """At most k of the best k̄ items that occur: those that beat a nameless one.

    A name that only one person has comes out with a chance of at most δ. Lists may be shorter than
    k. More candidates lower the nameless item, at a small cost for each doubling.

    It answers top-k from an unknown domain.

    Parameters
    ----------
    epsilon
        ε above 0, the total for one release of the whole list.
    k
        Largest number of items that come out, from 1.
    delta
        δ above 0 and below 1, the cost of one release beside ε.
    candidates
        k̄, at least k: the number of best items that may come out at all; 0 for ten times k. It
        must not depend on the published scores.

    Examples
    --------
    >>> words = Scores([90, 70, 50, 1], labels=["rain", "sun", "snow", "xyzzy"], monotonic=True)
    >>> law = LimitedDomain(epsilon=1.0, k=2, delta=1e-3).distribution(words)
    >>> law.length.round(4).tolist(), law.inclusion.round(4).tolist()
    ([0.0, 0.0, 1.0], [1.0, 1.0, 0.0, 0.0])
    """

    candidates: int = parameter(
        0,
        low=0,
        integer=True,
        label="Candidates",
        help="How many of the best items can be published at all. 0 means ten times k.",
    )

    def __post_init__(self) -> None:
        super().__post_init__()
        if 0 < self.candidates < self.k:
            raise ParameterError(
                "candidates", self.candidates, f"at least k = {self.k}, or 0 for ten times k"
            )

    @property
    def candidate_limit(self) -> int:
        """k̄."""
        return self.candidates or 10 * self.k

    @property
    def exponential_rounds(self) -> int:
        return self.k

    def _ranked(self, scores: Scores) -> Scores:
        self.check_scores(scores)
        return scores.order_ties_by_name(self.candidate_limit)

    def candidates_and_levels(self, scores: Scores) -> tuple[Ints, FlooredScores]:
        """The candidates that occur, and what races: their levels, the noise and the floor."""
        ranked = self._ranked(scores)
        race = self._floored(ranked)
        return ranked.order[: len(race.levels)], race

    def _floored(self, scores: Scores) -> FlooredScores:
        limit = self.candidate_limit
        after = max(0.0, float(scores.values[scores.order[limit]])) if limit < scores.d else 0.0
        few = limit if scores.contributions is None else min(limit, scores.contributions)
        scale, items = self.epsilon / (2 * self.k), min(limit, occurring_item_count(scores))
        levels, level = levels_relative_to_best(scores, items, self.k, scale, after)
        level += self.epsilon / self.k + math.log(few / self.delta)  # Δ, or 2Δ at half the scale
        return FlooredScores(np.asarray(levels), NOISES["gumbel"], Floor(level, noisy=True))
