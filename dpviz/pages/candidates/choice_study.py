"""Candidates: what a rule makes of the runs, what that costs, and when to stop.

Symbols: γ = the chance to stop after a run.
"""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from functools import partial
from typing import Self

from dpviz.base import Progress
from dpviz.base.caching import cached_property
from dpviz.candidates import (
    CANDIDATES,
    CandidateRule,
    NegativeBinomialRepeats,
    PoissonRepeats,
    SelectionLaw,
    naive_best,
)
from dpviz.candidates.repeats import gaussian_totals
from dpviz.candidates.utility import (
    Price,
    RunWorth,
    ScoreBins,
    StopCurve,
    prices,
    score_bins,
    stop_curve,
    top_quantile,
    utility,
)
from dpviz.pages.candidates.runs_study import RunsStudy
from dpviz.pages.candidates.settings import LIMITS, STOPS
from dpviz.studies import Refused, step, steps, unless_refused


@dataclass(frozen=True, kw_only=True, eq=False)
class ChoiceStudy(RunsStudy):
    """What a rule makes of the runs; `given` are rules in place of the page's, the first of them
    the one chosen.
    """

    given: tuple[CandidateRule, ...] = ()

    def by(self, *rules: CandidateRule) -> Self:
        """The same runs, chosen by these rules."""
        return self.replace(given=rules, results={"runs": self.runs})

    @property
    def about(self) -> tuple[object, ...]:
        """The rule, and what counts as good."""
        return self.rule.key, self.settings.share

    @cached_property
    def rule(self) -> CandidateRule:
        """The rule that is chosen. Raises `ParameterError` where the page's parameters do not do
        for it.
        """
        return self.given[0] if self.given else self.rule_named(self.settings.rule)

    @step
    def law(self, progress: Progress) -> SelectionLaw:
        """The law of what comes out."""
        return self.rule.distribution(self.runs.pool, progress=progress)

    @step
    def worth(self, progress: Progress) -> RunWorth:
        """How good that is."""
        return utility(self.law, self.settings.share)

    @step
    def bins(self, progress: Progress) -> ScoreBins:
        """Its scores."""
        return score_bins(self.law)

    @step
    def naive(self, progress: Progress) -> SelectionLaw:
        """The law of the best of one run each."""
        return naive_best(self.runs.pool)

    @property
    def quantile(self) -> float:
        """The score from which on a run counts as good."""
        return top_quantile(self.runs.pool, self.settings.share)


class PriceStudy(ChoiceStudy):
    """What every way to choose costs and what that buys."""

    @property
    def about(self) -> tuple[object, ...]:
        """All rules and the price of a run, too."""
        return *super().about, [way.key for way in self.ways], *self.price

    @property
    def every_rule(self) -> dict[str, CandidateRule | Refused]:
        """Every rule with the page's parameters, or why they do not do for it."""
        return {name: unless_refused(partial(self.rule_named, name)) for name in CANDIDATES}

    @cached_property
    def ways(self) -> list[CandidateRule]:
        """The rules that are compared."""
        return list(self.given) or [
            way for way in self.every_rule.values() if not isinstance(way, Refused)
        ]

    @step
    def prices(self, progress: Progress) -> list[Price]:
        """The total of each, of one run and of the naive best, with what they are worth."""
        return prices(self.ways, self.runs.pool, *self.price, self.settings.share, progress)

    def gaussian(self, noise: float, delta: float) -> dict[str, float | None]:
        """The total ε of repeats at δ where one run is a Gaussian mechanism of this noise."""
        named = [self.rule_named(name) for name in CANDIDATES]
        repeats = [
            rule for rule in named if isinstance(rule, NegativeBinomialRepeats | PoissonRepeats)
        ]
        return gaussian_totals(repeats, self.size, noise, delta)


def _with_mean(rule: CandidateRule, gamma: float) -> CandidateRule:
    return rule.replace(mean=1 / gamma)


def _with_stop(rule: CandidateRule, free: Mapping[str, None], gamma: float) -> CandidateRule:
    return rule.replace(stop=gamma, **free)


class StopStudy(ChoiceStudy):
    """What each rule is worth by γ."""

    @property
    def about(self) -> tuple[object, ...]:
        """All rules and the page's γ, too."""
        return *super().about, [make(0.5).key for make in self.at_stop.values()], self.stop

    @property
    def stops(self) -> list[float]:
        """The γ that curves are computed at, the page's among them."""
        return sorted({*STOPS, self.stop})

    @cached_property
    def at_stop(self) -> dict[str, Callable[[float], CandidateRule]]:
        """Every rule at any γ, without a limit of one's own."""
        return {name: self._at_stop(name) for name in CANDIDATES}

    def _at_stop(self, name: str) -> Callable[[float], CandidateRule]:
        free = {"limit": None} if name in LIMITS.declared else {}
        if "stop" not in self.declared(name).declared:  # it makes 1/γ runs on average
            return partial(_with_mean, self.rule_named(name, **free))
        return partial(_with_stop, self.rule_named(name, stop=0.5, **free), free)

    def stops_of(self, name: str) -> list[float]:
        """Those γ that the rule takes: some do not take 1."""
        refused = isinstance(unless_refused(lambda: self.at_stop[name](self.stops[-1])), Refused)
        return self.stops[:-1] if refused else self.stops

    @property
    def dearer(self) -> list[str]:
        """The rules whose total grows with more runs, for pure candidates of this ε1."""
        epsilon, _ = self.price

        def total(name: str, gamma: float) -> float:
            return self.at_stop[name](gamma).total_epsilon(epsilon)[0]

        return [name for name in CANDIDATES if total(name, 0.01) > total(name, 0.5) + 1e-9]

    @steps(over=lambda study: CANDIDATES)
    def curve(self, name: str, progress: Progress) -> StopCurve:
        """What a rule is worth by γ."""
        return stop_curve(
            self.at_stop[name], self.runs.pool, self.settings.share, self.stops_of(name), progress
        )
