"""Options for the source of the scores, and for the change that one person can make."""

import argparse
from dataclasses import dataclass, replace
from typing import Any

from dpviz.base import (
    ADDED,
    AS_COUNTS,
    NAMES_UNKNOWN,
    REPLACED,
    ParameterError,
    Progress,
    Scores,
    cached_property,
)
from dpviz.commands.input_files import (
    input_name,
    read_file_up_to_limit,
    read_name_list,
    read_whole_file,
)
from dpviz.commands.options import (
    Option,
    OptionGroup,
    ParameterOptions,
    given_option_values,
    parse_entry,
    refuse_given_options,
    refuse_unused_options,
    registry_menu,
)
from dpviz.data import EXAMPLES, GENERATORS
from dpviz.data.counting import count_proposed_log
from dpviz.data.reading import KINDS
from dpviz.data.reading.guessing.choices import ANSWERS, ReadingChoices, option_name
from dpviz.data.reading.guessing.offer import Proposal, propose_reading
from dpviz.data.reading.table import sensitivity_column
from dpviz.studies import DataSpec, Scenario
from dpviz.studies.link import Link

_OF_FILE = (
    Option("--score-column", metavar="COLUMN", help="the column of scores (default: detected)"),
    Option("--label-column", metavar="COLUMN", help="the column of items (default: detected)"),
    Option(
        "--person-column",
        metavar="COLUMN",
        help="for an event log: the column of the person; scores are numbers of distinct people",
    ),
    Option("--item-column", metavar="COLUMN", help="for an event log: the column of the item"),
    *(
        Option(
            option_name(question),
            choices=list(answers),
            help="; ".join(f"{name}: {says}" for name, says in answers.items()),
        )
        for question, answers in ANSWERS.items()
    ),
    Option(
        "--multiples",
        action=argparse.BooleanOptionalAction,
        help="whether k stands for thousand and M for a million, as in 228k",
    ),
    Option(
        "--units",
        action=argparse.BooleanOptionalAction,
        help="whether the word after each number is its unit, as in 31 kg",
    ),
    Option(
        "--items",
        metavar="FILE",
        help="for an event log: a list of all possible items, one per line, or a table",
    ),
    Option("--kind", choices=list(KINDS), help="the kind of file (default: by its ending)"),
    Option(
        "--header",
        action=argparse.BooleanOptionalAction,
        help="whether the first row has the names of the columns",
    ),
    Option("--encoding", metavar="NAME", help="the encoding of text files (default: detected)"),
    Option(
        "--decimal",
        choices=[".", ","],
        help="the decimal sign, if numbers can be read in two ways",
    ),
    Option("--sheet", metavar="NAME", help="the sheet of a workbook"),
    Option("--member", metavar="NAME", help="the member of a JSON object that holds the table"),
)
_NAMES = {"known": True, "unknown": False}
_PERSON = (
    "sensitivity",
    "fall",
    "monotonic",
    "contributions",
)  # what one person can change, and whether names can appear


@dataclass(frozen=True, kw_only=True)
class NamedScores:
    """One score vector: its name, its specification, and the scores if a file held them."""

    name: str
    spec: DataSpec
    scores: Scores | None = None
    k: int | None = None
    notes: tuple[str, ...] = ()


def add_data_options(parser: argparse.ArgumentParser, *, several: bool = False) -> None:
    """Put the options on a command; `several` allows more than one source."""
    group = OptionGroup(
        "where the scores come from" + (" (each can be given many times)" * several),
        _source("example", "NAME", "a bundled, made-up example. " + registry_menu(EXAMPLES)),
        _source("generate", "NAME[:P=V,...]", "made-up scores. " + registry_menu(GENERATORS)),
        _source("file", "FILE", "CSV, TSV, Excel, Parquet or JSON; - reads standard input"),
        Option(
            "--scenario",
            metavar="FILE",
            help="a scenario file or a link of the app; other options change it",
        ),
        Option(
            "--sensitivity", type=float, metavar="Δ", help="the most one person can change a score"
        ),
        Option(
            "--fall",
            type=float,
            metavar="Δ",
            help="adding one person may lower a score by so much, and raise it by --sensitivity",
        ),
    )(parser)
    # the last said would win without a word, at twice the ε
    either = group.add_mutually_exclusive_group()
    either.add_argument(
        "--monotonic",
        action=argparse.BooleanOptionalAction,
        help=f"{ADDED}: all scores move in the same direction, as counts do",
    )
    group.add_argument(
        "--contributions",
        type=int,
        metavar="C",
        help=(
            "one person counts in at most C items; an event log is counted with this limit"
            " (default: no limit)"
        ),
    )
    group.add_argument(
        "--names",
        choices=list(_NAMES),
        help=(
            "known: there is a list of all possible items that does not come from the data."
            " unknown: the items come from the data. The default is unknown for an event log"
            " without"
            " --items, else known"
        ),
    )
    either.add_argument(
        "--replaced",
        dest="monotonic",
        action="store_false",
        default=None,
        help=f"{REPLACED}: scores may move up and down (the default for a file of scores)",
    )
    OptionGroup("how to read a file", *_OF_FILE)(parser)
    ParameterOptions("parameters of generated scores", GENERATORS, prefix="data-")(parser)


def _source(name: str, metavar: str, text: str) -> Option:
    """Source of scores; one list has them all, so that they keep their order."""
    return Option(
        f"--{name}",
        dest="data",
        action="append",
        default=[],
        type=lambda said: (name, said),
        metavar=metavar,
        help=text,
    )


@dataclass(frozen=True)
class DataOptions:
    """Options about the data, and the scores of each source; `first` is the default scenario."""

    args: argparse.Namespace
    first: Scenario | None = None

    @property
    def person_parameters(self) -> dict[str, Any]:
        """Given options about one person, by the names of `DataSpec`."""
        said = {name: getattr(self.args, name) for name in _PERSON}
        said["items_known"] = _NAMES.get(self.args.names)
        return {name: value for name, value in said.items() if value is not None}

    @property
    def generator_parameters(self) -> dict[str, str]:
        return given_option_values(self.args, GENERATORS)

    @cached_property
    def base_scenario(self) -> Scenario:
        """Scenario of the file or link, else the default one."""
        name = self.args.scenario
        if name is None:
            return Scenario() if self.first is None else self.first
        return (
            Link.parse(name).read_scenario(self.first)
            if Link.is_address(name)
            else Scenario.from_json(read_whole_file(name))
        )

    def read_scores(self, progress: Progress) -> list[NamedScores]:
        """Every score vector that the options name, else that of the scenario."""
        generated = [text.partition(":")[0] for name, text in self.args.data if name == "generate"]
        refuse_unused_options(generated, GENERATORS, self.generator_parameters)
        if not any(name == "file" for name, _ in self.args.data):
            refuse_given_options(self.args, [option.dest for option in _OF_FILE], "without --file")
        if not self.args.data:
            return [self._of_scenario()]
        read = [self._of_source(name, text, progress) for name, text in self.args.data]
        # files of one name in several folders are called by what was written
        names = [data.name for data in read]
        return [
            replace(data, name=text) if names.count(data.name) > 1 else data
            for data, (_, text) in zip(read, self.args.data, strict=True)
        ]

    def _of_source(self, name: str, text: str, progress: Progress) -> NamedScores:
        if name == "example":
            return NamedScores(
                name=text,
                spec=DataSpec(source="example", name=text, **self.person_parameters),
                k=EXAMPLES[text].k,
            )
        if name == "generate":
            entry_name, given = parse_entry(text, GENERATORS, self.generator_parameters)
            spec = DataSpec(
                source="generated", name=entry_name, parameters=given, **self.person_parameters
            )
            return NamedScores(name=text, spec=spec)
        return self._of_file(text, progress)

    def _of_scenario(self) -> NamedScores:
        base = self.base_scenario
        if base.needs_data:
            raise ParameterError(
                "--file",
                None,
                "given: this scenario was saved without the data that had been uploaded",
                "missing",
            )
        spec = replace(base.data, **self.person_parameters)
        scores = None if base.scores is None else spec.with_person_metadata(base.scores)
        begun = self.args.scenario is None and self.first is None
        k = EXAMPLES[spec.name].k if begun and spec.source == "example" else None
        return NamedScores(
            name=spec.name or "uploaded",
            spec=spec,
            scores=scores,
            k=k,
            notes=() if spec.names_known else (NAMES_UNKNOWN,),
        )

    def _of_file(self, text: str, progress: Progress) -> NamedScores:
        name, how = input_name(text), self.args
        if text == "-" and how.kind is None:
            raise ParameterError(
                "--kind", None, "given for standard input, one of " + ", ".join(KINDS), "missing"
            )
        given = self.propose_file_reading(text, progress).require_answers("command")
        if given.meaning.log:
            scores, items_known, notes = self._counted(given, progress)
        else:
            refuse_given_options(how, ["items", "missing"], "but for an event log")
            scores, items_known, notes = self._scored(given)
        said = (
            self.base_scenario.data
            if self.base_scenario.needs_data
            else DataSpec(source="uploaded")
        )  # of the file that it asks for
        spec = replace(said.with_own_scores(scores), items_known=items_known, d=None)
        return NamedScores(
            name=name,
            spec=spec,
            scores=scores,
            notes=(f"{name}: {given.reading_sentence(scores.d)}.", *notes),
        )

    def propose_file_reading(self, path: str, progress: Progress) -> Proposal:
        """Reading of a file, with the options as its choices."""
        how = self.args
        if how.person_column is not None and how.item_column is None:
            allowed = "given too: an event log needs both columns"
            raise ParameterError("--item-column", None, allowed, "missing")
        given = {option.dest: getattr(how, option.dest) for option in _OF_FILE}
        said = {
            name.removesuffix("_column"): value
            for name, value in given.items()
            if value is not None and name != "items"
        }
        name, content = input_name(path), read_file_up_to_limit(path)
        return propose_reading(
            name, content, ReadingChoices(**said), is_own_data=True, progress=progress
        )

    def _counted(
        self, given: Proposal, progress: Progress
    ) -> tuple[Scores, bool | None, tuple[str, ...]]:
        when = "for an event log, whose scores are counts of people (Δ = 1, monotonic)"
        refuse_given_options(
            self.args,
            ["score_column", "label_column", "sensitivity", "fall", "monotonic", "decimal"],
            when,
        )
        items = None if self.args.items is None else tuple(read_name_list(self.args.items))
        if self.args.names not in {None, "unknown" if items is None else "known"}:
            how = "left to --items for an event log: known with the list, unknown without"
            raise ParameterError("--names", self.args.names, how, "needless")
        counts = count_proposed_log(
            given, items=items, contributions=self.args.contributions, progress=progress
        )
        return counts.scores, counts.kept.items_known, counts.notes

    def _scored(self, given: Proposal) -> tuple[Scores, bool | None, tuple[str, ...]]:
        spec, how, table = self.base_scenario.data, self.args, given.source
        asks = spec.source == "uploaded"
        if not asks:  # a scenario that asks for its file describes it
            told = dict(table.person)
            known = (
                None if told.pop("names_known", True) else False
            )  # nothing is said of known ones
            spec = DataSpec(source="uploaded", items_known=known, **told)
        spec = replace(spec, **self.person_parameters)
        if (column := sensitivity_column(given.table)) is not None:
            refuse_given_options(how, ["sensitivity", "fall"], f"as {table.source} has {column!r}")
        scores = spec.with_person_metadata(given.scores())
        if asks or how.monotonic is not None:
            return scores, spec.items_known, ()
        if "monotonic" in table.person:
            return scores, spec.items_known, (f"From {table.source}: {scores.change}",)
        offer = f" {AS_COUNTS}" if scores.may_be_counts else ""
        ways = f"Use --monotonic for {ADDED}, --replaced for {REPLACED}."
        return (
            scores,
            spec.items_known,
            (f"Assumed for {table.source}: {scores.change}{offer} {ways}",),
        )
