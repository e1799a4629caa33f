"""Noisy counts that may be published with the names: shared by one-shot, threshold and gaussian.

Symbols: c = the most items that one person counts in.
"""

from abc import abstractmethod

import numpy as np
from numpy.random import Generator

from dpviz.base import (
    Floats,
    Ints,
    Noise,
    ParameterError,
    Scores,
    check_generator,
    check_integer,
)
from dpviz.topk.law import row_chunks
from dpviz.topk.mechanism import TopKMechanism


def require_contributions(scores: Scores) -> int:
    """c; raises `ParameterError` if it is not known."""
    if scores.contributions is None:
        raise ParameterError(
            "contributions",
            None,
            "a number, as the noise depends on the items that one person can count in",
        )
    return scores.contributions


class NoisyCountsMechanism(TopKMechanism):
    """A top-k mechanism whose noisy scores may come out with the items."""

    def releases_scores(self, contributions: int | None) -> bool:
        """True if `contributions` is known: then ε covers the noisy counts too."""
        return contributions is not None

    @property
    def zcdp(self) -> float | None:
        """ρ: half the square of the gaussian shift, if there is one."""
        return super().zcdp if self.gaussian_shift is None else self.gaussian_shift**2 / 2

    @abstractmethod
    def _score_noise(self, scores: Scores) -> tuple[Noise, float, float]:
        """The noise, its scale and the least noisy score, both in the unit of the scores."""

    def _items_with_noise(self, scores: Scores) -> Ints:
        """The items that may come out."""
        return np.arange(scores.d)

    def sample_with_scores(
        self, scores: Scores, size: int = 1, *, rng: Generator | int
    ) -> tuple[Ints, Floats]:
        """Releases with their noisy scores, if ε covers these too (see `releases_scores`).

        For illustration only: the digits of floating-point noise can reveal the score below it.

        Parameters
        ----------
        scores
            The scores to choose from.
        size
            Number of independent releases.
        rng
            The generator, or its seed.

        Returns
        -------
        tuple[Ints, Floats]
            Item indices, and noisy scores in the unit of the scores, each of shape (size, k),
            largest first; −1 and NaN if fewer come out.

        Raises
        ------
        ParameterError
            If ε does not cover the scores.

        Examples
        --------
        >>> from dpviz import OneShot
        >>> votes = Scores([0.0, 900.0, 500.0], monotonic=True, contributions=1)
        >>> m = OneShot(epsilon=1.0, k=2, noise="laplace")
        >>> m.sample_with_scores(votes, rng=np.random.default_rng(1))[0].tolist()
        [[1, 2]]
        """
        size = check_integer("size", size, low=0)
        rng = check_generator(rng)
        self.check_scores(scores)
        noise, scale, least = self._score_noise(scores)
        k, taking = self.fit_to_scores(scores).k, self._items_with_noise(scores)
        items, noisy = np.full((size, k), -1, np.int64), np.full((size, k), np.nan)
        most = min(k, len(taking))
        for part in row_chunks(size, len(taking)):
            value = scores.values[taking] + scale * noise.sample(
                rng, (part.stop - part.start, len(taking))
            )
            best = np.argsort(-value, axis=1, kind="stable")[:, :most]
            value = np.take_along_axis(value, best, axis=1)
            passed = value > least
            items[part, :most] = np.where(passed, taking[best], -1)
            noisy[part, :most] = np.where(passed, value, np.nan)
        return items, noisy
