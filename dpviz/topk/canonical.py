"""Canonical Lipschitz mechanism: one noisy loss per utility class, then a uniform member.

Symbols: x = ranked scores / effective sensitivity; q_C = −ε/2·loss(C), C(h,t) as in `classes`.
With `rounded` the loss is a number of people, as in Medina & Gillenwater 2020, Asi & Duchi 2020.
Source: Shekelyan & Loukides 2022, Alg 1, Thm 3.5, Lemma 3.1.
"""

from dataclasses import dataclass
from typing import ClassVar

from dpviz.base import NOISES, Floats, Ints, NoiseName, ParameterError, Progress, Scores, parameter
from dpviz.base.former_names import former_names
from dpviz.topk.class_score_law import ClassRace  # noqa: F401 - where stored pickles look for it
from dpviz.topk.classes import ClassScore, people_changes_to_top_k
from dpviz.topk.law import RankLaw
from dpviz.topk.mechanism import TOP_K, TopKMechanism


@former_names(weighed="relative_scores")
@TOP_K.register(
    "canonical",
    label="Canonical",
    says=(
        "Weighs whole lists and uses ε once for all k items. Begin with it, as it is usually the"
        " best for long lists."
    ),
    field_names={
        "Lipschitz mechanism": {},
        "canonical Lipschitz mechanism": {},
        "inverse sensitivity mechanism": {"rounded": True},
    },
)
@dataclass(frozen=True, kw_only=True)
class Canonical(TopKMechanism):
    """The k-subset with the largest −ε/2·loss plus noise, loss(h,t) = (1−γ)·x_[h+1] − γ·x_[t].

    With gumbel noise P(C) ∝ ``|C|``·exp(−ε/2·loss(C)), in closed form. Other noises need an
    integral over the winning value.

    The paper calls it the canonical Lipschitz mechanism. With `rounded` it is the inverse
    sensitivity mechanism.

    Parameters
    ----------
    epsilon
        ε above 0, the total for one release of all k items.
    k
        Number of items that come out, from 1 to d − 1.
    gamma
        γ from 0 to 1, the weight on the worst item that is in; 1 − γ is the weight on the best
        missing item. Start with ½; use more if no bad item may come in.
    noise
        A name in `NOISES`: one of gumbel, exponential, laplace, logistic, half_logistic.
    rounded
        True to round the loss up to whole people first. γ must then be ½.

    Raises
    ------
    ParameterError
        If a parameter is out of range, or `rounded` is asked for at another γ.

    Examples
    --------
    >>> from dpviz import Scores
    >>> round(Canonical(epsilon=1.0, k=1).distribution(Scores([2.0, 0.0])).top, 4)
    0.6225
    """

    swift: ClassVar[bool] = True
    _added: ClassVar = frozenset({"rounded"})

    gamma: float = parameter(
        0.5,
        low=0.0,
        high=1.0,
        label="Weight γ on the worst item",
        help=(
            "At 0 only the best missing item counts, at 1 only the lowest item in the list, at ½"
            " both equally. Begin with ½. Use values near 1 if no bad item may be in the list."
        ),
    )
    noise: NoiseName = parameter("gumbel", choices=NOISES, label="Noise")
    rounded: bool = parameter(
        False,
        label="Round the loss up to whole people",
        help="Lists that need equally many people to change are then equally likely. Needs γ = ½.",
    )

    def __post_init__(self) -> None:
        super().__post_init__()
        if self.rounded and self.gamma != 0.5:
            raise ParameterError(
                "gamma",
                self.gamma,
                "0.5 where rounded is True: elsewhere more than ε would be lost",
            )

    @property
    def exponential_rounds(self) -> int | None:
        return 1 if NOISES[self.noise].max_stable else None

    def epsilon_cost_factor(self, contributions: int | None) -> float:
        """max(γ, 1−γ) if one person counts in one item and losses are not rounded, otherwise 1."""
        # half a move up and half a move down may each cross a whole number
        single = contributions == 1 and not self.rounded
        return max(self.gamma, 1 - self.gamma) if single else 1.0

    def class_loss(self, x: Floats, h: Ints, t: Ints) -> Floats:
        if self.rounded:
            return people_changes_to_top_k(x, h, t)
        return (1 - self.gamma) * x[h] - self.gamma * x[t - 1]

    def relative_scores(self, scores: Scores) -> Floats:
        """x − x_[k] by rank, over `epsilon_cost_factor`, which acts like ε over it."""
        return scores.differences_from_rank(self.k) / self.epsilon_cost_factor(scores.contributions)

    @property
    def class_score(self) -> ClassScore | None:
        return None if self.rounded else self._score  # rounded it is not linear

    def _score(self, x: Floats, h: Ints, t: Ints) -> Floats:
        return -self.epsilon / 2 * self.class_loss(x, h, t)

    def _law(self, scores: Scores, progress: Progress) -> RankLaw:
        score = self.class_score or self._score  # rounded it has a law too
        return self._law_by_class(self.relative_scores(scores), score, progress)
