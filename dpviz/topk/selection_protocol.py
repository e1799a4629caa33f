"""The part of a mechanism that a distribution needs, so that it imports no mechanisms."""

from typing import Protocol

from numpy.random import Generator

from dpviz.base import Floats, Ints, Scores
from dpviz.topk.classes import ClassScore


class SelectionMechanism(Protocol):
    @property
    def k(self) -> int:
        """Number of items that come out."""

    @property
    def epsilon(self) -> float:
        """The cost of one release."""

    @property
    def key(self) -> str:
        """A text that identifies the mechanism."""

    def largest_list_size(self, scores: Scores) -> int:
        """Largest number of items that can come out."""

    @property
    def exponential_rounds(self) -> int | None:
        """Number of rounds if the law is that of exponential mechanisms in turn; otherwise None."""

    @property
    def class_score(self) -> ClassScore | None:
        """The weight of C(h,t) if it alone decides the chance of a set; otherwise None."""

    def epsilon_cost_factor(self, contributions: int | None) -> float:
        """The share of its working ε that a release costs."""

    def class_loss(self, x: Floats, h: Ints, t: Ints) -> Floats | None:
        """The loss of C(h,t) on ranked scores if it is the same for all members; otherwise None."""

    def sample(self, scores: Scores, size: int = 1, *, rng: Generator | int) -> Ints:
        """Independent releases, item indices of shape (size, k)."""
