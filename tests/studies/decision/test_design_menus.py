"""Which mechanisms are searched, what they cost of δ, and which are left out."""

from dataclasses import replace

import numpy as np
import pytest

from dpviz import Scores
from dpviz.export.release.release_tools import select_tool
from dpviz.pages.decide.sentences import phrases, price, quality
from dpviz.pages.decide.settings import read_question, repair_goal_and_taken_design
from dpviz.studies.data_spec import DataSpec
from dpviz.studies.decision import (
    ALLOWED,
    DecideStudy,
    Question,
    decide,
    excluded_mechanisms_text,
)
from dpviz.studies.decision.costs import releases_cost
from dpviz.studies.decision.design_menus import design_menu
from dpviz.studies.design import Design

WORDS = Scores(np.round(1000 / np.arange(1, 41)), monotonic=True, names_known=False)
UNKNOWN = DataSpec(source="uploaded", monotonic=True, items_known=False)
ASKED = Question(k=3, goal="3 of 3 in 0.9", releases=4, data=UNKNOWN)
FEW = ASKED.replace(data=replace(UNKNOWN, contributions=2))
WORDS_FEW = replace(WORDS, values=WORDS.values[:9], contributions=2)
KNOWN = {"canonical", "one_shot"}


@pytest.mark.parametrize(
    ("known", "most", "searched", "missed"),
    [
        (True, None, KNOWN, "a limit of items per person: Gaussian counts"),
        (True, 2, {*KNOWN, "gaussian_counts"}, ""),
        (False, None, {"limited_domain"}, "need a list of all possible items: Canonical, One-shot"),
        (False, 2, {"limited_domain", "threshold_counts"}, "list of all possible items: Canonical"),
    ],
)
def test_what_is_searched_depends_on_names_and_on_items_a_person(
    known: bool, most: int | None, searched: set[str], missed: str
) -> None:
    asked = Question(data=DataSpec(items_known=known, contributions=most), k=10)
    assert {design.mechanism for design in asked.designs} == searched
    said = excluded_mechanisms_text(asked.data, asked.designs)
    assert missed in said if missed else said == ""
    assert Question.from_scenario(asked.to_scenario(1.0)) == asked
    counts = [design for design in asked.designs if design.mechanism == "threshold_counts"]
    noises = [design.parameters["noise"] for design in counts]
    assert noises == (["laplace", "gaussian"] if (known, most) == (False, 2) else [])


def test_delta_is_the_whole_plans_and_shared_out() -> None:
    decision = DecideStudy.from_question(FEW, WORDS_FEW)
    assert decision.mechanism.delta_spent == FEW.release_delta == 0.5 * FEW.delta / 4
    assert decision.total is not None
    assert decision.total.delta <= FEW.delta
    assert decision.one.total is not None
    assert decision.cost == releases_cost(decision.mechanism, 4, FEW)
    assert FEW.replace(own_share=0.25).release_delta == FEW.release_delta / 2
    pure = FEW.replace(delta=0.0, designs=(*FEW.designs, Design()), epsilon=1.0, taken=0)
    plans = DecideStudy.from_question(pure, WORDS_FEW).plans
    reasons = {plan.reason[:24] for plan in plans.values()}
    assert reasons == {"It has a δ of its own, s", "The mechanism needs a li"}


def test_the_menu_follows_the_data_that_another_page_has_changed() -> None:
    known = Question(k=3, taken=2)
    stale = replace(known.to_scenario(1.0), data=DataSpec(items_known=False))
    assert repair_goal_and_taken_design(stale).page.get("decide.taken") is None
    assert read_question(stale).designs == known.replace(data=stale.data).designs != ALLOWED


@pytest.mark.long
def test_the_answer_says_how_long_the_list_will_be_and_what_a_list_of_names_would_save() -> None:
    decision = decide(ASKED, WORDS)
    law = decision.mechanism.distribution(WORDS)
    assert decision.utility.length == pytest.approx(law.length.tolist())
    assert decision.utility.hits == pytest.approx(law.hits.tolist())
    assert decision.utility.chance == pytest.approx(law.hits_at_least(3))
    assert decision.utility.chance >= 0.9
    length = f"{round(law.expected_length, 2):g} of 3 items on average, all 3 in"
    assert length in quality.plan_sentence(decision)
    asked = ASKED.replace(data=replace(UNKNOWN, items_known=True))
    known = decide(asked, replace(WORDS, names_known=True))
    (listed,) = (help for help in decision.helps if help.changes == "names")
    assert listed.cost == known.cost
    assert listed.cost.total_epsilon < 0.7 * decision.cost.total_epsilon
    totals = (phrases.format_total(one.total) for one in (known, decision))
    assert " instead of ".join(totals) in price.suggestion_sentences(decision)[0]
    assert known.helps == ()


@pytest.mark.parametrize("known", [True, False])
@pytest.mark.parametrize("few", [None, 3])
def test_no_release_that_is_recommended_needs_floating_point_noise(
    known: bool, few: int | None
) -> None:
    menu = design_menu(DataSpec(items_known=known, contributions=few), 5)
    tools = {select_tool(design.build(1.0, 5), few).kind for design in menu}
    assert tools
    assert "floating" not in tools
