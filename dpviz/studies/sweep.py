"""Grid of a sweep: every design at every ε and k on every score vector.

Tasks come in canonical order: score vector, design, k, ε. Random numbers and every digit of a row
depend on the seed and the task alone.
"""

import hashlib
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, replace
from typing import Any, Final, TypeVar

from dpviz.base import (
    Frame,
    Mechanism,
    ParameterError,
    Progress,
    Scores,
    TabularResult,
    ValueEquality,
    cached_property,
    check_integer,
    check_scores,
    check_several,
    declared_parameters,
    fold_to_line,
    ignore_progress,
    neutralise_formula,
    pd,
    portion,
    store_fields,
)
from dpviz.base.former_names import former_names
from dpviz.numerics.blas_threads import single_blas_thread
from dpviz.studies.design import Design
from dpviz.topk import EVENTS, TOP_K, Goal, TopKDistribution, TopKMechanism, goal_figures

_SOME = "a list of at least one"
Row = dict[str, Any]
Identity = tuple[str | float, ...]

FIGURES: Final = (*EVENTS, "share")
"""Default figures: every event and the expected share of the true top k; one more is "hits"."""

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
"""Columns and types; `draws` is 0 for an exact law, `error` 1 for an estimated one."""


@dataclass(frozen=True, kw_only=True)
class SweepTask:
    """One law and the figures wanted of it; small enough to be sent to another process."""

    mechanism: TopKMechanism
    design: Design
    scores: Scores
    data: str
    digest: str
    goals: tuple[Goal, ...]
    samples: int
    seed: int

    @property
    def figure_names(self) -> tuple[str, ...]:
        return tuple(goal.name for goal in self.goals)

    @property
    def identity(self) -> Identity:
        m = self.mechanism
        return (self.digest, m.name, self.design.parameter_text, m.epsilon, m.k, self.seed)

    @property
    def own_seed(self) -> int:
        content = hashlib.sha256(f"{self.digest} {self.mechanism.key}".encode()).digest()
        return int.from_bytes(content, "little") << 32 | self.seed

    def __str__(self) -> str:
        m = self.mechanism
        return f"{self.design.label} at ε = {m.epsilon:g}, k = {m.k:,} on {self.data}"

    def distribution(self, progress: Progress = ignore_progress) -> TopKDistribution:
        """The law, estimated with the task's own random numbers where need be."""
        return self.mechanism.distribution(
            self.scores, samples=self.samples, rng=self.own_seed, progress=progress
        )

    def rows(self, progress: Progress = ignore_progress) -> list[Row]:
        """Figures, one row each; on one thread, so that no digit depends on the machine."""
        with single_blas_thread():
            figures = figure_rows(self.distribution(portion(progress, 0.0, 0.9)), self.goals)
        m = self.mechanism
        of_task = {
            "mechanism": m.name,
            "parameters": self.design.parameter_text,
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
    goals = tuple(goals)
    values = goal_figures(dist, goals)
    lows, highs = dist.bounds(values)
    how = {"method": dist.method, "error": float(dist.error), "draws": dist.draws}
    return [
        {"figure": goal.name, "value": float(value), "low": float(low), "high": float(high)} | how
        for goal, value, low, high in zip(goals, values, lows, highs, strict=True)
    ]


T = TypeVar("T")


@dataclass(frozen=True)
class ExcludedSize:
    """A k that is too large for a score vector of d items."""

    data: str
    d: int
    k: int

    def __str__(self) -> str:
        return f"k = {self.k} is left out for {self.data}, which has only {self.d} items."


@former_names(left_out="excluded_sizes")
@dataclass(frozen=True, kw_only=True, eq=False, repr=False)
class Sweep(ValueEquality, TabularResult):
    """A grid: every design at every ε and k on every score vector.

    Parameters
    ----------
    scores
        Score vectors by name.
    designs
        Designs, in the order of the table; also mechanisms, whose ε and k are left out, and names.
    epsilons
        Each ε, above 0.
    ks
        Each k; one that is too large for a score vector is excluded and listed.
    figures
        Names in `FIGURES`, or "hits" with `at_least`, which the table calls "hits_at_least_9" and
        the like.
    at_least
        With "hits": chosen items that have to score at least the k-th largest score.
    samples
        Draws of an estimated law.
    seed
        Seed of all random numbers.

    Raises
    ------
    ParameterError
        For a value that is not allowed.

    Examples
    --------
    >>> sweep = Sweep(scores={"small": Scores([3.0, 1.0, 0.0])}, epsilons=[0.5, 2.0], ks=[1, 2, 5])
    >>> len(sweep.tasks), [str(left) for left in sweep.excluded_sizes]
    (4, ['k = 5 is left out for small, which has only 3 items.'])
    """

    scores: Mapping[str, Scores]
    designs: Iterable[Design] = (Design(),)
    epsilons: Iterable[float] = (1.0,)
    ks: Iterable[int] = (10,)
    figures: Iterable[str] = FIGURES
    at_least: int | None = None
    samples: int = 10_000
    seed: int = 0

    def __post_init__(self) -> None:
        declared = {p.name: p for p in declared_parameters(TopKMechanism)}
        if not isinstance(self.scores, Mapping) or not self.scores:
            raise ParameterError(
                "scores", self.scores, "a mapping of at least one name to its scores"
            )
        one = isinstance(self.designs, Design | Mechanism | str)
        designs = [self.designs] if one else check_several("designs", self.designs, _SOME)
        epsilons = check_several("epsilons", self.epsilons, _SOME)
        ks = check_several("ks", self.ks, _SOME)
        store_fields(
            self,
            scores=_named(self.scores),
            designs=_distinct(
                "designs",
                [at if isinstance(at, Design) else Design(mechanism=at) for at in designs],
            ),
            epsilons=_distinct("epsilons", [declared["epsilon"].check_value(e) for e in epsilons]),
            ks=_distinct("ks", [declared["k"].check_value(k) for k in ks]),
            figures=_distinct("figures", check_several("figures", self.figures, _SOME)),
            samples=check_integer("samples", self.samples, low=1),
            seed=check_integer("seed", self.seed, low=0, high=2**32 - 1),
        )
        for figure in self.figures:
            if figure not in (*FIGURES, "hits"):
                raise ParameterError("figures", figure, "among " + ", ".join((*FIGURES, "hits")))
        if ("hits" in self.figures) != (self.at_least is not None):
            raise ParameterError(
                "at_least", self.at_least, "a number for the figure hits, and left out otherwise"
            )
        if self.at_least is not None:
            check_integer("at_least", self.at_least, low=1, high=min(self.ks))

    def frame(self) -> Frame:
        """A row for each law of the grid: data, mechanism, parameters, epsilon, k."""
        rows = [
            {
                "data": task.data,
                "mechanism": task.design.mechanism,
                "parameters": task.design.parameter_text,
                "epsilon": task.mechanism.epsilon,
                "k": task.mechanism.k,
            }
            for task in self.tasks
        ]
        return pd.DataFrame(rows)

    def __repr__(self) -> str:
        sizes = {
            name: len([*getattr(self, name)]) for name in ("scores", "designs", "epsilons", "ks")
        }
        grid = " × ".join(f"{size:,} {name}" for name, size in sizes.items())
        return f"Sweep({grid}: {len(self.tasks):,} laws, seed {self.seed})"

    @cached_property
    def goals(self) -> tuple[Goal, ...]:
        """Goals of the figures."""
        return tuple(Goal.for_event(figure, at_least=self.at_least) for figure in self.figures)

    @cached_property
    def tasks(self) -> tuple[SweepTask, ...]:
        """Tasks in canonical order."""
        return tuple(self._tasks())

    @property
    def excluded_sizes(self) -> tuple[ExcludedSize, ...]:
        """Sizes that are impossible: k ≥ d."""
        some = any(not TOP_K[design.mechanism].shorter for design in self.designs)
        return tuple(
            ExcludedSize(name, s.d, k)
            for name, s in self.scores.items()
            for k in self.ks
            if some and k >= s.d
        )

    def _tasks(self) -> Iterator[SweepTask]:
        for name, full in self.scores.items():
            bare = replace(full, labels=None)  # labels stay here
            for design in self.designs:
                for k in (k for k in self.ks if k < full.d or TOP_K[design.mechanism].shorter):
                    for epsilon in self.epsilons:
                        yield SweepTask(
                            mechanism=design.build(epsilon, k),
                            design=design,
                            scores=bare,
                            data=name,
                            digest=full.digest[:16],
                            goals=self.goals,
                            samples=self.samples,
                            seed=self.seed,
                        )


def _named(scores: Mapping[str, Scores]) -> dict[str, Scores]:
    """Scores under names safe for a spreadsheet; no two vectors may be equal."""
    named: dict[str, Scores] = {}
    seen: dict[str, str] = {}
    for given, vector in scores.items():
        name = neutralise_formula(fold_to_line(str(given)).strip())
        check_scores(vector, f"scores[{given!r}]")
        if vector.digest in seen:
            raise ParameterError(
                "scores", [seen[vector.digest], name], "distinct: these two have the same content"
            )
        if name in named:
            raise ParameterError("scores", name, "a name not used twice")
        named[name] = vector
        seen[vector.digest] = name
    return named


def _distinct(what: str, given: list[T]) -> tuple[T, ...]:
    kept = [entry for i, entry in enumerate(given) if entry not in given[:i]]
    if not kept:
        raise ParameterError(what, kept, _SOME)
    return tuple(kept)
