"""What a command is: its options, and what it answers.

Invariant: a command computes and returns an `Answer`; only `dpviz.commands.output` writes.
"""

import argparse
from collections.abc import Callable
from dataclasses import dataclass, field

import pandas as pd

from dpviz.base.progress import Progress
from dpviz.studies.scenario import Scenario

__all__ = ["Answer", "Command"]


@dataclass(frozen=True, kw_only=True)
class Answer:
    """A table, what has to be said with it, and the scenario that gives it again.

    `notes` go to standard error, and into JSON; `written` says that the table is in its file already.
    """

    table: pd.DataFrame
    notes: tuple[str, ...] = ()
    scenario: Scenario | None = None
    written: bool = False


@dataclass(frozen=True, kw_only=True)
class Command:
    """One entry of the command line; `tabular` where it answers with a table, which has one of `formats`."""

    name: str
    help: str
    add: Callable[[argparse.ArgumentParser], None]
    run: Callable[[argparse.Namespace, Progress], Answer]
    examples: tuple[str, ...] = field(default=())
    tabular: bool = True
    formats: tuple[str, ...] = ("csv", "json")
