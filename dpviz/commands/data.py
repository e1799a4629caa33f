"""The options that say where the scores come from, the same for every command.

Sources: a scenario file saved by the app, a bundled example, a generator, or a file of scores or of
events. Invariant: what a person can change (Δ, monotonic) is what was said, else what the source says.
"""

import argparse
import sys
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from functools import cached_property, partial
from pathlib import Path
from typing import Any, Self

from dpviz.base.errors import ParameterError
from dpviz.base.progress import Progress
from dpviz.base.scores import Scores
from dpviz.commands.options import (
    add_options,
    add_parameters,
    entry,
    flag,
    given_options,
    given_parameters,
    option,
    refuse_unused,
)
from dpviz.data import EXAMPLES, GENERATORS
from dpviz.data.ingest import GUESS, KINDS, MAX_BYTES, IngestError, Table, count_people, read_table, scores_from
from dpviz.studies.scenario import DataSpec, Scenario

__all__ = ["Data", "DataOptions", "add_data"]

_SOURCES = (
    ("example", "NAME", "a bundled, made-up example: " + ", ".join(EXAMPLES)),
    ("generate", "NAME[:P=V,...]", "made-up scores: " + ", ".join(GENERATORS)),
    ("file", "FILE", "CSV, TSV, Excel, Parquet or JSON; - reads standard input"),
)


@dataclass(frozen=True, kw_only=True)
class Data:
    """One score vector: a name for it, what the scenario says of it, the scores where a file held them."""

    name: str
    spec: DataSpec
    scores: Scores | None = None
    k: int | None = None
    notes: tuple[str, ...] = ()


@dataclass(frozen=True, kw_only=True)
class FileOptions:
    """How to read a file; None is found out."""

    score_column: str | None = option(metavar="COLUMN", help="the column of scores (default: found out)")
    label_column: str | None = option(metavar="COLUMN", help="the column of labels (default: found out)")
    person_column: str | None = option(metavar="COLUMN", help="for an event log: who; scores are distinct people")
    item_column: str | None = option(metavar="COLUMN", help="for an event log: what")
    kind: str | None = option(choices=list(KINDS), help="the kind of file (default: by its ending)")
    header: bool | None = option(action=argparse.BooleanOptionalAction, help="whether the first row names columns")
    encoding: str | None = option(metavar="NAME", help="of text files (default: utf-8)")
    decimal: str | None = option(choices=[".", ","], help="the decimal sign, where numbers can be read in two ways")
    sheet: str | None = option(metavar="NAME", help="the sheet of a workbook")

    @property
    def events(self) -> bool:
        """Whether the file is a log of events."""
        return self.person_column is not None or self.item_column is not None


@dataclass(frozen=True, kw_only=True)
class PersonOptions:
    """The scenario that other options change, and what one person can change of the scores."""

    scenario: str | None = option(metavar="FILE", help="a scenario saved by the app; other options change it")
    sensitivity: float | None = option(type=float, metavar="Δ", help="how far one person can change a score")
    monotonic: bool | None = option(
        action=argparse.BooleanOptionalAction,
        help="whether one person changes all scores in the same direction, as counts",
    )


def add_data(parser: argparse.ArgumentParser, *, several: bool = False) -> None:
    """Put the options on a command; `several` allows more than one source."""
    group = parser.add_argument_group("where the scores come from" + (" (each can be given many times)" * several))
    for name, metavar, text in _SOURCES:  # one list of all, so that sources keep their order
        source = partial(_source, name)
        group.add_argument(f"--{name}", dest="data", action="append", type=source, metavar=metavar, help=text)
    add_options(group, PersonOptions)
    add_options(parser.add_argument_group("how to read a file"), FileOptions)
    add_parameters(parser, "parameters of generated scores", GENERATORS, prefix="data-")


def _source(name: str, text: str) -> tuple[str, str]:
    return name, text


@dataclass(frozen=True)
class DataOptions:
    """What was said of the data: the sources in order, as (option, text), and how to make scores of each."""

    sources: Sequence[tuple[str, str]]
    person: PersonOptions
    file: FileOptions
    generated: dict[str, str]

    @classmethod
    def of(cls, args: argparse.Namespace) -> Self:
        """Those that were given."""
        own, file = given_options(args, PersonOptions), given_options(args, FileOptions)
        return cls(args.data or [], own, file, given_parameters(args, GENERATORS))

    @cached_property
    def base(self) -> Scenario:
        """The scenario file, or the default scenario."""
        name = self.person.scenario
        return Scenario() if name is None else Scenario.from_json(_content(name))

    def read(self, progress: Progress) -> list[Data]:
        """Every score vector that the options name; that of the scenario where they name none."""
        generated = [text.partition(":")[0] for name, text in self.sources if name == "generate"]
        if generated or self.generated:
            refuse_unused(generated, GENERATORS, self.generated)
        if not any(name == "file" for name, _ in self.sources):
            _refuse(self.file, vars(self.file), "without --file")
        if not self.sources:
            return [self._of_scenario()]
        read = [self._of_source(name, text, progress) for name, text in self.sources]
        names = [data.name for data in read]  # files of one name in several folders are called by what was written
        return [
            replace(data, name=text) if names.count(data.name) > 1 else data
            for data, (_, text) in zip(read, self.sources, strict=True)
        ]

    @property
    def _said(self) -> dict[str, Any]:
        """What was said of one person."""
        return {"sensitivity": self.person.sensitivity, "monotonic": self.person.monotonic}

    def _of_source(self, name: str, text: str, progress: Progress) -> Data:
        if name == "example":
            return Data(name=text, spec=DataSpec(source="example", name=text, **self._said), k=EXAMPLES[text].k)
        if name == "generate":
            entry_name, given = entry(text, GENERATORS, self.generated)
            return Data(name=text, spec=DataSpec(source="generated", name=entry_name, parameters=given, **self._said))
        return self._of_file(text, progress)

    def _of_scenario(self) -> Data:
        base = self.base
        if base.needs_data:
            allowed = "given: this scenario was saved without the data that had been uploaded"
            raise ParameterError("--file", None, allowed)
        changed = {name: value for name, value in self._said.items() if value is not None}
        spec = replace(base.data, **changed)
        scores = base.scores
        if scores is not None and changed:
            scores = Scores(scores.values, scores.labels, sensitivity=spec.sensitivity, monotonic=spec.monotonic)  # type: ignore[arg-type]
        k = EXAMPLES[spec.name].k if self.person.scenario is None and spec.source == "example" else None
        return Data(name=spec.name or "uploaded", spec=spec, scores=scores, k=k)

    def _of_file(self, text: str, progress: Progress) -> Data:
        name, how = "standard input" if text == "-" else Path(text).name, self.file
        if text == "-" and how.kind is None:
            raise ParameterError("--kind", None, "given for standard input, one of " + ", ".join(KINDS))
        table = read_table(
            name,
            _content(text, MAX_BYTES),
            kind=how.kind,
            encoding=how.encoding,
            header=how.header,
            sheet=how.sheet,
            progress=progress,
        )
        scores, notes = (self._counted(table, progress), ()) if how.events else self._scored(table)
        spec = DataSpec(source="uploaded", sensitivity=scores.sensitivity, monotonic=scores.monotonic)
        return Data(name=name, spec=spec, scores=scores, notes=notes)

    def _counted(self, table: Table, progress: Progress) -> Scores:
        person, item = self.file.person_column, self.file.item_column
        if person is None or item is None:
            missing = "person_column" if person is None else "item_column"
            raise ParameterError(flag(missing), None, "given too: an event log needs both columns")
        when = "for an event log, whose scores are counts of people (Δ = 1, monotonic)"
        _refuse(self.file, ("score_column", "label_column"), when)
        _refuse(self.person, self._said, when)
        _refuse(self.file, ("decimal",), when)
        return count_people(table, person, item, progress=progress)

    def _scored(self, table: Table) -> tuple[Scores, tuple[str, ...]]:
        data, how = self.base.data, self.file
        own = data if data.source == "uploaded" else None  # a scenario that asks for its file says what it is
        sensitivity, monotonic = self.person.sensitivity, self.person.monotonic
        scores = scores_from(
            table,
            how.score_column or GUESS,
            how.label_column or GUESS,
            sensitivity=((own.sensitivity if own else 1.0) if sensitivity is None else sensitivity) or 0.0,
            monotonic=bool((own.monotonic if own else False) if monotonic is None else monotonic),
            decimal=how.decimal,
        )
        if own or monotonic is not None:
            return scores, ()
        note = (
            f"{table.source}: one person is taken to change each score by at most {scores.sensitivity:g}, up or down; "
            "for counts of people, where all move the same way, say --monotonic."
        )
        return scores, (note,)


def _content(name: str, limit: int | None = None) -> bytes:
    """The content of a file, or of standard input for "-"; over the limit one byte more, to be refused by."""
    if name == "-":
        return sys.stdin.buffer.read(-1 if limit is None else limit + 1)
    path = Path(name)
    if limit is not None and (size := path.stat().st_size) > limit:
        raise IngestError(f"{name} has {size / 1e6:,.1f} MB; at most {limit / 1e6:g} are allowed.")
    return path.read_bytes()


def _refuse(options: FileOptions | PersonOptions, names: Iterable[str], when: str) -> None:
    for name in names:
        if getattr(options, name) is not None:
            raise ParameterError(flag(name), getattr(options, name), f"left out {when}")
