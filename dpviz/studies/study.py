"""Study: the computation of a page as named steps, each computed once.

A study is a frozen dataclass: its fields are the inputs, its steps are methods under `@step`. With
`beside`, a job computes the steps, and reading one that is not there raises `StepPending`.
Invariants: steps are pure, run in order, and read only earlier ones.
"""

from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import contextmanager
from contextvars import ContextVar
from dataclasses import dataclass, field, fields, replace
from functools import partial
from typing import Any, Generic, ParamSpec, Self, TypeVar, overload

from dpviz.base import ParameterError, Progress, Scores, ignore_progress, iterate_with_progress

# items in the data, items chosen, and their product for a heavy law, from where a study is large
_ITEMS, _OUT, _HEAVY = 20_000, 500, 2_000
S = TypeVar("S", bound="Study")
T = TypeVar("T")
P = ParamSpec("P")

Done = Mapping[str, Any]
"""Results so far, by the name of the step."""
Once = Callable[[str, Callable[[], Any]], Any]
"""once(key, make) → the value under this key, made now if it is not there."""


class StepPending(Exception):
    """A step was read before its result is there."""


@dataclass(frozen=True)
class StepRefusal:
    """Reason why a step has no result."""

    reason: str


def _made(key: str, make: Callable[[], Any]) -> Any:
    return make()


def result_or_refusal(make: Callable[P, T], *of: P.args, **named: P.kwargs) -> T | StepRefusal:
    """The value of `make(*of)`, or the reason why it has none."""
    try:
        return make(*of, **named)
    except ParameterError as err:
        return StepRefusal(str(err))


def read_if_ready(read: Callable[P, T], *of: P.args, **named: P.kwargs) -> T | None:
    """The value of `read(*of)`; None where it reads a step that is not there."""
    try:
        return read(*of, **named)
    except StepPending:
        return None


@dataclass(frozen=True, kw_only=True, eq=False)
class Study:
    """Base of studies; `results` by step; `keep` stores results that studies share, by a key."""

    results: dict[str, Any] = field(default_factory=dict, repr=False)
    beside: bool = field(default=False, repr=False)
    keep: Once = field(default=_made, repr=False)

    @property
    def key(self) -> str:
        """Identity of the study: the content of all its inputs."""
        about = [getattr(self, item.name) for item in fields(self) if item.name not in _STATE]
        return " ".join([type(self).__name__, *map(_key_of, about)])

    def replace(self, **changes: Any) -> Self:
        """A study with other inputs and no results."""
        return replace(self, **{"results": {}, "beside": False, **changes})

    def compute(self, progress: Progress = ignore_progress, *names: str) -> Self:
        """Compute these steps, or all, and return the study."""
        if unknown := {name.split()[0] for name in names} - self._declared_steps().keys():
            raise LookupError(f"{type(self).__name__} has no step {min(unknown)}")
        wanted = [
            (name, compute)
            for name, compute in self._computations()
            if not names or {name, name.split()[0]} & {*names}
        ]
        for (name, compute), part in iterate_with_progress(wanted, progress):
            if name not in self.results:
                self.results[name] = compute(self, part)
        return self

    @property
    def is_large_study(self) -> bool:
        """True if the inputs may take much memory or time."""
        about = [getattr(self, item.name) for item in fields(self)]
        d = max((one.d for one in about if isinstance(one, Scores)), default=0)
        others = [one for one in about if not isinstance(one, Scores)]
        k = max(getattr(one, "k", 0) for one in others)
        if d > _ITEMS or k > _OUT or d * k <= _HEAVY:
            return d > _ITEMS or k > _OUT
        chosen = [one for each in others for one in getattr(each, "mechanisms", (each,))]
        return any(getattr(one, "heavy", False) for one in chosen)

    def missing_computations(
        self, get_or_make: Once
    ) -> Mapping[str, Callable[[Progress, Done], object]]:
        """Function of each missing step, for a job: from progress and results to the result."""
        of = replace(self, keep=get_or_make)
        return {
            name: partial(of.compute_step, name)
            for name, _ in self._computations()
            if name not in self.results
        }

    def compute_step(self, name: str, progress: Progress, previous_results: Done) -> object:
        return dict(self._computations())[name](
            replace(self, results={**self.results, **previous_results}, beside=True), progress
        )

    @classmethod
    def _declared_steps(cls) -> "dict[str, step[Any, Any] | _Steps[Any, Any]]":
        """Steps in the order in which they are declared, those of base classes first."""
        names = dict.fromkeys(name for kind in reversed(cls.__mro__) for name in vars(kind))
        declared = {name: getattr(cls, name, None) for name in names}
        return {name: one for name, one in declared.items() if isinstance(one, step | _Steps)}

    def _computations(self) -> Iterator[tuple[str, Callable[[Any, Progress], object]]]:
        for name, declared in self._declared_steps().items():
            if isinstance(declared, step):
                yield name, declared.compute
            else:
                for of in declared.over(self):
                    yield f"{name} {of}", partial(_for, declared.compute, of)

    def step_result(self, name: str, compute: Callable[[Any, Progress], T]) -> T:
        """Result of a step; computed now unless a job computes it."""
        there = name in self.results
        if (reading := _READ.get()) is not None:
            reading.record(self.results, name, there)
        if not there:
            if self.beside:
                raise StepPending(name)
            self.results[name] = compute(self, ignore_progress)
        result: T = self.results[name]
        return result


_STATE = {item.name for item in fields(Study)}


def _key_of(value: object) -> str:
    if isinstance(value, Scores):
        return value.digest
    return str(getattr(value, "key", None) or repr(value))


def _for(compute: Callable[[Any, str, Progress], T], of: str, study: Any, progress: Progress) -> T:
    return compute(study, of, progress)


class step(Generic[S, T]):
    """A step of a study: a method (study, progress), read as an attribute."""

    def __init__(self, compute: Callable[[S, Progress], T]) -> None:
        self.compute = compute
        self.__doc__ = compute.__doc__

    def __set_name__(self, owner: type, name: str) -> None:
        self.name = name

    @overload
    def __get__(self, study: None, owner: type) -> "step[S, T]": ...
    @overload
    def __get__(self, study: S, owner: type) -> T: ...
    def __get__(self, study: S | None, owner: type) -> "step[S, T] | T":
        return self if study is None else study.step_result(self.name, self.compute)


class _Steps(Generic[S, T]):
    """Steps of one kind, one for each name that `over` gives; read as a mapping."""

    def __init__(
        self, compute: Callable[[S, str, Progress], T], over: Callable[[Any], Iterable[str]]
    ) -> None:
        self.compute, self.over = compute, over
        self.__doc__ = compute.__doc__

    def __set_name__(self, owner: type, name: str) -> None:
        self.name = name

    @overload
    def __get__(self, study: None, owner: type) -> "_Steps[S, T]": ...
    @overload
    def __get__(self, study: S, owner: type) -> "StepResults[T]": ...
    def __get__(self, study: S | None, owner: type) -> "_Steps[S, T] | StepResults[T]":
        return (
            self
            if study is None
            else StepResults(study, self.name, self.compute, tuple(self.over(study)))
        )


def steps_by_name(
    list_names: Callable[[Any], Iterable[str]],
) -> Callable[[Callable[[S, str, Progress], T]], _Steps[S, T]]:
    """Turn a method (study, name, progress) into steps, one for each name that `list_names` gives."""
    return partial(_Steps, over=list_names)


@dataclass(frozen=True, eq=False)
class StepResults(Mapping[str, T]):
    """Results of steps of one kind, by name; each is computed when it is read."""

    study: Study
    name: str
    compute: Callable[[Any, str, Progress], T]
    names: tuple[str, ...]

    def __getitem__(self, of: str) -> T:
        if of not in self.names:
            raise KeyError(of)
        return self.study.step_result(f"{self.name} {of}", partial(_for, self.compute, of))

    def ready_results(self) -> dict[str, T]:
        read = {of: read_if_ready(self.__getitem__, of) for of in self.names}
        return {of: result for of, result in read.items() if result is not None}

    def __iter__(self) -> Iterator[str]:
        return iter(self.names)

    def __len__(self) -> int:
        return len(self.names)


class StepReadings:
    """Record of the steps that were read, and of those that had a result."""

    def __init__(self) -> None:
        self._read: dict[tuple[int, str], tuple[Done, bool]] = {}

    def record(self, results: Done, name: str, is_present: bool) -> None:
        self._read[id(results), name] = results, is_present

    @property
    def count_ready_when_read(self) -> int:
        return sum(there for _, there in self._read.values())

    def count_ready_now(self) -> int:
        return sum(name in results for (_, name), (results, _) in self._read.items())

    @contextmanager
    def record_reads(self) -> Iterator[None]:
        """Record the steps read in this context; forget earlier ones."""
        self._read.clear()
        token = _READ.set(self)
        try:
            yield
        finally:
            _READ.reset(token)


_READ: ContextVar[StepReadings | None] = ContextVar("dpviz.studies.study.read", default=None)
