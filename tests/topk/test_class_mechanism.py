"""Selections of one's own by classes: a median over years, and canonical made again."""

import math
from dataclasses import dataclass
from itertools import product

import numpy as np
import pytest

from dpviz import NOISES, Canonical, OneShot, ParameterError, Scores
from dpviz.topk import ClassMechanism
from dpviz.topk.classes import log_class_size
from tests import meters
from tests.class_contract import ClassContract

AGES = [Scores([3, 9, 4], monotonic=True, contributions=1), Scores([0, 1, 30], monotonic=True)]


@dataclass(frozen=True, kw_only=True)
class MedianAge(ClassMechanism):
    """A year; loss: the larger of the numbers of people in age groups below and above its own."""

    widths: tuple[int, ...] = (3, 2, 5)

    def losses(self, scores: Scores) -> np.ndarray:
        below = np.cumsum(scores.values) - scores.values
        return np.maximum(below, scores.values.sum() - scores.values - below)

    def log_sizes(self, scores: Scores) -> np.ndarray:
        return np.log(self.widths)


class TestMedianAge(ClassContract):
    examples = [
        *(MedianAge(epsilon=1.0, noise=noise, winners=2) for noise in NOISES),
        *(MedianAge(epsilon=1.0, noise="laplace", winners=winners) for winners in (1, 4)),
    ]
    inputs = AGES


@dataclass(frozen=True, kw_only=True)
class ThriceAsFar(MedianAge):
    """A broken twin: its loss moves by 3."""

    def losses(self, scores: Scores) -> np.ndarray:
        return 3 * super().losses(scores)


@dataclass(frozen=True, kw_only=True)
class NotShared(MedianAge):
    """A broken twin: each of the winners has all of ε."""

    def _levels(self, scores: Scores) -> tuple[np.ndarray, np.ndarray]:
        level, size = super()._levels(scores)
        return self.winners * level, size


@pytest.mark.parametrize(
    "broken", [ThriceAsFar(epsilon=1.0), NotShared(epsilon=1.0, winners=3)], ids=repr
)
def test_a_loss_that_moves_by_more_and_an_epsilon_not_shared_are_caught(
    broken: ClassMechanism,
) -> None:
    class Twin(ClassContract):
        examples = [broken]
        inputs = AGES

    assert max(Twin().spent(m, s) for m, s in Twin().cases()) > 1.2
    with pytest.raises(AssertionError):
        Twin().test_one_person_changes_each_loss_by_at_most_one_and_spends_epsilon_at_most()


@dataclass(frozen=True, kw_only=True)
class CanonicalAgain(ClassMechanism):
    """The canonical mechanism for two items, from its loss and its sizes alone."""

    def _classes(self, scores: Scores) -> tuple[np.ndarray, np.ndarray]:
        h, t = np.meshgrid(np.arange(2), np.arange(3, scores.d + 1), indexing="ij")
        return np.append(h.ravel(), 1), np.append(t.ravel(), 2)

    def losses(self, scores: Scores) -> np.ndarray:
        h, t = self._classes(scores)
        return (scores.ranked[h] - scores.ranked[t - 1]) / 2

    def log_sizes(self, scores: Scores) -> np.ndarray:
        return log_class_size(*self._classes(scores), 2)


@pytest.mark.parametrize("noise", NOISES)
def test_canonical_is_one_of_them(noise: str) -> None:
    s = Scores([9.0, 7.0, 6.0, 2.0, 1.0, 0.0])
    law = CanonicalAgain(epsilon=1.5, noise=noise).distribution(s)
    canonical = Canonical(epsilon=1.5, k=2, noise=noise).distribution(s)
    h, t = CanonicalAgain(epsilon=1.5)._classes(s)
    for a, b in ((2, 2), (1, 3), (1, 5), (0, 4)):
        inside = ((h >= a) & (t <= b)) | (t == 2)
        assert law.chances[inside].sum() == pytest.approx(canonical.within(a, b), abs=1e-9)


@dataclass(frozen=True, kw_only=True)
class Huge(ClassMechanism):
    """Classes of e^3000 options and more, far apart."""

    sizes: tuple[float, ...] = (0.0, math.log(3), 3000.0, 3100.0)

    def losses(self, scores: Scores) -> np.ndarray:
        return scores.values

    def log_sizes(self, scores: Scores) -> np.ndarray:
        return np.array(self.sizes)


def test_winners_of_huge_classes_come_as_if_chosen_one_after_another() -> None:
    """Gumbel noise: the weights m·e^q of what is left decide each time."""
    s, m = Scores([0.0, 2.0, 11995.0, 12400.0]), Huge(epsilon=1.5, winners=3)
    level = -m.epsilon / 6 * s.values
    law, size = m.distribution(s), np.array(m.sizes)
    defined = dict.fromkeys(map(tuple, law.answers.tolist()), 0.0)
    for chosen in product(range(4), repeat=3):
        chance, taken = 1.0, np.zeros(4)
        for each in chosen:
            left = np.where(
                size < 9, np.log(np.maximum(np.exp(np.minimum(size, 9)) - taken, 1e-300)), size
            )
            weight = np.exp(left + level - 3.0)
            chance *= weight[each] / weight.sum()
            taken[each] += 1
        defined[tuple(sorted(chosen))] += chance
    assert law.probability == pytest.approx([*defined.values()], abs=1e-12)
    assert not meters.disagreement(meters.rows(m.sample(s, 5000, rng=3)), defined)
    shares = [law.probability[(law.answers == each).any(1)].sum() for each in range(4)]
    assert law.chances == pytest.approx(shares)
    assert law.log_probability([3, 0, 2]) == pytest.approx(math.log(defined[0, 2, 3]))


@pytest.mark.parametrize("noise", NOISES)
def test_classes_of_one_option_are_one_shot(noise: str) -> None:
    s = Scores([9.0, 7.0, 6.0, 2.0, 1.0, 0.0])
    law = Huge(epsilon=1.5, winners=3, noise=noise, sizes=(0.0,) * 6).distribution(
        Scores(-s.values)
    )
    one_shot = OneShot(epsilon=1.5, k=3, noise=noise).distribution(s)
    for answer, chance in zip(law.answers.tolist(), law.probability, strict=True):
        expected = np.exp(one_shot.log_probability(answer)) if len({*answer}) == 3 else 0.0
        assert chance == pytest.approx(expected, abs=1e-11)


def test_losses_sizes_and_winners_have_to_go_together() -> None:
    with pytest.raises(ParameterError, match="losses must be finite, one a class"):
        MedianAge(epsilon=1.0, widths=(3, 2)).distribution(AGES[0])
    with pytest.raises(ParameterError, match="winners must be below the number of options"):
        MedianAge(epsilon=1.0, winners=10).sample(AGES[0], rng=1)
    with pytest.raises(ParameterError, match="so small that at most 20,000 answers"):
        MedianAge(epsilon=1.0, winners=200, widths=(300, 9, 9)).distribution(AGES[0])
