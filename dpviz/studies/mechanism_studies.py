"""Studies of one mechanism on scores, for pages, files and commands alike.

Figures are computed in the order in which they stand. The ε of goals ignores the ε set.
"""

from collections.abc import Callable
from dataclasses import dataclass
from typing import NamedTuple, Self, TypeVar

import numpy as np

from dpviz.base import Floats, Ints, ParameterError, Progress, Scores
from dpviz.studies.epsilon_table import PROBABILITIES, smallest_epsilon_or_reason
from dpviz.studies.scenario import Scenario
from dpviz.studies.study import Study, read_if_ready, step, steps_by_name
from dpviz.topk import (
    EVENTS,
    LARGEST_EPSILON,
    Goal,
    Grid,
    TopKDistribution,
    TopKMechanism,
    bin_on_edges,
    frame_edges,
)

T = TypeVar("T")


class BoundedProbability(NamedTuple):
    """A probability with its error bound where exact, its 95 % interval where estimated."""

    value: float
    low: float
    high: float


@dataclass(frozen=True, kw_only=True, eq=False)
class MechanismStudy(Study):
    mechanism: TopKMechanism
    scores: Scores

    @property
    def k(self) -> int:
        return self.mechanism.k

    def with_epsilon(self, epsilon: float) -> Self:
        """The study at another ε; a stated noise stays as it is."""
        if self.mechanism.states_noise:
            return self
        return self.replace(mechanism=self.mechanism.replace(epsilon=epsilon))


@dataclass(frozen=True, kw_only=True, eq=False)
class ScenarioStudy(Study):
    """Base of studies of scores under a scenario's page."""

    scenario: Scenario
    scores: Scores

    def with_epsilon(self, epsilon: float) -> Self:
        return self.replace(scenario=self.scenario.replace(epsilon=epsilon))


def bounded_probability(law: TopKDistribution, probability: float) -> BoundedProbability:
    """A probability of this law, with its bounds."""
    low, high = law.bounds(np.array(probability))
    return BoundedProbability(probability, float(low), float(high))


def _figure(read: Callable[[TopKDistribution], T]) -> "step[LawStudy, T]":
    """A step that reads a figure off the law."""
    return step(lambda study, progress: read(study.distribution))


@dataclass(frozen=True, kw_only=True, eq=False)
class LawStudy(MechanismStudy):
    """Law of the k items that come out, then its figures in the order that pages show them."""

    @property
    def events(self) -> tuple[str, ...]:
        """Events that matter here: OPTIMAL only where ties make it differ from TOP."""
        tied = self.scores.tie_counts(self.k).at_or_above > self.k
        return tuple(name for name in EVENTS if tied or name != "optimal")

    @step
    def distribution(self, progress: Progress) -> TopKDistribution:
        return self.mechanism.distribution(self.scores, progress=progress)

    @steps_by_name(list_names=lambda study: EVENTS)
    def event_probability(self, name: str, progress: Progress) -> BoundedProbability:
        return bounded_probability(self.distribution, self.distribution.event_probability(name))

    inclusion = _figure(lambda law: law.inclusion)
    inclusion_bounds = _figure(lambda law: law.bounds(law.inclusion))
    share = _figure(lambda law: law.share)
    expected_hits = _figure(lambda law: law.expected_hits)
    hits = _figure(lambda law: law.hits)
    length = _figure(lambda law: law.length)
    whole_length = _figure(lambda law: bounded_probability(law, float(law.length[-1])))
    all_right = _figure(lambda law: bounded_probability(law, float(law.hits[-1])))

    @step
    def grid(self, progress: Progress) -> Grid:
        """The classes on edges that are the same for every ε and every mechanism."""
        law = self.distribution.law
        return bin_on_edges(law, *frame_edges(self.k, self.scores.d))

    worst_rank = _figure(lambda law: law.expected_worst_rank)
    whole = _figure(lambda law: law)
    """The law once all figures are there, so that asking it for more computes nothing twice."""

    @property
    def is_complete(self) -> bool:
        return read_if_ready(lambda: self.whole) is not None


def noisy_score_sampler(mechanism: TopKMechanism) -> Callable[..., tuple[Ints, Floats]]:
    """Sampler of releases with noisy scores; raises `ParameterError` where there is none."""
    draw: Callable[..., tuple[Ints, Floats]] | None = getattr(mechanism, "sample_with_scores", None)
    if draw is None:
        raise ParameterError("mechanism", mechanism.name, "one that releases noisy scores")
    return draw


@dataclass(frozen=True, kw_only=True, eq=False)
class ReleasesStudy(MechanismStudy):
    """Releases from the sampler; with `noisy` their noisy scores too."""

    size: int
    seed: int
    noisy: bool = False

    @step
    def releases(self, progress: Progress) -> tuple[Ints, Floats | None]:
        """Item indices (−1 where fewer come out) and noisy scores or None, shape (size, k)."""
        rng = np.random.default_rng(self.seed)
        if self.noisy:
            drawn: tuple[Ints, Floats] = noisy_score_sampler(self.mechanism)(
                self.scores, self.size, rng=rng
            )
            return drawn
        return self.mechanism.sample(self.scores, self.size, rng=rng), None


@dataclass(frozen=True, kw_only=True, eq=False)
class SmallestEpsilonStudy(MechanismStudy):
    """Smallest ε at which an event reaches each probability; `at_least` goes with "hits"."""

    event: str
    probabilities: tuple[float, ...] = PROBABILITIES
    at_least: int | None = None

    def goal_with_probability(self, probability: float) -> Goal:
        return Goal.for_event(self.event, probability, at_least=self.at_least)

    @steps_by_name(list_names=lambda study: map(repr, study.probabilities))
    def smallest_epsilons(self, probability: str, progress: Progress) -> tuple[float, str]:
        """(smallest ε, ""), or (inf, reason) where it is out of reach."""
        return smallest_epsilon_or_reason(
            self.mechanism,
            self.scores,
            self.goal_with_probability(float(probability)),
            LARGEST_EPSILON,
            progress,
        )
