"""Generated score vectors: shapes that make selection easy or hard.

Symbols: d = size, i = item number from 1. Scores are whole numbers.
Source: Zipf's total of 15⁷ follows the experiment of Shekelyan & Loukides 2022, section 7.
"""

from abc import ABC, abstractmethod
from collections.abc import Mapping
from dataclasses import dataclass
from typing import ClassVar

import numpy as np

from dpviz.base import Floats, ParameterError, Registry, Scores, check_parameters, parameter

ZIPF_TOTAL = 15**7
_LARGEST_COUNT = 1e9


@dataclass(frozen=True, kw_only=True)
class ScoreGenerator(ABC):
    """A shape of scores; `opening` has the parameters that the app opens on, if not the defaults."""

    opening: ClassVar[Mapping[str, int]] = {}

    size: int = parameter(
        200, low=2, high=1_000_000, integer=True, label="Items", help="How many items have a score."
    )

    def __post_init__(self) -> None:
        check_parameters(self)

    def scores(self, *, sensitivity: float = 1.0, monotonic: bool = True) -> Scores:
        """Scores without labels; counts (Δ = 1, monotonic) by default.

        >>> Zipf(size=3, exponent=1.0).scores().values.tolist()
        [93196023.0, 46598011.0, 31065341.0]
        """
        return Scores(np.rint(self._values()), sensitivity=sensitivity, monotonic=monotonic)

    @abstractmethod
    def _values(self) -> Floats:
        """Scores before rounding, shape (size,)."""

    def _numbers(self) -> Floats:
        return np.arange(1, self.size + 1, dtype=np.float64)


@dataclass(frozen=True, kw_only=True)
class RandomGenerator(ScoreGenerator):
    """A random shape, fixed by its seed."""

    seed: int = parameter(
        7,
        low=0,
        high=2**32 - 1,
        integer=True,
        label="Seed",
        help="The same seed gives the same scores.",
    )

    def _rng(self) -> np.random.Generator:
        return np.random.default_rng(self.seed)

    def _around(self, spread: int) -> Floats:
        """Uniform whole numbers from −spread to spread, shape (size,)."""
        return self._rng().integers(-spread, spread + 1, self.size).astype(np.float64)


GENERATORS: Registry[type[ScoreGenerator]] = Registry("generator")


@GENERATORS.register(
    "zipf",
    label="Zipf",
    says=(
        "A total shared in proportion to 1/rank^s, as in many texts, shops and cities. Use it as a"
        " usual case."
    ),
)
@dataclass(frozen=True, kw_only=True)
class Zipf(ScoreGenerator):
    """A total in proportion to i^(−s); rounding may cost the sum up to d/2.

    The default is the experiment's, whose scores are in the millions.
    """

    opening: ClassVar[Mapping[str, int]] = {"total": 10_000}

    total: int = parameter(
        ZIPF_TOTAL,
        low=1,
        high=1_000_000_000,
        integer=True,
        label="Total of all scores",
        help="It is shared among the items and rounded.",
    )
    exponent: float = parameter(
        0.5,
        low=0.0,
        high=1.0,
        label="Exponent s",
        help="0 shares evenly; 1 favours the first items most.",
    )

    def _values(self) -> Floats:
        share = self._numbers() ** -self.exponent
        return np.asarray(share * (self.total / share.sum()))


@GENERATORS.register(
    "linear",
    label="Linear",
    says="Equal steps downwards. Use it to see the effect of one step.",
)
@dataclass(frozen=True, kw_only=True)
class Linear(ScoreGenerator):
    """Equal steps downwards: f_i = highest − step·(i−1); may pass below zero."""

    highest: float = parameter(1000.0, low=0.0, high=_LARGEST_COUNT, label="Highest score")
    step: float = parameter(
        5.0,
        low=0.0,
        high=1_000_000.0,
        label="Step",
        help="How much lower each next item scores, before rounding.",
    )

    def _values(self) -> Floats:
        return self.highest - self.step * (self._numbers() - 1)


@GENERATORS.register(
    "geometric",
    label="Geometric",
    says=(
        "Each score is the same fraction of the one before. Use it if the first few items count"
        " most."
    ),
)
@dataclass(frozen=True, kw_only=True)
class Geometric(ScoreGenerator):
    """Each score the same fraction of the one before: f_i = highest·ratio^(i−1), rounded."""

    highest: float = parameter(1000.0, low=1.0, high=_LARGEST_COUNT, label="Highest score")
    ratio: float = parameter(
        0.95, low=0.0, high=1.0, label="Ratio", help="Each score as a fraction of the one before."
    )

    def _values(self) -> Floats:
        return np.asarray(self.highest * self.ratio ** (self._numbers() - 1))


@GENERATORS.register(
    "one_winner",
    label="One clear winner",
    says="One item far ahead of all others. Use it to see how large a lead must be.",
)
@dataclass(frozen=True, kw_only=True)
class OneWinner(RandomGenerator):
    """Item 1 is `lead` above the best of the others, which are Poisson counts around `level`."""

    level: float = parameter(100.0, low=0.0, high=_LARGEST_COUNT, label="Level of the others")
    lead: float = parameter(
        50.0,
        low=0.0,
        high=_LARGEST_COUNT,
        label="Lead",
        help="How far the winner is above the second best.",
    )

    def _values(self) -> Floats:
        others = self._rng().poisson(self.level, self.size - 1).astype(np.float64)
        return np.concatenate([[others.max() + self.lead], others])


@GENERATORS.register(
    "near_ties",
    label="Near ties",
    says="Scores that hardly differ. Use it to see what no mechanism can distinguish.",
)
@dataclass(frozen=True, kw_only=True)
class NearTies(RandomGenerator):
    """Uniform whole scores from level − spread to level + spread: many are nearly equal."""

    level: float = parameter(1000.0, low=0.0, high=_LARGEST_COUNT, label="Level")
    spread: int = parameter(5, low=0, high=1_000_000, integer=True, label="Spread")

    def _values(self) -> Floats:
        return self.level + self._around(self.spread)


@GENERATORS.register(
    "two_clusters",
    label="Two clusters",
    says="A front group above the rest. Use it if the top k are far above the others.",
)
@dataclass(frozen=True, kw_only=True)
class TwoClusters(RandomGenerator):
    """A front group around level + gap (first), the rest around `level`, each uniform ± spread."""

    front: int = parameter(10, low=1, high=1_000_000, integer=True, label="Items in front")
    level: float = parameter(100.0, low=0.0, high=_LARGEST_COUNT, label="Level of the rest")
    gap: float = parameter(50.0, low=0.0, high=_LARGEST_COUNT, label="Distance between the groups")
    spread: int = parameter(5, low=0, high=1_000_000, integer=True, label="Spread within a group")

    def __post_init__(self) -> None:
        super().__post_init__()
        if self.front >= self.size:
            raise ParameterError("front", self.front, f"below the number of items, {self.size}")

    def _values(self) -> Floats:
        centre = self.level + self.gap * (self._numbers() <= self.front).astype(np.float64)
        return centre + self._around(self.spread)


@GENERATORS.register(
    "log_normal",
    label="Log-normal",
    says="Many small scores and a few very large ones. Use it as a second usual case.",
)
@dataclass(frozen=True, kw_only=True)
class LogNormal(RandomGenerator):
    """Rounded median·e^(σ·Z), Z standard normal: many small scores and a long tail."""

    median: float = parameter(100.0, low=1.0, high=1_000_000.0, label="Median")
    sigma: float = parameter(1.0, low=0.0, high=3.0, label="Spread of the logarithm σ")

    def _values(self) -> Floats:
        return np.asarray(self.median * np.exp(self.sigma * self._rng().standard_normal(self.size)))
