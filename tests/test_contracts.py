"""Broken twins for the menus beside top-k: they look right and are not; which tests of their
contract they fail.
"""

import inspect
import math
from dataclasses import replace
from typing import Any

import mpmath
import numpy as np
import pytest
from numpy.random import Generator

from dpviz import (
    CANDIDATES,
    GAPS,
    NOISES,
    THRESHOLD,
    TOP_K,
    TOP_ONE,
    CandidatePool,
    RandomStopping,
    Scores,
)
from dpviz.base.arrays import Floats, Ints
from dpviz.base.noise import Noise
from dpviz.base.registry import Registry
from dpviz.candidates.rules import Releases
from dpviz.candidates.run_counts import FixedRuns
from dpviz.gaps.noisy_top_k import GapRelease, NoisyTopKWithGap
from dpviz.gaps.sparse.run_replay import ThresholdRelease
from dpviz.gaps.sparse.sparse_vector import SparseVector
from dpviz.margin.baselines import DistanceToInstability
from tests.menus import contract_for, contracts, failing, held_to
from tests.noise_contract import NoiseContract

LAW_AND_DRAWS = {"test_law_is_the_definition", "test_draws_follow_the_definition"}
ON_MIXED = "test_sampler_on_scores_of_every_kind"


# ---- items with gaps
# -----------------------------------------------------------------------------------


class HalfTheScale(NoisyTopKWithGap):
    """Half the noise that it says."""

    def release(self, scores: Scores, *, rng: Generator) -> GapRelease:
        return NoisyTopKWithGap(epsilon=2 * self.epsilon, k=self.k).release(scores, rng=rng)


class TrueGaps(NoisyTopKWithGap):
    """Items by noise, gaps by the scores alone."""

    def release(self, scores: Scores, *, rng: Generator) -> GapRelease:
        items = super().release(scores, rng=rng).items
        left = np.delete(scores.values, items).max()
        return GapRelease(items, np.abs(np.diff(np.append(scores.values[items], left))))


class BestWithGap(NoisyTopKWithGap):
    """No noise at all."""

    def release(self, scores: Scores, *, rng: Generator) -> GapRelease:
        return NoisyTopKWithGap(epsilon=1e6, k=self.k).release(scores, rng=rng)


@pytest.mark.parametrize(
    ("mock", "fails"),
    [
        (HalfTheScale, {"test_releases_follow_the_definition"}),
        (
            TrueGaps,
            {"test_releases_follow_the_definition", "test_releases_show_no_loss_above_epsilon"},
        ),
        (
            BestWithGap,
            {"test_releases_follow_the_definition", "test_releases_show_no_loss_above_epsilon"},
        ),
    ],
)
def test_gaps(mock: type[NoisyTopKWithGap], fails: set[str]) -> None:
    assert failing(held_to(GAPS, "noisy_top_k_with_gap", mock(epsilon=1.0, k=1)), mock) == fails


def test_gaps_at_half_the_noise_fail_though_the_definition_says_the_same() -> None:
    honest = contract_for(GAPS, "noisy_top_k_with_gap")

    def definition(
        self: Any, m: Any, s: Scores, items: tuple[int, ...], gaps: list[float]
    ) -> float:
        return honest().definition(m.replace(epsilon=2 * m.epsilon), s, items, gaps)  # type: ignore[attr-defined]

    contract = held_to(
        GAPS, "noisy_top_k_with_gap", HalfTheScale(epsilon=1.0, k=1), definition=definition
    )
    assert failing(contract, HalfTheScale) == {"test_realised_loss_never_exceeds_epsilon"}


# ---- queries above a threshold
# -------------------------------------------------------------------------


class WithoutNoise(SparseVector):
    """Answers by the scores alone; the law is that of the honest one."""

    def release(
        self, scores: Scores, *, rng: Generator, confidence: float = 0.95
    ) -> ThresholdRelease:
        loud = SparseVector(
            epsilon=1e6, k=self.k, threshold=self.threshold, monotonic=self.monotonic
        )
        run = loud.release(scores, rng=rng, confidence=confidence)
        spent = np.where(run.spent > 0, self.unit_epsilon, 0.0)
        return replace(run, spent=spent, total=self.epsilon0 + float(spent.sum()))


class CheapAnswers(SparseVector):
    """General scores at the price of monotonic ones, in law and draws."""

    @property
    def answer_cost(self) -> int:
        return 1


@pytest.mark.parametrize(
    ("mock", "fails"),
    [
        (
            WithoutNoise,
            {"test_releases_follow_the_definition", "test_releases_show_no_loss_above_epsilon"},
        ),
        (
            CheapAnswers,
            {"test_realised_loss_never_exceeds_epsilon", "test_bad_input"},
        ),  # a pair that costs too much
    ],
)
def test_thresholds(mock: type[SparseVector], fails: set[str]) -> None:
    example = mock(epsilon=1.0, k=2, threshold=50.0)
    assert failing(held_to(THRESHOLD, "sparse_vector", example, vector_name=None), mock) == fails


# ---- one item
# ------------------------------------------------------------------------------------------


class AlwaysTheBest(DistanceToInstability):
    """Releases the best item whatever its lead; the law is that of the honest one."""

    def _sample(self, scores: Scores, zeros: int, size: int, rng: Generator) -> Ints:
        return np.full(size, scores.order[0])


class HalfTheChange(DistanceToInstability):
    """Takes what one person changes of the lead for half of what it is, in law and draws."""

    def gap_sensitivity(self, scores: Scores) -> float:
        return super().gap_sensitivity(scores) / 2


@pytest.mark.parametrize(
    ("mock", "fails"),
    [
        (
            AlwaysTheBest,
            {"test_draws_follow_the_definition", "test_draws_show_no_delta_above_the_one_promised"},
        ),
        (HalfTheChange, {*LAW_AND_DRAWS, "test_privacy_over_neighbours"}),
    ],
)
def test_top_one(mock: type[DistanceToInstability], fails: set[str]) -> None:
    assert failing(held_to(TOP_ONE, "instability", mock(epsilon=1.0, delta=1e-3)), mock) == fails


# ---- private candidates
# --------------------------------------------------------------------------------


class OftenestGood(RandomStopping):
    """Publishes the candidate that most often scores 5; the law is that of the honest one."""

    def _sample(self, pool: CandidatePool, size: int, rng: Generator) -> Releases:
        best = int(np.argmax(pool.tail(5.0)))
        return Releases(np.full(size, best), np.full(size, 5.0), np.ones(size, np.int64))


class TwentyRuns(RandomStopping):
    """The best of twenty runs, in law and draws."""

    @property
    def run_count(self) -> Any:
        return FixedRuns(20)


@pytest.mark.parametrize(
    ("mock", "fails"),
    [
        (
            OftenestGood,
            {
                "test_draws_follow_the_definition",
                "test_draws_show_no_loss_above_the_total",
                ON_MIXED,
            },
        ),
        (TwentyRuns, {*LAW_AND_DRAWS, "test_realised_loss_stays_within_the_total"}),
    ],
)
def test_candidates(mock: type[RandomStopping], fails: set[str]) -> None:
    rule = mock(stop=0.05)
    assert failing(held_to(CANDIDATES, "random_stopping", rule, priced=[rule]), mock) == fails


# ---- noise
# ---------------------------------------------------------------------------------------------


class TwiceAsFast(Noise):
    """F(u) = 1 − e^(−2u): half the noise, with definition, logs and draws that agree."""

    start, kinks = 0.0, (0.0,)

    def log_pdf(self, u: Floats) -> Floats:
        return NOISES["exponential"].log_pdf(2 * u) + math.log(2)

    def log_cdf(self, u: Floats) -> Floats:
        return NOISES["exponential"].log_cdf(2 * u)

    def log_sf(self, u: Floats) -> Floats:
        return NOISES["exponential"].log_sf(2 * u)

    def quantile(self, log_p: Floats, log_q: Floats) -> Floats:
        return NOISES["exponential"].quantile(log_p, log_q) / 2


class OfTwiceAsFast(NoiseContract):
    family = "mock"

    def cdf(self, u: mpmath.mpf) -> mpmath.mpf:
        return -mpmath.expm1(-2 * max(u, 0))

    def sf(self, u: mpmath.mpf) -> mpmath.mpf:
        return mpmath.exp(-2 * max(u, 0))


class HalfTheDraws(type(NOISES["exponential"])):  # type: ignore[misc]
    """An exponential whose draws are halved."""

    def sample(self, rng: Generator, size: int | tuple[int, ...]) -> Floats:
        return super().sample(rng, size) / 2  # type: ignore[no-any-return]


def test_noise_that_falls_too_fast_or_is_drawn_too_small() -> None:
    fails = failing(OfTwiceAsFast, TwiceAsFast())
    assert fails >= {"test_log_survival_is_one_lipschitz_and_bounded_by_the_tail"}
    assert not fails & {
        "test_logs_of_both_tails_against_the_definition",
        "test_samples_follow_the_cdf",
    }
    assert failing(held_to(NOISES, "exponential", family="mock"), HalfTheDraws()) == {
        "test_samples_follow_the_cdf",
        "test_brute_force_uses_the_same_family",  # which knows no "mock"
    }


# ---- what all of the above rests on
# --------------------------------------------------------------------


@pytest.mark.parametrize(
    ("menu", "name", "example", "changes"),
    [
        (GAPS, "noisy_top_k_with_gap", NoisyTopKWithGap(epsilon=1.0, k=1), {}),
        (
            THRESHOLD,
            "sparse_vector",
            SparseVector(epsilon=1.0, k=2, threshold=50.0),
            {"vector_name": None},
        ),
        (TOP_ONE, "instability", DistanceToInstability(epsilon=1.0, delta=1e-3), {}),
        (
            CANDIDATES,
            "random_stopping",
            RandomStopping(stop=0.05),
            {"priced": [RandomStopping(stop=0.05)]},
        ),
    ],
)
def test_the_honest_ones_fail_nothing(
    menu: Registry[Any], name: str, example: Any, changes: dict[str, Any]
) -> None:
    assert failing(held_to(menu, name, example, **changes), None) == set()


def test_a_missing_definition_is_a_sentence() -> None:
    """The first class of every contract of mechanisms, whose subclasses write the definition."""
    for menu in (TOP_K, GAPS, THRESHOLD, TOP_ONE, CANDIDATES, NOISES):
        base = next(cls for cls in contracts() if cls.menu is menu)
        named = next(cls for cls in base.__mro__ if "menu" in vars(cls))
        written = next(name for name in ("definition", "chances", "cdf") if name in vars(named))
        with pytest.raises(pytest.fail.Exception, match=rf"^{named.__name__} needs .*{written}\("):
            getattr(named(), written)(
                *[None] * (len(inspect.signature(getattr(named, written)).parameters) - 1)
            )
