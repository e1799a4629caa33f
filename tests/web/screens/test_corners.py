"""Every page at the corners of what may be asked, and under damaged links: no exception, no failure,
no heading that says ε = 0.

`python -m tests.fuzz_corners` and `tests.fuzz_pages` look at as many cases as one likes.
"""

from collections import Counter
from collections.abc import Sequence
from datetime import date

import numpy as np
import pytest

from dpviz.base.errors import ParameterError
from dpviz.export.decision import decision_json, decision_sheet
from dpviz.pages import NAMES
from dpviz.pages.decide.sentences import price
from dpviz.pages.decide.settings import read_question as read_off
from dpviz.studies.data_spec import DataSpec
from dpviz.studies.decision import Question, decide
from dpviz.studies.scenario import Scenario
from tests.fuzz_corners import corner, shown
from tests.fuzz_pages import PAGES, try_page
from tests.fuzz_scenarios import one_sentence, page_link
from tests.web.screens.shown import heading

DAY = date(2027, 5, 4)
ONCE_BROKEN = (
    {"data": "example:help_line", "k": "59"},  # any list has 54 of them
    {"data": "example:help_line", "k": "55"},
    {"data": "example:class_trip", "k": "2", "page.decide.goal": "top in 0.000001"},
    {"data": "generated:zipf", "data.size": "12", "k": "2", "page.decide.goal": "1 of 2 in 0.999999",
     "page.decide.delta": "0.5", "page.decide.most_right": "51"},  # δ alone is enough
    {"data": "example:canteen_ratings", "k": "15", "page.decide.goal": "top in 0.001", "page.decide.delta": "1e-15",
     # no plan, which was known before the work was over
     "items_known": "false", "page.decide.smaller": "0.001"},
)  # fmt: skip


@pytest.mark.parametrize("query", ONCE_BROKEN)
def test_what_once_broke_is_answered(query: dict[str, str]) -> None:
    app = shown("decide", {"page.decide.screen": "answer"} | query)
    assert "ε = 0" not in heading(app)
    assert "is being computed" not in heading(app)


@pytest.mark.parametrize("page", NAMES)
def test_a_page_comes_up_with_all_items_but_one(page: str) -> None:
    app = shown(page, {"data": "example:class_trip", "k": "5", "page.decide.screen": "answer"})
    assert heading(app)


@pytest.mark.long
@pytest.mark.parametrize("case", range(30))
@pytest.mark.parametrize("page", [*NAMES, "start"])
def test_a_page_comes_up_at_any_corner(page: str, case: int) -> None:
    shown(page, corner(page, np.random.default_rng([11, case])))


def sheet_of(query: dict[str, str]) -> None:
    """A decision at a corner makes a sheet and its JSON, or says in a sentence what cannot be."""
    try:
        decision = decide(read_off(Scenario.from_query(query)))
    except ParameterError as err:
        one_sentence(err)
        return
    assert "ε = 0 " not in price.answer_title(decision)
    assert "</html>" in decision_sheet(decision, date=DAY)
    assert decision_json(decision, date=DAY)


@pytest.mark.parametrize("query", ONCE_BROKEN)
def test_what_once_broke_makes_a_sheet(query: dict[str, str]) -> None:
    sheet_of(query)


@pytest.mark.long
@pytest.mark.parametrize("case", range(60))
def test_a_corner_makes_a_sheet(case: int) -> None:
    sheet_of(corner("decide", np.random.default_rng([12, case])))


@pytest.mark.parametrize(
    ("name", "k", "goal", "chance"),
    [
        ("help_line", 59, None, True),
        ("class_trip", 2, "1 of 2 in 0.5", True),
        ("class_trip", 2, None, False),
    ],
)
def test_a_goal_that_chance_meets_is_called_that(
    name: str, k: int, goal: str | None, chance: bool
) -> None:
    decision = decide(Question(k=k, goal=goal, data=DataSpec(name=name)))
    assert decision.chosen_plan_with_curves.is_met_by_chance is chance
    assert ("random list" in price.verdict_sentence(decision)) is chance
    assert ("ask for more" in price.answer_sentence(decision)) is chance


BROKEN_LINKS = (
    {"m03": "canonical"},
    {"data": "example:class_trip", "m01": "canonical"},
    {"data": "uploaded", "k": "9" * 4_000},
    {"m" + "9" * 5_000: "canonical"},
    {"contributions": "9007199254740993", "epsilon": "1e-320"},
    {"page.pc.view": "percentile", "page.pc.sv.form": "sampled", "page.pc.sv.epsilon0": "1e-320"},
)


def try_links(name: str, damaged: int, broken: Sequence[dict[str, str]] = BROKEN_LINKS) -> None:
    links = [page_link(name, np.random.default_rng([7, case])) for case in range(damaged)]
    seen = Counter(try_page(name, query) for query in (*broken, *links))
    assert seen.total() == len(broken) + damaged


@pytest.mark.twins(5)
@pytest.mark.parametrize("name", PAGES)
def test_a_page_comes_up_whatever_the_link(name: str) -> None:
    """All pages read links by the same code: Explore and Candidates are given all that once broke
    one.
    """
    whole = name in {"explore", "candidates"}
    try_links(name, 1, BROKEN_LINKS if whole else BROKEN_LINKS[PAGES.index(name) % 2 :: 3])


@pytest.mark.long
@pytest.mark.parametrize("name", PAGES)
def test_a_page_comes_up_whatever_a_hundred_links(name: str) -> None:
    try_links(name, 100)
