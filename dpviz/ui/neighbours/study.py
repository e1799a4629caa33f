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
from dpviz.candidates.pool import CandidatePool
from dpviz.candidates.worth import mean_scores
from dpviz.data import EXAMPLES
from dpviz.privacy.candidate_neighbours import moved_pool, search_pools
from dpviz.privacy.inclusion import Chances, inclusion_with_and_without
from dpviz.privacy.loss import PrivacyLoss
from dpviz.privacy.meter import privacy_loss
from dpviz.privacy.neighbours import moved_scores
from dpviz.privacy.people import average_size, most_items, person_step, typical_items
from dpviz.privacy.worst import search_neighbours
from dpviz.ui.candidates.chosen import POOLS
from dpviz.ui.candidates.pools import Asked, Made
from dpviz.ui.neighbours.menu import Subject
from dpviz.ui.neighbours.settings import Settings, indices, read
from dpviz.ui.shell import state
from dpviz.ui.work.answer import work_on
from dpviz.ui.work.desk import desk
from dpviz.ui.work.job import Done, Job, Step
from dpviz.ui.work.kept import Kept, kept

__all__ = ["Curve", "Pair", "Search", "Study", "preset", "study"]

_HEAVY = 10  # times the items of an average person
_TICKED = 20  # items that are ticked to begin with
_POINTS = 61
_SEARCHES = 6  # that are kept
_PATIENCE = 0.25


@dataclass(frozen=True, eq=False)
class Pair:
    """Two worlds: `here` with her data, `there` without; `moved` says how she moves each item, in units of Δ."""

    here: Any
    there: Any
    moved: Floats
    joins: bool = False

    @property
    def hers(self) -> Ints:
        """The items that she counts in."""
        return np.flatnonzero(self.moved > 0)

    @property
    def others(self) -> Ints:
        """The items of whoever is in her place."""
        return np.flatnonzero(self.moved < 0)


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
        pair = _pair(of, settings, subject)
        job = _asked(subject, pair, key, None)
        return Study(subject, settings, pair, job, jobs=[job])
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


def preset(of: Any, who: str) -> tuple[list[int], list[int]]:
    """The items of an average or a heavy person, and of another like her, who replaces her where scores are general."""
    if isinstance(of, CandidatePool):
        return [int(np.argmax(mean_scores(of)))], []
    size = average_size(of, _people())
    if who == "heavy":
        size = min(_HEAVY * size, most_items(of), max(size, of.d // 2))
    if of.monotonic:
        return typical_items(of, size).tolist(), []
    both = typical_items(of, min(2 * size, of.d))
    return both[::2].tolist(), both[1::2].tolist()


def _people() -> int | None:
    data = state.scenario().data
    return EXAMPLES[data.name].people if data.source == "example" else None


def ticked(of: Any, settings: Settings) -> tuple[list[int], list[int]]:
    """The items that are ticked, hers and another's, as far as these data and one person have them.

    Where none were named, some of an average person's.
    """
    size, most = (of.d, most_items(of)) if isinstance(of, Scores) else (of.size, of.size)
    first = preset(of, "average")
    hers, other = (
        [item for item in indices(text) if item < size] if text else begin[:_TICKED]
        for text, begin in zip((settings.items, settings.other), first, strict=True)
    )
    return hers[:most], other[:most]


def _pair(of: Any, settings: Settings, subject: Subject) -> Pair:
    hers, others = ticked(of, settings) if settings.who == "ticked" else preset(of, settings.who)
    if isinstance(of, CandidatePool):
        moved = np.zeros(of.size)
        moved[hers] = 1.0
        return Pair(moved_pool(of, hers, subject.epsilon), of, moved, joins=True)
    joins = of.monotonic and settings.way == "joins"
    return _moved(of, person_step(of, hers, () if of.monotonic else others, joins=joins))


def _moved(scores: Scores, step: Floats) -> Pair:
    """The pair that a step from the data makes: a person comes on top, leaves, or is replaced."""
    other = moved_scores(scores, step)
    if scores.monotonic and (step > 0).any():
        return Pair(other, scores, step, joins=True)
    return Pair(scores, other, -step)


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
            pair = _moved(of, np.sign(neighbour.values - of.values))
            search.put(pair, loss.reversed if pair.joins else loss)
        return True

    def pools_search(progress: Progress, done: Done) -> bool:
        for better, changed, loss in search_pools(subject.mechanism, of, subject.epsilon, progress=progress):
            moved = np.zeros(of.size)
            moved[list(better)] = 1.0
            search.put(Pair(changed, of, moved, joins=True), loss)
        return True

    steps: Step = scores_search if isinstance(of, Scores) else pools_search
    (job,) = desk().ask("worst", [(full, lambda: {"search": steps})], place=0, patience=_PATIENCE)
    return search, job
