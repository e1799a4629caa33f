"""Properties of every selection by classes: law, draws and privacy of each option, by brute force."""

from collections.abc import Iterator
from dataclasses import replace
from typing import ClassVar

import numpy as np

from dpviz import Scores, privacy_loss
from dpviz.topk.class_mechanism import ClassMechanism
from tests import meters
from tests.gaps.sparse.oracle import one_shot_sets

DRAWS = 5000


class ClassContract:
    """Subclass, list `examples` and `inputs` of small classes; all neighbours at a corner are met."""

    examples: ClassVar[list[ClassMechanism]]
    inputs: ClassVar[list[Scores]]

    def cases(self) -> Iterator[tuple[ClassMechanism, Scores]]:
        yield from ((m, s) for m in self.examples for s in self.inputs)

    def definition(self, m: ClassMechanism, s: Scores) -> dict[tuple[int, ...], float]:
        """Every option with its own noise, all sets of the largest, and then their classes."""
        sizes = np.rint(np.exp(m.log_sizes(s))).astype(int)
        of = np.repeat(np.arange(len(sizes)), sizes)
        level = -m.epsilon / (2 * m.winners) * np.asarray(m.losses(s), float)[of]
        chances: dict[tuple[int, ...], float] = {}
        for chosen, chance in one_shot_sets(level, m.winners, m.noise).items():
            classes = tuple(of[list(chosen)].tolist())
            chances[classes] = chances.get(classes, 0.0) + chance
        return chances

    def neighbours(self, s: Scores) -> Iterator[Scores]:
        for item in range(s.d):
            yield replace(s, values=s.values + s.sensitivity * (np.arange(s.d) == item))

    def spent(self, m: ClassMechanism, s: Scores) -> float:
        """The largest loss to these neighbours, as a part of ε."""
        return max(privacy_loss(m, s, other).largest for other in self.neighbours(s)) / m.epsilon

    def test_law_and_draws_are_those_of_single_options(self) -> None:
        for m, s in self.cases():
            law, defined = m.distribution(s), self.definition(m, s)
            told = [defined.get(tuple(answer), 0.0) for answer in law.answers.tolist()]
            np.testing.assert_allclose(law.probability, told, rtol=0, atol=1e-9)
            drawn = m.sample(s, DRAWS, rng=7).reshape(DRAWS, m.winners)
            off = meters.disagreement(meters.rows(drawn), defined)
            assert not off, (m, s, off)

    def test_one_person_changes_each_loss_by_at_most_one_and_spends_epsilon_at_most(self) -> None:
        for m, s in self.cases():
            for other in self.neighbours(s):
                moved = np.asarray(m.losses(other)) - np.asarray(m.losses(s))
                assert np.abs(moved).max() <= 1 + 1e-9, (m, s, other)
            assert self.spent(m, s) <= 1 + 1e-8, (m, s)
