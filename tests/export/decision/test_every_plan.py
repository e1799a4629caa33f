"""Every mechanism asked for stands in the table of plans, or the reason why it has no plan."""

import html
import re
from datetime import date

import pytest

from dpviz.export.decision import decision_sheet
from dpviz.pages.decide.sentences import phrases
from dpviz.pages.decide.view import plans_table
from dpviz.studies.data_spec import DataSpec
from dpviz.studies.decision import Decision, Question, decide
from dpviz.studies.design import Design

DAY = date(2027, 5, 4)
TRIP = DataSpec(name="class_trip")
UNKNOWN = DataSpec(name="class_trip", items_known=False, contributions=2)
UNLISTED = Design(mechanism="limited_domain"), Design(mechanism="threshold_counts")
NOISES = ("gumbel", "exponential", "laplace", "half_logistic")
MANY = (
    Design(parameters={"gamma": 0.0}),  # which reaches no exact top
    *(Design(parameters={"noise": noise}) for noise in NOISES[:2]),
    *(Design(mechanism="one_shot", parameters={"noise": noise}) for noise in NOISES),
    *(Design(mechanism="peeling", parameters={"noise": noise}) for noise in NOISES[:2]),
    Design(mechanism="threshold_counts"),  # which needs to be said in how many items one can count
)
ASKED = {
    "names not known": Question(k=2, data=UNKNOWN, delta=1e-12, releases=365, designs=UNLISTED),
    "few items": Question(k=2, data=DataSpec(name="class_trip", contributions=2)),
    "many picked": Question(k=2, data=TRIP, goal="top in 0.9", designs=MANY, picked=True),
}


def table_of(sheet: str) -> str:
    (table,) = re.findall(r'<table class="needs">.*?</table>', sheet, re.DOTALL)
    return " ".join(html.unescape(re.sub(r"<[^>]+>", " ", table)).split())


@pytest.fixture(params=ASKED, scope="module")
def decision(request: pytest.FixtureRequest) -> Decision:
    return decide(ASKED[request.param])


def test_every_plan_stands_on_the_sheet(decision: Decision) -> None:
    for beside in (None, decision):
        table = table_of(decision_sheet(decision, date=DAY, beside=beside))
        for need in decision.needs:
            told = need.reason or phrases.format_total(need.total).removeprefix("ε = ")
            assert need.label in table
            assert " ".join(told.split()) in table


def test_every_plan_stands_in_the_table_of_the_command(decision: Decision) -> None:
    rows = plans_table([decision]).set_index("design")
    assert set(rows.index) == {need.label for need in decision.needs}
    out_of_reach = ~(rows["smallest_epsilon"] < float("inf"))
    assert (rows["reason"].astype(bool) == out_of_reach).all()
