"""What Compare says of the smallest ε holds for the mechanisms that it is said of."""

from typing import Any

import pytest

from dpviz import Design, Scenario, Scores
from dpviz.pages.compare import sentences
from dpviz.pages.compare.study import compared_designs
from dpviz.studies import SmallestEpsilonStudy
from dpviz.studies.data_spec import DataSpec

STATED = Design(
    mechanism="threshold_counts", parameters={"scale": 2.0, "threshold": 10.0, "contributions": 1}
)
CLEAR = Scores([90, 50, 20, 3], monotonic=True, contributions=1)
TIED = Scores([5, 5, 1], monotonic=True, contributions=1, names_known=False)
NEAR = Scores([1 + 1e-7, 1, 0], monotonic=True, contributions=1)


@pytest.mark.parametrize(
    ("designs", "scores", "told"),
    [
        ([STATED], CLEAR, "No smallest ε is sought: the noise is stated, and ε follows from it."),
        ([STATED, Design()], CLEAR, "TOP in 90 % of releases needs ε = "),
        (
            [Design(), Design(mechanism="peeling")],
            NEAR,
            "No mechanism here reaches TOP in 90 % of releases, at any ε up to 100,000.",
        ),
        (
            [STATED, Design()],
            NEAR,
            "No mechanism that was searched reaches TOP in 90 % of releases, at any ε up to",
        ),
        (
            [Design(), Design(mechanism="limited_domain")],  # the first needs a list of names
            TIED,
            "No mechanism that was searched reaches TOP in 90 % of releases, at any ε up to",
        ),
    ],
)
def test_no_mechanism_is_said_to_miss_what_was_not_sought(
    designs: list[Design], scores: Scores, told: str
) -> None:
    person: dict[str, Any] = {"monotonic": True, "contributions": 1}
    data = DataSpec(source="uploaded", **person)
    of = compared_designs(Scenario(k=1, designs=tuple(designs), data=data), scores)
    studies = [
        SmallestEpsilonStudy(mechanism=side.law.mechanism, scores=scores, event="top")
        for side in of
    ]
    for study in studies:
        study.compute()
    said = sentences.smallest_epsilon_sentence(sentences.smallest_epsilon_rows(of, studies), "top")
    assert sentences.sentence_text(said).replace("\u202f", " ").startswith(told)
