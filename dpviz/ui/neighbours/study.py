"""What the page computes beside itself: chances and the privacy loss of a pair of worlds, the search for the worst.

The search is a job of its own that may wait; what it has found so far stays where it is stopped.
Invariants: everything is kept per session under the mechanism's key and the digests of both worlds.
"""

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

import numpy as np

from dpviz.base.arrays import Floats, Ints
from dpviz.base.progress import Progress
from dpviz.base.scores import Scores
from dpviz.candidates.worth import mean_scores
from dpviz.privacy.candidate_neighbours import search_pools
from dpviz.privacy.inclusion import Chances, inclusion_with_and_without
from dpviz.privacy.loss import PrivacyLoss
from dpviz.privacy.meter import privacy_loss
from dpviz.privacy.worst import search_neighbours
from dpviz.studies.pages.neighbours import Pair, Settings, moved, pair
from dpviz.ui.candidates.chosen import POOLS
from dpviz.ui.candidates.pools import Asked, Made
from dpviz.ui.neighbours.menu import Subject
from dpviz.ui.neighbours.settings import read
from dpviz.ui.work.answer import work_on
from dpviz.ui.work.desk import desk
from dpviz.ui.work.job import Done, Job, Step
from dpviz.ui.work.kept import Kept, kept

__all__ = ["Curve", "Search", "Study", "study"]

_POINTS = 61
_SEARCHES = 6  # that are kept
_PATIENCE = 0.25


@dataclass
class Search:
    """What a search has found so far."""

    pair: Pair | None = None
    loss: PrivacyLoss | None = None
    number: int = 0

    def put(self, pair: Pair, loss: PrivacyLoss) -> None:
        """A person who tells more than those before."""
        self.pair, self.loss = pair, loss
        self.number += 1


@dataclass(frozen=True, eq=False)
class Curve:
    """δ at each ε', in both directions."""

    epsilons: Floats
    forth: Floats
    back: Floats


@dataclass(frozen=True, eq=False)
class Study:
    """What is known so far; places that are not filled yet read None."""

    subject: Subject
    settings: Settings
    pair: Pair | None
    job: Job | None
    search: Search | None = None
    first: Job | None = None  # what must be over before there is a pair: the search, or making a pool
    jobs: list[Job] = field(default_factory=list)

    @property
    def scores(self) -> Any:
        """The data as they are: scores or a pool."""
        if self.pair is None:
            return self.subject.scores
        return self.pair.there if self.pair.joins else self.pair.here

    @property
    def replaced(self) -> bool:
        """Whether another person is in her place when she is gone."""
        return self.subject.scores is not None and not self.subject.scores.monotonic

    @property
    def worlds(self) -> tuple[str, str]:
        """What the two worlds are called."""
        return "with her", "with another in her place" if self.replaced else "without her"

    @property
    def labels(self) -> list[str]:
        """The names of the items, or of the candidates."""
        of = self.scores
        return [of.label(i) for i in range(of.d if isinstance(of, Scores) else of.size)]

    @property
    def order(self) -> Ints:
        """Items by rank, candidates by their mean scores."""
        of = self.scores
        return of.order if isinstance(of, Scores) else np.argsort(-mean_scores(of), kind="stable")

    @property
    def over(self) -> bool:
        """Whether nothing is under way that decides on the pair."""
        return self.first is None or self.first.finished or self.first.cancelled

    @property
    def chances(self) -> tuple[Chances, Chances] | None:
        """Every item's chance, with her and without."""
        return None if self.job is None else self.job.results.get("chances")

    @property
    def loss(self) -> PrivacyLoss | None:
        """The privacy loss of the data with her against those without."""
        return None if self.job is None else self.job.result("loss", PrivacyLoss)

    @property
    def curve(self) -> Curve | None:
        """δ(ε')."""
        return None if self.job is None else self.job.result("curve", Curve)


def study(subject: Subject) -> Study:
    """The study of the person who is chosen: at once where that is quick, else as it comes."""
    settings = read()
    of: Any = subject.scores
    key = "neighbours"
    if subject.asked is not None:
        made = _pool(subject.asked)
        if isinstance(made, Job):
            return Study(subject, settings, None, None, first=made, jobs=[made])
        of, key = made.pool, f"neighbours {made.key} {subject.epsilon!r}"
    if settings.who != "worst":
        desk().ask("worst", [], place=0)  # nobody waits for a search any more
        now = pair(subject.scenario, of, settings, subject.epsilon)
        job = _asked(subject, now, key, None)
        return Study(subject, settings, now, job, jobs=[job])
    search, searching = _search(subject, of, key)
    over = searching.finished or searching.cancelled
    if not over or search.pair is None:
        work_on()
        return Study(subject, settings, None, None, search, searching, [searching])
    job = _asked(subject, search.pair, key, search.loss)
    return Study(subject, settings, search.pair, job, search, searching, [searching, job])


def _pool(asked: Asked) -> Made | Job:
    """The pool that is asked for, or the job that makes it."""
    pools: Kept[Made] = kept("pools", POOLS)
    if asked.key in pools:
        return pools[asked.key]
    (job,) = work_on((asked.key, lambda: {"made": lambda progress, done: asked.make(progress)}))
    made = job.result("made", Made)
    return job if made is None else pools.once(asked.key, lambda: made)


def _key(of: Any) -> str:
    return of.digest if isinstance(of, Scores) else ""


def _asked(subject: Subject, pair: Pair, key: str, known: PrivacyLoss | None) -> Job:
    full = f"{key} {subject.mechanism.key} {_key(pair.here)} {_key(pair.there)}"
    if not isinstance(pair.here, Scores):
        full += f" {pair.hers.tolist()}"
    (job,) = work_on((full, lambda: _steps(subject.mechanism, pair, known)))
    return job


def _steps(mechanism: Any, pair: Pair, known: PrivacyLoss | None) -> Mapping[str, Step]:
    def chances(progress: Progress, done: Done) -> tuple[Chances, Chances]:
        return inclusion_with_and_without(mechanism, pair.here, pair.there, progress=progress)

    def loss(progress: Progress, done: Done) -> PrivacyLoss:
        return privacy_loss(mechanism, pair.here, pair.there, progress=progress) if known is None else known

    def curve(progress: Progress, done: Done) -> Curve:
        found: PrivacyLoss = done["loss"]
        reach = found.ceiling.epsilon if np.isfinite(found.ceiling.epsilon) else min(found.largest, 10.0)
        epsilons = np.linspace(0.0, reach or 1.0, _POINTS)
        return Curve(epsilons, found.delta_curve(epsilons), found.reversed.delta_curve(epsilons))

    return {"chances": chances, "loss": loss, "curve": curve}


def _search(subject: Subject, of: Any, key: str) -> tuple[Search, Job]:
    searches: Kept[Search] = kept("worst neighbours", _SEARCHES)
    full = f"worst {key} {subject.mechanism.key} {_key(of)} {subject.scenario.seed}"
    search = searches.once(full, Search)

    def scores_search(progress: Progress, done: Done) -> bool:
        rng = np.random.default_rng(subject.scenario.seed)
        for neighbour, loss in search_neighbours(subject.mechanism, of, rng=rng, progress=progress):
            found = moved(of, np.sign(neighbour.values - of.values))
            search.put(found, loss.reversed if found.joins else loss)
        return True

    def pools_search(progress: Progress, done: Done) -> bool:
        for better, changed, loss in search_pools(subject.mechanism, of, subject.epsilon, progress=progress):
            step = np.zeros(of.size)
            step[list(better)] = 1.0
            search.put(Pair(changed, of, step, joins=True), loss)
        return True

    steps: Step = scores_search if isinstance(of, Scores) else pools_search
    (job,) = desk().ask("worst", [(full, lambda: {"search": steps})], place=0, patience=_PATIENCE)
    return search, job
