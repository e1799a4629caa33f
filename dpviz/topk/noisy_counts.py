"""Noisy counts that may be published with the names: shared by one-shot, threshold and gaussian."""

from abc import abstractmethod
from dataclasses import dataclass
from typing import ClassVar, Literal, Self

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
    parameter,
    store_fields,
)
from dpviz.topk.law import row_chunks
from dpviz.topk.mechanism import TopKMechanism
from dpviz.topk.stated_noise import StatedNoise, no_noise_counterexample


def require_contributions(scores: Scores) -> int:
    """c, the most items that one person counts in; raises `ParameterError` if it is not known."""
    if scores.contributions is None:
        raise ParameterError(
            "contributions",
            None,
            "a number, as the noise depends on the items that one person can count in",
        )
    return scores.contributions


@dataclass(frozen=True, kw_only=True)
class NoisyCountsMechanism(TopKMechanism):
    """A top-k mechanism whose noisy scores may come out; a stated scale of noise gives ε."""

    _added: ClassVar[frozenset[str]] = frozenset({"contributions", "sigma", "scale"})

    epsilon: float = parameter(
        None,
        low=0.0,
        above=True,
        high=1e6,
        label="Privacy budget ε",
        help="Total for one release of all k items.",
    )
    contributions: int | None = parameter(
        None,
        low=1,
        integer=True,
        label="Items of one person",
        help="The most items in which one person counts. It goes with a stated noise.",
    )

    def __post_init__(self) -> None:
        name, scale = self._stated_scale
        if isinstance(scale, float | int) and scale == 0:
            pair = no_noise_counterexample(getattr(self, "stated_threshold", None))
            raise ParameterError(name, scale, f"above 0, as no ε holds where {pair}")
        super().__post_init__()
        if name == "scale" and scale is not None and getattr(self, "noise") != "laplace":  # noqa: B009
            raise ParameterError("noise", getattr(self, "noise"), "laplace where scale is stated")  # noqa: B009
        given: object = self.epsilon
        if scale is None and given is None:
            raise ParameterError("epsilon", None, f"a number above 0, or {name} in its place")
        if scale is None and self.contributions is not None:
            allowed = f"left out unless {name} is stated, as the scores say it"
            raise ParameterError("contributions", self.contributions, allowed)
        if scale is not None and given is not None:
            allowed = f"left out beside {name}, as ε follows from the noise"
            raise ParameterError("epsilon", given, allowed)
        if scale is not None and self.contributions is None:
            allowed = f"a whole number of at least 1 beside {name}, as ε depends on it"
            raise ParameterError("contributions", None, allowed)
        if (noise := self.stated_noise) is not None:
            store_fields(self, epsilon=self._epsilon_of_noise(noise))

    def __getstate__(self) -> dict[str, object]:
        """Its fields without those that are not stated, so that older pickles stay the same."""
        return {name: held for name, held in vars(self).items() if name not in self._added or held}

    @property
    @abstractmethod
    def _stated_scale(self) -> tuple[str, float | None]:
        """The parameter that states the scale of the noise, and its value."""

    @property
    def _stated_threshold(self) -> float | None:
        return None

    @property
    def stated_noise(self) -> StatedNoise | None:
        name, scale = self._stated_scale
        if scale is None or self.contributions is None:
            return None
        noise: Literal["laplace", "gaussian"] = "gaussian" if name == "sigma" else "laplace"
        return StatedNoise(noise, scale, self.contributions, self._stated_threshold)

    def _epsilon_of_noise(self, noise: StatedNoise) -> float:
        return noise.epsilon(self.delta_spent)  # for one person more or less

    def replace(self, **changes: object) -> Self:
        """A copy with changes; its ε follows again where the noise is stated."""
        return super().replace(**({"epsilon": None} if self.states_noise else {}) | changes)

    def check_scores(self, scores: Scores) -> None:
        """Raise `ParameterError` for scores that the mechanism or its stated noise does not fit."""
        super().check_scores(scores)
        if self.contributions is None:
            return
        if require_contributions(scores) > self.contributions:
            allowed = f"at most {self.contributions:,}, which the stated noise covers"
            raise ParameterError("contributions of the scores", scores.contributions, allowed)
        if not scores.monotonic:
            allowed = "True where the noise is stated, as ε follows for one person more or less"
            raise ParameterError("monotonic", scores.monotonic, allowed)
        if scores.sensitivity != 1:
            raise ParameterError("sensitivity", scores.sensitivity, "1 where the noise is stated")

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
        scores, size, rng
            As in `sample`.

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
