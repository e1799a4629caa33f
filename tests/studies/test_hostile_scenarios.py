"""Hostile links and scenario files; `python -m tests.fuzz_scenarios` runs 10,000."""

from collections import Counter

import numpy as np
import pytest

from dpviz.base.errors import ParameterError
from dpviz.base.scores import Scores
from dpviz.studies.data_spec import DataSpec
from dpviz.studies.scenario import Scenario
from tests.fuzz_scenarios import try_file, try_link, try_one


def test_a_damaged_link_or_file_gives_a_scenario_or_a_sentence() -> None:
    seen = Counter(try_one(np.random.default_rng([2026, case])) for case in range(600))
    assert len(seen) == 4
    assert min(seen.values()) >= 15


@pytest.mark.parametrize(
    "query",
    [
        {"m03": "canonical"},
        {"data": "example:class_trip", "m01": "canonical"},
        {"m" + "9" * 5_000: "canonical"},
        {"data": "uploaded", "k": "9" * 4_000},
        {"page." + "x" * 5_000: "1"},
        {"name": "a\ud800"},
    ],
)
def test_links_that_once_broke_the_page(query: dict[str, str]) -> None:
    assert try_link(query) in {"scenario", "sentence"}


LABELS_NO_LIST = '{"values": [1, 2], "labels": 3}'


@pytest.mark.parametrize(
    "scores",
    ['{"labels": ["a", "b"]}', '{"values": 5}', '{"values": [[1], [2]]}', "[]", LABELS_NO_LIST],
)
def test_scores_of_a_file_that_once_broke_the_page(scores: str) -> None:
    start = '{"dpviz": "scenario", "version": 1, "data": {"source": "uploaded"}, "scores": '
    assert try_file(f"{start}{scores}}}") == "sentence"


def test_labels_of_a_file_pass_the_checks_of_an_upload() -> None:
    scores = Scores([1, 2], labels=["ash", "oak"])
    whole = Scenario(data=DataSpec(source="uploaded"), scores=scores, k=1).to_json()

    def opened(label: str) -> Scenario:
        return Scenario.from_json(whole.replace("oak", label))

    kept = opened("o\\u0000a\\u001b\\nk\\ud800").scores
    assert kept is not None
    assert kept.labels == ("ash", "o a k\ufffd")
    with pytest.raises(ParameterError, match="a label must be a text of at most 200 characters"):
        opened("o" * 201)
