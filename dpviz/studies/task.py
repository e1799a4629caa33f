"""A task of a sweep: one law, and the rows that it gives, one for each figure.

A law is one design at one ε and one k on one score vector.
Invariants: the random numbers of a task depend on the seed and on what the task is, never on where or when it runs;
nor does any digit of its rows.
"""

import hashlib
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Any, Final

from dpviz.base.progress import Progress, portion, silent
from dpviz.base.scores import Scores
from dpviz.numerics.one_thread import one_thread
from dpviz.studies.design import Design
from dpviz.topk.budget import Goal, figures_of
from dpviz.topk.classes import EVENTS
from dpviz.topk.distribution import TopKDistribution
from dpviz.topk.mechanism import TopKMechanism

Row = dict[str, Any]
Identity = tuple[str | float, ...]

FIGURES: Final = (*EVENTS, "share")
"""The figures that a sweep holds unless told: every event, and the expected share of the true top k.

"hits" is one more: the chance that `at_least` of the chosen score at least the k-th largest score.
"""

COLUMNS: Final[Mapping[str, type]] = {
    "figure": str,
    "value": float,
    "low": float,
    "high": float,
    "method": str,
    "error": float,
    "draws": int,
    "mechanism": str,
    "parameters": str,
    "epsilon": float,
    "k": int,
    "data": str,
    "d": int,
    "digest": str,
    "seed": int,
}
"""The columns of the table with their types.

`low` and `high` are the error bound of an exact figure or the 95 % interval of an estimated one; `draws`
is 0 for an exact law and `error` 1 for an estimated one; `digest` begins the scores' digest.
"""


@dataclass(frozen=True, kw_only=True)
class Task:
    """One law, and the figures wanted of it; small enough to be sent to another process.

    Parameters
    ----------
    mechanism
        What is run.
    design
        The design it is built from.
    scores
        What it is run on, without labels.
    data
        The score vector's name.
    digest
        The beginning of the scores' digest.
    goals
        The figures.
    samples
        How many draws an estimated law takes.
    seed
        What fixes all random numbers, with what the task is.
    """

    mechanism: TopKMechanism
    design: Design
    scores: Scores
    data: str
    digest: str
    goals: tuple[Goal, ...]
    samples: int
    seed: int

    @property
    def figures(self) -> tuple[str, ...]:
        """The names of the figures, as in the table."""
        return tuple(goal.name for goal in self.goals)

    @property
    def identity(self) -> Identity:
        """What tells this task's rows from those of any other."""
        m = self.mechanism
        return (self.digest, m.name, self.design.text, m.epsilon, m.k, self.seed)

    @property
    def own_seed(self) -> int:
        """That of the task's own random numbers: from the seed and what the task is."""
        content = hashlib.sha256(f"{self.digest} {self.mechanism.key}".encode()).digest()
        return int.from_bytes(content, "little") << 32 | self.seed

    def __str__(self) -> str:
        m = self.mechanism
        return f"{self.design.label} at ε = {m.epsilon:g}, k = {m.k:,} on {self.data}"

    def distribution(self, progress: Progress = silent) -> TopKDistribution:
        """The law, drawn with the task's own random numbers where it has to be estimated."""
        return self.mechanism.distribution(self.scores, samples=self.samples, rng=self.own_seed, progress=progress)

    def rows(self, progress: Progress = silent) -> list[Row]:
        """The figures, one row each; linear algebra keeps to one thread, so that no digit depends on the machine."""
        with one_thread():
            figures = figure_rows(self.distribution(portion(progress, 0.0, 0.9)), self.goals)
        m = self.mechanism
        of_task = {
            "mechanism": m.name,
            "parameters": self.design.text,
            "epsilon": m.epsilon,
            "k": m.k,
            "data": self.data,
            "d": self.scores.d,
            "digest": self.digest,
            "seed": self.seed,
        }
        progress(1.0)
        return [row | of_task for row in figures]


def figure_rows(dist: TopKDistribution, goals: Iterable[Goal]) -> list[Row]:
    """Each figure of a distribution with its bounds and how it came about."""
    goals = tuple(goals)
    values = figures_of(dist, goals)
    lows, highs = dist.bounds(values)
    how = {"method": dist.method, "error": float(dist.error), "draws": dist.draws}
    return [
        {"figure": goal.name, "value": float(value), "low": float(low), "high": float(high)} | how
        for goal, value, low, high in zip(goals, values, lows, highs, strict=True)
    ]
