"""The score vectors of the report, and the work that is done on them.

Invariants: a file (one count a line) is used whole or left out with its reason; a job's result
depends on its key alone; a result is handed to `keep` before progress reports it.
"""

import hashlib
from collections.abc import Callable, Hashable, Iterable, Iterator, Mapping
from concurrent.futures import Executor, as_completed
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
from threadpoolctl import threadpool_limits

from dpviz.base import Floats, ParameterError, Progress, Scores
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


@dataclass(frozen=True, eq=False)
class ScoreVector:
    """One score vector, the SHA-256 of its file, and what a count is ("" if unknown)."""

    name: str
    scores: Scores
    sha256: str
    meaning: str


@dataclass(frozen=True)
class VectorFolder:
    vectors: tuple[ScoreVector, ...]
    left_out: tuple[str, ...]
    absent: tuple[str, ...]

    def get(self, name: str) -> ScoreVector | None:
        return next((vector for vector in self.vectors if vector.name == name), None)


def read_vector_folder(folder: Path) -> VectorFolder:
    """All `*.csv` files of `folder`: those in `EXPECTED` first, in that order."""
    if not folder.is_dir():
        raise ParameterError("data", str(folder), "a folder that holds files with one count a line")
    order = list(EXPECTED)
    files = sorted(
        folder.glob("*.csv"),
        key=lambda path: (order.index(path.stem) if path.stem in order else len(order), path.name),
    )
    vectors: dict[str, ScoreVector] = {}
    left_out: list[str] = []
    for path in files:
        try:
            vectors[path.stem] = _read_vector(path)
        except ParameterError as err:
            left_out.append(f"{path.name} is left out: {err}")
        except OSError as err:
            left_out.append(f"{path.name} is left out: {err.strerror or err}.")
    if not vectors:
        why = f" ({left_out[0]})" if left_out else ""
        raise ParameterError(
            "data", str(folder), f"a folder with at least one .csv file of counts, one a line{why}"
        )
    absent = tuple(name for name in EXPECTED if name not in vectors)
    return VectorFolder(tuple(vectors.values()), tuple(left_out), absent)


def _read_vector(path: Path) -> ScoreVector:
    content = path.read_bytes()
    scores = Scores(_counts(content, path.name), monotonic=True)
    digest = hashlib.sha256(content).hexdigest()
    return ScoreVector(path.stem, scores, digest, EXPECTED.get(path.stem, ""))


def _counts(content: bytes, name: str) -> Floats:
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


@dataclass(frozen=True, eq=False)
class ReportJob:
    """A call of a module's function, and about the seconds that it takes."""

    compute: Callable[..., Any]
    arguments: Mapping[str, Any]
    expected_seconds: float

    @property
    def key(self) -> Hashable:
        """The function and its arguments, scores by their digest."""
        return self.compute.__name__, _identity(self.arguments)

    def run(self) -> Any:
        return self.compute(**self.arguments)


def _identity(value: Any) -> Hashable:
    match value:
        case Scores():
            return value.digest, value.monotonic
        case Design():
            return value.mechanism, _identity(value.parameters)
        case Mapping():
            return tuple(sorted((name, _identity(one)) for name, one in value.items()))
        case _:
            return value if isinstance(value, Hashable) else repr(value)


Results = Mapping[Hashable, Any]


def pending_jobs_and_stored_results(
    jobs: Iterable[ReportJob], stored_results: Mapping[str, Any]
) -> tuple[list[ReportJob], dict[Hashable, Any]]:
    """(jobs whose key's text is not in `stored_results`, the heaviest first; the other results)."""
    once = {job.key: job for job in jobs}
    there = {key: stored_results[repr(key)] for key in once if repr(key) in stored_results}
    todo = [job for key, job in once.items() if key not in there]
    return sorted(todo, key=lambda job: -job.expected_seconds), there


def estimate_seconds(pending_jobs: Iterable[ReportJob], workers: int) -> float:
    weights = [job.expected_seconds for job in pending_jobs]
    return max([sum(weights) / workers, *weights])


def run_jobs(
    pending_jobs: Iterable[ReportJob],
    executor: Executor | None,
    progress: Progress,
    store_result: Callable[[Hashable, Any], None] | None = None,
) -> dict[Hashable, Any]:
    """The results by key; if `progress` raises `Cancelled`, the executor's owner drops the rest."""
    pending_jobs, _ = pending_jobs_and_stored_results(pending_jobs, {})
    whole = sum(job.expected_seconds for job in pending_jobs) or 1.0
    ready = 0.0
    results: dict[Hashable, Any] = {}
    progress(0.0)
    one_by_one = ((job, _run(job)) for job in pending_jobs)
    for job, result in one_by_one if executor is None else _together(pending_jobs, executor):
        results[job.key] = result
        if store_result is not None:
            store_result(job.key, result)
        ready += job.expected_seconds
        progress(min(1.0, ready / whole))
    return results


def _together(todo: Iterable[ReportJob], executor: Executor) -> Iterator[tuple[ReportJob, Any]]:
    running = {executor.submit(_run, job): job for job in todo}
    return ((running[future], future.result()) for future in as_completed(running))


def _run(job: ReportJob) -> Any:
    with threadpool_limits(limits=1):  # more threads only get in each other's way
        return job.run()
