"""What a law and what reads it have to know of the mechanism it belongs to, so that neither imports
mechanisms.

Symbols: C(h,t) as in `dpviz.topk.classes`.
"""

from typing import Protocol

from numpy.random import Generator

from dpviz.base import Floats, Ints, Scores
from dpviz.topk.law import ClassScore


class SelectionMechanism(Protocol):
    """What a distribution has to know of the mechanism it belongs to."""

    @property
    def k(self) -> int:
        """How many items come out."""

    @property
    def epsilon(self) -> float:
        """What one release costs."""

    @property
    def key(self) -> str:
        """One text that stands for it and no other."""

    def largest_list_size(self, scores: Scores) -> int:
        """How many items can come out at most."""

    @property
    def exponential_rounds(self) -> int | None:
        """Of how many exponential mechanisms, one after the other, this is the law; None of none."""

    @property
    def class_score(self) -> ClassScore | None:
        """The weight of C(h,t) where a set's chance goes by it alone; else None."""

    def epsilon_cost_factor(self, contributions: int | None) -> float:
        """What a release costs, of the ε that it works with."""

    def class_loss(self, x: Floats, h: Ints, t: Ints) -> Floats | None:
        """The loss of the classes C(h,t) on ranked scores, where it is one for all members; else
        None.
        """

    def sample(self, scores: Scores, size: int = 1, *, rng: Generator | int) -> Ints:
        """Independent releases, item indices of shape (size, k)."""
