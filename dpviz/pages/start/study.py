"""Start: privacy and utility by ε, with the scores and the mechanism that Explore opens on."""

from dataclasses import dataclass
from functools import cache

from dpviz.base import Ints, Progress
from dpviz.privacy.composition import right_guess_bound
from dpviz.studies import LawStudy, ReleasesStudy, Scenario, ScenarioStudy, steps_by_name

FIRST = Scenario(epsilon=0.2, k=10)
RELEASES = 50
"""Releases drawn at each ε."""
SEED = 11
# from where nearly no name is right to where the attacker nearly always is
_PER_DECADE, _FROM, _TO = 20, -34, 20


EPSILONS: tuple[float, ...] = tuple(
    float(f"{10 ** (n / _PER_DECADE):.2g}") for n in range(_FROM, _TO + 1)
)
"""Slider positions in equal ratios; ε of `FIRST` is one of them."""


@dataclass(frozen=True, kw_only=True, eq=False)
class StartStudy(ScenarioStudy):
    """Value and cost of the list, by ε as Python writes it."""

    @steps_by_name(over=lambda study: map(repr, EPSILONS))
    def law_study(self, epsilon: str, progress: Progress) -> LawStudy:
        return LawStudy(
            mechanism=self.scenario.mechanisms[0].replace(epsilon=float(epsilon)),
            scores=self.scores,
        )

    @steps_by_name(over=lambda study: map(repr, EPSILONS))
    def releases(self, epsilon: str, progress: Progress) -> Ints:
        """Item indices of shape (RELEASES, k)."""
        return ReleasesStudy(
            mechanism=self.law_study[epsilon].mechanism,
            scores=self.scores,
            size=RELEASES,
            seed=SEED,
        ).releases[0]

    @steps_by_name(over=lambda study: map(repr, EPSILONS))
    def guess_bound(self, epsilon: str, progress: Progress) -> float:
        """Bound on the chance that an attacker at 50/50 is right about a person."""
        return right_guess_bound([self.law_study[epsilon].mechanism])


@cache
def start_study() -> StartStudy:
    return StartStudy(scenario=FIRST, scores=FIRST.load())
