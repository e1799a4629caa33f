"""What a terminal shows while a command works."""

import io
import sys
from collections.abc import Iterator

import pytest

from dpviz.commands import base
from dpviz.commands.base import ProgressMeter, print_to_stderr


class Terminal(io.StringIO):
    """Standard error as a terminal."""

    def isatty(self) -> bool:
        return True

    @property
    def lines(self) -> list[str]:
        return [line.rstrip(" ") for line in self.getvalue().split("\r") if line.strip(" ")]


def watched(monkeypatch: pytest.MonkeyPatch) -> Terminal:
    terminal = Terminal()
    monkeypatch.setattr(sys, "stderr", terminal)
    return terminal


def clock(monkeypatch: pytest.MonkeyPatch, *times: float) -> None:
    told: Iterator[float] = iter(times)
    monkeypatch.setattr(base.time, "monotonic", lambda: next(told))


def test_it_tells_per_cent_and_what_is_left(monkeypatch: pytest.MonkeyPatch) -> None:
    terminal = watched(monkeypatch)
    clock(monkeypatch, 0.0, 0.0, 30.0, 60.0, 61.0)
    show = ProgressMeter(quiet=False)
    for fraction in (0.2, 0.3, 0.9, 1.0):
        show(fraction)
    assert terminal.lines == ["  30 % · 4 min left", "  90 % · 9 s left"]


def test_cells_are_counted_from_where_the_work_goes_on(monkeypatch: pytest.MonkeyPatch) -> None:
    terminal = watched(monkeypatch)
    clock(monkeypatch, 0.0, 0.1, 100.0, 100.0, 160.0, 165.0)
    show = ProgressMeter(quiet=False)
    show(0.0)  # what is read before
    show.set_cell_total(5_000)
    for fraction in (0.2, 1_500 / 5_000, 4_999 / 5_000):
        show(fraction)
    assert terminal.lines == [
        "cells 1,500 of 5,000 · 7 min left",
        "cells 4,999 of 5,000 · 0 s left",
    ]


def test_a_sentence_has_a_line_of_its_own(monkeypatch: pytest.MonkeyPatch) -> None:
    terminal = watched(monkeypatch)
    clock(monkeypatch, 0.0, 1.0)
    ProgressMeter(quiet=False)(0.5)
    print_to_stderr("A sentence.")
    assert terminal.lines == ["  50 %", "dpviz: A sentence.\n"]
    assert len(terminal.getvalue().split("\r")[-2]) >= len(terminal.getvalue().split("\r")[1]), (
        "the line is not overwritten"
    )


def test_nothing_is_shown_where_it_is_told_so_or_nobody_watches(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    terminal = watched(monkeypatch)
    clock(monkeypatch, *range(9))
    ProgressMeter(quiet=True)(0.5)
    monkeypatch.setattr(terminal, "isatty", lambda: False)
    ProgressMeter(quiet=False)(0.5)
    print_to_stderr("A sentence.")
    assert terminal.getvalue() == "dpviz: A sentence.\n"
