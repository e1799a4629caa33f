"""What a command is: its options, what it answers, and what is said on standard error while it
works.

Invariants: a command computes and returns an `CommandResult`, only `dpviz.commands.output` writes; what a
command computes with is imported once it is asked for, so that the menu is there at once; the line
that shows how far it is gives way to every sentence, and is gone at the end.
"""

import argparse
import sys
import time
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from importlib import import_module
from typing import TYPE_CHECKING, Any

from dpviz.base import time_left

if TYPE_CHECKING:
    import pandas as pd

    from dpviz.studies import Row, Scenario


_QUIET = 0.5  # seconds before the line shows
_STEP = 0.1  # seconds between two of them
_WIDTH = 56  # of the longest line, which a shorter one has to cover
_CLEARED = f"\r{'':{_WIDTH}}\r"


def print_to_stderr(sentence: str) -> None:
    """One line on standard error."""
    if sys.stderr is not None:
        sys.stderr.write(f"{_CLEARED if sys.stderr.isatty() else ''}dpviz: {sentence}\n")
        sys.stderr.flush()


class ProgressMeter:
    """A progress that shows on a terminal, once the work lasts, how much is done and about how long
    it still takes.

    What is done is told in per cent, or where the work is `set_cell_total` cells in cells.
    """

    def __init__(self, quiet: bool) -> None:
        self._shows = not quiet and sys.stderr is not None and sys.stderr.isatty()
        self._begun = self._last = time.monotonic()
        self._first = 1.0  # the fraction that was there to begin with, where work goes on
        self._cells = 0

    def set_cell_total(self, cells: int) -> None:
        """From now on the work is so many cells, whatever was done before."""
        self._cells, self._first, self._begun = cells, 1.0, time.monotonic()

    def __call__(self, fraction: float) -> None:
        """Show this fraction done, unless another was shown just now."""
        if not self._shows:
            return
        self._first, now = min(self._first, fraction), time.monotonic()
        if now - self._begun < _QUIET or (now - self._last < _STEP and fraction < 1):
            return
        self._last = now
        sys.stderr.write(
            _CLEARED if fraction >= 1 else f"\r{self._told(fraction, now - self._begun):{_WIDTH}}"
        )
        sys.stderr.flush()

    def _told(self, fraction: float, passed: float) -> str:
        done = f"{100 * fraction:4.0f} %"
        if self._cells:
            whole = int(
                fraction * self._cells + 1e-6
            )  # a cell that is done counts, whatever rounding took off it
            done = f"cells {whole:,} of {self._cells:,}"
        left = time_left(passed, self._first, fraction)
        return f"{done} · {left}" if left else done


Parser = argparse.ArgumentParser
"""What a command puts its options on."""
Args = argparse.Namespace
"""What was said of them."""


@dataclass(frozen=True, kw_only=True)
class CommandResult:
    """A table (or its rows, which need no pandas), what has to be said with it, and the scenario
    that gives it again.

    `notes` go to standard error, and into JSON; `written` says that the table is in its file
    already. `document` is written in the place of the table. `code` is what the program ends with.
    `person` is what one person can change, where no scenario says it. `columns` are named where
    rows may be none. An answer given `once` cannot be had again.
    """

    table: "pd.DataFrame | list[Row]"
    columns: tuple[str, ...] = ()
    notes: tuple[str, ...] = ()
    scenario: "Scenario | None" = None
    written: bool = False
    document: str | None = None
    code: int = 0
    once: bool = False
    person: Mapping[str, Any] = field(default_factory=dict)


@dataclass(frozen=True, kw_only=True)
class Command:
    """One entry of the command line.

    `formats` are those that its answer can have, the usual one first; with none it is a text in a
    file of any name. It is `tabular` where one can be chosen by `--format`, and not by a file's
    ending alone. A command that `answers` with nothing goes on until it is stopped.
    """

    add: Callable[[Parser], None]
    run: Callable[[Args, ProgressMeter], CommandResult]
    examples: tuple[str, ...] = ()
    tabular: bool = True
    answers: bool = True
    formats: tuple[str, ...] = ("csv", "json", "parquet", "xlsx")


@dataclass(frozen=True)
class UnloadedCommand:
    """A command that is not loaded yet: the module that holds it."""

    module: str

    def load(self) -> Command:
        """The command itself, with all that it computes with."""
        command: Command = import_module(self.module).COMMAND
        return command
