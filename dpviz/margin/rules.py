"""Ways to choose one item, side by side: large margin and those it is held against.

A `Rule` gives the exact law of one of them at (ε, δ) on scores with unlisted items of score zero below.
Invariants: the registry is the order and the menu of every comparison; a pure rule (ε-DP) ignores δ.
Sources: Chaudhuri, Hsu & Song 2014, Alg 1, Sec 2.2; McSherry & Talwar 2007; Bhaskar et al. 2010;
Smith & Thakurta 2013.
"""

from collections.abc import Callable
from dataclasses import dataclass

from dpviz.base.progress import Progress, silent
from dpviz.base.registry import Registry
from dpviz.base.scores import Scores
from dpviz.margin.instability import DistanceToInstability
from dpviz.margin.large_margin import LargeMargin
from dpviz.margin.noisy_max import noisy_max
from dpviz.margin.one_item import TopOneLaw

__all__ = ["RULES", "Rule"]

Law = Callable[[Scores, float, float, int, Progress], TopOneLaw]


@dataclass(frozen=True)
class Rule:
    """A way to choose one item; `pure` tells ε-DP from (ε, δ)-DP, `noise` the family where it is a noisy max."""

    pure: bool
    at: Law
    noise: str | None = None

    def law(
        self, scores: Scores, epsilon: float, delta: float, *, zeros: int = 0, progress: Progress = silent
    ) -> TopOneLaw:
        """Which item comes out. Raises `ParameterError` for an ε or δ that the rule cannot have.

        >>> round(RULES["gumbel"].law(Scores([20.0, 0.0]), 1.0, 1e-6, zeros=9998).best, 4)
        0.6878
        """
        return self.at(scores, epsilon, delta, zeros, progress)


def _large_margin(scores: Scores, epsilon: float, delta: float, zeros: int, progress: Progress) -> TopOneLaw:
    return LargeMargin(epsilon=epsilon, delta=delta).distribution(scores, zeros=zeros, progress=progress)


def _instability(scores: Scores, epsilon: float, delta: float, zeros: int, progress: Progress) -> TopOneLaw:
    return DistanceToInstability(epsilon=epsilon, delta=delta).distribution(scores, zeros=zeros, progress=progress)


def _noisy_max(noise: str) -> Rule:
    def at(scores: Scores, epsilon: float, delta: float, zeros: int, progress: Progress) -> TopOneLaw:
        return noisy_max(scores, epsilon, noise=noise, zeros=zeros, progress=progress)

    return Rule(pure=True, at=at, noise=noise)


RULES: Registry[Rule] = Registry("rule")
RULES.add("large_margin", Rule(pure=False, at=_large_margin), label="Large margin")
RULES.add("gumbel", _noisy_max("gumbel"), label="Exponential mechanism")
RULES.add("laplace", _noisy_max("laplace"), label="Max of Laplaces")
RULES.add("instability", Rule(pure=False, at=_instability), label="Instability test")
