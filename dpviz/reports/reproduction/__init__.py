"""The papers' comparisons drawn again on real score vectors, as one HTML file.

`write` reads a folder of counts, computes everything as independent jobs, and writes the page; it gives
back what a person at a terminal should be told.
"""

import os
from pathlib import Path

from dpviz.errors import ParameterError
from dpviz.progress import Progress, silent
from dpviz.reports.page import Page
from dpviz.reports.reproduction import top_k
from dpviz.reports.reproduction.data import read_folder
from dpviz.reports.reproduction.work import done, pool

__all__ = ["write"]


def write(data: Path, output: Path, *, workers: int | None = None, progress: Progress = silent) -> tuple[str, ...]:
    """Draw the papers' comparisons on the vectors in `data`, a folder, into the file `output`.

    Works on `workers` processes (None: one a core; 1: in this process). Returns sentences about what was
    left out. Raises `ParameterError` for a folder without a vector and a file that cannot be written.
    """
    if output.is_dir() or not output.absolute().parent.is_dir():
        raise ParameterError("output", str(output), "a file in a folder that exists")
    folder = read_folder(data)
    jobs = [*top_k.jobs(folder)]
    with pool(_workers(workers)) as executor:
        results = done(jobs, executor, progress)
    page = Page(
        "Private selection, drawn again",
        lead="The comparisons of Shekelyan & Loukides (2022) on real score vectors, computed instead of sampled.",
    )
    top_k.checked_part(page, folder, results)
    top_k.write_part(page, folder, results)
    page.write(output)
    return ()


def _workers(workers: int | None) -> int:
    return os.cpu_count() or 1 if workers is None else workers
