"""The papers' comparisons drawn again on real score vectors, as one HTML file.

`write` reads a folder of counts, computes everything as independent jobs, and writes the page; it gives
back what a person at a terminal should be told. Seeds are fixed: the same folder gives the same figures.
"""

import os
from pathlib import Path

from dpviz.base.errors import ParameterError
from dpviz.base.progress import Progress, portion, silent
from dpviz.reports.page import Page
from dpviz.reports.reproduction import about, gaps, noises, topk, zipf
from dpviz.reports.reproduction.data import Folder, read_folder
from dpviz.reports.reproduction.work import Job, Results, done
from dpviz.studies.processes import worker_processes

__all__ = ["write"]


def write(data: Path, output: Path, *, workers: int | None = None, progress: Progress = silent) -> tuple[str, ...]:
    """Draw the papers' comparisons on the vectors in `data`, a folder, into the file `output`.

    Works on `workers` processes (None: one a core; 1: in this process). Returns sentences about what was
    left out. Raises `ParameterError` for a folder without a vector and a file that cannot be written.
    """
    if output.is_dir() or not output.absolute().parent.is_dir():
        raise ParameterError("output", str(output), "a file in a folder that exists")
    folder = read_folder(data)
    with worker_processes((os.cpu_count() or 1) if workers is None else workers) as executor:
        results = done(_jobs(folder), executor, portion(progress, 0.0, 0.98))
    _page(folder, results).write(output)
    progress(1.0)
    return (*folder.left_out, *about.absences(folder))


def _jobs(folder: Folder) -> list[Job]:
    return [*topk.jobs(folder), *noises.jobs(folder), *zipf.jobs(), *gaps.jobs(folder)]


def _page(folder: Folder, results: Results) -> Page:
    page = Page(
        "Private selection: the papers’ comparisons, computed",
        lead="What Shekelyan & Loukides (2022) and Ding, Wang, Zhang & Kifer (2019) sampled, drawn again on real score "
        "vectors from exact laws, with the ε that each mechanism needs. These figures are computed from the raw counts "
        "and are not private.",
    )
    about.write_summary(page, folder, results)
    topk.checked_part(page, folder, results)
    topk.write_part(page, folder, results)
    noises.write_part(page, folder, results)
    zipf.write_part(page, results)
    gaps.write_part(page, folder, results)
    about.write_part(page, folder, results)
    return page
