"""The page on neighbours, run without a browser: its figures are the library's, for mechanisms of
every menu.
"""

import json
import math
from collections.abc import Callable

import numpy as np
import pytest
from streamlit.testing.v1 import AppTest

from dpviz import (
    CANDIDATES,
    GAPS,
    THRESHOLD,
    TOP_K,
    TOP_ONE,
    Canonical,
    LargeMargin,
    NoisyTopKWithGap,
    Scores,
    inclusion_with_and_without,
    posterior_bound,
    privacy_loss,
    worst_neighbour,
)
from dpviz.base.step_process import StepProcess
from dpviz.base.text_format import (
    lower_bound_text,
    number_text,
    percent_upper_bound,
    upper_percent_text,
)
from dpviz.data import EXAMPLES
from dpviz.pages.neighbours.study import NeighboursStudy
from dpviz.privacy.neighbours import average_person_items, move_scores, person_unit_step
from tests.web.screens.shown import array, cards, control, figures, press, said, settled, text

OpenPage = Callable[..., AppTest]
TRIP = EXAMPLES["class_trip"].scores()
MECHANISM = Canonical(epsilon=1.0, k=2)
LINK = {"data": "example:class_trip", "k": "2", "epsilon": "1.0"}
TICKED = {**LINK, "page.neighbours.who": "ticked"}
ON_SCORES = {name: menu for menu in (GAPS, THRESHOLD, TOP_ONE) for name in menu}


def lists(app: AppTest) -> tuple[list[str], list[float], list[float]]:
    """Names and both worlds' frequencies as drawn."""
    figure = figures(app)[0]
    _, here, there = (array(trace["x"]) for trace in figure["data"] if trace["type"] == "bar")
    return [said(name) for name in figure["layout"]["yaxis"]["ticktext"]], here / 100, there / 100


def pair(items: list[int], scores: Scores = TRIP) -> tuple[Scores, Scores]:
    return scores, move_scores(scores, person_unit_step(scores, items))


def test_it_opens_on_an_average_child_with_the_librarys_figures(open_page: OpenPage) -> None:
    app = settled(open_page("neighbours"))
    here, there = pair(average_person_items(TRIP, 3).tolist())
    loss = privacy_loss(MECHANISM, here, there)
    assert cards(app) == {
        "Privacy loss": f"{loss.largest:.4g} of 1",
        "Odds": f"× {math.exp(loss.largest):.3g}",
        "An attacker is right": f"≤ {percent_upper_bound((1 + loss.delta(0.0)) / 2)} in 100",
        "On average": f"{loss.mean:.3g}",
    }
    names, *worlds = lists(app)
    assert names == ["● Zoo", "● Science museum", "Swimming pool", "● Castle", "Farm", "Theatre"]
    for drawn, law in zip(worlds, inclusion_with_and_without(MECHANISM, here, there), strict=True):
        np.testing.assert_allclose(drawn, law.value, rtol=1e-6)
    assert "She counts in 3 items: Zoo, Science museum, Castle." in text(app)
    assert "not private" in text(app)
    assert len(figures(app)) == 5  # two lists, the law of the loss, δ(ε'), a hundred people
    control(app, "number_input", "Suspicion before").set_value(10.0).run()
    assert f"at most {upper_percent_text(posterior_bound(0.1, 1.0))}" in text(settled(app))
    assert app.session_state["dpviz.scenario"].page["neighbours.prior"] == 0.1


def test_one_section_says_what_a_list_may_reveal_and_the_rest_is_folded(
    open_page: OpenPage,
) -> None:
    app = settled(open_page("neighbours", folded=True))
    assert [chart.proto.alt[:9] for chart in app.get("plotly_chart")] == ["Two lists", "A hundred"]
    assert "What one list may reveal" in text(app)


def test_ticked_items_are_in_the_link_by_index_and_move_the_figures(open_page: OpenPage) -> None:
    app = settled(open_page("neighbours"))
    control(app, "button_group", "Whose data?").set_value("ticked").run()
    menu = control(app, "multiselect", "Her items")
    assert menu.options[:2] == ["Zoo", "Science museum"]
    menu.set_value([5, 2]).run()
    loss = privacy_loss(MECHANISM, *pair([2, 5]))
    assert cards(settled(app))["Privacy loss"] == f"{loss.largest:.4g} of 1"
    query = app.session_state["dpviz.scenario"].to_query()
    assert query["page.neighbours.items"] == "i2-5"
    assert "Zoo" not in json.dumps(query)
    again = settled(open_page("neighbours", **query))
    assert cards(again) == cards(app)
    assert control(again, "multiselect", "Her items").value == [2, 5]
    control(app, "multiselect", "Her items").set_value([]).run()
    assert cards(settled(app))["Privacy loss"] == "0 of 1"


def test_a_person_joins_or_takes_the_place_of_another(open_page: OpenPage) -> None:
    app = open_page("neighbours", **TICKED, **{"page.neighbours.items": "i0-3"})
    control(app, "button_group", "Are her data").set_value("joins").run()
    with_her = move_scores(TRIP, person_unit_step(TRIP, [0, 3], joins=True))
    law = inclusion_with_and_without(MECHANISM, with_her, TRIP)[0]
    np.testing.assert_allclose(lists(settled(app))[1], law.value, rtol=1e-6)
    ratings = EXAMPLES["canteen_ratings"].scores()
    link = TICKED | {"data": "example:canteen_ratings", "k": "5"}
    items = {"page.neighbours.items": "i0", "page.neighbours.other": "i7-9"}
    app = settled(open_page("neighbours", **link, **items))
    there = move_scores(ratings, person_unit_step(ratings, [0], [7, 9]))
    loss = privacy_loss(Canonical(epsilon=1.0, k=5), ratings, there)
    assert cards(app)["Privacy loss"] == f"{loss.largest:.4g} of 1"
    assert "with another in her place" in text(app)


@pytest.mark.parametrize(
    ("k", "epsilon", "joins", "large"), [(2, 1.0, False, False), (4, 3.0, True, True)]
)
def test_the_worst_found_is_searched_for(
    open_page: OpenPage,
    monkeypatch: pytest.MonkeyPatch,
    k: int,
    epsilon: float,
    joins: bool,
    large: bool,
) -> None:
    monkeypatch.setattr(NeighboursStudy, "is_large_study", large)
    asked, ask = [], StepProcess.compute_step
    monkeypatch.setattr(
        StepProcess,
        "compute_step",
        lambda of, name, *more: (asked.append(name), ask(of, name, *more))[1],
    )
    link = LINK | {"k": str(k), "epsilon": repr(epsilon), "page.neighbours.who": "worst"}
    app = settled(open_page("neighbours", **link))
    neighbour, loss = worst_neighbour(
        Canonical(epsilon=epsilon, k=k), TRIP, rng=np.random.default_rng(0)
    )
    assert cards(app)["Privacy loss"] == f"{loss.largest:.4g} of {epsilon:g}"
    assert (neighbour.values.sum() > TRIP.values.sum()) == joins
    with_her = loss.reversed if joins else loss  # where she is added they are the neighbour
    assert cards(app)["On average"] == f"{with_her.mean:.3g}"
    moved = np.flatnonzero(neighbour.values != TRIP.values)
    assert f"She counts in {len(moved)} item" in text(app)
    assert [name.startswith("●") for name in lists(app)[0]] == [i in moved for i in range(6)]
    assert ("find" in asked) is large  # which a process of its own answers


@pytest.mark.parametrize("name", ON_SCORES)
def test_every_mechanism_on_scores_has_its_way_here(open_page: OpenPage, name: str) -> None:
    app = settled(open_page("neighbours", **LINK, **{"page.neighbours.of": name}))
    menu = control(app, "selectbox", "Mechanism")
    assert menu.value == name
    assert len(menu.options) == sum(map(len, (TOP_K, GAPS, THRESHOLD, TOP_ONE, CANDIDATES)))
    assert f"{ON_SCORES[name].label(name)} · one person added" in text(app)


def test_what_cannot_be_exact_says_at_least(open_page: OpenPage) -> None:
    link = TICKED | {"data": "example:help_line", "k": "10", "page.neighbours.items": "i0-9-11"}
    app = settled(open_page("neighbours", **link, **{"page.neighbours.of": "noisy_top_k_with_gap"}))
    calls = EXAMPLES["help_line"].scores()
    loss = privacy_loss(NoisyTopKWithGap(epsilon=1.0, k=10), *pair([0, 9, 11], calls))
    assert cards(app)["Privacy loss"] == f"≥ {lower_bound_text(loss.largest)} of 1"
    assert "A certified lower bound" in text(app)


def test_delta_stands_beside_its_promise(open_page: OpenPage) -> None:
    link = TICKED | {"page.neighbours.of": "large_margin", "page.neighbours.items": "i0"}
    app = settled(open_page("neighbours", **link, **{"page.delta": "0.01"}))
    loss = privacy_loss(LargeMargin(epsilon=1.0, delta=0.01), *pair([0]))
    delta = max(loss.delta(1.0), loss.reversed.delta(1.0))
    assert loss.method == "exact"
    assert cards(app)["δ at ε"] == number_text(delta)
    assert "may reveal everything about somebody else" in text(app)


@pytest.mark.parametrize(
    ("page", "link", "of"),
    [
        ("explore", {}, "top_k"),
        ("compare", {}, "top_k"),
        ("margin", {}, "large_margin"),
        ("candidates", {"page.pc.rule": "poisson"}, "poisson"),
        ("gaps", {}, "noisy_top_k_with_gap"),
        ("gaps", {"page.gaps.half": "sparse_vector"}, "adaptive_sparse_vector"),
    ],
)
def test_every_page_has_the_way_here_and_its_mechanism_comes_along(
    open_page: OpenPage, page: str, link: dict[str, str], of: str
) -> None:
    app = open_page(page, k="2", **link, folded=True)
    data = app.session_state["dpviz.scenario"].data
    press(app, "What does one person change?")
    scenario = app.session_state["dpviz.scenario"]
    assert scenario.page["neighbours.of"] == of
    assert scenario.data == data
    for section in ("designs", "candidates"):
        app.session_state[f"settings_{section}_fold"] = True
    app.switch_page("pages/neighbours.py").run()
    assert control(app, "selectbox", "Mechanism").value == (
        scenario.designs[0].mechanism if of == "top_k" else of
    )


def test_the_menu_changes_the_mechanism_and_back(open_page: OpenPage) -> None:
    app = settled(open_page("neighbours", **LINK))
    control(app, "selectbox", "Mechanism").set_value("noisy_max").run()
    assert app.session_state["dpviz.scenario"].page["neighbours.of"] == "noisy_max"
    assert "k, list length" not in {widget.label for widget in app.number_input}
    control(app, "selectbox", "Mechanism").set_value("peeling").run()
    scenario = app.session_state["dpviz.scenario"]
    assert scenario.designs[0].mechanism == "peeling"
    assert "neighbours.of" not in scenario.page
    assert "Peeling · one person added" in text(settled(app))


def test_of_many_items_only_those_found_are_on_the_menu(open_page: OpenPage) -> None:
    link = TICKED | {"data": "example:song_listeners", "k": "20", "page.neighbours.items": "i1999"}
    app = open_page("neighbours", **link)
    songs = EXAMPLES["song_listeners"].scores()
    menu = control(app, "multiselect", "Her items")
    assert menu.options[0] == songs.label(1999)
    assert len(menu.options) <= 51
    wanted = songs.label(int(songs.order[1500]))
    control(app, "text_input", "Find an item").set_value(wanted.upper()).run()
    menu = control(app, "multiselect", "Her items")
    assert set(menu.options) == {songs.label(1999), wanted}
    assert len(lists(settled(app))[0]) == 10


@pytest.mark.parametrize("wrong", ["i0--1", "i" + "-".join(map(str, range(201)))])
def test_a_list_of_items_that_is_none_is_told_and_left_out(open_page: OpenPage, wrong: str) -> None:
    app = open_page("neighbours", **TICKED, **{"page.neighbours.items": wrong})
    assert "list of items must be at most 200 indices" in app.error[0].value
    assert control(app, "multiselect", "Her items").value == average_person_items(TRIP, 3).tolist()


def test_items_that_nobody_has_are_left_out(open_page: OpenPage) -> None:
    items = {"page.neighbours.items": "i1-2-3-77", "contributions": "2"}
    app = open_page("neighbours", **TICKED, **items)
    assert control(app, "multiselect", "Her items").value == [1, 2]
    assert "She counts in 2 items: Science museum, Swimming pool." in text(settled(app))
