"""The base of mechanisms that choose one item at (ε, δ) for any universe size, their law and menu.

Symbols: s = (raw scores − the best)/Δ in descending order (no Δ/2 here, whatever the neighbours), d items, of which
the last `zeros` may be items of score zero that nobody lists.
Invariants: `inclusion` + `zero_mass` + `fail` is 1; everything is exact up to `error`; ties keep the
order of the input, and unlisted zero items rank after listed ones.
Sources: Chaudhuri, Hsu & Song 2014; Smith & Thakurta 2013.
"""

from abc import ABC, abstractmethod
from dataclasses import dataclass
from typing import TYPE_CHECKING, ClassVar

from numpy.random import Generator

from dpviz.base.arrays import Floats, Ints
from dpviz.base.described import Described
from dpviz.base.errors import ParameterError
from dpviz.base.notebook import notebook_table
from dpviz.base.parameters import check, check_generator, check_inside, check_integer, check_number, parameter
from dpviz.base.progress import Progress, silent
from dpviz.base.registry import Registry
from dpviz.base.scores import Scores, check_scores

if TYPE_CHECKING:
    import pandas as pd

__all__ = ["TOP_ONE", "TopOneLaw", "TopOneMechanism", "below_best", "check_zeros"]

MOST_ZEROS = 10**1000
MOST_DRAWN = 100_000_000  # unlisted items that a sampler tells apart


def check_zeros(scores: Scores, zeros: int, most: int = MOST_ZEROS) -> int:
    """`zeros` as an int; raises `ParameterError` unless that many unlisted zero items can rank last."""
    check_scores(scores)
    zeros = check_integer("zeros", zeros, low=0, high=most)
    if zeros and (lowest := float(scores.values.min())) < 0:
        raise ParameterError("the lowest score", lowest, "at least 0 where unlisted items of score zero are added")
    return zeros


@dataclass(frozen=True, eq=False, kw_only=True)
class TopOneLaw:
    """Which one item comes out.

    `inclusion` has shape (d,) in item order, for the listed items; `zero_mass` is the chance that one
    of the `zeros` unlisted items comes out, `fail` that nothing does. `rank_law`, for large margin,
    is P(ℓ = r) for r = 1..d over the listed ranks, and `beyond` the chance that ℓ reaches further.
    `error` is an estimated bound on the error of each figure, rounding included.
    """

    scores: Scores
    inclusion: Floats
    error: float
    fail: float = 0.0
    zeros: int = 0
    zero_mass: float = 0.0
    rank_law: Floats | None = None
    beyond: float = 0.0
    method: str = "exact"

    @property
    def best(self) -> float:
        """The chance that an item of the highest score comes out."""
        return self.near_best(0.0)

    def near_best(self, distance: float) -> float:
        """The chance that the item's raw score is at least the highest score − `distance`."""
        distance = check_number("distance", distance, low=0.0)
        level = self.scores.values.max() - distance
        listed = float(self.inclusion[self.scores.values >= level].sum())
        return min(1.0, listed + (self.zero_mass if level <= 0 else 0.0))

    def _repr_html_(self) -> str:
        """How often the best comes out, and nothing."""
        best = self.scores.order[:5].tolist()
        rows = [("P(an item of the highest score)", f"{self.best:.4f}"), ("P(nothing)", f"{self.fail:.4f}")]
        rows += [(f"P({self.scores.label(i)})", f"{self.inclusion[i]:.4f}") for i in best]
        items = f"One of {self.scores.d:,} items" + (" and many more of score 0" if self.zeros else "")
        return notebook_table(items, rows, f"{self.method}, error at most {self.error:.1g}")

    def table(self) -> "pd.DataFrame":
        """A row a listed item, the best first: label, raw score, probability (and P(ℓ = rank) if there is one)."""
        import pandas as pd

        order = self.scores.order
        columns: dict[str, object] = {
            "item": [self.scores.label(int(i)) for i in order],
            "score": self.scores.values[order],
            "probability": self.inclusion[order],
        }
        if self.rank_law is not None:
            columns["rank_law"] = self.rank_law
        return pd.DataFrame(columns)


@dataclass(frozen=True, kw_only=True)
class TopOneMechanism(Described, ABC):
    """A private choice of one item under (ε, δ) for one release; under ε alone where it is `pure`.

    Raises `ParameterError` for an ε that is not above 0 or a δ outside (0, 1) when it is made.
    """

    pure: ClassVar[bool] = False

    epsilon: float = parameter(low=0.0, above=True, high=1e6, label="Privacy budget ε", help="Total for one release.")
    delta: float = parameter(1e-6, low=0.0, above=True, high=1.0, label="δ", help="Below 1 over the number of people.")

    def __post_init__(self) -> None:
        check_inside("delta", self.delta, self._delta_below)
        check(self)

    @property
    def delta_spent(self) -> float:
        """What one release costs beside ε: δ, or 0 where it is `pure`."""
        return 0.0 if self.pure else self.delta

    @property
    def _delta_below(self) -> float:
        return 1.0

    @classmethod
    def _menu(cls) -> "Registry[type[TopOneMechanism]]":
        return TOP_ONE

    def distribution(self, scores: Scores, *, zeros: int = 0, progress: Progress = silent) -> TopOneLaw:
        """Which item comes out, exactly, from `scores` and `zeros` further items of score zero.

        Unlisted items cost no memory, and may be more than anyone can count; listed scores must then be at least
        0, so that they rank first.
        `progress` is told the fraction done and may raise `Cancelled`.
        """
        zeros = check_zeros(scores, zeros)
        return self._law(scores, zeros, progress)

    def sample(self, scores: Scores, size: int = 1, *, rng: Generator | int, zeros: int = 0) -> Ints:
        """`size` independent releases, shape (size,): an item index, d, d+1, … for the unlisted
        zero items in their order, and −1 where nothing is released."""
        zeros = check_zeros(scores, zeros, MOST_DRAWN)
        size = check_integer("size", size, low=0)
        rng = check_generator(rng)
        return self._sample(scores, zeros, size, rng)

    @abstractmethod
    def _law(self, scores: Scores, zeros: int, progress: Progress) -> TopOneLaw:
        """The exact law."""

    @abstractmethod
    def _sample(self, scores: Scores, zeros: int, size: int, rng: Generator) -> Ints:
        """Releases drawn step by step as the mechanism says, never from the law."""


TOP_ONE: Registry[type[TopOneMechanism]] = Registry("mechanism", first=("large_margin", "noisy_max", "instability"))


def below_best(scores: Scores) -> tuple[Floats, float]:
    """(f − max f)/Δ in descending order (ties in input order), shape (d,), and what a score of zero is then.

    Differences first: laws and margins depend on them alone, so the size of the scores costs no digits.
    """
    best = float(scores.values[scores.order[0]])
    return scores.above(best)[scores.order], -best / scores.sensitivity
