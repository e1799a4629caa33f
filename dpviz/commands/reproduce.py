"""`reproduce`: a report of the papers' numbers and figures beside the exact ones."""

from pathlib import Path

from dpviz.base import ParameterError, Progress, pd
from dpviz.commands.base import Args, Command, CommandResult, print_to_stderr
from dpviz.commands.options import Option, OptionGroup, worker_count, workers_option
from dpviz.commands.output import write_answer
from dpviz.studies.worker_processes import raise_on_sigterm

_PARTS = ("claims", "checked", "top-k", "noises", "zipf", "gaps")


def _run(args: Args, progress: Progress) -> CommandResult:
    from dpviz.export.reproduction import Reproduction  # noqa: PLC0415 - plotly, which no other command needs

    only, table = tuple(args.only or ()), args.format != "html"
    if args.output is None:
        allowed = (
            "an HTML file to write, or a table (.csv, .json, .parquet, .xlsx) for the claims alone"
        )
        raise ParameterError("--output", None, allowed, "missing")
    if table and only not in ((), ("claims",)):
        raise ParameterError(
            "--only", " ".join(only), "claims where a table is asked for; the other parts are drawn"
        )
    data = None if args.folder is None else Path(args.folder)
    work = Reproduction(data, Path(args.output), ("claims",) if table else only, worker_count(args))
    if not args.quiet:
        print_to_stderr(work.work_estimate_sentence())
    try:
        with raise_on_sigterm():
            results = work.compute_and_store_missing_results(progress)
    except KeyboardInterrupt as err:
        raise type(err)(
            f"Stopped. The same command continues from {work.unfinished_path}."
        ) from None
    claims = work.claims(results) if table else pd.DataFrame()
    answer = CommandResult(
        table=claims,
        notes=work.omission_notes,
        document=None if table else work.page(results).html(),
    )
    write_answer("reproduce", answer, format=args.format, path=args.output)
    work.remove_unfinished()
    return CommandResult(table=claims, notes=(f"The report is in {args.output}.",), written=True)


COMMAND = Command(
    options=(
        OptionGroup(
            "what is computed",
            Option(
                "--folder",
                metavar="FOLDER",
                help=(
                    "a folder of score vectors: .csv files with one count per line (default: none)"
                ),
            ),
            Option(
                "--only",
                nargs="+",
                choices=_PARTS,
                help=(
                    "parts of the report (default: all); claims are the papers' printed numbers"
                    " beside the exact ones"
                ),
            ),
            workers_option("; 1: no extra process"),
        ),
    ),
    run=_run,
    examples=("--folder FOLDER -o report.html", "--only claims -o claims.csv"),
    tabular=False,
    formats=("html", "csv", "json", "parquet", "xlsx"),
)
