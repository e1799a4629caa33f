"""Compare: two to six designs on the same scores, ε and k."""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from dpviz.base import Floats, Ints, Progress, Scores, iterate_with_progress, parameter
from dpviz.studies import (
    LARGEST_SEED,
    BoundedProbability,
    Design,
    LawStudy,
    MechanismStudy,
    Scenario,
    read_if_ready,
    step,
)
from dpviz.topk import EVENTS, FigureCurve, figures_by_k, k_grid, utility_curves
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
_ALIKE = 1e-6  # difference of chances that no figure shows


@dataclass(frozen=True, kw_only=True)
class CompareSettings:
    """Event of curves and goals; where scores tie, OPTIMAL by default."""

    event: str = parameter("top", choices=EVENTS, label="Figure")
    bounds: bool = parameter(False, label="The papers' bounds")


@dataclass(frozen=True, eq=False)
class ComparedDesign:
    """A design with its number, its label on these scores, and its law."""

    number: int
    design: Design
    label: str
    law: LawStudy
    at: float
    """ε of the page, which a stated noise does not follow."""

    def has_same_chances(self, other: "ComparedDesign") -> bool:
        """Say if both give the same chances of items and events; False while one is computed."""
        return bool(read_if_ready(lambda: np.allclose(self._chances, other._chances, 0.0, _ALIKE)))

    @property
    def _chances(self) -> Floats:
        events = [chance.value for chance in self.law.event_probability.values()]
        return np.append(self.law.inclusion, events)


Sentence = tuple[str | ComparedDesign, ...]
"""A sentence whose designs are parts, to be shown by letter."""


def compared_designs(scenario: Scenario, scores: Scores) -> list[ComparedDesign]:
    return [
        ComparedDesign(
            number,
            design,
            design.label_for_data(scenario.k, scores.contributions),
            LawStudy(mechanism=mechanism, scores=scores),
            scenario.epsilon,
        )
        for number, (design, mechanism) in enumerate(
            zip(scenario.designs, scenario.mechanisms, strict=True)
        )
    ]


@dataclass(frozen=True, kw_only=True, eq=False)
class CurvesByEpsilonStudy(MechanismStudy):
    events: tuple[str, ...]

    @step
    def curves(self, progress: Progress) -> dict[str, FigureCurve]:
        low, high = _RANGE
        if self.mechanism.states_noise:
            law = self.mechanism.distribution(self.scores, samples=DRAWS, progress=progress)
            return {
                name: FigureCurve.from_constant(law, name, law.event_probability(name), _RANGE)
                for name in self.events
            }
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
    def top_guarantee_curve(self) -> tuple[Floats, Floats] | None:
        """ε along the curve of TOP and a theorem's lower bound there; None without a theorem."""
        if self.mechanism.states_noise:
            return None
        x = self.curves["top"].x
        epsilons = np.geomspace(x[0], x[-1], _PROMISED)
        chances = [
            guaranteed_top_probability(self.mechanism.replace(epsilon=float(e)), self.scores.ranked)
            for e in epsilons
        ]
        return None if chances[0] is None else (epsilons, np.array(chances, float))


@dataclass(frozen=True, kw_only=True, eq=False)
class ShortfallStudy(MechanismStudy):
    """Distance of the worst choice below the best, against ε, beside a theorem's bound."""

    @step
    def curve(self, progress: Progress) -> ShortfallCurve:
        return shortfall_curve(
            self.mechanism,
            self.scores,
            np.geomspace(0.01, 100.0, _POINTS).tolist(),
            probability=_SHORTFALL,
            samples=DRAWS,
            progress=progress,
        )


@dataclass(frozen=True, kw_only=True, eq=False)
class CurvesByKStudy(MechanismStudy):
    events: tuple[str, ...]

    @step
    def curves(self, progress: Progress) -> dict[str, FigureCurve]:
        curves = figures_by_k(
            self.mechanism,
            self.scores,
            k_grid(self.scores.d, self.k),
            figures=self.events,
            samples=DRAWS,
            progress=progress,
        )
        return {curve.event: curve for curve in curves}


@dataclass(frozen=True, kw_only=True, eq=False)
class ReplayStudy(MechanismStudy):
    """A few releases, each with a seed of its own."""

    seed: int

    @property
    def seeds(self) -> list[int]:
        return [(self.seed + i) % (LARGEST_SEED + 1) for i in range(RELEASES)]

    @step
    def ranks(self, progress: Progress) -> Ints:
        """Ranks (0-based), a row a release, as `sample` gives them with that seed."""
        draw = self.mechanism.sampler(self.scores)
        return np.concatenate(
            [
                draw(1, np.random.default_rng(seed))
                for seed, _ in iterate_with_progress(self.seeds, progress)
            ]
        )


def interpolated_curve(
    event: str, epsilons: Sequence[float], chances: Sequence[BoundedProbability], method: str
) -> FigureCurve:
    """Curve through chances; its error is half of what every other point misses the rest by."""
    x, (value, low, high) = np.array(epsilons), np.array(chances).T
    coarse = FigureCurve(event, x[::2], value[::2], low[::2], high[::2], 0.0, method)
    inner = x[(x > x[::2][0]) & (x < x[::2][-1])]
    missed = np.abs(coarse.at(inner) - value[np.isin(x, inner)])
    return FigureCurve(event, x, value, low, high, float(missed.max()) / 2, method)
