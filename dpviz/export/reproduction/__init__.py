"""The papers' numbers and comparisons as one HTML file, the same each time for one folder."""

from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import nullcontext
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from dpviz.base import (
    Frame,
    ParameterError,
    Progress,
    cached_property,
    check_choice,
    ignore_progress,
)
from dpviz.charts import count_text
from dpviz.export.report_page import ReportPage
from dpviz.export.reproduction import gaps, methods, topk, zipf
from dpviz.export.reproduction.claims import table as claims
from dpviz.export.reproduction.report_jobs import (
    EXPECTED,
    ReportJob,
    Results,
    VectorFolder,
    estimate_seconds,
    pending_jobs_and_stored_results,
    read_vector_folder,
    run_jobs,
)
from dpviz.export.reproduction.unfinished_file import UnfinishedFile
from dpviz.studies.worker_processes import worker_processes

__all__ = ["PARTS", "ReportPart", "Reproduction"]


@dataclass(frozen=True)
class ReportPart:
    """The work of a part, and how it is written from the results; `data`: it needs a folder."""

    jobs: Callable[[VectorFolder], Iterator[ReportJob]]
    writes: Sequence[Callable[[ReportPage, VectorFolder, Results], None]]
    data: bool = True


PARTS: Mapping[str, ReportPart] = {
    "claims": ReportPart(claims.jobs, (claims.write_part,), data=False),
    "checked": ReportPart(topk.checked_value_jobs, (topk.write_checked_values,)),
    "top-k": ReportPart(topk.jobs, (topk.write_summary, topk.write_part)),
    "noises": ReportPart(topk.noise_jobs, (topk.write_noises,)),
    "zipf": ReportPart(zipf.jobs, (zipf.write_part,), data=False),
    "gaps": ReportPart(gaps.jobs, (gaps.write_part,)),
}
"""In the order of the report."""


@dataclass(frozen=True)
class Reproduction:
    """A report from the vectors of the folder `data`, of the parts in `only` or of all."""

    data: Path | None
    output: Path
    only: tuple[str, ...] = ()
    workers: int = 1

    def __post_init__(self) -> None:
        if self.output.is_dir() or not self.output.absolute().parent.is_dir():
            raise ParameterError("output", str(self.output), "a file in a folder that exists")
        for name in self.only:
            check_choice("only", name, PARTS)
            if self.data is None and PARTS[name].data:
                raise ParameterError("data", None, f"given for {name}: a folder of score vectors")
        self.folder  # noqa: B018 - read before any work, to tell at once of its faults

    @cached_property
    def folder(self) -> VectorFolder:
        return (
            VectorFolder((), (), tuple(EXPECTED))
            if self.data is None
            else read_vector_folder(self.data)
        )

    @property
    def parts(self) -> tuple[str, ...]:
        return tuple(
            name
            for name, part in PARTS.items()
            if (name in self.only if self.only else self.data is not None or not part.data)
        )

    @property
    def omission_notes(self) -> tuple[str, ...]:
        return (*self.folder.left_out, *methods.missing_file_notes(self.folder))

    @property
    def unfinished_path(self) -> Path:
        """The file that holds what is done until the report is written."""
        return UnfinishedFile(self.output).path

    @cached_property
    def _work(self) -> tuple[list[ReportJob], dict[Any, Any]]:
        """(jobs left to do, results that are there already)."""
        jobs = (job for name in self.parts for job in PARTS[name].jobs(self.folder))
        return pending_jobs_and_stored_results(jobs, UnfinishedFile(self.output).read())

    def work_estimate_sentence(self) -> str:
        """The amount of work and about the time it takes, in a sentence."""
        todo, there = self._work
        seconds = estimate_seconds(todo, self.workers)
        minutes = f"about {seconds / 60:.0f} minutes" if seconds > 90 else "about a minute"
        long = minutes if seconds > 20 else "a few seconds"
        kept = f", {len(there):,} done before and kept" if there else ""
        work = f"{count_text(len(todo), 'thing')} to compute{kept}"
        return f"{work}: {long} with {self.workers} at a time, if nothing else runs."

    def compute_and_store_missing_results(self, progress: Progress = ignore_progress) -> Results:
        """Compute everything on `workers` processes (1: this one), and keep what ends at once."""
        todo, there = self._work
        workers = min(self.workers, len(todo))
        with worker_processes(workers) if workers > 1 else nullcontext() as executor:
            return {**there, **run_jobs(todo, executor, progress, UnfinishedFile(self.output).add)}

    def claims(self, results: Results) -> Frame:
        return claims.claims_frame(self.folder, results)

    def page(self, results: Results) -> ReportPage:
        page = ReportPage(
            "Private selection: the papers’ numbers and comparisons, computed",
            lead=(
                "What four papers print and sample, computed from exact laws: each printed number"
                " beside the exact one, and the figures drawn again. They are computed from the raw"
                " counts and are not private."
            ),
        )
        for sentence in self.omission_notes:
            page.add_paragraph(sentence, kind="note")
        writes = [write for name in self.parts for write in PARTS[name].writes]
        for write in (*writes, methods.write_part):
            write(page, self.folder, results)
        return page

    def remove_unfinished(self) -> None:
        self.unfinished_path.unlink(missing_ok=True)
