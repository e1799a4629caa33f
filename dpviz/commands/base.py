"""Parts of a command: its options, its answer, and its messages on standard error.

Only `dpviz.commands.output` writes. The modules that compute are imported on use, so that the menu
shows at once.
"""

import argparse
import re
import sys
import time
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from dpviz.base import ParameterError, time_left

if TYPE_CHECKING:
    import pandas as pd

    from dpviz.studies import Row, Scenario


_QUIET = 0.5  # seconds before the line shows
_STEP = 0.1  # seconds between two of them
_WIDTH = 56  # of the longest line, which a shorter one has to cover
_CLEARED = f"\r{'':{_WIDTH}}\r"


def print_to_stderr(sentence: str) -> None:
    if sys.stderr is not None:
        sys.stderr.write(f"{_CLEARED if sys.stderr.isatty() else ''}dpviz: {sentence}\n")
        sys.stderr.flush()


def name_options(err: ParameterError, parser: argparse.ArgumentParser) -> ParameterError:
    """The error with the command's options in place of parameters of the same name."""
    options = {
        name.removeprefix("--").replace("-", "_"): name
        for action in parser._actions
        for name in action.option_strings
        if name.startswith("--")
    }
    option = options.get(err.parameter) or options.get(f"{err.parameter}_column")
    if option is None or type(err) is not ParameterError:
        return err
    allowed = err.allowed
    for name, written in options.items():
        if "_" in name:
            allowed = re.sub(rf"\b{name}\b", written, allowed)
    return ParameterError(option, err.value, allowed, err.code)


class ProgressMeter:
    """Progress line on a terminal, in per cent or in cells, once the work lasts a while."""

    def __init__(self, quiet: bool) -> None:
        self._shows = not quiet and sys.stderr is not None and sys.stderr.isatty()
        self._begun = self._last = time.monotonic()
        self._first = 1.0  # the fraction that was there to begin with, where work goes on
        self._cells = 0

    def set_cell_total(self, cells: int) -> None:
        self._cells, self._first, self._begun = cells, 1.0, time.monotonic()

    def __call__(self, fraction: float) -> None:
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
            # a cell that is done counts, whatever rounding took off it
            whole = int(fraction * self._cells + 1e-6)
            done = f"cells {whole:,} of {self._cells:,}"
        left = time_left(passed, self._first, fraction)
        return f"{done} · {left}" if left else done


Args = argparse.Namespace


@dataclass(frozen=True, kw_only=True)
class CommandResult:
    """A table or its rows, messages, and the scenario that gives it again."""

    table: "pd.DataFrame | list[Row]"  # rows need no pandas
    columns: tuple[str, ...] = ()  # of an empty table
    notes: tuple[str, ...] = ()
    scenario: "Scenario | None" = None
    written: bool = False  # the table is already in its file
    document: str | None = None  # in place of the table
    code: int = 0  # that the program ends with
    once: bool = False  # cannot be had again
    # what one person can change, if there is no scenario
    person: Mapping[str, Any] = field(default_factory=dict)


@dataclass(frozen=True, kw_only=True)
class Command:
    """One entry of the command line; `formats` has the usual one first, or none for plain text."""

    options: Sequence[Callable[[argparse.ArgumentParser], object]]
    run: Callable[[Args, ProgressMeter], CommandResult]
    examples: tuple[str, ...] = ()
    tabular: bool = True  # `--format` can choose one, not only a file's ending
    answers: bool = True  # else it runs until it is stopped
    formats: tuple[str, ...] = ("csv", "json", "parquet", "xlsx")
