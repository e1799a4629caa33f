"""Broken twins for the menus beside top-k, and the tests of their contract that they fail."""

import inspect
from typing import Any

import numpy as np
import pytest
from numpy.random import Generator

from dpviz import CANDIDATES, GAPS, NOISES, THRESHOLD, TOP_K, TOP_ONE, RandomStopping, Scores
from dpviz.base.registry import Registry
from dpviz.candidates.run_counts import FixedRuns
from dpviz.gaps.noisy_top_k import GapRelease, NoisyTopKWithGap
from dpviz.gaps.sparse.sparse_vector import SparseVector
from dpviz.margin.baselines import DistanceToInstability
from tests.menus import contract_for, contracts, failing, held_to


class TrueGaps(NoisyTopKWithGap):
    """Items by noise, gaps by the scores alone."""

    def release(self, scores: Scores, *, rng: Generator) -> GapRelease:
        items = super().release(scores, rng=rng).items
        left = np.delete(scores.values, items).max()
        return GapRelease(items, np.abs(np.diff(np.append(scores.values[items], left))))


class CheapAnswers(SparseVector):
    """General scores at the price of monotonic ones, in law and draws."""

    @property
    def answer_cost(self) -> int:
        return 1


class HalfTheChange(DistanceToInstability):
    """Takes what one person changes of the lead for half of what it is, in law and draws."""

    def gap_sensitivity(self, scores: Scores) -> float:
        return super().gap_sensitivity(scores) / 2


class TwentyRuns(RandomStopping):
    """The best of twenty runs, in law and draws."""

    @property
    def run_count(self) -> Any:
        return FixedRuns(20)


FOLLOW = "test_releases_follow_the_definition"
LAW_AND_DRAWS = {"test_law_is_the_definition", "test_draws_follow_the_definition"}
SHOWN = {FOLLOW, "test_releases_show_no_loss_above_epsilon"}
LOSS = {"test_realised_loss_never_exceeds_epsilon", "test_bad_input"}  # a pair costs too much
CHANGE = {*LAW_AND_DRAWS, "test_privacy_over_neighbours"}
RUNS = {*LAW_AND_DRAWS, "test_realised_loss_stays_within_the_total"}
BROKEN: list[tuple[Registry[Any], str, Any, set[str]]] = [
    (GAPS, "noisy_top_k_with_gap", TrueGaps(epsilon=1.0, k=1), SHOWN),
    (THRESHOLD, "sparse_vector", CheapAnswers(epsilon=1.0, k=2, threshold=50.0), LOSS),
    (TOP_ONE, "instability", HalfTheChange(epsilon=1.0, delta=1e-3), CHANGE),
    (CANDIDATES, "random_stopping", TwentyRuns(stop=0.05), RUNS),
]


@pytest.mark.parametrize(("menu", "name", "twin", "fails"), BROKEN)
def test_a_broken_twin_fails_and_the_honest_one_does_not(
    menu: Registry[Any], name: str, twin: Any, fails: set[str]
) -> None:
    honest = menu[name](**vars(twin))
    for example, wanted in ((twin, fails), (honest, set())):
        more = {"priced": [example]} if menu is CANDIDATES else {}
        assert failing(held_to(menu, name, example, **more), type(twin), fails) == wanted


class HalfTheNoise(NoisyTopKWithGap):
    """Half the noise that it says."""

    def release(self, scores: Scores, *, rng: Generator) -> GapRelease:
        return NoisyTopKWithGap(epsilon=2 * self.epsilon, k=self.k).release(scores, rng=rng)


def test_gaps_at_half_the_noise_fail_though_the_definition_says_the_same() -> None:
    honest: Any = contract_for(GAPS, "noisy_top_k_with_gap")

    def definition(self: Any, m: Any, s: Scores, items: Any, gaps: list[float]) -> float:
        return honest().definition(m.replace(epsilon=2 * m.epsilon), s, items, gaps)  # type: ignore[no-any-return]

    twin = HalfTheNoise(epsilon=1.0, k=1)
    contract = held_to(GAPS, "noisy_top_k_with_gap", twin, definition=definition)
    loss = {"test_realised_loss_never_exceeds_epsilon"}
    assert failing(contract, HalfTheNoise, [*loss, FOLLOW]) == loss


def test_a_missing_definition_is_a_sentence() -> None:
    for menu in (TOP_K, GAPS, THRESHOLD, TOP_ONE, CANDIDATES, NOISES):
        base = next(cls for cls in contracts() if cls.menu is menu)
        named = next(cls for cls in base.__mro__ if "menu" in vars(cls))
        written = next(name for name in ("definition", "chances", "cdf") if name in vars(named))
        asked = len(inspect.signature(getattr(named, written)).parameters) - 1
        with pytest.raises(pytest.fail.Exception, match=rf"^{named.__name__} needs .*{written}\("):
            getattr(named(), written)(*[None] * asked)
