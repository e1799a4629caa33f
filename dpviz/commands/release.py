"""`release`: one release of a decision sheet, drawn once from the system's entropy and recorded."""

import hashlib
from contextlib import suppress
from datetime import date
from functools import partial
from pathlib import Path

from dpviz.base import ParameterError, Progress, check_integer
from dpviz.commands.base import Args, Command, CommandResult, print_to_stderr
from dpviz.commands.input_files import read_file_table, read_file_up_to_limit, read_name_list
from dpviz.commands.options import Option, OptionGroup
from dpviz.data.reading import distinct_list_items

_UNCHECKED = (
    "The names were not checked. Give the list of all possible items with --items FILE: ε does not"
    " cover which names stand in the file."
)

_NEW_RECORD = (
    "{} does not exist, so it begins a new record of this plan. If the sheet is a copy, earlier"
    " releases stand in the record beside the original: name that one with --record."
)

_EMPTY = "The list is empty. That is a valid result, and its ε is spent."


def _run(args: Args, progress: Progress) -> CommandResult:
    from dpviz.export.release import (  # noqa: PLC0415
        ReleaseRecord,
        check_names_match_list,
        check_review_date,
        make_release,
        read_counts,
        read_sheet,
        select_tool,
    )

    sheet, number = read_file_up_to_limit(args.sheet), check_integer("--number", args.number, low=1)
    plan = read_sheet(Path(args.sheet).name, sheet)
    record = (
        ReleaseRecord.from_sheet(Path(args.sheet), plan)
        if args.record is None
        else ReleaseRecord(Path(args.record), plan)
    )
    _keep_apart(args, record.path)
    if args.scores and not plan.mechanism.releases_scores(plan.contributions):
        raise ParameterError(
            "--scores", True, "left out: ε of this release covers no scores", "needless"
        )
    tool = select_tool(plan.mechanism, plan.contributions)
    if args.scores and not tool.has_noisy_scores:
        raise ParameterError(
            "--scores", True, "left out: what draws this release gives names alone", "needless"
        )
    past_review = None if args.past_review is None else _day(args.past_review)
    check_review_date(plan, past_review)
    record.check_next_number(number)
    table = read_file_table(args.counts, None, progress)
    counts = read_counts(table, has_item_list=args.items is not None)
    needs_names = plan.mechanism.needs_names
    if args.items is not None and not needs_names:
        raise ParameterError(
            "--items",
            args.items,
            "left out, as this sheet takes the items from the data",
            "needless",
        )
    if args.items is not None:
        check_names_match_list(
            counts, distinct_list_items(read_name_list(args.items)), Path(args.items).name
        )
    new = () if record.path.exists() else (_NEW_RECORD.format(record.path),)
    unchecked = (_UNCHECKED,) if needs_names and args.items is None else ()
    for note in (*counts.notes, *unchecked, *new):
        print_to_stderr(note)
    delta = plan.mechanism.delta_spent
    beside = f" and δ = {delta!r}" if delta else ""
    spent = (
        f"Release {number:,} of {plan.releases:,} is recorded in {record.path}: ε ="
        f" {plan.epsilon!r}{beside} for one {plan.unit} is spent, even if the list is"
        " lost."
    )
    release = make_release(
        plan,
        counts,
        number=number,
        record=record,
        sheet_digest=hashlib.sha256(sheet).hexdigest(),
        notify_recorded=partial(_say_if_heard, spent),
        past_review=past_review,
    )
    told: dict[str, tuple[str, ...] | tuple[float, ...]] = {"item": release.names}
    if args.scores and release.noisy is not None:
        told["noisy_score"] = release.noisy
    rows = [dict(zip(told, row, strict=True)) for row in zip(*told.values(), strict=True)]
    return CommandResult(
        table=rows, columns=tuple(told), notes=() if rows else (_EMPTY,), once=True
    )


def _say_if_heard(sentence: str) -> None:
    """Print the sentence if standard error is open; the list is drawn anyway, as ε is spent."""
    with suppress(OSError):
        print_to_stderr(sentence)


def _day(text: str) -> date:
    try:
        return date.fromisoformat(text)
    except ValueError:
        raise ParameterError("--past-review", text, "a day, written as 2027-05-04") from None


def _keep_apart(args: Args, record: Path) -> None:
    """Raise if the list or the record would overwrite an input."""
    read = {
        Path(each).resolve()
        for each in (args.sheet, args.counts, args.items)
        if each not in (None, "-")
    }
    if record.resolve() in read:
        raise ParameterError("--record", str(record), "a file of its own")
    if args.output is not None and Path(args.output).resolve() in read | {record.resolve()}:
        raise ParameterError("--output", args.output, "a file of its own")


COMMAND = Command(
    options=(
        Option(
            "sheet",
            metavar="SHEET",
            help="the decision sheet: its JSON, its page, or the script on it",
        ),
        Option(
            "counts",
            metavar="COUNTS",
            help="a name and a whole count a row (CSV, or any other table)",
        ),
        OptionGroup(
            "the release",
            Option(
                "--number",
                type=int,
                default=1,
                metavar="N",
                help="which release of the plan this is (default 1)",
            ),
            Option(
                "--items",
                metavar="FILE",
                help="the list of all possible items, one per line, or a table; names must be the same",
            ),
            Option(
                "--record",
                metavar="FILE",
                help="the record of releases (default: beside the sheet)",
            ),
            Option(
                "--past-review",
                metavar="DATE",
                help="the review date on the sheet, to make the release though it has passed",
            ),
            Option(
                "--scores",
                action="store_true",
                help="with the noisy scores too, where ε covers them",
            ),
        ),
    ),
    run=_run,
    formats=("csv", "json"),
    examples=(
        "sheet.json counts.csv -o list.csv",
        "sheet.json counts.csv --number 2 --items items.txt",
    ),
)
