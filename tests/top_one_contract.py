"""Properties of every choice of one item under (ε, δ); outcomes are items, `ZEROS` or `FAIL`."""

import itertools
from collections.abc import Callable, Iterator
from functools import cache
from typing import Any, ClassVar

import numpy as np
import pytest

from dpviz import ParameterError, Scores
from dpviz.margin.top_one import TOP_ONE, TopOneLaw, TopOneMechanism
from tests import meters
from tests.menus import ContractOfExamples

DRAWS = 5000
ZEROS = "a zero"
FAIL = "nothing"
INPUTS = [
    (Scores([40.0, 10.0, 38.0, 0.0]), 0),
    (Scores([2.0, 90.0, 2.0, 70.0, 90.0], sensitivity=0.5, monotonic=True), 0),
    (Scores([700.0, 696.0, 4.0]), 5),
    (Scores([3.0, 1.0], monotonic=True), 2),
]

Outcomes = dict[int | str, float]


def told(law: TopOneLaw) -> Outcomes:
    """A law of the library as outcomes."""
    return {**dict(enumerate(law.inclusion.tolist())), ZEROS: law.zero_mass, FAIL: law.fail}


@cache
def law_of(contract: type["TopOneContract"], m: TopOneMechanism, s: Scores, zeros: int) -> Outcomes:
    """The law that the contract's definition gives, and nothing else."""
    law = contract().definition(m, s, zeros)
    assert set(law) <= {*range(s.d), ZEROS, FAIL}
    assert sum(law.values()) == pytest.approx(1.0, abs=1e-9), f"{contract.__name__}: {m} on {s}"
    return {outcome: law.get(outcome, 0.0) for outcome in (*range(s.d), ZEROS, FAIL)}


def draws(m: TopOneMechanism, s: Scores, zeros: int, seed: int) -> list[int | str]:
    """The outcomes of many releases."""
    items = m.sample(s, DRAWS, rng=np.random.default_rng(seed), zeros=zeros)
    assert items.shape == (DRAWS,)
    return [FAIL if i < 0 else i if i < s.d else ZEROS for i in items.tolist()]


class TopOneContract(ContractOfExamples):
    """Subclass, list `examples`, write their `definition`, and add `pairs` that hurt most."""

    menu = TOP_ONE
    examples: ClassVar[list[TopOneMechanism]]

    def definition(self, m: TopOneMechanism, s: Scores, zeros: int) -> Outcomes:
        """P of each outcome, from what the mechanism is said to do."""
        self.missing(
            "a definition(m, s, zeros): P of each item, of an unlisted zero, and of nothing"
        )

    def law(self, m: TopOneMechanism, s: Scores, zeros: int) -> Outcomes:
        """The law by the definition."""
        return law_of(type(self), m, s, zeros)

    def cases(self) -> list[tuple[TopOneMechanism, Scores, int]]:
        """Every example on every input, and once with a much smaller ε."""
        faint = [(m.replace(epsilon=m.epsilon / 8), *INPUTS[0]) for m in self.examples]
        return faint + [(m, *given) for m in self.examples for given in INPUTS]

    def pairs(self, m: TopOneMechanism) -> Iterator[tuple[Scores, Scores, int]]:
        """Neighbours, with the number of unlisted zeros: all at a corner."""
        for lead, monotonic in itertools.product((0.0, 2.0, 30.0, 100.0), (False, True)):
            s = Scores([3.0 + lead, 3.0, 3.0 - lead / 2], monotonic=monotonic)
            yield from ((s, other, 0) for other in meters.corner_neighbours(s))

    def excess(self, m: TopOneMechanism) -> Iterator[float]:
        """By how much the smallest δ passes that of the mechanism, for each of the pairs."""
        for here, there, zeros in self.pairs(m):
            law, other = (told(m.distribution(s, zeros=zeros)) for s in (here, there))
            yield meters.smallest_delta(law, other, m.epsilon) - m.delta

    def test_law_is_the_definition(self) -> None:
        for m, s, zeros in self.cases():
            law = m.distribution(s, zeros=zeros)
            assert 0 <= law.error < 1e-9
            for outcome, p in self.law(m, s, zeros).items():
                assert told(law)[outcome] == pytest.approx(p, abs=1e-9), (m, s, outcome)

    def test_draws_follow_the_definition(self) -> None:
        cases = self.cases()
        for number, (m, s, zeros) in enumerate(cases):
            off = meters.disagreement(draws(m, s, zeros, number), self.law(m, s, zeros), len(cases))
            assert not off, (m, s, off)

    def test_privacy_over_neighbours(self) -> None:
        for m in self.examples:
            assert max(self.excess(m)) <= 1e-9, m

    def test_draws_show_no_delta_above_the_one_promised(self) -> None:
        for m, monotonic, rest in itertools.product(self.examples, (False, True), (0, 20)):
            private = m.replace(epsilon=0.25)
            s = Scores([0.0, 1.0] + [0.0] * rest, monotonic=monotonic)
            other = meters.moved(s, [1.0, 0.0 if monotonic else -1.0] + [0.0] * rest)
            worlds = draws(private, s, 0, 1), draws(private, other, 0, 2)
            assert meters.delta_seen(*worlds, private.epsilon) <= private.delta, (private, s)

    def test_sums_to_one_in_item_order(self) -> None:
        values = np.array([5.0, 90.0, 3.0, 70.0, 90.0])
        shuffle = np.array([3, 1, 4, 0, 2])  # keeps the order of the two that tie
        for m in self.examples:
            law = m.distribution(Scores(values))
            assert law.inclusion.shape == (5,)
            assert law.inclusion.sum() + law.fail == pytest.approx(1, abs=1e-12)
            there = m.distribution(Scores(values[shuffle])).inclusion
            assert np.allclose(there, law.inclusion[shuffle], atol=1e-12)
            assert law.near_best_probability(100.0) == pytest.approx(1 - law.fail, abs=1e-12)
            assert law.table()["probability"].tolist() == law.inclusion[law.scores.order].tolist()

    def test_refuses(self) -> None:
        scores, low = Scores([1.0, 0.0]), Scores([1.0, -1.0])
        refused: list[tuple[str, Callable[[Any], object]]] = [
            ("epsilon must be a number above 0.*not 0.0", lambda m: m.replace(epsilon=0.0)),
            ("epsilon must be a number above 0.*not nan", lambda m: m.replace(epsilon=np.nan)),
            ("delta must be a number above 0.*not 0.0", lambda m: m.replace(delta=0.0)),
            ("delta must be a number above 0 and below.*not 1.0", lambda m: m.replace(delta=1.0)),
            ("delta must be a number above 0.*not '1e-6'", lambda m: m.replace(delta="1e-6")),
            ("scores must be a dpviz.Scores", lambda m: m.distribution([1.0, 0.0])),
            ("zeros must be a whole number", lambda m: m.distribution(scores, zeros=-1)),
            ("the lowest score must be at least 0", lambda m: m.distribution(low, zeros=5)),
            ("rng must be a numpy.random.Generator", lambda m: m.sample(scores, 3, rng="7")),
        ]
        for m, (sentence, call) in itertools.product(self.examples, refused):
            with pytest.raises(ParameterError, match=rf"\A{sentence}"):
                call(m)
