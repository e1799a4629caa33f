"""What a sheet's JSON says of right guesses is what the page of the same sheet says, key by key."""

import re
from collections.abc import Iterator
from dataclasses import replace
from datetime import date
from typing import Any

import pytest

from dpviz import guess_bound
from dpviz.base.text_format import percent_upper_bound
from dpviz.export.decision import decision_record, decision_sheet
from dpviz.studies.data_spec import DataSpec
from dpviz.studies.decision import Decision, Question, decide
from dpviz.studies.design import Design

DATE = date(2026, 5, 4)
TRIP = DataSpec(name="class_trip", contributions=2)
ONE = Question(k=2, goal="2 of 2 in 0.9", data=TRIP, designs=(Design(mechanism="one_shot"),))
EASY = ONE.replace(goal="1 of 2 in 0.9")
UNKNOWN = Design(mechanism="limited_domain"), Design(mechanism="threshold_counts")
QUESTIONS = [
    ONE.replace(releases=12, most_right=80),
    ONE.replace(releases=3, counts_in=1, most_epsilon=2.0),
    ONE.replace(k=1, goal="1 of 1 in 0.9", delta=0.0),
    EASY.replace(releases=4, designs=(Design(mechanism="gaussian_counts"),)),
    EASY.replace(data=replace(TRIP, items_known=False), releases=3, designs=UNKNOWN),
]


def guesses(record: Any, at: str = "") -> Iterator[tuple[str, float]]:
    for name, value in record.items() if isinstance(record, dict) else ():
        if name.startswith("guess_at_most"):
            yield f"{at}{name}", value
        yield from guesses(value, f"{at}{name}.")
    for each in record if isinstance(record, list) else ():
        yield from guesses(each, at)


def plain(markup: str) -> str:
    return " ".join(re.sub(r"<[^>]+>", " ", markup).split())


def check_same(decision: Decision, told: dict[str, Any], page: str) -> None:
    places = dict(guesses(told))
    after_one, after_all = (told[f"guess_at_most_after_{many}"] for many in ("one", "all"))
    one, every = percent_upper_bound(after_one), percent_upper_bound(after_all)
    assert places["odds.guess_at_most"] == after_one  # former names
    assert places["total_odds.guess_at_most"] == places["guess_at_most"] == after_all
    said = [int(n) for n in re.findall(r"fter [^:;]+: in at most (\d+) of 100 cases", page)]
    assert said == ([one, every] if decision.question.releases > 1 else [one])
    assert re.search(
        rf"After (all [^,.]+|the list), the guess is right at most {every} times", page
    )
    assert (decision.everyone is None) == (decision.question.counts_in is None)
    if decision.everyone is not None:
        most = percent_upper_bound(told["everyone"]["guess_at_most"])
        assert f"in every list, the guess is right at most {most} times in 100" in page
    assert f"≤ {percent_upper_bound(told['mechanisms'][decision.taken]['guess_at_most'])}" in page
    parts = {place.rpartition(".")[0] for place in places}
    assert parts <= {"", "odds", "total_odds", "everyone", "mechanisms", "caps"}


@pytest.mark.parametrize(
    "question", QUESTIONS, ids=lambda question: f"{question.k} {question.releases}"
)
def test_right_guesses_in_json_are_those_of_the_page(
    question: Question, monkeypatch: pytest.MonkeyPatch
) -> None:
    decision = decide(question)
    page = plain(decision_sheet(decision, date=DATE))
    told = decision_record(decision, date=DATE)["decision"]
    check_same(decision, told, page)
    odds = replace(decision.odds, guess=guess_bound(decision.epsilon))
    if percent_upper_bound(odds.guess) != percent_upper_bound(decision.odds.guess):
        monkeypatch.setattr(Decision, "odds", odds)  # as it was
        with pytest.raises(AssertionError):
            check_same(decision, decision_record(decision, date=DATE)["decision"], page)
