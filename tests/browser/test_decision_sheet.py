"""The decision sheet in a browser: two A4 pages of paper, and no wider than a phone."""

import re
from datetime import date
from functools import cache
from pathlib import Path

import numpy as np
import pytest

from dpviz import Scores
from dpviz.base import pd
from dpviz.data.counting import count_log
from dpviz.data.reading.table import read_frame
from dpviz.export.decision import decision_sheet
from dpviz.studies.data_spec import DataSpec
from dpviz.studies.decision import Decision, Question, RecountableLog, decide
from dpviz.studies.decision.publisher_details import PARTICULARS, with_publisher_details
from dpviz.studies.design import Design
from tests.browser.windows import Opened
from tests.export.decision.test_every_plan import ASKED

LONG = "A name of an item that somebody wrote without any thought of paper " * 3
DESIGNS = tuple(
    Design(mechanism=name, parameters={"noise": noise})
    for name in ("canonical", "one_shot")
    for noise in ("gumbel", "exponential", "laplace", "logistic", "half_logistic")
)


@cache
def plain() -> Decision:
    return decide(Question(k=10))


@cache
def crowded(goal: str = "90 of 100 in 0.9") -> Decision:
    """Many items, long names, long answers, every mechanism that there is."""
    values = np.floor(2e5 / np.arange(1, 201)) * 3.0
    scores = Scores(values, labels=[f"{i} {LONG}"[:200] for i in range(200)])
    spec = DataSpec(
        source="uploaded",
        monotonic=True,
        contributions=20,
        called=LONG[:200],
        unit="person who lives in the household of another one",
        items_known=True,
    )
    question = Question(
        name=LONG[:200],
        k=100,
        goal=goal,
        data=spec,
        releases=365,
        period=LONG[:60],
        designs=DESIGNS,
        taken=5,
    )
    said = dict.fromkeys(PARTICULARS.declared, LONG[:200]) | {
        "review_date": "2027-05-04",
        "publication_date": "",
    }
    return with_publisher_details(decide(question, scores, digest=True), **said)


def not_known() -> Decision:
    """A log whose names nobody knew: four candidates, what a list would save, caps, a script of its
    own.
    """
    rows = [
        (f"p{one}", f"word {word}")
        for one in range(900)
        for word in {one % (1 + one % 30), one // 9 + 30}
    ]
    table = read_frame(pd.DataFrame(rows, columns=["who", "what"]))
    log = RecountableLog(lambda most: count_log(table, "who", "what", most=most).scores, "words")
    data = DataSpec(source="uploaded", monotonic=True, items_known=False)
    decision = decide(
        Question(k=3, goal="3 of 3 in 0.9", data=data),
        count_log(table, "who", "what").scores,
        log=log,
    )
    assert decision.caps
    return decision


def pages_of(pdf: bytes) -> int:
    return len(re.findall(rb"/Type\s*/Page(?!s)\b", pdf))


def printed(opened: Opened, path: Path) -> int:
    return pages_of(opened(path).pdf(prefer_css_page_size=True))


@pytest.mark.twins("two")
@pytest.mark.parametrize("case", ["plain", "crowded", "two", "two crowded", "not known", "many"])
def test_it_prints_on_two_pages_and_fits_a_phone(opened: Opened, tmp_path: Path, case: str) -> None:
    makers = {"not known": not_known, "many": lambda: decide(ASKED["many picked"])}
    first = crowded() if "crowded" in case else makers.get(case, plain)()
    beside = None
    if "two" in case:
        beside = (
            crowded("great in 0.5")
            if "crowded" in case
            else decide(Question(k=10, goal="10 of 10 in 0.99"))
        )
    path = tmp_path / "sheet.html"
    path.write_text(decision_sheet(first, date=date(2026, 5, 4), beside=beside), encoding="utf-8")
    assert printed(opened, path) == 2

    assert opened(path, 390, 844).evaluate("document.documentElement.scrollWidth") <= 390


def test_pages_are_counted_right(opened: Opened, tmp_path: Path) -> None:
    path = tmp_path / "three.html"
    path.write_text(
        "<p>1</p><p style='break-before:page'>2</p><p style='break-before:page'>3</p>",
        encoding="utf-8",
    )
    assert printed(opened, path) == 3
