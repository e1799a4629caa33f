"""Properties that every rule for private candidates must have; outcomes are (candidate, score)."""

import itertools
import math
from collections.abc import Callable
from functools import cache
from typing import Any, ClassVar

import numpy as np
import pytest
from scipy import stats

from dpviz.base.errors import ParameterError
from dpviz.candidates import CANDIDATES, CandidatePool, CandidateRule
from tests import meters
from tests.candidates.neighbours import BOTTOM, outcomes, pools
from tests.menus import ContractOfExamples

DRAWS = 5000
FEW = [[0.3, 0.3, 0.6, 1.2], stats.norm(0.2, 0.5), [0.6, 0.9]]
MIXED = CandidatePool(
    [*FEW, stats.beta(0.5, 0.5), stats.binom(3, 0.3)],
    labels=["runs", "normal", "few", "arcsine", "binomial"],
)
TIED = CandidatePool([[0.3, 0.3, 0.6, 1.2], [0.6, 0.9, 9.5], ([0.1, 0.6], [0.9, 0.1])])

Outcome = tuple[int, float]
Outcomes = dict[Outcome, float]


def published(pool: CandidatePool) -> Outcomes:
    """P(a run is of this candidate and has this score)."""
    runs: Outcomes = {}
    for k, law in enumerate(pool.candidates):
        for score, mass in zip(law.scores.tolist(), law.mass.tolist(), strict=True):
            runs[k, score] = mass / pool.size
    return runs


def best_of(pool: CandidatePool, chances: np.ndarray) -> Outcomes:
    """The best of J runs, P(J = j) in `chances`; ties go by the shares of the runs."""
    runs, law, j = published(pool), {BOTTOM: float(chances[0])}, np.arange(len(chances))
    level: dict[float, float] = {}
    for (_, score), mass in runs.items():
        level[score] = level.get(score, 0.0) + mass
    below = 0.0
    for score in sorted(level):
        best = float(chances @ ((below + level[score]) ** j - below**j))
        law.update(
            {(k, z): best * mass / level[score] for (k, z), mass in runs.items() if z == score}
        )
        below += level[score]
    return law


@cache
def law_of(contract: type["CandidateContract"], rule: CandidateRule) -> Outcomes:
    """The law on `TIED` that the contract's definition gives."""
    law = contract().definition(rule, TIED)
    assert law.keys() == {BOTTOM, *published(TIED)}
    assert math.fsum(law.values()) == pytest.approx(1.0, abs=1e-9), f"{contract.__name__}: {rule}"
    return law


def draws(rule: CandidateRule, pool: CandidatePool, seed: int, size: int = DRAWS) -> list[Outcome]:
    """The outcomes of many releases."""
    drawn = rule.sample(pool, size, rng=np.random.default_rng(seed))
    return list(zip(drawn.candidate.tolist(), drawn.score.tolist(), strict=True))


class CandidateContract(ContractOfExamples):
    """Subclass, list `examples` and those `priced`, and write their `definition`."""

    menu = CANDIDATES
    examples: ClassVar[list[CandidateRule]]
    priced: ClassVar[list[CandidateRule]]

    def definition(self, rule: CandidateRule, pool: CandidatePool) -> Outcomes:
        """P of each outcome, from what the rule is said to do, where scores are few."""
        self.missing("a definition(rule, pool): P of each (candidate, score) and of BOTTOM")

    def test_law_is_the_definition(self) -> None:
        for rule in self.examples:
            law = outcomes(rule, TIED)
            for outcome, p in law_of(type(self), rule).items():
                assert law[outcome] == pytest.approx(p, abs=1e-10), (rule, outcome)

    def test_draws_follow_the_definition(self) -> None:
        for number, rule in enumerate(self.examples):
            off = meters.disagreement(
                draws(rule, TIED, number), law_of(type(self), rule), len(self.examples)
            )
            assert not off, (rule, off)

    def test_realised_loss_stays_within_the_total(self) -> None:
        for rule, epsilon in itertools.product(self.priced, (0.1, 1.5)):
            rng = np.random.default_rng(21)
            total, delta = rule.total_epsilon(epsilon)
            for pair in (pools(rng, epsilon) for _ in range(60)):
                laws = [outcomes(rule, pool) for pool in pair]
                if delta:
                    assert meters.smallest_delta(*laws, total) <= delta + 1e-12, (rule, epsilon)
                else:
                    assert meters.largest_loss(*laws) <= total + 1e-9, (rule, epsilon)

    def test_draws_show_no_loss_above_the_total(self) -> None:
        p = 1 / (1 + math.exp(0.1))
        good, bad = ([1.0, 5.0], [p, 1 - p]), ([1.0, 5.0], [1 - p, p])
        pair = CandidatePool([good, bad]), CandidatePool([bad, good])
        few = [rule for rule in self.priced if rule.distribution(pair[0]).runs.mean <= 200]
        assert few, "none of them makes few runs, so nothing can be drawn"
        for rule in few:
            total, delta = rule.total_epsilon(0.1)
            worlds = [draws(rule, pool, seed, 300) for seed, pool in enumerate(pair)]
            if delta:
                assert meters.delta_seen(*worlds, total) <= delta, rule
            else:
                assert meters.loss_seen(*worlds) <= total, rule

    def test_sums(self) -> None:
        n = np.arange(2000)
        for rule in self.examples:
            law = rule.distribution(MIXED)
            assert np.all(law.candidate >= 0)
            assert abs(law.candidate.sum() + law.bottom - 1) <= law.error < 1e-10, rule
            assert law.score_law.tail(np.array(-1e9)) + law.bottom == pytest.approx(1, abs=1e-12)
            chance = law.runs.pmf(n)
            assert chance.sum() == pytest.approx(1, abs=1e-9)
            assert (n * chance).sum() == pytest.approx(law.runs.mean, rel=1e-9)
            assert np.abs(1 - np.cumsum(chance) - law.runs.sf(n)).max() < 1e-12
            assert law.runs.sf(np.array(law.runs.quantile(0.9))) <= 0.1 + 1e-15

    def test_sampler_on_scores_of_every_kind(self) -> None:
        size, above = 20_000, np.array([0.0, 0.3, 0.6, 0.61, 1.0, 2.0])
        for rule in self.examples:
            law = rule.distribution(MIXED)
            drawn = rule.sample(MIXED, size, rng=np.random.default_rng(4))
            seen = np.bincount(drawn.candidate + 1, minlength=6)
            higher = [(drawn.score >= z).sum() for z in above]
            count = [*seen, *higher, *((drawn.runs > n).sum() for n in range(4))]
            tails = law.score_law.tail(above)
            chance = [law.bottom, *law.candidate, *tails, *law.runs.sf(np.arange(4))]
            assert not np.signbit(chance).any(), rule
            low, high = meters.interval(np.array(count), size)
            assert np.all((low - 1e-12 <= chance) & (chance <= high + 1e-12)), rule

    def test_refuses(self) -> None:
        calls: dict[str, Callable[[Any], object]] = {
            "pool must be a dpviz CandidatePool": lambda rule: rule.distribution([[1.0]]),
            "rng must be a numpy.random.Generator": lambda rule: rule.sample(MIXED, 3, rng="7"),
            "candidate_epsilon must be a number above 0": lambda rule: rule.total_epsilon(0.0),
            "candidate_delta must be a number above 0": lambda rule: rule.total_epsilon(1.0, 1.0),
            "candidate_delta must be a number of": lambda rule: rule.total_epsilon(1.0, -0.1),
        }
        for rule, (sentence, call) in itertools.product(self.examples, calls.items()):
            with pytest.raises(ParameterError, match=rf"\A{sentence}"):
                call(rule)
