"""Odd files of many kinds, read alike by the app, the command line and Python.

`cases/cases.json` has for each file the right scores, and the answers that give them; without scores
there is only a question. A file with answers stops everywhere until they are given. `log` says if
the right reading is a log.
"""

import json
import shlex
from pathlib import Path
from typing import Any

import pandas as pd
import pytest

from dpviz import Scores, scores_from
from dpviz.__main__ import main
from dpviz.data.reading import IngestError, read_table
from dpviz.data.reading.guessing import propose_reading
from dpviz.data.reading.guessing.choices import spell_choices
from dpviz.data.score_sources import proposed_scores
from tests.data.reading.helpers import refusal

HERE = Path(__file__).parent / "cases"
CASES = json.loads((HERE / "cases.json").read_text(encoding="utf-8"))
Case = dict[str, Any]
pytestmark = pytest.mark.usefixtures("read_here", "one_duckdb")


def named(scores: Scores) -> dict[str, float]:
    return dict(zip(scores.names, scores.values.tolist(), strict=True))


@pytest.mark.parametrize("case", CASES, ids=[case["file"] for case in CASES])
class TestCases:
    def test_python(self, case: Case) -> None:
        path = HERE / case["file"]
        if case["want"] is not None:
            assert named(scores_from(str(path), **case["answers"])) == case["want"]
        if case["want"] is None or case["answers"]:
            assert " Say " in refusal(scores_from, path)

    def test_app(self, case: Case) -> None:
        path = HERE / case["file"]
        given = propose_reading(path.name, path.read_bytes())
        if case["want"] is None or case["answers"]:
            assert any(remark.asks for remark in given.remarks)
        if "shape" not in case["answers"]:
            assert given.meaning.log is case["log"]
        if case["want"] is not None:
            answered = given.with_choices(**case["answers"]) if case["answers"] else given
            assert answered.open_question is None
            assert answered.meaning.log is case["log"]
            assert named(proposed_scores(answered)) == case["want"]

    def test_command(self, case: Case, capsys: pytest.CaptureFixture[str]) -> None:
        path = HERE / case["file"]
        argv = ["distribution", "--file", str(path), "-k", "1", "--show", "items"]
        answers = shlex.split(spell_choices(case["answers"], "command"))
        if case["want"] is None or answers:
            assert main(argv) == 2
            assert " Say --" in capsys.readouterr().err
        if case["want"] is not None:
            assert main([*argv, *answers, "--format", "json"]) == 0
            out, err = capsys.readouterr()
            assert f"{path.name}: read " in err
            rows = {row["item"]: row["rank"] for row in json.loads(out)["rows"]}
            right = Scores(case["want"])
            assert set(rows) == set(right.names)
            best = max(case["want"].values())
            assert {name for name in rows if case["want"][name] == best} >= {
                name for name, rank in rows.items() if rank == 1
            }


def test_a_question_names_the_options_that_answer_it_in_the_words_of_the_way_in() -> None:
    path = HERE / "two_counts.csv"
    given = propose_reading(path.name, path.read_bytes())
    with pytest.raises(IngestError, match="Say --score-column views or --score-column loans"):
        given.require_answers("command")
    with pytest.raises(IngestError, match="Say score='views' or score='loans'"):
        given.require_answers("python")


def test_a_path_a_table_and_a_frame_are_read_alike() -> None:
    path = HERE / "isbn_first.csv"
    table = read_table(path.name, path.read_bytes())
    ways = (path, str(path), table, pd.read_csv(path, dtype="str"))
    assert {scores_from(way).digest for way in ways} == {scores_from(path).digest}


@pytest.mark.skipif(not Path("/dev/zero").exists(), reason="a file without an end")
def test_a_path_without_an_end_is_read_up_to_the_limit() -> None:
    with pytest.raises(IngestError, match="at most 50 are allowed"):
        scores_from("/dev/zero")
