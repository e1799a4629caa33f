"""The papers' numbers: what holds for all of them, verdicts that follow from them alone."""

import re

import numpy as np
import pytest

from dpviz import Scores
from dpviz.export.reproduction.claims.claim import CLAIMS, FUNCTIONS, PAPERS, Finding, PrintedNumber
from dpviz.export.reproduction.claims.table import _DONE as DONE
from dpviz.export.reproduction.claims.table import (
    ITEMS,
    SHOWN,
    claims_frame,
    figure_coverage_table,
    jobs,
    numbered_items_table,
)
from dpviz.export.reproduction.report_jobs import EXPECTED, ScoreVector, VectorFolder
from dpviz.export.reproduction.report_text import format_with_error
from tests.export.claim_checks import checked, finding, verdicts
from tests.menus import Contract

NOTHING = VectorFolder((), (), tuple(EXPECTED))


def claim(low: float, high: float) -> PrintedNumber:
    return PrintedNumber(name="", where="", says="", printed="", why="", low=low, high=high)


@pytest.fixture(scope="module")
def found() -> dict[str, Finding]:
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
    assert claim(1.0, 2.0).judge_finding(Finding(values=values, error=error, why="")).word == word


def test_the_reading_told_is_the_nearest():
    verdict = claim(1.0, 2.0).judge_finding(Finding(values={"far": 9.0, "near": 0.2}, why=""))
    assert (verdict.reading, verdict.value) == ("near", 0.2)


class TestClaims(Contract):
    menu = CLAIMS
    names = frozenset(CLAIMS)

    def test_it_can_be_decided_and_says_why(self, found):
        for name, one in found.items():
            assert CLAIMS[name].judge_finding(one).word != "open", name
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
    assert verdicts().keys() == found.keys()
    for name, (word, figure) in verdicts().items():
        verdict = CLAIMS[name].judge_finding(found[name])
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


def test_every_figure_and_table_is_shown_or_has_its_reason():
    table = figure_coverage_table(NOTHING)
    assert len(table) == len(SHOWN)
    assert (table["note"].str.len() > 0).all()
    assert set(table["here"]) == {"shown", "not shown"}  # the Zipf figures need no data


NUMBERED = {
    "canonical": (
        "Section 1, table of noises|Section 1, table of runtimes|Definition 1.1 1.2 2.1 3.2 3.3 3.4"
        "|Section 2.1 7.3|Algorithm 1 2|Lemma 3.1 5.1 5.3 5.4 A.2 A.4 A.8 A.10 A.14 A.16 A.17 A.18"
        " A.19 A.20 A.21 A.22 A.23 A.24|Theorem 3.5 4.1 5.5 5.6 A.1 A.3 A.5 A.6 A.7 A.9 A.11 A.12"
        " A.13 A.15|Corollary 5.2|Figure 1 2 3 4 5 6 7 8 9 10|Table 1"
    ),
    "free_gap": (
        "Definition 1 2 3 4 5 6 7|Theorem 1 2 3 4|Lemma 1 2 3 4 5 6 7 8 9 10 11 12 13 14|Example 1"
        " 2 3|Algorithm 1 2 3 4|Corollary 1|Figure 1 2 3|Table 1|Section 6.1"
        "|Section 7.1, table of the vectors"
    ),
    "large_margin": (
        "Definition 1 2|Section 2.2|Proposition 1|Theorem 1 2 3|Remark 1|Corollary 1 2"
        "|Algorithm 1 2 3 4|Lemma 1 2 3 4 5 6"
    ),
    "candidates": (
        "Definition 1.1 D.1 E.1|Theorem 1.2 1.3 1.4 1.5 3.1 3.2 3.3 3.4 3.5 4.1 4.4 4.6 4.7 5.2 A.1"
        " A.2 C.1 D.2|Corollary 4.2|Lemma 4.3 4.5 5.1 A.3 A.4 A.5 C.2 E.2 E.3|Section 5.2 5.4 B.1"
        " B.2 B.3|Algorithm thresholding max gensparse0 gensparse1 sparse1 decremental-thresholding"
    ),
}
"""The numbers in the papers; of the sections those with a claim outside any numbered item."""


def numbers(told: str) -> set[str]:
    """ "Lemma 1 2" is Lemma 1 and Lemma 2; what has a comma stands as it is."""
    found: set[str] = set()
    for kind in told.split("|"):
        name, *each = [kind] if "," in kind else kind.split()
        found |= {f"{name} {number}" for number in each} or {name}
    return found


def test_every_numbered_item_of_the_papers_has_its_row_and_its_reason(found):
    assert {paper: set(rows) for paper, rows in ITEMS.items()} == {
        paper: numbers(told) for paper, told in NUMBERED.items()
    }
    results = {job.key: found[job.arguments["name"]] for job in jobs(NOTHING)}
    table = numbered_items_table(claims_frame(NOTHING, results), NOTHING)
    assert len(table) == sum(map(len, ITEMS.values()))
    assert set(table["here"]) <= {*DONE.values(), "shown", "in part", "not shown", "not done"} | {
        "needs the data"
    }
    assert (table["where, or why not"].str.len() > 20).all()
    runtimes = table.set_index("item").loc["Section 7.3", "where, or why not"]
    assert "another machine" in runtimes


def test_every_claim_is_told_under_its_numbered_item_or_stands_in_a_section():
    told = {
        name for rows in ITEMS.values() for text in rows.values() for name in CLAIMS if name in text
    }
    for name in CLAIMS.keys() - told:
        assert CLAIMS[name].where.startswith(("Section", "A.1", "A.2", "Figure", "Corollary")), name


def test_values_are_told_with_the_digits_they_have():
    assert format_with_error(0.99972527, 1e-6, "%") == "99.97\u202f%"
    assert format_with_error(466.29, 1e-3, "×") == "466.3×"
    assert format_with_error(0.0, 0.0) == "0"
