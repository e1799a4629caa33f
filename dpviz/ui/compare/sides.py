"""The designs that are compared, each with its identity and what is known of it so far."""

from collections.abc import Sequence
from dataclasses import dataclass

from dpviz import charts
from dpviz.base.scores import Scores
from dpviz.charts.identity import MOST, Identity, identity
from dpviz.studies.scenario import Design, Scenario
from dpviz.ui.shell import state
from dpviz.ui.work.answer import Answer, answers
from dpviz.ui.work.desk import desk
from dpviz.ui.work.job import Job

__all__ = ["LEAST", "STARTING", "Side", "begin", "ended", "known", "labels", "sides", "under_way", "without_epsilon"]

LEAST = 2
STARTING = (
    Design(mechanism="canonical"),
    Design(mechanism="peeling"),
    Design(mechanism="one_shot", parameters={"noise": "exponential"}),
)


@dataclass(frozen=True, eq=False)
class Side:
    """One of the designs compared: which it is, how it is recognised, what is known of it."""

    number: int
    design: Design
    answer: Answer

    @property
    def label(self) -> str:
        """What the design is called on these scores."""
        return self.design.label_for(self.answer.mechanism.k, self.answer.scores.contributions)

    def identity(self, look: charts.Look) -> Identity:
        """Its letter, colour, dash and marker."""
        return identity(self.number, look)


def begin() -> None:
    """Bring the scenario to two to six designs: a single one is joined by those one starts with."""
    scenario = state.scenario()
    designs = scenario.designs
    if len(designs) < LEAST:
        others = [design for design in STARTING if design not in designs]
        designs = (*designs, *others)[: len(STARTING)]
    if len(designs) > MOST:
        state.settle(designs=designs[:MOST])
        state.tell("page", f"{len(designs)} mechanisms were given; the first {MOST} are compared.")
    elif designs != scenario.designs:
        state.settle(designs=designs)


def sides(scenario: Scenario, scores: Scores) -> list[Side]:
    """Every design with its law: at once where that is quick, else as it comes."""
    pairs = zip(scenario.designs, answers(scenario.mechanisms, scores), strict=True)
    return [Side(number, design, answer) for number, (design, answer) in enumerate(pairs)]


def known(of: Sequence[Side], *figures: str) -> list[int]:
    """How much is known of each design: of these figures, or of all."""
    results = [side.answer.job.results for side in of]
    return [sum(name in there for name in figures) if figures else len(there) for there in results]


def under_way() -> list[Job]:
    """The work on laws and heatmaps."""
    return desk().jobs("laws", "maps")


def ended(jobs: Sequence[Job]) -> list[tuple[int, bool]]:
    """Which of these jobs have ended."""
    return [(id(job), job.finished) for job in jobs]


def labels(of: Sequence[Side]) -> list[str]:
    """What the designs are called, in their order."""
    return [side.label for side in of]


def without_epsilon(side: Side) -> str:
    """A key for what does not depend on the ε of now."""
    return f"{side.answer.mechanism.replace(epsilon=1.0).key} {side.answer.scores.digest}"
