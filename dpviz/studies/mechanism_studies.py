"""The law of a mechanism on scores as a study: whatever page, file or command wants of it is read
off here.

`LawStudy` has its figures, `ReleasesStudy` what its sampler gives, `SmallestEpsilonStudy` the ε that goals
take; studies of mechanisms of other kinds begin from `ScenarioStudy`.
Invariants: figures are computed in the order in which they stand; what goals take does not depend
on the ε of now.
"""

from collections.abc import Callable
from dataclasses import dataclass
from typing import NamedTuple, Self, TypeVar

import numpy as np

from dpviz.base import Floats, Ints, ParameterError, Progress, Scores
from dpviz.studies.epsilon_table import PROBABILITIES, needed_epsilon
from dpviz.studies.scenario import Scenario
from dpviz.studies.study import Study, read_if_ready, step, steps_by_name
from dpviz.topk import EVENTS, LARGEST_EPSILON, Goal, TopKDistribution, TopKMechanism

T = TypeVar("T")
_ROWS, _COLUMNS = 80, 120  # of the heatmap


class BoundedProbability(NamedTuple):
    """A probability with its interval: the estimated error bound where exact, 95 % where estimated."""

    value: float
    low: float
    high: float


@dataclass(frozen=True, kw_only=True, eq=False)
class MechanismStudy(Study):
    """What is computed of a mechanism on scores."""

    mechanism: TopKMechanism
    scores: Scores

    @property
    def k(self) -> int:
        """How many items come out."""
        return self.mechanism.k

    def with_epsilon(self, epsilon: float) -> Self:
        """The same at another ε."""
        return self.replace(mechanism=self.mechanism.replace(epsilon=epsilon))


@dataclass(frozen=True, kw_only=True, eq=False)
class ScenarioStudy(Study):
    """What is computed of scores as a scenario's page has them set."""

    scenario: Scenario
    scores: Scores

    def with_epsilon(self, epsilon: float) -> Self:
        """The same at another ε."""
        return self.replace(scenario=self.scenario.replace(epsilon=epsilon))


def _chance(law: TopKDistribution, probability: float) -> BoundedProbability:
    low, high = law.bounds(np.array(probability))
    return BoundedProbability(probability, float(low), float(high))


def _figure(read: Callable[[TopKDistribution], T]) -> "step[LawStudy, T]":
    """A step that reads a figure off the law."""
    return step(lambda study, progress: read(study.distribution))


@dataclass(frozen=True, kw_only=True, eq=False)
class LawStudy(MechanismStudy):
    """Which k items come out: the distribution, then its figures, those first that pages show
    first.
    """

    @property
    def events(self) -> tuple[str, ...]:
        """The events that say something here: OPTIMAL only where ties make it differ from TOP."""
        tied = self.scores.tie_counts(self.k)[1] > self.k
        return tuple(name for name in EVENTS if tied or name != "optimal")

    @step
    def distribution(self, progress: Progress) -> TopKDistribution:
        """The law: how it came about is known with it."""
        return self.mechanism.distribution(self.scores, progress=progress)

    @steps_by_name(over=lambda study: EVENTS)
    def event_probability(self, name: str, progress: Progress) -> BoundedProbability:
        """The chance of a named event."""
        return _chance(self.distribution, self.distribution.event_probability(name))

    inclusion = _figure(lambda law: law.inclusion)
    inclusion_bounds = _figure(lambda law: law.bounds(law.inclusion))
    share = _figure(lambda law: law.share)
    expected_hits = _figure(lambda law: law.expected_hits)
    hits = _figure(lambda law: law.hits)
    length = _figure(lambda law: law.length)
    whole_length = _figure(lambda law: _chance(law, float(law.length[-1])))
    all_right = _figure(lambda law: _chance(law, float(law.hits[-1])))
    grid = _figure(lambda law: law.grid(_ROWS, _COLUMNS))
    worst_rank = _figure(lambda law: law.expected_worst_rank)
    whole = _figure(lambda law: law)
    """The law, once all of its figures are there: who asks it for more does not compute beside
    them.
    """

    @property
    def is_complete(self) -> bool:
        """Whether all of it has come."""
        return read_if_ready(lambda: self.whole) is not None


def noisy_score_sampler(mechanism: TopKMechanism) -> Callable[..., tuple[Ints, Floats]]:
    """What draws releases with their noisy scores; a mechanism that has no such scores is refused."""
    draw: Callable[..., tuple[Ints, Floats]] | None = getattr(mechanism, "sample_with_scores", None)
    if draw is None:
        raise ParameterError("mechanism", mechanism.name, "one that releases noisy scores")
    return draw


@dataclass(frozen=True, kw_only=True, eq=False)
class ReleasesStudy(MechanismStudy):
    """Releases from the sampler, `size` of them; `noisy` with the scores that are released too."""

    size: int
    seed: int
    noisy: bool = False

    @step
    def releases(self, progress: Progress) -> tuple[Ints, Floats | None]:
        """Item indices, −1 where fewer come out, and noisy scores if any: each of shape (size, k)."""
        rng = np.random.default_rng(self.seed)
        if self.noisy:
            drawn: tuple[Ints, Floats] = noisy_score_sampler(self.mechanism)(
                self.scores, self.size, rng=rng
            )
            return drawn
        return self.mechanism.sample(self.scores, self.size, rng=rng), None


@dataclass(frozen=True, kw_only=True, eq=False)
class SmallestEpsilonStudy(MechanismStudy):
    """The smallest ε at which an event has each of some probabilities, by its text; `at_least` goes
    with "hits".
    """

    event: str
    probabilities: tuple[float, ...] = PROBABILITIES
    at_least: int | None = None

    def goal_with_probability(self, probability: float) -> Goal:
        """The event with this probability."""
        return Goal.for_event(self.event, probability, at_least=self.at_least)

    @steps_by_name(over=lambda study: map(repr, study.probabilities))
    def smallest_epsilons(self, probability: str, progress: Progress) -> tuple[float, str]:
        """(smallest ε, ""), or (inf, why) where it is out of reach."""
        return needed_epsilon(
            self.mechanism,
            self.scores,
            self.goal_with_probability(float(probability)),
            LARGEST_EPSILON,
            progress,
        )
