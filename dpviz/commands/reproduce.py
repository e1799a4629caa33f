"""`reproduce`: the papers' comparisons on a folder of score vectors, as one HTML file."""

import argparse
from pathlib import Path

from dpviz.base.errors import ParameterError
from dpviz.base.parameters import check_integer
from dpviz.base.progress import Progress
from dpviz.commands.base import Answer, Command
from dpviz.commands.options import also

__all__ = ["REPRODUCE"]


def _add(parser: argparse.ArgumentParser) -> None:
    work = parser.add_argument_group("what is drawn")
    work.add_argument(
        "--folder", required=True, metavar="FOLDER", help="of score vectors: .csv files, one count a line"
    )
    also(parser, "--folder", "--data")
    work.add_argument("-j", "--workers", type=int, metavar="N", help="processes (default: one a core; 1: none beside)")


def _run(args: argparse.Namespace, progress: Progress) -> Answer:
    import pandas as pd

    from dpviz.reports.reproduction import write  # noqa: PLC0415 - plotly, which no other command needs

    if args.output is None:
        raise ParameterError("--output", None, "given: the HTML file to write")
    workers = None if args.workers is None else check_integer("workers", args.workers, low=1, high=1024)
    notes = write(Path(args.folder), Path(args.output), workers=workers, progress=progress)
    return Answer(table=pd.DataFrame(), notes=(*notes, f"The report is in {args.output}."), written=True)


REPRODUCE = Command(
    add=_add,
    run=_run,
    examples=("--folder FOLDER -o report.html",),
    tabular=False,
)
