"""Noisy max over a universe most of which scores zero and is not listed: what large margin is held against.

Symbols: x = f/Δ_eff (Δ/2 for monotonic scores), q = ε/2·x; the item with the largest q + noise comes
out: gumbel noise is the exponential mechanism, laplace max-of-Laplaces. `zeros` items share q = 0.
Invariant: items of equal score are one group of the integral, so ten million cost no more than one.
Source: McSherry & Talwar 2007; Bhaskar et al. 2010; as compared in Chaudhuri, Hsu & Song 2014, Sec 2.2.
"""

import math
from dataclasses import dataclass
from typing import ClassVar

import numpy as np
from numpy.random import Generator

from dpviz.base.arrays import Floats, Ints
from dpviz.base.noise import NOISES
from dpviz.base.parameters import parameter
from dpviz.base.progress import Progress, silent
from dpviz.base.scores import Scores, differences
from dpviz.margin.one_item import TOP_ONE, TopOneLaw, TopOneMechanism
from dpviz.numerics.group_race import Winner, winner

_CELLS = 2_000_000  # noisy values drawn at once


@TOP_ONE.register(
    "noisy_max",
    label="Noisy max",
    says="Adds noise to every score and takes the largest. Take it first: its error grows only with the logarithm of "
    "the number of items.",
)
@dataclass(frozen=True, kw_only=True)
class NoisyMax(TopOneMechanism):
    """The item with the largest ε/2·x_i + noise, under ε-DP: δ is not used.

    >>> law = NoisyMax(epsilon=1.0).distribution(Scores([20.0, 0.0]), zeros=9998)
    >>> round(law.best, 4)
    0.6878
    """

    pure: ClassVar[bool] = True

    noise: str = parameter("gumbel", choices=NOISES, label="Noise")

    @property
    def exponential_rounds(self) -> int | None:
        """One, with gumbel noise."""
        return 1 if NOISES[self.noise].max_stable else None

    @property
    def zcdp(self) -> float | None:
        """ρ = ε²/8 with gumbel noise, where it is the exponential mechanism."""
        return self.epsilon**2 / 8 if self.exponential_rounds else None

    def _level(self, score: Floats, scores: Scores) -> Floats:
        """q of raw scores, relative to the best listed one: differences first, so that their size costs no digits."""
        best = float(scores.values[scores.order[0]])
        return self.epsilon / 2 * differences(score, best, scores.effective_sensitivity)

    def race(
        self, scores: Scores, log_zeros: float, progress: Progress = silent
    ) -> tuple[Floats, Ints, Floats, Winner]:
        """(score of each group, which of them each item is in, log of its size, how it fares).

        `log_zeros` is log of the number of unlisted items, which may pass any double; −inf for none.
        """
        more = [] if log_zeros == -math.inf else [0.0]
        score, group, size = np.unique(np.append(scores.values, more), return_inverse=True, return_counts=True)
        at_zero = score == 0
        with np.errstate(divide="ignore"):
            log_size = np.log(size - at_zero * len(more))
        log_size[at_zero] = np.logaddexp(log_size[at_zero], log_zeros)
        won = winner(NOISES[self.noise], self._level(score, scores), log_size, progress)
        return score, group[: scores.d], log_size, won

    def _law(self, scores: Scores, zeros: int, progress: Progress) -> TopOneLaw:
        score, group, log_size, won = self.race(scores, math.log(zeros) if zeros else -math.inf, progress)
        each = won.probability * np.exp(-log_size)
        at_zero = score == 0
        share = np.exp(math.log(zeros) - log_size[at_zero]) if zeros else 0.0  # of the group that nobody listed
        progress(1.0)
        return TopOneLaw(
            scores=scores,
            inclusion=each[group],
            error=won.error,
            zeros=zeros,
            zero_mass=float((won.probability[at_zero] * share).sum()),
        )

    def _sample(self, scores: Scores, zeros: int, size: int, rng: Generator) -> Ints:
        noise, level = NOISES[self.noise], self._level(np.append(scores.values, 0.0), scores)
        level, zero = level[:-1], level[-1]
        items = np.empty(size, np.int64)
        rows = max(1, _CELLS // scores.d)
        for start in range(0, size, rows):
            part = items[start : start + rows]
            noisy = level + noise.sample(rng, (len(part), scores.d))
            part[:] = noisy.argmax(1)
            if zeros:
                unlisted = zero + noise.largest(rng, np.full(len(part), math.log(zeros)))
                above = unlisted > noisy.max(1)
                part[above] = scores.d + rng.integers(zeros, size=int(above.sum()))
        return items
