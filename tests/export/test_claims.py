"""The papers' numbers: what holds for all of them, verdicts that follow from them alone."""

import json
import re
from pathlib import Path

import numpy as np
import pytest

from dpviz import Scores
from dpviz.export.reproduction.claims.claim import (
    CLAIMS,
    FUNCTIONS,
    PAPERS,
    PrintedNumber,
    RecomputedValues,
)
from dpviz.export.reproduction.claims.table import _DONE as DONE
from dpviz.export.reproduction.claims.table import (
    ITEMS,
    VERDICTS,
    claims_frame,
    jobs,
    numbered_results_table,
)
from dpviz.export.reproduction.report_jobs import EXPECTED, ScoreVector, VectorFolder
from dpviz.export.reproduction.report_text import format_with_error
from tests.export.claim_checks import checked, finding
from tests.menus import Contract

NOTHING = VectorFolder((), (), tuple(EXPECTED))


def claim(low: float, high: float) -> PrintedNumber:
    return PrintedNumber(name="", where="", says="", printed="", why="", low=low, high=high)


@pytest.fixture(scope="module")
def found() -> dict[str, RecomputedValues]:
    return {name: finding(name) for name in CLAIMS if not CLAIMS[name].files}


@pytest.mark.parametrize(
    ("values", "error", "word"),
    [
        ({"": 1.5}, 0.0, "agrees"),
        ({"": 2.0}, 0.0, "agrees"),
        ({"": 2.1}, 0.0, "differs"),
        ({"": 2.1}, 0.2, "open"),
        ({"": 1.9}, 0.2, "open"),
        ({"": 0.9}, 0.2, "open"),
        ({"a": 9.0, "b": 1.2}, 0.1, "agrees"),
        ({"a": 9.0, "b": 0.2}, 0.1, "differs"),
    ],
)
def test_the_verdict_follows_from_the_numbers(values, error, word):
    assert (
        claim(1.0, 2.0).judge_values(RecomputedValues(values=values, error=error, why="")).word
        == word
    )


def test_the_reading_told_is_the_nearest():
    verdict = claim(1.0, 2.0).judge_values(
        RecomputedValues(values={"far": 9.0, "near": 0.2}, why="")
    )
    assert (verdict.reading, verdict.value) == ("near", 0.2)


class TestClaims(Contract):
    menu = CLAIMS
    names = frozenset(CLAIMS)

    def test_it_can_be_decided_and_says_why(self, found):
        for name, one in found.items():
            assert CLAIMS[name].judge_values(one).word != "open", name
            assert one.why.strip().endswith((".", ")")), name
            assert not re.search(r"\de[-+]\d", one.why), one.why  # a number as computers tell it
            assert one.error >= 0, name


def test_every_claim_has_its_function_and_a_check_in_its_papers_file():
    assert set(FUNCTIONS) == set(CLAIMS)
    assert checked() == {
        paper: {name for name in CLAIMS if CLAIMS[name].paper == told}
        for paper, told in PAPERS.items()
    }


def test_every_claim_has_a_stored_verdict_and_keeps_it(found):
    assert VERDICTS.keys() == found.keys()
    for name, (word, figure) in VERDICTS.items():
        verdict = CLAIMS[name].judge_values(found[name])
        assert [verdict.word, verdict.value] == [word, pytest.approx(figure, rel=1e-5, abs=1e-9)], (
            name
        )


def test_claims_on_the_papers_data_say_what_they_need(found):
    results = {job.key: found[job.arguments["name"]] for job in jobs(NOTHING)}
    frame = claims_frame(NOTHING, results).set_index("claim")
    waiting = {name for name in CLAIMS if CLAIMS[name].files}
    assert set(frame.index[frame["verdict"] == "needs the data"]) == waiting
    needs = "Needs netflix.csv, more than 1,000 items long."
    assert frame.loc["canonical.multiple_1000", "why"] == needs
    vector = ScoreVector("netflix", Scores(np.arange(200.0), monotonic=True), "", "")
    short = VectorFolder((vector,), (), ())
    names = {job.arguments["name"] for job in jobs(short)}
    assert "canonical.multiple_100" in names
    assert "canonical.multiple_1000" not in names


NUMBERED = json.loads(Path(__file__).with_name("numbered_items.json").read_text(encoding="utf-8"))
"""The numbers in the papers, and the sections that claim something outside of these."""


def test_every_numbered_item_of_the_papers_has_its_row_and_its_reason(found):
    assert {paper: sorted(rows) for paper, rows in ITEMS.items()} == {
        paper: sorted(items) for paper, items in NUMBERED.items()
    }
    results = {job.key: found[job.arguments["name"]] for job in jobs(NOTHING)}
    table = numbered_results_table(claims_frame(NOTHING, results), NOTHING)
    assert len(table) == sum(map(len, ITEMS.values()))
    other = {"shown", "in part", "not shown", "not done", "needs the data"}
    assert set(table["here"]) <= {*DONE.values()} | other
    assert (table["where, or why not"].str.len() > 10).all()
    told = table.set_index(["paper", "item"])["here"]
    assert told[PAPERS["canonical"], "Figure 2"] == "shown"  # Zipf scores need no data
    assert told[PAPERS["free_gap"], "Figure 1"] == "not shown"
    assert "another machine" in table.set_index("item").loc["Section 7.3", "where, or why not"]


def test_values_are_told_with_the_digits_they_have():
    assert format_with_error(0.99972527, 1e-6, "%") == "99.97\u202f%"
    assert format_with_error(466.29, 1e-3, "×") == "466.3×"
    assert format_with_error(0.0, 0.0) == "0"
