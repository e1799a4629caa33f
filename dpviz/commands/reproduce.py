"""`reproduce`: the papers' numbers and comparisons beside exact ones, as one HTML file, or the numbers as a table."""

import argparse
import os
from pathlib import Path

from dpviz.base.errors import ParameterError
from dpviz.base.parameters import check_integer
from dpviz.base.progress import Progress
from dpviz.commands.base import Answer, Command
from dpviz.commands.meter import say
from dpviz.commands.options import also
from dpviz.commands.output import may_hold_a_document, write
from dpviz.studies.signals import terminating

__all__ = ["REPRODUCE"]

_TABLES = (".csv", ".json", ".parquet", ".xlsx")
_PARTS = ("claims", "checked", "top-k", "noises", "zipf", "gaps")


def _add(parser: argparse.ArgumentParser) -> None:
    work = parser.add_argument_group("what is computed")
    work.add_argument(
        "--folder",
        metavar="FOLDER",
        help="of score vectors: .csv files, one count a line (default: only what needs none)",
    )
    work.add_argument(
        "--only",
        nargs="+",
        choices=_PARTS,
        help="parts of the report (default: all); claims are the papers' printed numbers beside the exact ones",
    )
    also(parser, "--folder", "--data")
    work.add_argument("-j", "--workers", type=int, metavar="N", help="processes (default: one a core; 1: none beside)")


def _run(args: argparse.Namespace, progress: Progress) -> Answer:
    import pandas as pd

    from dpviz.reports.reproduction import Reproduction  # noqa: PLC0415 - plotly, which no other command needs

    only, table = tuple(args.only or ()), Path(args.output or "").suffix.lower() in _TABLES
    if args.output is None or not (table or may_hold_a_document(args.output)):
        told = f"an HTML file to write, or one that ends in {', '.join(_TABLES)} for the claims alone"
        raise ParameterError("--output", args.output, told)
    if table and only not in ((), ("claims",)):
        raise ParameterError("--only", " ".join(only), "claims where a table is asked for; the other parts are drawn")
    workers = os.cpu_count() or 1
    if args.workers is not None:
        workers = check_integer("workers", args.workers, low=1, high=1024)
    data = None if args.folder is None else Path(args.folder)
    work = Reproduction(data, Path(args.output), ("claims",) if table else only, workers)
    if not args.quiet:
        say(work.outlook())
    try:
        with terminating():
            results = work.results(progress)
    except KeyboardInterrupt as err:
        raise type(err)(f"Stopped; the same command goes on from what is in {work.kept}.") from None
    claims = work.claims(results) if table else pd.DataFrame()
    answer = Answer(table=claims, notes=work.notes, document=None if table else work.page(results).html())
    write("reproduce", answer, format=None, path=args.output)
    work.finish()
    return Answer(table=claims, notes=(f"The report is in {args.output}.",), written=True)


REPRODUCE = Command(
    add=_add,
    run=_run,
    examples=("--folder FOLDER -o report.html", "--only claims -o claims.csv"),
    tabular=False,
)
