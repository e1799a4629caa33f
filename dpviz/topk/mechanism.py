"""The base of all private top-k mechanisms, and their menu.

Symbols: x = ranked normalised scores. Laws depend on their differences only, formed from raw scores
(`Scores.relative_to`), so large scores cost no digits.
Invariants: a row of `sample` is sorted by item index, as the order in which a sampler works would
leak. A family with a private order says `releases_order`.
"""

from dataclasses import dataclass
from typing import ClassVar, Self

import numpy as np
from numpy.random import Generator

from dpviz.base import (
    NOISES,
    Floats,
    Ints,
    Mechanism,
    ParameterError,
    Progress,
    Registry,
    Scores,
    check_generator,
    check_integer,
    check_mechanism,
    check_top_k,
    ignore_progress,
    parameter,
)
from dpviz.base.former_names import former_names
from dpviz.topk.class_score_law import (
    check_class_score,
    class_law_sampler,
    law_of_class_score,
)
from dpviz.topk.classes import ClassScore
from dpviz.topk.distribution import TopKDistribution
from dpviz.topk.law import ClassLaw, Draw, RankLaw
from dpviz.topk.sampled_law import sampled_law
from dpviz.topk.stated_noise import StatedNoise

TOP_K: "Registry[type[TopKMechanism]]" = Registry(
    "mechanism", first_names=("canonical", "one_shot", "peeling", "joint")
)


@former_names(loss="class_loss", reach="largest_list_size", unit_price="epsilon_cost_factor")
@dataclass(frozen=True, kw_only=True)
class TopKMechanism(Mechanism):
    """A private choice of k of d items under a total budget of ε for one release.

    Parameters
    ----------
    epsilon
        ε above 0, the total for one release of all k items.
    k
        Number of items that come out, from 1 to d − 1.

    Raises
    ------
    ParameterError
        If a parameter is out of range, or later if k ≥ d.
    """

    _menu: ClassVar = TOP_K
    releases_order: ClassVar[bool] = False
    shorter: ClassVar[bool] = False  # True if fewer than k items may come out
    needs_contributions: ClassVar[bool] = False  # True if its noise follows `contributions`
    noise_scales: ClassVar[tuple[str, ...]] = ()  # parameters that state its noise in place of ε
    heavy: ClassVar[bool] = False  # True if its law takes long on many items, exact or not
    swift: ClassVar[bool] = False  # True if releases take no time on many items

    epsilon: float = parameter(
        low=0.0,
        above=True,
        high=1e6,
        label="ε, the privacy budget",
        help="Total for one release of all k items.",
    )
    k: int = parameter(low=1, integer=True, label="k", help="The number of items in the list.")

    @property
    def exponential_rounds(self) -> int | None:
        """Number of rounds if the law is that of exponential mechanisms in turn, ε/rounds each."""
        return None

    @property
    def stated_noise(self) -> StatedNoise | None:
        """The stated noise, from which ε follows; None where ε is given."""
        return None

    @property
    def states_noise(self) -> bool:
        """True if the scale of its noise is stated, and ε follows from it."""
        return self.stated_noise is not None

    @property
    def setting(self) -> float:
        """The figure that a person sets: ε, or the scale of a stated noise."""
        return self.epsilon if self.stated_noise is None else self.stated_noise.scale

    @property
    def zcdp(self) -> float | None:
        """ρ = rounds·(ε/rounds)²/8, as an exponential mechanism is bounded-range; or None."""
        rounds = self.exponential_rounds
        return None if rounds is None else self.epsilon**2 / (8 * rounds)

    def distribution(
        self,
        scores: Scores,
        *,
        samples: int = 10_000,
        rng: Generator | int | None = None,
        progress: Progress = ignore_progress,
    ) -> TopKDistribution:
        """The distribution of the chosen k items: exact if possible, otherwise estimated.

        Costly figures are computed when first read, and report to the same `progress`.

        Parameters
        ----------
        scores
            The scores to choose from, more than k.
        samples
            Number of draws for an estimated law.
        rng
            The generator of these draws, or its seed; None for seed 0.
        progress
            Told the fraction done; may raise `Cancelled`.

        Returns
        -------
        TopKDistribution
            The law of the chosen items, with all figures of merit.

        Raises
        ------
        ParameterError
            If k ≥ d.
        """
        fit = self.fit_to_scores(scores)
        scores = fit._ranked(scores)
        law = fit._law(scores, progress)
        if law is None:
            return estimate(fit, scores, samples=samples, rng=rng, progress=progress)
        return TopKDistribution(fit, scores, law)

    def fit_to_scores(self, scores: Scores) -> Self:
        """The mechanism as it runs on some scores: itself, unless its k follows from them.

        Parameters
        ----------
        scores
            The scores to choose from.

        Returns
        -------
        Self
            The mechanism with a k.
        """
        return self

    def has_exact_law(self, scores: Scores, progress: Progress = ignore_progress) -> bool:
        """True if its law on these scores is exact; no draw is made to find out.

        Parameters
        ----------
        scores, progress
            As in `distribution`.

        Returns
        -------
        bool
            False if the law would be estimated from draws.
        """
        fit = self.fit_to_scores(scores)
        return fit._law(fit._ranked(scores), progress) is not None

    def exact_law(self, scores: Scores, progress: Progress) -> TopKDistribution:
        """The exact law on some scores.

        Parameters
        ----------
        scores, progress
            As in `distribution`.

        Returns
        -------
        TopKDistribution
            The exact law of the chosen items.

        Raises
        ------
        ParameterError
            If there is no exact law.
        """
        dist = self.distribution(scores, samples=1, progress=progress)
        if dist.draws:
            raise ParameterError(
                "mechanism", self, "one with an exact law on these scores (see `audit` for others)"
            )
        return dist

    def sample(self, scores: Scores, size: int = 1, *, rng: Generator | int) -> Ints:
        """Independent releases.

        Parameters
        ----------
        scores
            The scores to choose from.
        size
            Number of releases.
        rng
            The generator, or its seed.

        Returns
        -------
        Ints
            Item indices of shape (size, k), sorted by index, padded with −1 if fewer come out.

        Raises
        ------
        ParameterError
            If k ≥ d.
        """
        size = check_integer("size", size, low=0)
        rng = check_generator(rng)
        ranks = self.sampler(scores)(size, rng)
        # half the size sorts twice as fast
        items = self._ranked(scores).order.astype(np.int32)[ranks]
        if not self.shorter:
            return np.sort(items, axis=1).astype(np.int64)
        items = np.sort(np.where(ranks < 0, scores.d, items), axis=1).astype(np.int64)
        return np.where(items < scores.d, items, -1)

    def sampler(self, scores: Scores, progress: Progress = ignore_progress) -> Draw:
        """A sampler for these scores, prepared once.

        Parameters
        ----------
        scores
            The scores to choose from.
        progress
            Told of the preparation; may raise `Cancelled`.

        Returns
        -------
        Draw
            A function of a size and a generator. It gives 0-based ranks of shape (size, k),
            ascending along each row and padded with −1 if fewer come out.
        """
        fit = self.fit_to_scores(scores)
        return fit._sampler(fit._ranked(scores), progress)

    def largest_list_size(self, scores: Scores) -> int:
        """Largest number of items that can come out."""
        return self.k

    def _ranked(self, scores: Scores) -> Scores:
        """The checked scores, in the order in which the mechanism ranks them."""
        self.check_scores(scores)
        return scores

    def check_scores(self, scores: Scores) -> None:
        """Raise `ParameterError` unless 1 ≤ k ≤ d − 1."""
        check_top_k(scores, self.k)

    def epsilon_cost_factor(self, contributions: int | None) -> float:
        """The share of its working ε that a release costs, given the items one person counts in."""
        return 1.0

    def releases_scores(self, contributions: int | None) -> bool:
        """True if ε also covers noisy scores of the chosen items, for this `contributions`."""
        return False

    def called(self, contributions: int | None) -> str:
        """The name shown to people, for this `contributions`."""
        return TOP_K.label(self.name) if self.name in TOP_K else self.name

    @property
    def class_score(self) -> ClassScore | None:
        """The weight of C(h,t), linear in x, if it alone decides a set's chance; otherwise None.

        A mechanism of your own says it as a method, `class_score(self, x, h, t)`, and has an exact
        law and draws by that: the class with the largest weight plus the largest noise of its sets.
        x are the ranked scores over the effective sensitivity, less that of rank k.
        """
        return None

    def class_loss(self, x: Floats, h: Ints, t: Ints) -> Floats | None:
        """The loss of classes of answers, if it is the same for all members of a class.

        Parameters
        ----------
        x
            Ranked scores over the effective sensitivity, shape (d,), descending.
        h
            Number of top ranks that are all in, shape (classes,).
        t
            The worst rank that is in, 1-based, shape (classes,).

        Returns
        -------
        Floats | None
            The loss of each class, shape (classes,); None if the mechanism has none.
        """
        return None

    def _law(self, scores: Scores, progress: Progress) -> RankLaw | None:
        """The exact law on the ranks of `scores`; None if it must be estimated."""
        if self.class_score is None:
            return None
        price = self.epsilon_cost_factor(scores.contributions)
        x = scores.differences_from_rank(self.k) / price
        return self._law_by_class(x, self.class_score, progress)

    def _law_by_class(self, x: Floats, score: ClassScore, progress: Progress) -> ClassLaw:
        if not type(self).__module__.startswith("dpviz."):
            check_class_score(x, self.k, score)
        noise = NOISES[getattr(self, "noise", "gumbel")]
        return law_of_class_score(x, self.k, score, noise, progress)

    def _sampler(self, scores: Scores, progress: Progress) -> Draw:
        """A sampler of ranks; slow draws may keep reporting to `progress`."""
        law = self._law(scores, progress)
        if not isinstance(law, ClassLaw):
            allowed = "one with a method class_score(x, h, t) or sampler(scores, progress)"
            raise ParameterError("mechanism", self, allowed)
        return class_law_sampler(law)


def check_top_k_mechanism(mechanism: object) -> TopKMechanism:
    """`mechanism` if it is one for k items; else an error that says what makes one."""
    checked: TopKMechanism = check_mechanism(mechanism, TopKMechanism, "a mechanism for k items")
    return checked


def estimate(
    mechanism: TopKMechanism,
    scores: Scores,
    *,
    samples: int = 10_000,
    rng: Generator | int | None = None,
    progress: Progress = ignore_progress,
) -> TopKDistribution:
    """The distribution of a mechanism, estimated from draws even if an exact law exists.

    Parameters
    ----------
    mechanism
        The mechanism that is run.
    scores
        The scores to choose from.
    samples
        Number of draws.
    rng
        The generator, or its seed; None for seed 0.
    progress
        Told the fraction done; may raise `Cancelled`.

    Returns
    -------
    TopKDistribution
        The type of `mechanism.distribution`, with `method` "estimated" and 95 % intervals.

    Examples
    --------
    >>> from dpviz.topk.canonical import Canonical
    >>> dist = estimate(Canonical(epsilon=1.0, k=1), Scores([2.0, 0.0]), samples=2000)
    >>> low, high = dist.interval("top")
    >>> low < 0.6225 < high
    True
    """
    mechanism = check_top_k_mechanism(mechanism).fit_to_scores(scores)
    ranked = mechanism._ranked(scores)

    def prepare(part: Progress) -> Draw:
        return mechanism.sampler(ranked, part)

    law = sampled_law(
        prepare, scores.d, mechanism.k, samples, rng, progress, may_be_shorter=mechanism.shorter
    )
    return TopKDistribution(mechanism, ranked, law)
