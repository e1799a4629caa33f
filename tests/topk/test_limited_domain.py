import math
from itertools import islice
from typing import cast

import numpy as np
import pytest

from dpviz import NOISES, LimitedDomain, Scores, TopKMechanism
from dpviz.numerics.cutoff.floor import Floor
from dpviz.topk.occurring_items import FlooredScores
from tests.shorter_contract import ShorterContract
from tests.topk.lists import Answers, Counts, delta_between, limited_domain, pairs, scores_of


class TestLimitedDomain(ShorterContract):
    examples = [
        LimitedDomain(epsilon=1.5, k=2, delta=0.01, candidates=3),
        LimitedDomain(epsilon=0.3, k=1, delta=0.01),
        LimitedDomain(epsilon=2.0, k=3, delta=1e-3, candidates=3),
    ]

    def definition(
        self, m: TopKMechanism, counts: Counts, c: int | None, replaced: bool
    ) -> Answers:
        m = cast(LimitedDomain, m)
        return limited_domain(
            counts, m.k, m.candidate_limit, m.epsilon, m.delta, c, replaced=replaced
        )

    def worst_pair(self, m: TopKMechanism) -> tuple[Counts, Counts, int]:
        return {"a": 0}, {"a": 0, "b": 1}, 1  # a name of hers alone


class WithoutOne(LimitedDomain):
    """⊥ without the count that one person adds."""

    def _floored(self, scores: Scores) -> FlooredScores:
        levels, noise, floor = super()._floored(scores)
        return FlooredScores(levels, noise, Floor(floor.level - self.epsilon / self.k, noisy=True))


class ForOneItem(LimitedDomain):
    """⊥ as if one person counted in one item."""

    def _floored(self, scores: Scores) -> FlooredScores:
        levels, noise, floor = super()._floored(scores)
        few = min(self.candidate_limit, scores.contributions or self.candidate_limit)
        return FlooredScores(levels, noise, Floor(floor.level - math.log(few), noisy=True))


class Halved(LimitedDomain):
    """For the replaced half of ε an item, and nothing else."""

    def _floored(self, scores: Scores) -> FlooredScores:
        levels, _, floor = super()._floored(scores)
        less = 0.0 if scores.monotonic else self.epsilon / (2 * self.k)
        return FlooredScores(levels, NOISES["gumbel"], Floor(floor.level - less, noisy=True))


class ByInput(LimitedDomain):
    """Ties at k̄ in the order of the file."""

    def _ranked(self, scores: Scores) -> Scores:
        return scores


@pytest.mark.parametrize(
    ("twin", "c", "replaced"), [(WithoutOne, 1, False), (ForOneItem, 3, False), (Halved, 1, True)]
)
def test_a_twin_with_a_lower_floor_passes_delta(
    twin: type[LimitedDomain], c: int, replaced: bool
) -> None:
    """At a pair of neighbours where the mechanism itself keeps to δ; the contract looks for others."""
    kinds = (twin, LimitedDomain)
    broken, sound = (kind(epsilon=0.3, k=1, delta=0.01, candidates=4) for kind in kinds)
    for one, other in islice(pairs(np.random.default_rng(2), c, replaced=replaced), 100):
        names = sorted({*one, *other})
        worlds = [scores_of(w, c=c, replaced=replaced, names=names) for w in (one, other)]
        if delta_between(broken, *worlds) > 0.0101:
            assert delta_between(sound, *worlds) <= 0.01
            return
    pytest.fail("no pair shows it")


def test_ties_in_the_order_of_a_file_that_follows_its_counts_pass_delta() -> None:
    """All tie at k̄ = 4: one person more, and the file comes the other way round."""
    kinds = (LimitedDomain, ByInput)
    sound, leaky = (kind(epsilon=0.3, k=1, delta=0.01, candidates=4) for kind in kinds)
    here = dict.fromkeys("abcdefgh", 3)
    one = scores_of(here, c=1, names=list("abcdefgh"))
    other = scores_of({**here, "h": 4}, c=1, names=list("hgfedcba"))
    assert delta_between(leaky, one, other) > 0.0101
    assert delta_between(sound, one, other) <= 0.01
