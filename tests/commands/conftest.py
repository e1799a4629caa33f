"""Runs of the command line, for all of its tests."""

import csv
import io
import json
import shlex
from collections.abc import Callable
from typing import Any, NamedTuple

import pytest

from dpviz.__main__ import main


class Ran(NamedTuple):
    code: int
    out: str
    err: str

    @property
    def rows(self) -> list[dict[str, str]]:
        return list(csv.DictReader(io.StringIO(self.out)))

    @property
    def json(self) -> dict[str, Any]:
        found: dict[str, Any] = json.loads(self.out)
        return found


Run = Callable[[str], Ran]


@pytest.fixture
def run(capsys: pytest.CaptureFixture[str]) -> Run:
    return lambda line: Ran(main(shlex.split(line)), *capsys.readouterr())


@pytest.fixture
def rows(run: Run) -> Callable[[str], list[dict[str, str]]]:
    def rows(line: str) -> list[dict[str, str]]:
        ran = run(line)
        assert ran.code == 0, ran.err
        return ran.rows

    return rows
