"""The law of a mechanism on scores as a study: whatever page, file or command wants of it is read
off here.

`LawStudy` has its figures, `ReleasesStudy` what its sampler gives, `NeedStudy` the ε that goals
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
from dpviz.studies.study import Study, known, step, steps
from dpviz.topk import EVENTS, LARGEST_EPSILON, Goal, TopKDistribution, TopKMechanism

T = TypeVar("T")
_ROWS, _COLUMNS = 80, 120  # of the heatmap


class Chance(NamedTuple):
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

    def at(self, epsilon: float) -> Self:
        """The same at another ε."""
        return self.replace(mechanism=self.mechanism.replace(epsilon=epsilon))


@dataclass(frozen=True, kw_only=True, eq=False)
class ScenarioStudy(Study):
    """What is computed of scores as a scenario's page has them set."""

    scenario: Scenario
    scores: Scores

    def at(self, epsilon: float) -> Self:
        """The same at another ε."""
        return self.replace(scenario=self.scenario.replace(epsilon=epsilon))


def _chance(law: TopKDistribution, probability: float) -> Chance:
    low, high = law.bounds(np.array(probability))
    return Chance(probability, float(low), float(high))


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
        tied = self.scores.tied(self.k)[1] > self.k
        return tuple(name for name in EVENTS if tied or name != "optimal")

    @step
    def distribution(self, progress: Progress) -> TopKDistribution:
        """The law: how it came about is known with it."""
        return self.mechanism.distribution(self.scores, progress=progress)

    @steps(over=lambda study: EVENTS)
    def event(self, name: str, progress: Progress) -> Chance:
        """The chance of a named event."""
        return _chance(self.distribution, self.distribution.event(name))

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
    def finished(self) -> bool:
        """Whether all of it has come."""
        return known(lambda: self.whole) is not None


def with_scores(mechanism: TopKMechanism) -> Callable[..., tuple[Ints, Floats]]:
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
            drawn: tuple[Ints, Floats] = with_scores(self.mechanism)(
                self.scores, self.size, rng=rng
            )
            return drawn
        return self.mechanism.sample(self.scores, self.size, rng=rng), None


@dataclass(frozen=True, kw_only=True, eq=False)
class NeedStudy(MechanismStudy):
    """The smallest ε at which an event has each of some probabilities, by its text; `at_least` goes
    with "hits".
    """

    event: str
    probabilities: tuple[float, ...] = PROBABILITIES
    at_least: int | None = None

    def goal(self, probability: float) -> Goal:
        """The event with this probability."""
        return Goal.of(self.event, probability, at_least=self.at_least)

    @steps(over=lambda study: map(repr, study.probabilities))
    def needed(self, probability: str, progress: Progress) -> tuple[float, str]:
        """(smallest ε, ""), or (inf, why) where it is out of reach."""
        return needed_epsilon(
            self.mechanism, self.scores, self.goal(float(probability)), LARGEST_EPSILON, progress
        )
