"""The options that say where the scores come from, the same for every command.

Sources: a scenario file saved by the app, a bundled example, a generator, or a file of scores or of
events. Invariant: what a person can change (Δ, monotonic) is what was said, else what the source says.
"""

import argparse
import sys
from collections.abc import Iterable
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from dpviz.base.errors import ParameterError
from dpviz.base.progress import Progress
from dpviz.base.scores import ADDED, AS_COUNTS, REPLACED, Scores
from dpviz.commands.options import add_parameters, entry, given_parameters, refuse_unused
from dpviz.data import EXAMPLES, GENERATORS
from dpviz.data.ingest import GUESS, KINDS, MAX_BYTES, IngestError, Table, count_log, read_table, scores_from
from dpviz.data.ingest.kept import NAMES_LEAK
from dpviz.data.ingest.text import decode
from dpviz.studies.scenario import DataSpec, Scenario

__all__ = ["Data", "add_data", "read_bytes", "read_data", "read_lines"]

_COLUMNS = ("score_column", "label_column", "person_column", "item_column", "items")
_PERSON = ("sensitivity", "monotonic", "contributions")  # what one person can change


@dataclass(frozen=True, kw_only=True)
class Data:
    """One score vector: a name for it, what the scenario says of it, the scores where a file held them."""

    name: str
    spec: DataSpec
    scores: Scores | None = None
    k: int | None = None
    notes: tuple[str, ...] = ()


def add_data(parser: argparse.ArgumentParser, *, several: bool = False) -> None:
    """Put the options on a command; `several` allows more than one source."""
    group = parser.add_argument_group("where the scores come from" + (" (each can be given many times)" * several))
    for option, metavar, told in (
        ("example", "NAME", "a bundled, made-up example: " + ", ".join(EXAMPLES)),
        ("generate", "NAME[:P=V,...]", "made-up scores: " + ", ".join(GENERATORS)),
        ("file", "FILE", "CSV, TSV, Excel, Parquet or JSON; - reads standard input"),
    ):
        group.add_argument(
            f"--{option}", dest="data", action="append", type=_Source(option), metavar=metavar, help=told
        )
    group.add_argument("--scenario", metavar="FILE", help="a scenario saved by the app; other options change it")
    group.add_argument("--sensitivity", type=float, metavar="Δ", help="how far one person can change a score")
    group.add_argument(
        "--monotonic",
        action=argparse.BooleanOptionalAction,
        help=f"{ADDED}: all scores move in the same direction, as counts do",
    )
    group.add_argument(
        "--replaced",
        dest="monotonic",
        action="store_false",
        default=None,
        help=f"{REPLACED}: scores may move up and down (taken for a file where neither is said)",
    )
    group.add_argument(
        "--contributions",
        type=int,
        metavar="C",
        help="in how many items can one person count? At most C, kept to in an event log (default: any number)",
    )
    files = parser.add_argument_group("how to read a file")
    files.add_argument("--score-column", metavar="COLUMN", help="the column of scores (default: found out)")
    files.add_argument("--label-column", metavar="COLUMN", help="the column of labels (default: found out)")
    files.add_argument("--person-column", metavar="COLUMN", help="for an event log: who; scores are distinct people")
    files.add_argument("--item-column", metavar="COLUMN", help="for an event log: what")
    files.add_argument("--items", metavar="FILE", help="for an event log: the items, known beforehand, one a line")
    files.add_argument("--kind", choices=list(KINDS), help="the kind of file (default: by its ending)")
    files.add_argument("--header", action=argparse.BooleanOptionalAction, help="whether the first row names columns")
    files.add_argument("--encoding", metavar="NAME", help="of text files (default: utf-8)")
    files.add_argument("--decimal", choices=[".", ","], help="the decimal sign, where numbers can be read in two ways")
    files.add_argument("--sheet", metavar="NAME", help="the sheet of a workbook")
    add_parameters(parser, "parameters of generated scores", GENERATORS, prefix="data-")


class _Source:
    """Remembers which option a text was given to, so that all sources keep their order."""

    def __init__(self, option: str) -> None:
        self.option = option

    def __call__(self, text: str) -> tuple[str, str]:
        return self.option, text


def read_data(args: argparse.Namespace, base: Scenario, progress: Progress) -> list[Data]:
    """Every score vector that the options name; that of `base` where they name none."""
    given = given_parameters(args, GENERATORS)
    sources: list[tuple[str, str]] = args.data or []
    generated = [text.partition(":")[0] for option, text in sources if option == "generate"]
    if generated or given:
        refuse_unused(generated, GENERATORS, given)
    if not any(option == "file" for option, _ in sources):
        _refuse_columns(args, (*_COLUMNS, "kind", "header", "encoding", "decimal", "sheet"), "without --file")
    if not sources:
        return [_of_scenario(args, base)]
    found = [_read(option, text, args, base, given, progress) for option, text in sources]
    return _with_distinct_names(found, [text for _, text in sources])


def read_bytes(name: str, limit: int | None = None) -> bytes:
    """The content of a file, or of standard input for "-"; over the limit one byte more, to be refused by."""
    if name == "-":
        return sys.stdin.buffer.read(-1 if limit is None else limit + 1)
    path = Path(name)
    if limit is not None and (size := path.stat().st_size) > limit:
        raise IngestError(f"{name} has {size / 1e6:,.1f} MB; at most {limit / 1e6:g} are allowed.")
    return path.read_bytes()


def read_lines(name: str) -> list[str]:
    """The lines of a text file."""
    return decode(name, read_bytes(name, MAX_BYTES)).splitlines()


def _read(
    option: str, text: str, args: argparse.Namespace, base: Scenario, given: dict[str, str], progress: Progress
) -> Data:
    person: dict[str, Any] = {name: getattr(args, name) for name in _PERSON}
    if option == "example":
        spec = DataSpec(source="example", name=text, **person)
        return Data(name=text, spec=spec, k=EXAMPLES[text].k)
    if option == "generate":
        name, parameters = entry(text, GENERATORS, given)
        spec = DataSpec(
            source="generated",
            name=name,
            parameters=parameters,
            **person,
        )
        return Data(name=text, spec=spec)
    return _of_file(text, args, base, progress)


def _of_scenario(args: argparse.Namespace, base: Scenario) -> Data:
    if base.needs_data:
        raise ParameterError("--file", None, "given: this scenario was saved without the data that had been uploaded")
    changed: dict[str, Any] = {name: getattr(args, name) for name in _PERSON if getattr(args, name) is not None}
    spec = replace(base.data, **changed)
    scores = None if base.scores is None else replace(base.scores, **changed)
    k = EXAMPLES[spec.name].k if args.scenario is None and spec.source == "example" else None
    notes = (NAMES_LEAK,) if spec.items_known is False else ()
    return Data(name=spec.name or "uploaded", spec=spec, scores=scores, k=k, notes=notes)


def _of_file(text: str, args: argparse.Namespace, base: Scenario, progress: Progress) -> Data:
    name = "standard input" if text == "-" else Path(text).name
    if text == "-" and args.kind is None:
        raise ParameterError("--kind", None, "given for standard input, one of " + ", ".join(KINDS))
    table = read_table(
        name,
        read_bytes(text, MAX_BYTES),
        kind=args.kind,
        encoding=args.encoding,
        header=args.header,
        sheet=args.sheet,
        progress=progress,
    )
    log = args.person_column is not None or args.item_column is not None
    if not log:
        _refuse_columns(args, ("items",), "but for an event log")
    scores, items_known, notes = (_counted if log else _scored)(table, args, base, progress)
    person: dict[str, Any] = {name: getattr(scores, name) for name in _PERSON}
    return Data(
        name=name, spec=DataSpec(source="uploaded", items_known=items_known, **person), scores=scores, notes=notes
    )


def _counted(
    table: Table, args: argparse.Namespace, base: Scenario, progress: Progress
) -> tuple[Scores, bool | None, tuple[str, ...]]:
    for option in ("person_column", "item_column"):
        if getattr(args, option) is None:
            raise ParameterError(f"--{option.replace('_', '-')}", None, "given too: an event log needs both columns")
    told = ("score_column", "label_column", "sensitivity", "monotonic", "decimal")
    _refuse_columns(args, told, "for an event log, whose scores are counts of people (Δ = 1, monotonic)")
    log = count_log(
        table,
        args.person_column,
        args.item_column,
        items=None if args.items is None else read_lines(args.items),
        most=args.contributions,
        progress=progress,
    )
    return log.scores, log.kept.items_known, log.kept.notes


def _scored(
    table: Table, args: argparse.Namespace, base: Scenario, progress: Progress
) -> tuple[Scores, bool | None, tuple[str, ...]]:
    asks = base.data.source == "uploaded"
    own = base.data if asks else DataSpec(source="uploaded")  # a scenario that asks for its file says what it is
    person = {n: getattr(own, n) if getattr(args, n) is None else getattr(args, n) for n in _PERSON}
    made = scores_from(
        table,
        args.score_column or GUESS,
        args.label_column or GUESS,
        decimal=args.decimal,
    )
    scores = replace(made, **person)
    if asks or args.monotonic is not None:
        return scores, own.items_known, ()
    offer = f" {AS_COUNTS}" if scores.may_be_counts else ""
    said = f"{table.source} is taken so: {scores.change}{offer} Say --monotonic for {ADDED}, --replaced for {REPLACED}."
    return scores, own.items_known, (said,)


def _refuse_columns(args: argparse.Namespace, options: Iterable[str], when: str) -> None:
    for option in options:
        value: Any = getattr(args, option)
        if value is not None:
            raise ParameterError(f"--{option.replace('_', '-')}", value, f"left out {when}")


def _with_distinct_names(found: list[Data], given: list[str]) -> list[Data]:
    """Files of one name in several folders are called by what was written for them."""
    names = [data.name for data in found]
    return [
        Data(name=text, spec=data.spec, scores=data.scores, k=data.k, notes=data.notes)
        if names.count(data.name) > 1
        else data
        for data, text in zip(found, given, strict=True)
    ]
