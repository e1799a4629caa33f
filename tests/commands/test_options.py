"""Options as people write them, and what is said of one that is missing."""

import pytest

from dpviz.__main__ import main

BUDGET = ("budget", "-m", "canonical", "-k", "2", "--example", "class_trip", "--figure", "top")


def test_a_probability_may_be_so_many_of_a_hundred(capsys: pytest.CaptureFixture[str]) -> None:
    assert main([*BUDGET, "-p", "95%"]) == 0
    asked = capsys.readouterr().out
    assert main([*BUDGET, "-p", "0.95"]) == 0
    assert capsys.readouterr().out == asked
    assert main([*BUDGET, "-p", "95"]) == 2


def test_what_is_missing_is_not_called_none(capsys: pytest.CaptureFixture[str]) -> None:
    assert main([*BUDGET, "--format", "parquet"]) == 2
    assert (
        capsys.readouterr().err
        == "dpviz: --output must be given: parquet is not for standard output.\n"
    )
