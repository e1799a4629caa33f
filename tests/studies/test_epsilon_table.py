"""The table of budgets has the library's smallest ε and multiples of each goal's best."""

import math

import pandas as pd
import pytest

from dpviz import ParameterError, Scores, smallest_epsilon
from dpviz.data import EXAMPLES
from dpviz.studies.design import Design
from dpviz.studies.epsilon_table import PROBABILITIES, epsilon_table

DESIGNS = (Design(), Design(parameters={"noise": "exponential"}), Design(mechanism="peeling"))
SCORES = EXAMPLES["class_trip"].scores()


@pytest.fixture(scope="module")
def table() -> pd.DataFrame:
    return epsilon_table(DESIGNS, SCORES, 2, events=["top", "good", "share"])


def test_every_epsilon_is_the_librarys_and_meets_its_goal(table: pd.DataFrame) -> None:
    assert len(table) == len(DESIGNS) * 3 * len(PROBABILITIES)
    for design in DESIGNS:
        own = table[table["design"] == design.label]
        for row in own.itertuples():
            m, goal = design.build(1.0, 2), {"figure": row.event, "probability": row.probability}
            assert row.epsilon == smallest_epsilon(m, SCORES, **goal)
            dist = m.replace(epsilon=row.epsilon).distribution(SCORES)
            figure = dist.share if row.event == "share" else dist.event_probability(row.event)
            assert figure >= row.probability
            assert row.reason == ""


def test_multiples_are_of_the_best_for_the_same_goal(table: pd.DataFrame) -> None:
    for _, goal in table.groupby(["event", "probability"]):
        assert goal["multiple"].min() == 1.0
        expected = goal["epsilon"] / goal["epsilon"].min()
        pd.testing.assert_series_equal(goal["multiple"], expected, check_names=False)


def test_what_is_out_of_reach_has_a_reason_and_leaves_the_others_their_multiples() -> None:
    ties = Scores([5.0, 3.0, 3.0, 1.0])
    two = [Design(), Design(mechanism="peeling")]
    found = epsilon_table(two, ties, 2, events=["top", "optimal"], limit=50.0)
    top, optimal = (found[found["event"] == event] for event in ("top", "optimal"))
    refused = top[top["probability"] > 0.5]
    assert refused["epsilon"].tolist() == [math.inf] * 4
    assert refused["multiple"].isna().all()
    way_out = "Use the figure optimal"
    assert all(way_out in reason for reason in refused["reason"])
    assert (optimal["epsilon"] < math.inf).all()
    short = epsilon_table([Design()], SCORES, 2, probabilities=[0.99], limit=0.01)
    reason = "probability must be one that some ε up to 0.01 reaches, not 0.99."
    assert short[["epsilon", "reason"]].to_numpy().tolist() == [[math.inf, reason]]


@pytest.mark.parametrize(
    ("told", "sentence"),
    [
        ({"probabilities": [1.0]}, "probability must be below 1"),
        ({"probabilities": []}, "the table must be of at least one of each"),
        ({"events": ["nix"]}, "figure must be one of"),
        ({"events": ["inclusion"]}, "item must be an item index"),
        ({"k": 6}, "k must be at most 5"),
        ({"limit": 0.0}, "limit must be"),
        ({"events": ["inclusion"], "item": 9}, "item must be a whole number from 0 to 5"),
    ],
)
def test_what_no_design_could_have_is_refused(told: dict[str, object], sentence: str) -> None:
    with pytest.raises(ParameterError, match=sentence):
        epsilon_table(DESIGNS, SCORES, **({"k": 2} | told))  # type: ignore[arg-type]
