"""Lists shorter than k: their length, what is wrong and what is missing."""

import numpy as np
import pytest

from dpviz import OneShot, Scores
from dpviz.charts import LIGHT, release_frequency_text
from dpviz.data import EXAMPLES
from dpviz.pages.common.law_wording import law_column_headings
from dpviz.pages.explore import closer_look, view
from dpviz.studies.design import Design
from dpviz.studies.mechanism_studies import LawStudy
from dpviz.topk.limited_domain import LimitedDomain

PEOPLE = {"monotonic": True, "contributions": 1, "names_known": False}
WORDS = Scores([40, 30, 22, 15, 2], labels=list("abcde"), **PEOPLE)
SHORT = LimitedDomain(epsilon=1.2, k=3, delta=1e-3)
LAW = LawStudy(mechanism=SHORT, scores=WORDS).compute()


def test_how_long_a_list_will_be_is_the_laws_mean_and_its_chance_of_k() -> None:
    dist = SHORT.distribution(WORDS)
    mean = float(dist.length @ np.arange(4))
    assert 0.5 < mean < 2.99
    said = view.list_length_sentence(LAW)
    often = release_frequency_text(float(dist.length[3]))
    assert said == f"{mean:.2f} of 3 items on average, all 3 in {often}."
    assert said in view.slider_position_sentence(LAW)
    assert view.release_description(LAW) == "At most 3 items without scores or order"
    one = view.list_length_sentence(LawStudy(mechanism=SHORT.replace(k=1), scores=WORDS).compute())
    assert one.startswith("One item in ")
    always = LawStudy(mechanism=OneShot(epsilon=1.0, k=3), scores=WORDS).compute()
    assert view.list_length_sentence(always) == ""
    assert view.release_description(always).startswith("3 items")


@pytest.mark.parametrize(
    ("items", "wrong", "missing"),
    [
        ([0, 1, 2], [], []),
        ([0, 1, -1], [], [2]),
        ([0, 3, -1], [3], [1, 2]),
        ([-1, -1, -1], [], [0, 1, 2]),
        ([0, 1, 4], [4], [2]),
    ],
)
def test_what_is_wrong_in_a_release_and_what_is_missing(
    items: list[int], wrong: list[int], missing: list[int]
) -> None:
    found = closer_look.wrong_and_missing_ranks(np.array(items), WORDS, 3)
    assert [part.tolist() for part in found] == [wrong, missing]


def test_of_items_that_tie_only_so_many_are_missing_as_the_list_lacks() -> None:
    tied = Scores([9.0, 7.0, 7.0, 7.0, 1.0])
    wrong, missing = closer_look.wrong_and_missing_ranks(np.array([1, 4]), tied, 2)
    assert (wrong.tolist(), missing.tolist()) == ([4], [0])


def test_a_release_is_counted_by_the_names_that_came() -> None:
    best_last = Scores(WORDS.values[::-1], monotonic=True, contributions=1)  # where −1 would point
    sets = np.array([[2, 3, 4], [4, -1, -1], [-1, -1, -1]])
    law = LawStudy(mechanism=SHORT, scores=best_last).compute()
    chart = closer_look.release_dots_chart(law, sets, None, LIGHT)
    assert sorted(chart.table["right"]) == [0, 1, 3]


@pytest.mark.parametrize("k", [1, 3, 5, 10, 12])
@pytest.mark.parametrize("name", ["canonical", "limited_domain"])
def test_events_that_say_the_same_are_the_same(name: str, k: int) -> None:
    """GREAT of 5 asks for the top 5 themselves, unless a list is shorter."""
    mechanism = Design(mechanism=name).build(0.3, k)
    law = LawStudy(mechanism=mechanism, scores=EXAMPLES["help_line"].scores()).compute()
    for says, events in view.events_by_meaning(law).items():
        assert len({round(law.event_probability[event].value, 9) for event in events}) == 1, says
    figures = {
        (says, round(law.event_probability[event].value, 9))
        for event, (_, says) in zip(law.events, law_column_headings(law), strict=False)
    }
    assert len(figures) == len({says for says, _ in figures})
