"""Broken twins of top-k mechanisms, and the tests of the contract that they fail."""

from dataclasses import dataclass
from typing import ClassVar

import numpy as np
import pytest

from dpviz import TOP_K, OneShot, Scores
from dpviz.base.arrays import Floats
from dpviz.base.progress import Progress
from dpviz.topk.law import RankLaw
from dpviz.topk.mechanism import Draw, TopKMechanism
from tests.contract import MechanismContract, Sets, of_ranks
from tests.gaps.sparse.oracle import one_shot_sets
from tests.menus import contracts, failing, on_the_menu


@dataclass(frozen=True, kw_only=True)
class Estimated(TopKMechanism):
    """One-shot top-k with gumbel noise, without its law: what the mocks below break."""

    def _law(self, x: Floats, progress: Progress) -> RankLaw | None:
        return None

    def _sampler(self, x: Floats, progress: Progress) -> Draw:
        return OneShot(epsilon=self.epsilon, k=self.k)._sampler(x, progress)


class OfEstimated(MechanismContract):
    """The right definition of one-shot top-k."""

    def definition(self, m: TopKMechanism, s: Scores) -> Sets:
        return of_ranks(s, one_shot_sets(m.epsilon / (2 * m.k) * s.ranked, m.k, "gumbel"))


def contract_of(
    mock: type[TopKMechanism], base: type[MechanismContract] = OfEstimated
) -> type[MechanismContract]:
    return type("Mocked", (base,), {"examples": [mock(epsilon=2.0, k=2)]})


def test_an_honest_mechanism_without_a_law_keeps_the_contract() -> None:
    assert failing(contract_of(Estimated), Estimated) == set()


class AlwaysTheTop(Estimated):
    """No privacy at all: the true top k."""

    def _sampler(self, x: Floats, progress: Progress) -> Draw:
        return lambda size, rng: np.tile(np.arange(self.k), (size, 1))


class OfAlwaysTheTop(MechanismContract):
    def definition(self, m: TopKMechanism, s: Scores) -> Sets:
        top = tuple(sorted(s.order[: m.k].tolist()))
        return {items: float(items == top) for items in OfEstimated().definition(m, s)}


def test_the_true_top_k_fails_whatever_its_definition() -> None:
    by_draws = {"test_draws_follow_the_definition", "test_estimates_agree_with_the_definition"}
    privacy = {"test_realised_loss_never_exceeds_epsilon", "test_draws_show_no_loss_above_epsilon"}
    assert failing(contract_of(AlwaysTheTop), AlwaysTheTop, by_draws) == by_draws
    itself = contract_of(AlwaysTheTop, OfAlwaysTheTop)
    assert failing(itself, AlwaysTheTop, by_draws | privacy) == privacy


class RanksInOrder(Estimated):
    """The sampler itself leaves its ranks as they came."""

    def _sampler(self, x: Floats, progress: Progress) -> Draw:
        draw = super()._sampler(x, progress)
        return lambda size, rng: draw(size, rng)[:, ::-1]


def test_an_order_that_leaks_fails() -> None:
    rows = {"test_rows_of_sample_do_not_carry_an_order"}
    assert failing(contract_of(RanksInOrder), RanksInOrder, rows) == rows


def test_half_the_noise_fails_though_the_definition_says_the_same() -> None:
    """The meter is fine enough for every mechanism there is."""
    tops = [each for each in contracts() if issubclass(each, MechanismContract)]
    for contract in (each for each in tops if not each.contributions):
        example = contract.examples[0]

        @dataclass(frozen=True, kw_only=True)
        class Doubled(Estimated):
            honest: ClassVar[TopKMechanism] = example

            def _sampler(self, x: Floats, progress: Progress) -> Draw:
                return self.honest.replace(epsilon=2 * self.epsilon, k=self.k)._sampler(x, progress)

        class Mocked(contract):  # type: ignore[misc,valid-type]
            examples = [Doubled(epsilon=example.epsilon, k=example.k)]

            def definition(self, m: Doubled, s: Scores) -> Sets:
                honest = m.honest.replace(epsilon=2 * m.epsilon, k=m.k)
                return super().definition(honest, s)  # type: ignore[no-any-return]

        with on_the_menu(TOP_K, Doubled), pytest.raises(AssertionError):
            Mocked().test_realised_loss_never_exceeds_epsilon()
