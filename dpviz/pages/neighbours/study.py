"""Neighbours: two worlds that differ in one person, their laws, and the privacy loss between them.

Symbols: a person's step moves each item by −1, 0 or 1 in units of Δ; ε' = any budget. Invariants:
her items are possible for one person on these data; the worst person is the worst found, which is
no proof that nobody is worse.
"""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from itertools import islice
from typing import Any, Self

import numpy as np

from dpviz.base import Floats, Ints, Progress, Scores, cached_property, ignore_progress
from dpviz.candidates import CandidatePool
from dpviz.data import EXAMPLES
from dpviz.pages.candidates.study import RunsStudy
from dpviz.pages.neighbours.settings import (
    NEIGHBOURS_PAGE,
    MechanismFamily,
    NeighboursSettings,
    chosen_mechanism_name,
    decode_item_indices,
    find_family,
)
from dpviz.privacy.composition import right_guess_bound
from dpviz.privacy.loss import PrivacyLoss
from dpviz.privacy.loss_computation import (
    InclusionChances,
    inclusion_with_and_without,
    privacy_loss,
)
from dpviz.privacy.neighbours import (
    average_item_count_per_person,
    average_person_items,
    max_items_per_person,
    move_scores,
    person_unit_step,
)
from dpviz.privacy.worst_case_search import (
    neighbouring_pool,
    search_neighbouring_pools,
    search_neighbours,
)
from dpviz.studies import Scenario, Study, step
from dpviz.studies.candidate_runs import CandidateRuns

_HEAVY = 10  # times the items of an average person
_TICKED = 20  # items that are ticked to begin with
_POINTS = 61  # of δ(ε')
_ALARMS = 101
_FAR = 10.0  # ε' up to which it is drawn where no ceiling ends it


@dataclass(frozen=True, eq=False)
class TwoWorlds:
    """World `here` with her data and `there` without; she moves items by `moved`, in units of Δ."""

    here: Any
    there: Any
    moved: Floats
    joins: bool = False

    @property
    def person_items(self) -> Ints:
        return np.flatnonzero(self.moved > 0)

    @property
    def replacement_items(self) -> Ints:
        return np.flatnonzero(self.moved < 0)


@dataclass(frozen=True, eq=False)
class DeltaCurve:
    """δ and the chance of a loss `above` each ε', in both directions; `most` by the ceiling."""

    epsilons: Floats
    forth: Floats
    back: Floats
    above: Floats
    above_back: Floats
    most: Floats


@dataclass(frozen=True, eq=False)
class TradeOffCurve:
    """Misses of tests at each chance of a false alarm in the world without her.

    `misses`: a test that exists. `least`: a lower bound for all tests. `allowed`: by the ceiling.
    """

    alarms: Floats
    misses: Floats
    least: Floats
    allowed: Floats


@dataclass(frozen=True, kw_only=True, eq=False)
class NeighboursStudy(Study):
    """The page's mechanism with and without one person's data; `person` replaces the page's."""

    scenario: Scenario
    scores: Scores | None = None
    table: CandidateRuns | None = None
    person: tuple[int, ...] | None = None

    @property
    def key(self) -> str:
        """Identity: mechanism, data and person; the prior changes nothing."""
        now, seed = self.settings, self.scenario.seed
        data = (
            self.runs_study.runs_key
            if self.scores is None
            else f"{self.scores.digest} {self.scenario.data.name}"
        )
        who = (
            now.who,
            now.way,
            now.items,
            now.other,
            seed if now.who == "worst" else None,
            self.person,
        )
        return f"neighbours {self.mechanism.key} {self.epsilon!r} {data} {who}"

    @cached_property
    def settings(self) -> NeighboursSettings:
        return NEIGHBOURS_PAGE.read_settings(self.scenario.page)[0]

    @property
    def mechanism_name(self) -> str:
        return chosen_mechanism_name(self.scenario)

    @property
    def family(self) -> MechanismFamily:
        return find_family(self.mechanism_name)

    @cached_property
    def mechanism(self) -> Any:
        """The mechanism; raises `ParameterError` where its parameters are not allowed."""
        return self.family.build(
            self.mechanism_name, self.scenario, self.table if self.scores is None else self.scores
        )

    @property
    def mechanism_label(self) -> str:
        return self.family.label(
            self.mechanism_name,
            self.scenario,
            None if self.scores is None else self.scores.contributions,
        )

    @property
    def runs_study(self) -> RunsStudy:
        return RunsStudy(scenario=self.scenario, table=self.table)

    @property
    def epsilon(self) -> float:
        """ε of the release; for candidates that of one run."""
        return self.runs_study.settings.epsilon1 if self.scores is None else self.scenario.epsilon

    @property
    def has_replacement(self) -> bool:
        """True if another person takes her place."""
        return self.scores is not None and not self.scores.monotonic

    def with_epsilon(self, epsilon: float) -> Self:
        if self.scores is not None:
            return self.replace(
                scenario=self.scenario.replace(epsilon=epsilon),
                results={"two_worlds": self.two_worlds},
            )
        # any other person is found anew: at another price another candidate may be the best
        person = (
            tuple(self.two_worlds.person_items.tolist()) if self.settings.who == "worst" else None
        )
        return self.replace(scenario=self.runs_study.with_epsilon(epsilon).scenario, person=person)

    @step
    def data(self, progress: Progress) -> Any:
        return self.runs_study.compute(progress).runs.pool if self.scores is None else self.scores

    @step
    def two_worlds(self, progress: Progress) -> TwoWorlds:
        if self.person is None and self.settings.who == "worst":
            *_, (pair, _) = self.search_worst_persons(progress)
            return pair
        hers, others = (
            self.ticked_items_of_both_people
            if self.settings.who == "ticked"
            else self._preset(self.settings.who)
        )
        if self.scores is None:
            return self._better(hers if self.person is None else self.person)
        monotonic = self.scores.monotonic
        return _moved(
            self.scores,
            person_unit_step(
                self.scores,
                hers,
                () if monotonic else others,
                joins=monotonic and self.settings.way == "joins",
            ),
        )

    def search_worst_persons(
        self, progress: Progress = ignore_progress
    ) -> Iterator[tuple[TwoWorlds, PrivacyLoss]]:
        """Persons with larger and larger losses, each with the loss."""
        if self.scores is None:
            for better, _, loss in search_neighbouring_pools(
                self.mechanism, self.data, self.epsilon, progress=progress
            ):
                yield self._better(better), loss
            return
        for neighbour, loss in search_neighbours(
            self.mechanism,
            self.scores,
            rng=np.random.default_rng(self.scenario.seed),
            progress=progress,
        ):
            pair = _moved(self.scores, np.sign(neighbour.values - self.scores.values))
            yield pair, loss.reversed if pair.joins else loss

    @property
    def ticked_items_of_both_people(self) -> tuple[list[int], list[int]]:
        """Her ticked items and another's; by default some of an average person's."""
        most, d = max_items_per_person(self.data), self.data.d
        hers, other = (
            [item for item in decode_item_indices(text) if item < d] if text else begin[:_TICKED]
            for text, begin in zip(
                (self.settings.items, self.settings.other), self._preset("average"), strict=True
            )
        )
        return hers[:most], other[:most]

    def _preset(self, who: str) -> tuple[list[int], list[int]]:
        """Items of an average or a heavy person, and of another who may take her place."""
        of, data = self.data, self.scenario.data
        if isinstance(of, CandidatePool):
            return [int(of.order[0])], []
        size = average_item_count_per_person(
            of, EXAMPLES[data.name].people if data.source == "example" else None
        )
        if who == "heavy":
            size = min(_HEAVY * size, max_items_per_person(of), max(size, of.d // 2))
        if of.monotonic:
            return average_person_items(of, size).tolist(), []
        both = average_person_items(of, min(2 * size, of.d))
        return both[::2].tolist(), both[1::2].tolist()

    def _better(self, hers: tuple[int, ...] | list[int]) -> TwoWorlds:
        moved = np.zeros(self.data.size)
        moved[list(hers)] = 1.0
        return TwoWorlds(
            neighbouring_pool(self.data, hers, self.epsilon), self.data, moved, joins=True
        )

    @step
    def inclusion_probabilities(
        self, progress: Progress
    ) -> tuple[InclusionChances, InclusionChances]:
        return inclusion_with_and_without(
            self.mechanism, self.two_worlds.here, self.two_worlds.there, progress=progress
        )

    @step
    def loss(self, progress: Progress) -> PrivacyLoss:
        """Privacy loss of the data with her against those without."""
        return privacy_loss(
            self.mechanism, self.two_worlds.here, self.two_worlds.there, progress=progress
        )

    @property
    def guess_bound(self) -> float:
        """The most often that an attacker is right about anybody, as on the other pages."""
        if (of := self.scores) is None or not np.isfinite(self.loss.ceiling.epsilon):
            return (1 + self.loss.allowed.advantage) / 2
        return right_guess_bound(
            [self.mechanism], contributions=of.contributions, monotonic=of.monotonic
        )

    @step
    def delta_curve(self, progress: Progress) -> DeltaCurve:
        ceiling, largest = self.loss.ceiling.epsilon, self.loss.largest
        reach = ceiling if np.isfinite(ceiling) else min(largest, _FAR)
        epsilons = np.linspace(0.0, reach or 1.0, _POINTS)
        ways = self.loss, self.loss.reversed
        forth, back, most = (way.delta_curve(epsilons) for way in (*ways, self.loss.allowed))
        above, above_back = (np.array([way.exceeds(at) for at in epsilons]) for way in ways)
        return DeltaCurve(epsilons, forth, back, above, above_back, most)

    @step
    def trade_off_curve(self, progress: Progress) -> TradeOffCurve:
        against, alarms = self.loss.reversed, np.linspace(0.0, 1.0, _ALARMS)
        allowed = (
            against.allowed.trade_off(alarms)
            if np.isfinite(against.ceiling.epsilon)
            else np.zeros(_ALARMS)
        )
        return TradeOffCurve(
            alarms, against.trade_off(alarms), against.trade_off_least(alarms), allowed
        )


@dataclass(eq=False)
class WorstPersonSearch:
    """Search of a study for the worst person, find by find; it may run in another process."""

    study: NeighboursStudy
    _finds: Iterator[tuple[TwoWorlds, PrivacyLoss]] | None = field(default=None, init=False)

    def compute_step(
        self, name: str, progress: Progress, previous_results: Mapping[str, Any]
    ) -> tuple[TwoWorlds, PrivacyLoss] | None:
        """The next person with a larger loss, or None; a new search skips known finds."""
        if self._finds is None:
            self._finds = islice(
                self.study.search_worst_persons(progress), previous_results.get("number", 0), None
            )
        return next(self._finds, None)


def neighbours_study(scenario: Scenario, scores: Scores, unit_step: Floats) -> NeighboursStudy:
    """Study of the scenario's first design on scores and on the neighbour a step away."""
    return NeighboursStudy(
        scenario=scenario.replace(page={}),
        scores=scores,
        results={"two_worlds": TwoWorlds(scores, move_scores(scores, unit_step), unit_step)},
    )


def worst_neighbours_study(
    scenario: Scenario, scores: Scores, tries: int, epsilon_prime: float | None, progress: Progress
) -> NeighboursStudy:
    """The same with the worst neighbour found: by the largest loss, or by δ at this ε'."""
    *_, (there, loss) = search_neighbours(
        scenario.mechanisms[0],
        scores,
        rng=np.random.default_rng(scenario.seed),
        tries=tries,
        at=epsilon_prime,
        progress=progress,
    )
    return NeighboursStudy(
        scenario=scenario.replace(page={}),
        scores=scores,
        results={
            "two_worlds": TwoWorlds(scores, there, np.sign(there.values - scores.values)),
            "loss": loss,
        },
    )


def _moved(scores: Scores, step: Floats) -> TwoWorlds:
    """The pair that a step from the data makes: a person is added, leaves, or is replaced."""
    other = move_scores(scores, step)
    return (
        TwoWorlds(other, scores, step, joins=True)
        if scores.monotonic and (step > 0).any()
        else TwoWorlds(scores, other, -step)
    )
