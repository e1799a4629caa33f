"""A question that names no mechanisms is answered by all that are searched."""

import json
from itertools import product

import pytest

from dpviz import Scenario
from dpviz.pages import NAMES, load_page_view
from dpviz.pages.decide.settings import read_question
from dpviz.studies.data_spec import DataSpec
from dpviz.studies.decision import Question, design_menu
from dpviz.studies.design import Design
from dpviz.studies.link import Link

GOALS = ("18 of 20 in 0.9", "top in 0.5")
DATA = ({}, {"data": "example:song_listeners"}, {"data": "generated:zipf"})
PEOPLE: tuple[dict[str, str], ...] = ({}, {"items_known": "false"}, {"contributions": "2"})
ADDRESS = "http://localhost:8501/"


def asked(goal: str, data: dict[str, str], people: dict[str, str]) -> dict[str, str]:
    question = {"v": "1", "k": "20", "page.decide.goal": goal, "page.decide.releases": "24"}
    return question | data | people


@pytest.mark.parametrize(("goal", "data", "people"), [*product(GOALS, DATA, PEOPLE)])
@pytest.mark.parametrize("page", NAMES)
def test_a_link_that_names_none_means_all_whatever_page_it_opens(
    page: str, goal: str, data: dict[str, str], people: dict[str, str]
) -> None:
    link = Link(ADDRESS, page, asked(goal, data, people))
    for first in (None, load_page_view(page).first_scenario):
        now = read_question(link.read_scenario(first))
        assert now.designs == Question(data=now.data, k=20, releases=24).designs
        assert (now.uses_default_menu, now.releases, now.goal_text) == (True, 24, goal)


def test_a_file_that_names_none_means_all() -> None:
    content = json.loads(Scenario(k=20, page={"decide.goal": GOALS[0]}).to_json())
    assert read_question(Scenario.from_json(json.dumps(content))).designs == (Design(),)
    del content["designs"]
    question = read_question(Scenario.from_json(json.dumps(content)))
    assert question.designs == design_menu(DataSpec(), 20)
