"""What a command is: its options, and what it answers.

Invariants: a command computes and returns an `Answer`, only `dpviz.commands.output` writes; what a command
computes with is imported once it is asked for, so that the menu is there at once.
"""

import argparse
from collections.abc import Callable
from dataclasses import dataclass, field
from importlib import import_module
from typing import TYPE_CHECKING

from dpviz.commands.meter import Meter

if TYPE_CHECKING:
    import pandas as pd

    from dpviz.studies.grid import Row
    from dpviz.studies.scenario import Scenario


@dataclass(frozen=True, kw_only=True)
class Answer:
    """A table (or its rows, which need no pandas), what has to be said with it, and the scenario that gives it again.

    `notes` go to standard error, and into JSON; `written` says that the table is in its file already. `document` is
    written in the place of the table.
    """

    table: "pd.DataFrame | list[Row]"
    notes: tuple[str, ...] = ()
    scenario: "Scenario | None" = None
    written: bool = False
    document: str | None = None


@dataclass(frozen=True, kw_only=True)
class Command:
    """One entry of the command line.

    `formats` are those that its answer can have, the usual one first; with none it is a text in a file of any name.
    It is `tabular` where one can be chosen by `--format`, and not by a file's ending alone. A command that `answers`
    with nothing goes on until it is stopped.
    """

    add: Callable[[argparse.ArgumentParser], None]
    run: Callable[[argparse.Namespace, Meter], Answer]
    examples: tuple[str, ...] = field(default=())
    tabular: bool = True
    answers: bool = True
    formats: tuple[str, ...] = ("csv", "json", "parquet", "xlsx")


@dataclass(frozen=True)
class Listed:
    """A command that is not loaded yet: the module that holds it."""

    module: str

    def load(self) -> Command:
        """The command itself, with all that it computes with."""
        command: Command = import_module(self.module).COMMAND
        return command
