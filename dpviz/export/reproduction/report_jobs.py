"""What the parts of the report share: the score vectors, the work that is done on them, and words
for numbers.

A folder has files with one count a line, no header. Invariants: a file is used whole or left out
with its reason; all are counts, so Δ = 1 and monotonic; what the papers used and the folder lacks
is told too.

A job is a small frozen description with `run()`; its key is made of its fields, so that work asked
for twice is done once. Invariants: what a job gives depends on its key alone, not on where or when
it runs; random numbers come from a seed in the job; a result is handed to `keep` before it is told
as done.
"""

import hashlib
import math
from abc import ABC, abstractmethod
from collections.abc import Callable, Hashable, Iterable, Iterator, Mapping, Sequence
from concurrent.futures import FIRST_COMPLETED, Executor, wait
from dataclasses import dataclass, fields
from pathlib import Path
from typing import Any

import numpy as np
from threadpoolctl import threadpool_limits

from dpviz.base import ParameterError, Progress, Scores
from dpviz.studies import Design

EXPECTED = {
    "netflix": "users who gave the film five stars",
    "patent": "histogram bins of patent citations",
    "searchlogs": "histogram bins of search logs",
    "medcost": "histogram bins of medical costs",
    "income": "histogram bins of incomes",
    "hepth": "histogram bins of physics preprint citations",
    "t10i4d100k": "transactions that hold the item (synthetic, all 100,000)",
    "kosarak": "click streams that hold the item (the first 100,000)",
}
"""The files looked for, in the order of the report, and what a count is."""

_LARGEST = 50_000_000  # bytes of a file


@dataclass(frozen=True, eq=False)
class ScoreVector:
    """One score vector: its name, its scores, the SHA-256 of its file and what a count is ("" if
    unknown).
    """

    name: str
    scores: Scores
    sha256: str
    meaning: str


@dataclass(frozen=True)
class VectorFolder:
    """What a folder gave: the vectors, the files left out with their reasons, the names missed."""

    vectors: tuple[ScoreVector, ...]
    left_out: tuple[str, ...]
    absent: tuple[str, ...]

    def get(self, name: str) -> ScoreVector | None:
        """The vector of that name, or None."""
        return next((vector for vector in self.vectors if vector.name == name), None)


def read_folder(data: Path) -> VectorFolder:
    """All `*.csv` files of `data`: those in `EXPECTED` first, in that order.

    Raises `ParameterError` where `data` is no folder or holds no file that can be used.
    """
    if not data.is_dir():
        raise ParameterError("data", str(data), "a folder that holds files with one count a line")
    order = list(EXPECTED)
    files = sorted(
        data.glob("*.csv"),
        key=lambda path: (order.index(path.stem) if path.stem in order else len(order), path.name),
    )
    vectors: list[ScoreVector] = []
    left_out: list[str] = []
    for path in files:
        try:
            content = _content(path)
            vectors.append(
                ScoreVector(
                    path.stem,
                    Scores(_counts(content, path.name), monotonic=True),
                    hashlib.sha256(content).hexdigest(),
                    EXPECTED.get(path.stem, ""),
                )
            )
        except ParameterError as err:
            left_out.append(f"{path.name} is left out: {err}")
        except OSError as err:
            left_out.append(f"{path.name} is left out: {err.strerror or err}.")
    if not vectors:
        why = f" ({left_out[0]})" if left_out else ""
        raise ParameterError(
            "data", str(data), f"a folder with at least one .csv file of counts, one a line{why}"
        )
    names = {vector.name for vector in vectors}
    return VectorFolder(
        tuple(vectors), tuple(left_out), tuple(name for name in EXPECTED if name not in names)
    )


def _content(path: Path) -> bytes:
    if path.stat().st_size > _LARGEST:
        raise ParameterError(
            "the file", f"{path.stat().st_size:,} bytes", f"at most {_LARGEST:,} bytes"
        )
    return path.read_bytes()


def _counts(content: bytes, name: str) -> "np.ndarray[tuple[int], np.dtype[np.float64]]":
    lines = content.decode("utf-8-sig", "replace").split()
    values = np.empty(len(lines))
    for i, text in enumerate(lines):
        try:
            values[i] = float(text)
        except ValueError:
            raise ParameterError(f"entry {i + 1} of {name}", text, "a count") from None
        if not (values[i] >= 0 and values[i].is_integer()):
            raise ParameterError(
                f"entry {i + 1} of {name}", text, "a count: a whole number of at least 0"
            )
    return values


@dataclass(frozen=True, kw_only=True, eq=False)
class ReportJob(ABC):
    """Something to compute, described by its fields."""

    @property
    def key(self) -> Hashable:
        """What tells this job from any other: its kind and its fields, scores by their digest."""
        return (
            type(self).__name__,
            *(_identity(getattr(self, field.name)) for field in fields(self)),
        )

    @property
    @abstractmethod
    def expected_seconds(self) -> float:
        """About the seconds that it takes: the heaviest go first."""

    @abstractmethod
    def run(self) -> Any:
        """Compute it."""


def _identity(value: Any) -> Hashable:
    if isinstance(value, Scores):
        return value.digest, value.monotonic
    if isinstance(value, Design):
        return value.mechanism, _identity(value.parameters)
    if isinstance(value, Mapping):
        return tuple(sorted((name, _identity(one)) for name, one in value.items()))
    return value if isinstance(value, Hashable) else repr(value)


Results = Mapping[Hashable, Any]


def split_pending_jobs(
    jobs: Iterable[ReportJob], known: Mapping[str, Any]
) -> tuple[list[ReportJob], dict[Hashable, Any]]:
    """(the jobs that are not known, the heaviest first; the results that are), each key once.

    `known` has results by the text of their key.
    """
    once = {job.key: job for job in jobs}
    there = {key: known[repr(key)] for key in once if repr(key) in known}
    return sorted(
        (job for key, job in once.items() if key not in there),
        key=lambda job: -job.expected_seconds,
    ), there


def estimate_seconds(todo: Iterable[ReportJob], workers: int) -> float:
    """About how long the jobs take on so many processes."""
    weights = [job.expected_seconds for job in todo]
    return max([sum(weights) / workers, *weights])


def _unkept(key: Hashable, result: Any) -> None:
    """For work that is not to be gone on with."""


def run_jobs(
    todo: Iterable[ReportJob],
    executor: Executor | None,
    progress: Progress,
    keep: Callable[[Hashable, Any], None] = _unkept,
) -> dict[Hashable, Any]:
    """The results by key; `progress` may raise `Cancelled`.

    Work that has not begun then is for the owner of the executor to drop.
    """
    todo = split_pending_jobs(todo, {})[0]
    whole = sum(job.expected_seconds for job in todo) or 1.0
    ready = 0.0
    results: dict[Hashable, Any] = {}
    progress(0.0)
    one_by_one = ([(job, _run(job))] for job in todo)
    for ended in one_by_one if executor is None else _together(todo, executor):
        for job, result in ended:
            results[job.key] = result
            keep(job.key, result)
            ready += job.expected_seconds
        progress(min(1.0, ready / whole))
    return results


def _together(
    todo: Iterable[ReportJob], executor: Executor
) -> Iterator[list[tuple[ReportJob, Any]]]:
    """Those that have ended, every half second or sooner."""
    running = {executor.submit(_run, job): job for job in todo}
    while running:
        over, _ = wait(running, timeout=0.5, return_when=FIRST_COMPLETED)
        yield [(running.pop(future), future.result()) for future in over]


def _run(job: ReportJob) -> Any:
    """A job with one thread for linear algebra: more only get in each other's way."""
    with threadpool_limits(limits=1):
        return job.run()


def format_epsilon(value: float) -> str:
    """An ε with three significant digits, thousands set apart.

    >>> format_epsilon(0.0503181), format_epsilon(90.3388), format_epsilon(2847.98)
    ('0.0503', '90.3', '2,850')
    """
    if not math.isfinite(value):
        return "not reached"
    if value == 0:
        return "0"
    rounded = float(f"{value:.3g}")
    return (
        f"{rounded:,.0f}"
        if rounded >= 100
        else f"{rounded:.{max(0, 2 - math.floor(math.log10(rounded)))}f}"
    )


def format_multiple(ratio: float) -> str:
    """A multiple.

    >>> format_multiple(1.0), format_multiple(25.14), format_multiple(440.6)
    ('1×', '25.1×', '441×')
    """
    return "1×" if ratio == 1.0 else f"{format_epsilon(ratio)}×"


def epsilons_with_multiples(values: Mapping[str, float]) -> dict[str, str]:
    """Each ε with how many times the least of them it is.

    >>> epsilons_with_multiples({"a": 0.5, "b": 1.0, "c": math.inf})
    {'a': '0.500 (1×)', 'b': '1.00 (2.00×)', 'c': 'not reached'}
    """
    least = min(values.values())
    return {
        name: f"{format_epsilon(value)} ({format_multiple(value / least)})"
        if math.isfinite(value)
        else format_epsilon(value)
        for name, value in values.items()
    }


def format_probability(p: float) -> str:
    r"""A round probability in per cent.

    >>> format_probability(0.99)
    '99\u202f%'
    """
    return f"{100 * p:g}\u202f%"


def round_error_up(error: float) -> float:
    """A bound above 0, rounded up to one digit.

    >>> round_error_up(0.0171), round_error_up(2e-12)
    (0.02, 2e-12)
    """
    unit = 10.0 ** math.floor(math.log10(error))
    return float(f"{math.ceil(error / unit * (1 - 1e-12)) * unit:.0e}")


def join_words(items: Sequence[str]) -> str:
    """A list in words.

    >>> join_words(["a", "b", "c"])
    'a, b and c'
    """
    return items[0] if len(items) == 1 else ", ".join(items[:-1]) + " and " + items[-1]
