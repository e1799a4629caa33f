"""Start: what is traded for what, on scores that are made up, at every place of one slider.

At each ε: the law of the ten names, releases from the sampler, and how often a guesser can be
right. The releases of one number come from one seed at every ε, so that names settle as ε grows.
Invariant: no scores but those of the example that Explore opens on, and its mechanism.
"""

from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache

from dpviz.base import Ints, Progress
from dpviz.privacy.composition import right_guess_bound
from dpviz.studies.mechanism_studies import LawStudy, ReleasesStudy, ScenarioStudy
from dpviz.studies.scenario import Scenario
from dpviz.studies.study import steps_by_name

FIRST = Scenario(epsilon=0.2, k=10)
RELEASES = 50
"""How many are drawn at each ε."""
SEED = 11
_PER_DECADE, _FROM, _TO = (
    20,
    -34,
    20,
)  # from where nearly no name is right to where the guesser nearly always is


def _places() -> Iterator[float]:
    for n in range(_FROM, _TO + 1):
        yield float(f"{10 ** (n / _PER_DECADE):.2g}")


EPSILONS: tuple[float, ...] = tuple(_places())
"""The places of the slider, in equal ratios; that of `FIRST` is one of them."""


@dataclass(frozen=True, kw_only=True, eq=False)
class StartStudy(ScenarioStudy):
    """What the list is worth and what it costs, by ε as Python writes it."""

    @steps_by_name(over=lambda study: map(repr, EPSILONS))
    def law_study(self, epsilon: str, progress: Progress) -> LawStudy:
        """Which names come out."""
        mechanism = self.scenario.mechanisms[0].replace(epsilon=float(epsilon))
        return LawStudy(mechanism=mechanism, scores=self.scores)

    @steps_by_name(over=lambda study: map(repr, EPSILONS))
    def releases(self, epsilon: str, progress: Progress) -> Ints:
        """Item indices of shape (RELEASES, k)."""
        law = self.law_study[epsilon]
        drawn = ReleasesStudy(mechanism=law.mechanism, scores=self.scores, size=RELEASES, seed=SEED)
        return drawn.releases[0]

    @steps_by_name(over=lambda study: map(repr, EPSILONS))
    def guess_bound(self, epsilon: str, progress: Progress) -> float:
        """How often someone at 50/50 about whether a person is in the data can be right at most."""
        return right_guess_bound([self.law_study[epsilon].mechanism])


@cache
def start_study() -> StartStudy:
    """The one there is, for every session alike."""
    return StartStudy(scenario=FIRST, scores=FIRST.load())
