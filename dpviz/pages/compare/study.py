"""Compare: two to six designs side by side, on the same scores, ε and k.

`CompareSettings` is what the page adds to the scenario. A `ComparedDesign` is one of the designs with its
law. What takes longer is a study of its own for each design: `CurvesByEpsilonStudy` and `ShortfallStudy`,
which do not depend on the ε of now, `CurvesByKStudy` over k, `ReplayStudy`; `HeatmapsStudy` puts all laws
on the same axes.
"""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from dpviz.base import Floats, Ints, Progress, Scores, iterate_with_progress, parameter
from dpviz.studies import LARGEST_SEED, Design, Scenario, Study, step, steps_by_name
from dpviz.studies.mechanism_studies import LawStudy, MechanismStudy
from dpviz.topk import (
    EVENTS,
    FigureCurve,
    Grid,
    bin_on_edges,
    figures_by_k,
    k_grid,
    shared_edges,
    utility_curves,
)
from dpviz.topk.shortfall_guarantees import (
    ShortfallCurve,
    guaranteed_top_probability,
    shortfall_curve,
)

LEAST = 2  # designs
STARTING = (
    Design(mechanism="canonical"),
    Design(mechanism="peeling"),
    Design(mechanism="one_shot", parameters={"noise": "exponential"}),
)
DRAWS = 2_000  # where a law is estimated, for each point of a curve
RELEASES = 6  # replayed of every design
_RANGE = (1e-3, 1e4)  # of ε
_TOLERANCE = 5e-4  # of a curve: less than a pixel
_SHORTFALL = 0.95
_POINTS = 61  # of a shortfall curve
_PROMISED = 400  # points of what a theorem promises
_CELLS = {2: (60, 90), 3: (50, 64)}  # rows and columns of one heatmap, by how many there are
_SMALL = (40, 48)


@dataclass(frozen=True, kw_only=True)
class CompareSettings:
    """The figure that curves and goals are about; where scores tie and none is asked for, OPTIMAL
    is meant.
    """

    event: str = parameter("top", choices=EVENTS, label="Figure")
    bounds: bool = parameter(False, label="The papers' bounds")


@dataclass(frozen=True, eq=False)
class ComparedDesign:
    """One of the designs compared: which it is, what it is called on these scores, and its law."""

    number: int
    design: Design
    label: str
    law: LawStudy


def compared_designs(scenario: Scenario, scores: Scores) -> list[ComparedDesign]:
    """Every design of the scenario, with its law."""
    designs = zip(scenario.designs, scenario.mechanisms, strict=True)
    return [
        ComparedDesign(
            number,
            design,
            design.label_for_data(scenario.k, scores.contributions),
            LawStudy(mechanism=mechanism, scores=scores),
        )
        for number, (design, mechanism) in enumerate(designs)
    ]


@dataclass(frozen=True, kw_only=True, eq=False)
class CurvesByEpsilonStudy(MechanismStudy):
    """The chance of each event against ε."""

    events: tuple[str, ...]

    @step
    def curves(self, progress: Progress) -> dict[str, FigureCurve]:
        """By event."""
        low, high = _RANGE
        curves = utility_curves(
            self.mechanism,
            self.scores,
            events=self.events,
            low=low,
            high=high,
            tolerance=_TOLERANCE,
            samples=DRAWS,
            progress=progress,
        )
        return {curve.event: curve for curve in curves}

    @property
    def promised_probabilities(self) -> tuple[Floats, Floats] | None:
        """ε along the curve of TOP, and what a theorem promises there; None where there is no such
        theorem.
        """
        x = self.curves["top"].x
        epsilons = np.geomspace(x[0], x[-1], _PROMISED)
        chances = [
            guaranteed_top_probability(self.mechanism.replace(epsilon=float(e)), self.scores.ranked)
            for e in epsilons
        ]
        return None if chances[0] is None else (epsilons, np.array(chances, float))


@dataclass(frozen=True, kw_only=True, eq=False)
class ShortfallStudy(MechanismStudy):
    """How far down the worst choice may lie, against ε."""

    @step
    def curve(self, progress: Progress) -> ShortfallCurve:
        """Beside what the theorem allows."""
        epsilons = np.geomspace(0.01, 100.0, _POINTS).tolist()
        return shortfall_curve(
            self.mechanism,
            self.scores,
            epsilons,
            probability=_SHORTFALL,
            samples=DRAWS,
            progress=progress,
        )


@dataclass(frozen=True, kw_only=True, eq=False)
class CurvesByKStudy(MechanismStudy):
    """The chance of each event against k, at the same ε."""

    events: tuple[str, ...]

    @step
    def curves(self, progress: Progress) -> dict[str, FigureCurve]:
        """By event."""
        ks = k_grid(self.scores.d, self.k)
        curves = figures_by_k(
            self.mechanism, self.scores, ks, events=self.events, samples=DRAWS, progress=progress
        )
        return {curve.event: curve for curve in curves}


@dataclass(frozen=True, kw_only=True, eq=False)
class ReplayStudy(MechanismStudy):
    """A few releases, each of a seed of its own."""

    seed: int

    @property
    def seeds(self) -> list[int]:
        """The seeds, from the first one on."""
        return [(self.seed + i) % (LARGEST_SEED + 1) for i in range(RELEASES)]

    @step
    def ranks(self, progress: Progress) -> Ints:
        """0-based, a row a release: the same as `sample` with that seed gives."""
        draw = self.mechanism.sampler(self.scores)
        return np.concatenate(
            [
                draw(1, np.random.default_rng(seed))
                for seed, _ in iterate_with_progress(self.seeds, progress)
            ]
        )


@dataclass(frozen=True, kw_only=True, eq=False)
class HeatmapsStudy(Study):
    """The heatmaps of several laws, computed already, on the same axes."""

    laws: Sequence[LawStudy]

    @property
    def key(self) -> str:
        """What the laws are about."""
        return " ".join(["maps", *(law.key for law in self.laws)])

    @property
    def is_large_study(self) -> bool:
        """Whether one of the laws is."""
        return any(law.is_large_study for law in self.laws)

    @step
    def axis_edges(self, progress: Progress) -> tuple[Ints, Ints]:
        """The edges that span them all."""
        return shared_edges([law.grid for law in self.laws], *_CELLS.get(len(self.laws), _SMALL))

    @steps_by_name(over=lambda study: map(str, range(len(study.laws))))
    def grid(self, number: str, progress: Progress) -> Grid:
        """One of them."""
        return bin_on_edges(self.laws[int(number)].whole.law, *self.axis_edges)
