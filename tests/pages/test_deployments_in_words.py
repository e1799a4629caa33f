"""Deployments in words: the promise of an entry, the order of the table, and a plan among others."""

import pytest

from dpviz.charts import LIGHT
from dpviz.data.deployments import Deployment, public_deployments
from dpviz.pages.deployments import sentences, view
from dpviz.studies.deployments import DeploymentFigures, deployment_figures


def figures(name: str) -> DeploymentFigures:
    return deployment_figures(next(one for one in public_deployments() if one.name == name))


def promise(name: str) -> str:
    return " ".join(sentences.promise_sentences(figures(name)))


def test_three_deployments_are_told_in_plain_words() -> None:
    views = promise("Wikipedia Current Pageviews")
    assert "right at most 54 times in 100 about one device-day" in views
    assert "after 365 in a year, the attacker is right at most 96 times in 100" in views
    assert "A true count of 100 is published in 70.8" in views
    assert "right at most 88 times in 100 about one person" in promise(
        "2020 Census Redistricting Data"
    )
    emojis = promise("Popular Emojis")
    assert "Each device adds noise itself" in emojis
    assert "Anyone who reads one report is right at most 99 times in 100 about it." in emojis
    for name in ("Wikipedia Current Pageviews", "Popular Emojis", "FLEX"):
        assert "ε = " not in promise(name)


def test_the_exact_figure_stands_beside_the_stated_one_where_they_differ() -> None:
    told = " ".join(sentences.expert_parameter_sentences(figures("2020 Census Redistricting Data")))
    assert "ε = 16.5 at δ = 1×10⁻¹⁰, which is less than the stated 17.14" in told
    views = " ".join(sentences.expert_parameter_sentences(figures("Wikipedia Current Pageviews")))
    assert "No ε is stated. Its gaussian noise has ε = 0.8 at δ = 1×10⁻⁷." in views
    agree = " ".join(sentences.expert_parameter_sentences(figures("Wikipedia Editors in Russia")))
    assert agree.endswith("The exact ε of its noise is the stated one.")


def test_whatever_is_not_stated_is_told_so() -> None:
    nothing = deployment_figures(Deployment(slug="a", name="A"))
    assert sentences.promise_sentences(nothing) == [
        "ε, δ and ρ are not stated, so it is not known how often an attacker is right."
    ]
    assert {said for _, said in view.fact_rows(nothing)} == {"not stated"}
    assert "δ is a formula" in promise("FLEX")


def test_a_unit_counts_anew_in_the_periods_that_are_stated() -> None:
    spent = {"epsilon": 0.1, "delta": 0.0}
    weekly = deployment_figures(
        Deployment(slug="a", name="A", model="Central", unit="user-week", **spent)
    )
    assert (
        sentences.yearly_cost_sentences([weekly])[0]
        == "In 1 of them a unit counts anew every week."
    )
    every = sentences.yearly_cost_sentences(
        [weekly, *map(deployment_figures, public_deployments())]
    )
    assert every[0].endswith("counts anew every day or month or week.")


@pytest.mark.parametrize("order", view.SORTS)
def test_the_table_is_sorted_and_none_is_lost(order: str) -> None:
    rows = [
        cells
        for cells, _ in view.deployment_cells_and_sources(
            view.filtered_figures(public_deployments()), order
        )
    ]
    assert {cells[0] for cells in rows} == {one.name for one in public_deployments()}
    known = [int(cells[5]) for cells in rows if cells[5].isdigit()]
    if order == "guess":
        assert known == sorted(known)
        assert {cells[5] for cells in rows[len(known) :]} == {"not known"}
    if order == "who":
        assert [cells[1].lower() for cells in rows] == sorted(cells[1].lower() for cells in rows)


def test_picture_and_table_say_the_same_and_what_is_left_out() -> None:
    shown = view.filtered_figures(public_deployments(), "person")
    chart = view.deployment_guesses_chart(shown, LIGHT)
    drawn = dict(zip(chart.table["entry"], chart.table.iloc[:, 2], strict=True))
    listed = {cells[0]: cells[5] for cells, _ in view.deployment_cells_and_sources(shown, "guess")}
    assert {name: f"{guess}" for name, guess in drawn.items()} == {
        name: guess for name, guess in listed.items() if guess != "not known"
    }
    assert (
        "Not drawn: 4 where devices add the noise and 2 that do not state enough." in chart.says_now
    )
