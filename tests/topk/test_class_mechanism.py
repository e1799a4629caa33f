"""Selections of one's own by classes: a median over years, and canonical made again."""

from dataclasses import dataclass

import numpy as np
import pytest

from dpviz import NOISES, Canonical, ParameterError, Scores
from dpviz.topk import ClassMechanism
from dpviz.topk.classes import log_class_size
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
    examples = [MedianAge(epsilon=1.0, noise=noise) for noise in NOISES]
    inputs = AGES


@dataclass(frozen=True, kw_only=True)
class ThriceAsFar(MedianAge):
    """A broken twin: its loss moves by 3."""

    def losses(self, scores: Scores) -> np.ndarray:
        return 3 * super().losses(scores)


def test_a_loss_that_moves_by_more_is_caught() -> None:
    class Twin(ClassContract):
        examples = [ThriceAsFar(epsilon=1.0)]
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


def test_losses_and_sizes_have_to_go_together() -> None:
    with pytest.raises(ParameterError, match="losses must be finite, one a class"):
        MedianAge(epsilon=1.0, widths=(3, 2)).distribution(AGES[0])
