"""What the documentation says in words and figures is what the library computes."""

import math
import re
from datetime import date
from itertools import combinations
from pathlib import Path

import numpy as np
import pytest

from dpviz import (
    THRESHOLD,
    AdaptiveSparseVector,
    Canonical,
    Question,
    Scores,
    decide,
    privacy_loss,
)
from dpviz.data import EXAMPLES
from dpviz.export.decision import decision_sheet
from dpviz.studies import DataSpec
from dpviz.teaching.lessons import LESSONS

ROOT = Path(__file__).resolve().parents[2]
DOCS = ROOT / "assets" / "docs"
WORDS = ["three", "four", "five", "six", "seven", "eight", "nine", "ten"]
RAISED = str.maketrans("⁰¹²³⁴⁵⁶⁷⁸⁹", "0123456789")
VOTES = Scores([31, 28, 25, 19, 15, 13], monotonic=True)
JOINED = Scores([31, 29, 25, 20, 15, 13], monotonic=True)
MECHANISM = Canonical(epsilon=1.0, k=3)


def read(name: str) -> str:
    return (DOCS / name).read_text(encoding="utf-8")


def test_the_number_of_lists_is_as_large_as_is_said() -> None:
    lists = math.comb(17_770, 1000)
    digits = re.search(r"binom\(17,770, 1000\), has ([\d,]+) digits", read("computed/index.md"))
    power = re.search(r"even among 10([⁰¹²³⁴⁵⁶⁷⁸⁹]+) sets", read("computed/privacy-loss.md"))
    assert digits is not None
    assert power is not None
    assert int(digits[1].replace(",", "")) == len(str(lists))
    assert int(power[1].translate(RAISED)) == len(str(lists)) - 1


def test_lessons_take_as_many_minutes_as_is_said() -> None:
    readme = (ROOT / "README.md").read_text(encoding="utf-8")
    said = re.search(r"lessons of (\w+) to (\w+) minutes", readme)
    assert said is not None
    minutes = {lesson.minutes for lesson in LESSONS.values()}
    assert [3 + WORDS.index(word) for word in said.groups()] == [min(minutes), max(minutes)]


def chances(scores: Scores) -> np.ndarray:
    law = MECHANISM.distribution(scores)
    lists = combinations(range(scores.d), MECHANISM.k)
    return np.exp([law.log_probability(chosen) for chosen in lists])


def test_delta_is_of_the_lists_that_are_said() -> None:
    """The page prints δ(0.2) of the world that it names first."""
    without, with_her = chances(VOTES), chances(JOINED)
    worlds = {
        "without her as with her": (without, with_her),
        "with her as without": (with_her, without),
    }
    page, factor = read("neighbours.md"), math.exp(0.2)
    printed = privacy_loss(MECHANISM, VOTES, JOINED).delta(0.2)
    assert f"({printed:.4f}, " in page
    for words, (one, other) in worlds.items():
        beyond = float(np.maximum(one - factor * other, 0.0).sum())
        assert (words in page) == (abs(beyond - printed) < 1e-9)


def test_the_worlds_of_the_loss_are_those_of_its_formula() -> None:
    """L = log Z′/Z − ε(γ m_t − (1−γ) m_(h+1)) of a list is log P/P′ of the worlds named above it."""
    page = read("computed/privacy-loss.md")
    assert "the data without a person, P, and with her, P′" in page
    assert "where P is the law without her and P′ the law with her" in page
    moved = JOINED.values - VOTES.values  # by rank, which her votes keep
    loss = np.log(chances(VOTES)) - np.log(chances(JOINED))
    formula = []
    for chosen in combinations(range(VOTES.d), MECHANISM.k):
        missing = next(rank for rank in range(VOTES.d) if rank not in chosen)
        top = chosen == tuple(range(MECHANISM.k))
        missing, worst = (MECHANISM.k - 1,) * 2 if top else (missing, chosen[-1])
        formula.append(-MECHANISM.epsilon / 2 * (moved[worst] - moved[missing]))
    assert np.ptp(loss - formula) < 1e-9


def test_figures_are_named_by_their_place() -> None:
    """The least that any test misses at ε is the second of three figures that are printed."""
    page = read("neighbours.md")
    loss = privacy_loss(MECHANISM, VOTES, JOINED)
    shown = [loss.trade_off(0.05), loss.allowed.trade_off(0.05), loss.advantage]
    assert "(" + ", ".join(f"{float(one):.4f}" for one in shown) + ")" in page
    assert "no test, about anybody, misses less than the second figure" in page


@pytest.mark.parametrize("branches", [2, 3, 4])
def test_as_many_answers_come_out_as_is_said(branches: int) -> None:
    """The formula is that of the docstring; no other number stands without its branches."""
    k, doc = 3, AdaptiveSparseVector.__doc__ or ""
    assert "with m branches up to 2^(m − 1)·(k − 1) + 1" in " ".join(doc.split())
    made = AdaptiveSparseVector(
        epsilon=2.0, k=k, threshold=0.0, monotonic=True, branch_count=branches
    )
    law = made.distribution(Scores([1e5] * 40, monotonic=True))
    assert len(law.answer_count_probabilities) - 1 == 2 ** (branches - 1) * (k - 1) + 1
    assert law.expected_answers > 2 * k - 1 - 1e-6
    assert "2k − 1" not in THRESHOLD.says("adaptive_sparse_vector") + doc.split("\n", 1)[0]


@pytest.mark.parametrize("page", sorted(DOCS.glob("*.md")), ids=lambda page: page.stem)
def test_what_stands_elsewhere_is_linked(page: Path) -> None:
    """Nothing stands “(below)” on a page that has it no longer: a link is followed by the tests."""
    assert not re.findall(r"\((?:see )?(?:below|above)\)", page.read_text(encoding="utf-8"))


def test_security_says_of_sheets_what_they_hold() -> None:
    said = (ROOT / ".github" / "SECURITY.md").read_text(encoding="utf-8")
    question = Question(k=3, decided_on="past", data=DataSpec(name="class_trip"))
    decision = decide(question)
    sheet = decision_sheet(decision, date=date(2026, 1, 1))
    names = [name for name in EXAMPLES["class_trip"].scores().names if name in sheet]
    assert not names
    assert "never holds a score, a seed or the name of an item" in said
    assert "The items on it" not in said
