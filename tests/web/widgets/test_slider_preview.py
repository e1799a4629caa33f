"""Which pages follow the hand: those whose steps are quick."""

import pytest

from dpviz import Scores
from dpviz.data import GENERATORS
from dpviz.pages.common import PageSubject
from dpviz.studies import Design, Scenario
from dpviz.web.widgets import slider_preview

MANY = GENERATORS["zipf"](size=17_770).scores()  # as many as there are films in Netflix' data


@pytest.mark.parametrize(
    ("mechanism", "k", "scores", "follows"),
    [
        ("canonical", 1_000, MANY, True),
        ("canonical", 1_001, MANY, False),
        ("peeling", 1_000, MANY, False),
        ("peeling", 500, MANY, True),
        ("canonical", 10, Scores(range(20_001)), False),
    ],
)
def test_it_follows_where_steps_are_quick(
    mechanism: str, k: int, scores: Scores, follows: bool
) -> None:
    of = PageSubject(Scenario(k=k, designs=(Design(mechanism=mechanism),)), scores)
    assert bool(slider_preview.page_preview_key("explore", of)) == follows
