"""Questions: checked once, and carried whole by links and files."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from dpviz import ParameterError, Scenario
from dpviz.pages.decide.sentences.basis import answer_warnings_by_topic
from dpviz.studies.data_spec import DataSpec
from dpviz.studies.decision import ALLOWED, DECIDED_ON, Question
from dpviz.studies.decision.question import UNSAID
from dpviz.studies.design import Design

CALLS = DataSpec(source="uploaded", called="Calls 2025", unit="household", contributions=2, d=60)
questions = st.builds(
    Question,
    name=st.sampled_from(["", "Top services", "Ångström, 7 % & <b>"]),
    k=st.just(10),
    releases=st.integers(1, 400),
    period=st.sampled_from(["", "a year"]),
    data=st.sampled_from([DataSpec(), CALLS]),
    goal=st.sampled_from([None, "10 of 10 in 0.99", "great in 0.5"]),
    decided_on=st.sampled_from([None, *DECIDED_ON]),
    designs=st.sampled_from([ALLOWED, (Design(), Design(mechanism="peeling"))]),
    taken=st.sampled_from([None, 0, 1]),
    epsilon=st.sampled_from([None, 0.25]),
    delta=st.sampled_from([0.0, 1e-9]),
    smaller=st.sampled_from([1.0, 0.8]),
    larger=st.sampled_from([1.0, 1.1]),
    periods=st.sampled_from([0, 2]),
    counts_in=st.sampled_from([None, 1]),
    most_right=st.sampled_from([None, 60]),
    also=st.sampled_from(["", "1 at 2; 30 at 0.05"]),
)


@given(questions)
def test_links_and_files_carry_the_whole_question(question: Question) -> None:
    scenario = question.to_scenario(0.25)
    assert Question.from_scenario(scenario) == question
    assert Question.from_scenario(Scenario.from_query(scenario.to_query())) == question
    assert Question.from_scenario(Scenario.from_json(scenario.to_json())) == question


@pytest.mark.parametrize(
    ("given_", "message"),
    [
        ({"k": 0}, "k must be a whole number"),
        ({"releases": 0}, "releases must be a whole number from 1 to 100,000, not 0"),
        ({"goal": "9 of 12 in 0.9"}, "goal must be about the 10"),
        ({"decided_on": "private"}, f"decided_on must be one of {', '.join(DECIDED_ON)}, not 'pri"),
        ({"designs": ()}, "the number of designs must be at least 1"),
        ({"taken": 9}, "taken must be a whole number from 0 to 2, not 9"),
        ({"epsilon": 0.0}, "epsilon must be a number above 0"),
        ({"delta": 1.0}, "delta must be"),
        ({"name": "x" * 300}, "name must be a text of at most 200 characters"),
    ],
)
def test_bad_answers_get_one_sentence(given_: dict[str, object], message: str) -> None:
    with pytest.raises(ParameterError, match=message):
        Question(**given_)  # type: ignore[arg-type]


def test_where_a_file_is_from_is_said_only_where_somebody_said_it() -> None:
    asked = Question(data=DataSpec(source="uploaded"))
    assert asked.data_origin == UNSAID
    assert Question.from_scenario(asked.to_scenario(1.0)).data_origin == UNSAID
    assert asked.replace(decided_on="past").data_origin == DECIDED_ON["past"]
    assert Question().data_origin == DECIDED_ON["generated"]
    assert "this is open" in answer_warnings_by_topic(asked)["data"]
    assert "data" not in answer_warnings_by_topic(asked.replace(decided_on="past"))
