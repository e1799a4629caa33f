"""`count`: turn an event log into scores, the number of distinct people for each item."""

from typing import TYPE_CHECKING

from dpviz.base import ParameterError, Progress, check_integer
from dpviz.commands.base import Args, Command, CommandResult, print_to_stderr
from dpviz.commands.input_files import read_name_list
from dpviz.commands.options import Option, OptionGroup, refuse_given_options
from dpviz.data.counting import (
    ENGINE_GOES,
    ENGINES,
    MISSING,
    Counts,
    RowFilter,
    count_files,
    count_in_engine,
)
from dpviz.data.reading import IngestError

if TYPE_CHECKING:
    from dpviz.studies import Design, Scenario

_FROM_AFAR = "Files at an address are read from afar: minutes may pass before any progress shows."
_K = 10  # of the scenario, unless there are too few items


def _run(args: Args, progress: Progress) -> CommandResult:
    if args.connect is not None and args.table is None:
        raise IngestError("--connect needs --table too: which of the tables there to count.")
    if args.connect is None:
        refuse_given_options(args, ["table"], "without --connect, which says where it is")
    if args.contributions is not None:
        check_integer("--contributions", args.contributions, low=1)
    designs = _what_follows(args) if args.mechanism else ()
    files = [*args.files, *args.more]
    items = None if args.items is None else read_name_list(args.items)
    chosen = RowFilter(where=args.where, since=args.since, until=args.until, time=args.time_column)
    options = {
        "missing": args.missing,
        "items": items,
        "contributions": args.contributions,
        "chosen": chosen,
    }
    if args.connect is not None:
        refuse_given_options(
            args, ["kind", "encoding", "engine", "memory", "temporary"], "with --connect"
        )
        if files:
            raise ParameterError("FILE", " ".join(files), "left out with --connect", "needless")
        counts = count_in_engine(
            args.connect,
            args.table,
            args.person_column,
            args.item_column,
            **options,
            progress=progress,
        )
    elif not files:
        raise IngestError("There is nothing to count: give a FILE, or else --connect and --table.")
    else:
        if any("://" in file for file in files) and not args.quiet:
            print_to_stderr(_FROM_AFAR)
        counts = count_files(
            files,
            args.person_column,
            args.item_column,
            kind=args.kind,
            encoding=args.encoding,
            **options,
            memory=args.memory or "1GB",
            temporary=args.temporary,
            progress=progress,
        )
    use = f"Scores are numbers of distinct people. {counts.scores.change}"
    notes = (*counts.notes, use, *([] if args.engine is None else [f"--engine: {ENGINE_GOES}."]))
    scenario = None if args.format == "csv" else _scenario(counts, designs)
    return CommandResult(table=counts.table, notes=notes, scenario=scenario)


def _scenario(counts: Counts, designs: "tuple[Design, ...]") -> "Scenario":
    from dpviz.studies import DataSpec, Scenario  # noqa: PLC0415 - slow, and CSV needs none of it

    scores = counts.scores
    spec = DataSpec(
        source="uploaded",
        sensitivity=scores.sensitivity,
        monotonic=scores.monotonic,
        contributions=scores.contributions,
        items_known=counts.kept.items_known,
    )
    scenario = Scenario(data=spec, k=min(_K, scores.d - 1), scores=scores)
    return scenario.replace(designs=designs) if designs else scenario


def _what_follows(args: Args) -> "tuple[Design, ...]":
    """Named mechanisms; raises `ParameterError` if one needs a cap and counting has none."""
    from dpviz.commands.request import parse_designs  # noqa: PLC0415 - as above
    from dpviz.topk import TOP_K  # noqa: PLC0415

    designs = parse_designs(args.mechanism, {})
    needing = [design.label for design in designs if TOP_K[design.mechanism].needs_contributions]
    if needing and args.contributions is None:
        allowed = f"given for {needing[0]}, as its noise depends on the items that one person can count in"
        raise ParameterError("--contributions", None, allowed, "missing")
    return designs


COMMAND = Command(
    options=(
        Option(
            "files",
            nargs="*",
            metavar="FILE",
            help=(
                "CSV, TSV, JSON lines or Parquet files, also packed (.gz, .zst), with * and **"
                " allowed. Or a folder of such files, and its folders may be columns"
                " (day=2024-01-01). Or a Delta or Iceberg table, an address (s3://BUCKET/LOGS), or"
                " - for standard input. All are one log"
            ),
        ),
        Option("--file", dest="more", action="append", default=[], metavar="FILE", help="the same"),
        OptionGroup(
            "the log",
            Option(
                "--person-column", required=True, metavar="COLUMN", help="the column of the person"
            ),
            Option("--item-column", required=True, metavar="COLUMN", help="the column of the item"),
            Option(
                "--missing",
                choices=MISSING,
                default="refuse",
                help=(
                    "rows without a person or an item: refuse the log (default), or skip and count"
                    " them"
                ),
            ),
            Option(
                "--items",
                metavar="FILE",
                help=(
                    "a list of all possible items, one per line, or a table; items that nobody has"
                    " count zero, other items are ignored"
                ),
            ),
            Option(
                "--contributions",
                type=int,
                metavar="C",
                help=(
                    "count at most C items of each person, those whose (person, item) has the"
                    " smallest MD5. Mechanisms with a threshold or gaussian noise need it"
                    " (--mechanism)"
                ),
            ),
            Option(
                "--kind",
                choices=["csv", "tsv", "jsonl", "parquet"],
                help="the kind of file (default: by its ending)",
            ),
            Option(
                "--encoding", metavar="NAME", help="the encoding of CSV files (default: detected)"
            ),
        ),
        OptionGroup(
            "the rows that count, chosen before contributions are bounded",
            Option(
                "--where",
                metavar="CONDITION",
                help="a condition on single rows: \"country = 'CH' AND year >= 2024\"",
            ),
            Option(
                "--since",
                metavar="WHEN",
                help="the first date or moment that counts (UTC), with --time-column",
            ),
            Option(
                "--until",
                metavar="WHEN",
                help="the first date or moment that does not count any more",
            ),
            Option("--time-column", metavar="COLUMN", help="the column of the date or moment"),
        ),
        OptionGroup(
            "what follows",
            Option(
                "-m",
                "--mechanism",
                action="append",
                default=[],
                metavar="NAME[:P=V,...]",
                help=(
                    "a mechanism for the counts, so that they are made as it needs them; a"
                    " scenario file names it. Can be given many times."
                ),
            ),
        ),
        OptionGroup(
            "what counts",
            Option(
                "--engine",
                choices=ENGINES,
                help="has no effect any more, as DuckDB counts every file",
            ),
            Option(
                "--memory",
                metavar="SIZE",
                help="the memory for DuckDB (default 1GB); the rest goes to disk",
            ),
            Option("--temporary", metavar="FOLDER", help="the folder for what does not fit"),
            Option(
                "--connect",
                metavar="URL",
                help=(
                    "count in an engine instead: duckdb://FILE, sqlite://FILE,"
                    " postgres://USER@HOST/DB, mysql://USER:PASSWORD@HOST/DB, any that ibis knows"
                ),
            ),
            Option("--table", metavar="NAME", help="the table or view there, or schema.table"),
        ),
    ),
    run=_run,
    formats=("csv", "json", "parquet", "xlsx", "scenario"),
    examples=(
        "log.csv --person-column user --item-column song -o scores.csv",
        (
            "log.csv --person-column user --item-column song --items songs.txt --format scenario -o"
            " votes.json"
        ),
        "log.csv --person-column user --item-column song --contributions 3 -o scores.parquet",
        (
            "log.csv --person-column user --item-column song -m threshold_counts --contributions 2"
            " --format scenario"
        ),
        "'logs/**/*.parquet' --person-column user --item-column song --memory 1GB -o scores.csv",
        (
            "logs --person-column user --item-column song --since 2024-01-01 --until 2024-02-01"
            " --time-column day"
        ),
        "--connect duckdb://log.db --table plays --person-column user --item-column song",
    ),
)
