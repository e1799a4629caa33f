"""The explore page, run without a browser: what it shows is what the library computes, and it never
breaks.
"""

import html
import json
import math
import re
from collections.abc import Callable
from dataclasses import replace
from typing import Any

import numpy as np
import pytest
from streamlit.proto.WidgetStates_pb2 import WidgetState
from streamlit.testing.v1 import AppTest
from streamlit.testing.v1.element_tree import Selectbox

from dpviz import TOP_K, Canonical, Scores, smallest_epsilon
from dpviz.base.parameters import declared_parameters
from dpviz.base.rounding import round_up
from dpviz.charts.text_format import (
    number_text,
    percent,
    percent_upper_bound,
    release_frequency_text,
)
from dpviz.data import EXAMPLES, GENERATORS
from dpviz.privacy.composition import right_guess_bound
from dpviz.studies.scenario import Scenario
from dpviz.web.widgets.data_panel import SOURCES
from tests.menus import Contract
from tests.web.screens.placed import unplaced
from tests.web.screens.uploads import agree, give, take
from tests.web.screens.waiting import run_when_computed

OpenPage = Callable[..., AppTest]


def bodies(app: AppTest) -> list[str]:
    """The HTML fragments on the page, styles left out."""
    return [
        element.proto.body
        for element in app.get("html")
        if not element.proto.body.lstrip().startswith("<style")
    ]


def text(app: AppTest) -> str:
    """All that is written in HTML fragments, without the tags."""
    return html.unescape(re.sub(r"<[^>]+>", " ", unplaced(" ".join(bodies(app)))))


def cards(app: AppTest) -> dict[str, tuple[str, str]]:
    """Each headline figure by its name, with its badge."""
    body = next(body for body in bodies(app) if "dp-cards" in body)
    found = re.findall(
        r'<div class="dp-name">(.*?)<span class="dp-tip"[^>]*>(\w+).*?<div'
        r' class="dp-value">(.*?)</div>',
        body,
    )
    shown = [[html.unescape(re.sub(r"<[^>]+>", "", part)) for part in each] for each in found]
    return {name: (value, badge) for names, badge, value in shown for name in names.split(", ")}


def control(app: AppTest, kind: str, label: str):  # type: ignore[no-untyped-def]
    """The control of this kind whose label starts so."""
    return next(widget for widget in app.get(kind) if widget.label.startswith(label))


def exact(app: AppTest, label: str):  # type: ignore[no-untyped-def]
    """The number box with exactly this label."""
    return next(widget for widget in app.number_input if widget.label == label)


def unfold(app: AppTest, *names: str) -> AppTest:
    """Open what is folded away under these names."""
    for name in names:
        app.session_state[f"{name}_fold"] = True
    return app.run()


def figures(app: AppTest) -> list[dict]:  # type: ignore[type-arg]
    return [json.loads(chart.proto.spec) for chart in app.get("plotly_chart")]


def test_untouched_it_shows_the_librarys_figures_each_marked_exact(open_page: OpenPage) -> None:
    app = open_page()
    scores = EXAMPLES["help_line"].scores()
    dist = Canonical(epsilon=0.2, k=10).distribution(scores)
    shown = cards(app)
    assert shown == {
        "TOP": (percent(dist.top), "exact"),
        "GREAT": (percent(dist.great), "exact"),
        "GOOD": (percent(dist.good), "exact"),
        "Right on average": (f"{number_text(round(dist.expected_hits, 2))} of 10", "exact"),
        "Worst rank": (number_text(round(dist.expected_worst_rank, 2)), "exact"),
    }
    assert len(figures(app)) == 3
    drawn = figures(unfold(app, "all_scores"))
    assert len(drawn) == 4
    assert {trace["type"] for figure in drawn for trace in figure["data"]} >= {"bar", "heatmap"}
    assert all(chart.proto.alt for chart in app.get("plotly_chart"))
    assert "not private" in text(app)


def test_the_root_with_a_parameter_shows_the_same(open_page: OpenPage) -> None:
    assert cards(open_page(epsilon="0.3")) == cards(open_page(None, epsilon="0.3"))


def on_slider(app: AppTest) -> float:
    """The value of the slider on the stage."""
    (slider,) = (
        one.proto for one in app.get("bidi_component") if one.proto.component_name == "dpviz_slider"
    )
    value: float = json.loads(slider.json)["value"]
    return value


def test_epsilon_by_slider_and_by_box_are_one(open_page: OpenPage) -> None:
    app = open_page()
    before = cards(app)
    control(app, "number_input", "ε, exactly").set_value(1.0).run()
    assert on_slider(app) == 1.0
    assert cards(app)["TOP"][0] == percent(
        Canonical(epsilon=1.0, k=10).distribution(EXAMPLES["help_line"].scores()).top
    )
    assert cards(app) != before
    control(app, "number_input", "ε, exactly").set_value(5000.0).run()
    assert on_slider(app) == 5000.0  # which goes beyond where something happens
    assert "ε = 5000" in text(app)
    assert not app.exception


def test_a_control_that_was_replaced_is_not_heard_any_more(open_page: OpenPage) -> None:
    app = open_page()
    old = control(app, "number_input", "ε, exactly")
    control(app, "number_input", "ε, exactly").set_value(2.0).run()
    app.button(key="undo").click().run()
    control(app, "number_input", "ε, exactly").set_value(1.0).run()
    assert control(app, "number_input", "ε, exactly").key != old.key
    old.set_value(0.3)
    app.run()
    assert control(app, "number_input", "ε, exactly").value == 1.0


def test_controls_of_another_mechanism_are_not_heard_any_more(open_page: OpenPage) -> None:
    app = open_page()
    slider = control(app, "slider", "Weight")
    control(app, "selectbox", "Mechanism").set_value("one_shot").run()
    slider.set_value(0.7)
    app.run()
    assert app.session_state["dpviz.scenario"].designs[0].mechanism == "one_shot"


def test_an_emptied_box_is_filled_again(open_page: OpenPage) -> None:
    app = open_page()
    control(app, "number_input", "ε, exactly").set_value(None).run()
    assert not app.exception
    assert control(app, "number_input", "ε, exactly").value == 0.2


def test_k_changes_the_figures(open_page: OpenPage) -> None:
    app = open_page()
    control(app, "number_input", "k, items").set_value(1).run()
    dist = Canonical(epsilon=0.2, k=1).distribution(EXAMPLES["help_line"].scores())
    assert cards(app)["TOP"][0] == percent(dist.top)
    assert "back: k from 10 to 1." in app.button(key="undo").help
    assert not app.exception


def test_the_menu_of_mechanisms_is_the_registry(open_page: OpenPage) -> None:
    app = open_page()
    assert control(app, "selectbox", "Mechanism").options == [TOP_K.label(name) for name in TOP_K]


@pytest.mark.parametrize("name", list(TOP_K))
def test_every_mechanism_shows_its_own_parameters_and_figures(
    open_page: OpenPage, name: str
) -> None:
    app = open_page(m1=name, epsilon="3.0", contributions="2")
    while not cards(app):
        run_when_computed(app)
    own = {p.label for p in declared_parameters(TOP_K[name]) if p.name not in {"epsilon", "k"}}
    own = own - {"δ"} | ({"δ, exactly"} if "δ" in own else set())
    labels = {
        widget.label for kind in ("selectbox", "slider", "number_input") for widget in app.get(kind)
    }
    assert own <= labels
    mechanism = TOP_K[name](epsilon=3.0, k=10)
    scores = replace(EXAMPLES["help_line"].scores(), contributions=2)
    assert cards(app)["TOP"][0] == percent(mechanism.distribution(scores).top)


def test_an_estimate_says_so_everywhere(open_page: OpenPage) -> None:
    app = open_page(
        "explore",
        m1="peeling;noise=laplace",
        epsilon="3.0",
        **{"page.h": "2", "page.t": "40", "page.draws": "100"},
    )
    while len(figures(app)) < 4 or len(cards(app)) < 5:
        run_when_computed(app)
    assert {badge for _, badge in cards(app).values()} == {"estimated"}
    assert "the estimated chance of that is" in text(app)
    assert "estimated from 10,000 simulated releases" in text(app)
    assert "not among the draws" in text(app)
    assert not app.exception


def test_optimal_stands_only_where_ties_make_it_differ(open_page: OpenPage) -> None:
    assert "OPTIMAL" not in cards(open_page())
    assert "OPTIMAL" in cards(open_page(data="example:library_loans"))


def test_where_scores_tie_it_is_said_what_top_is_then(open_page: OpenPage) -> None:
    scores = EXAMPLES["library_loans"].scores()
    app = open_page(data="example:library_loans")
    k = app.session_state["dpviz.scenario"].k
    a, b = scores.tie_counts(k)
    said = (
        f"exactly the true top {k:,}: of {number_text(math.comb(b - a, k - a))} choices that tie, the"
        " one that comes first"
    )
    assert said in text(app)
    assert "choices that tie" not in text(open_page())


@pytest.mark.parametrize("name", list(EXAMPLES))
def test_every_example_opens_with_its_own_k(open_page: OpenPage, name: str) -> None:
    app = open_page()
    control(app, "selectbox", "Example").set_value(name).run()
    assert not app.exception
    assert control(app, "number_input", "k, items").value == EXAMPLES[name].k


class TestSources(Contract):
    menu = SOURCES
    names = frozenset(SOURCES)

    def test_each_opens_its_controls_and_scores_stay_or_change(self, open_page: OpenPage) -> None:
        app = open_page()
        for name in SOURCES:
            control(app, "selectbox", "Scores from").set_value(name).run()
            assert not app.exception, name
            assert not app.error, name
            assert control(app, "selectbox", "Scores from").value == name
            assert cards(app)["TOP"][1] == "exact", name


def test_pasted_scores_are_used_and_bad_ones_leave_what_was_there(open_page: OpenPage) -> None:
    app = open_page()
    control(app, "selectbox", "Scores from").set_value("paste").run()
    app.text_area(key="pasted").set_value("ash, 9\noak, 5\nelm, 2\nfir, 1")
    control(app, "button", "Use these scores").click().run()
    assert not app.exception
    dist = Canonical(epsilon=0.2, k=3).distribution(Scores([9, 5, 2, 1]))
    shown = cards(app)
    assert shown["TOP"][0] == percent(dist.top)
    assert [told.value for told in app.info] == [
        "k was lowered from 10 to 3\\: there are 4 items\\, and k must stay below that\\."
    ]
    app.text_area(key="pasted").set_value("ash, 9\noak, NaN\nelm, 2")
    control(app, "button", "Use these scores").click().run()
    assert not app.exception
    assert "1 of 3 cells in column 'column 2' is no number: 'NaN' of 'oak' (line 2)." in text(app)
    assert control(app, "button", "Use it so").disabled
    assert cards(app) == shown
    control(app, "button", "Leave this row out").click().run()
    agree(app)
    assert app.session_state["dpviz.scenario"].scores == Scores([9, 2], ["ash", "elm"])


def test_a_file_stands_to_be_confirmed_and_is_used_as_it_was_changed(open_page: OpenPage) -> None:
    app = open_page()
    before = cards(app)
    control(app, "selectbox", "Scores from").set_value("upload").run()
    give(app, "data_file", "trees.csv", b"item,votes,sales\nash,9,1\noak,5,7\nelm,2,8\n")
    assert cards(app) == before
    assert control(app, "radio", "It is").value is False
    assert control(app, "selectbox", "Column of the item").value == "item"
    assert control(app, "selectbox", "Column of the score").value == "votes"
    assert "ash has 9" in re.sub(r"\s+", " ", text(app))
    control(app, "selectbox", "Column of the score").set_value("sales").run()
    assert cards(app) == before
    agree(app)
    expected = Canonical(epsilon=0.2, k=2).distribution(Scores([1, 7, 8]))
    assert cards(app)["TOP"][0] == percent(expected.top)
    assert "Read as scores: names by item , scores by sales ." in re.sub(r"\s+", " ", text(app))


def test_a_file_that_is_left_changes_nothing_and_the_next_can_be_dropped(
    open_page: OpenPage,
) -> None:
    app = open_page()
    before = cards(app)
    control(app, "selectbox", "Scores from").set_value("upload").run()
    give(app, "data_file", "trees.csv", b"item,votes\nash,9\noak,5\n")
    app.button(key="leave_it").click().run()
    assert cards(app) == before
    assert len(app.file_uploader) == 1
    assert not any(button.key == "agree" for button in app.button)


def test_what_could_not_be_guessed_has_to_be_chosen_before_it_is_used(open_page: OpenPage) -> None:
    app = open_page()
    control(app, "selectbox", "Scores from").set_value("upload").run()
    give(
        app,
        "data_file",
        "log.csv",
        b"user_id,item_id,date\n1,7,2026-01-01\n1,8,2026-01-02\n2,7,2026-01-02\n",
    )
    assert control(app, "radio", "It is").value is True
    assert control(app, "selectbox", "Column of the item").value == "item_id"
    control(app, "selectbox", "Column of the item").set_value("(choose a column)").run()
    assert control(app, "button", "Use it so").disabled
    assert "Choose the column of the item first." in text(app)
    control(app, "selectbox", "Column of the item").set_value("item_id").run()
    agree(app)
    assert app.session_state["dpviz.scenario"].scores == Scores(
        [2, 1], ["7", "8"], monotonic=True, names_known=False
    )


def test_a_wrong_guess_is_mended_by_one_press(open_page: OpenPage) -> None:
    app = open_page()
    control(app, "selectbox", "Scores from").set_value("upload").run()
    content = "Votes of 2026\n\nname;votes\nZoë;1.234\nBo;2.345\nCy;3.456\n".encode("cp1252")
    give(app, "data_file", "votes.csv", content)
    assert "2 rows are above the table and left out: 'Votes of 2026'." in text(app)
    control(app, "button", "Read it as 1\\.234").click().run()
    control(app, "button", "Read it as “Zoė”").click().run()
    agree(app)
    held = app.session_state["dpviz.scenario"].scores
    assert (held.labels, held.values.tolist()) == (("Zoė", "Bo", "Cy"), [1.234, 2.345, 3.456])


def test_a_total_is_asked_about_and_left_out_by_one_press(open_page: OpenPage) -> None:
    app = open_page()
    control(app, "selectbox", "Scores from").set_value("upload").run()
    give(app, "data_file", "trees.csv", b"tree,n\noak,31\nash,28\nelm,25\nGrand Total,84\n")
    assert "'Grand Total' (row 5) is called a total." in text(app)
    assert "Answer the question above first." in text(app)
    assert control(app, "button", "Use it so").disabled
    control(app, "button", "Leave it out").click().run()
    assert "'Grand Total' (row 5) is called a total: left out." in text(app)
    agree(app)
    held = app.session_state["dpviz.scenario"].scores
    assert held == Scores([31, 28, 25], ["oak", "ash", "elm"])


def test_a_log_with_several_items_in_a_cell_is_parted_by_one_press(open_page: OpenPage) -> None:
    app = open_page()
    control(app, "selectbox", "Scores from").set_value("upload").run()
    give(app, "data_file", "poll.csv", b"id,uses\n1,tea;rye;gin\n2,rye;ale\n3,tea;rye\n")
    control(app, "button", "Part them and count people").click().run()
    assert control(app, "radio", "It is").value is True
    agree(app)
    held = app.session_state["dpviz.scenario"].scores
    assert dict(zip(held.names, held.values, strict=True)) == {
        "tea": 2,
        "rye": 3,
        "gin": 1,
        "ale": 1,
    }


def test_pasted_text_that_had_to_be_guessed_stands_to_be_confirmed_too(open_page: OpenPage) -> None:
    app = open_page()
    before = cards(app)
    control(app, "selectbox", "Scores from").set_value("paste").run()
    app.text_area(key="pasted").set_value("Anna 12\nBen 7\nCleo 3")
    control(app, "button", "Use these scores").click().run()
    assert cards(app) == before
    agree(app)
    assert app.session_state["dpviz.scenario"].scores == Scores([12, 7, 3], ["Anna", "Ben", "Cleo"])


@pytest.mark.parametrize(
    "content",
    [
        b"",
        b"item,votes\n",
        b"item,votes\nash,9\n",
        b"item,votes\nash,9\noak,many\n",
        b"\xff\xfe\x00\x01",
        b"\x89PNG",
    ],
)
def test_a_bad_file_gives_one_sentence_and_changes_nothing(
    open_page: OpenPage, content: bytes
) -> None:
    app = open_page()
    before = cards(app)
    control(app, "selectbox", "Scores from").set_value("upload").run()
    give(app, "data_file", "bad.csv", content)
    if any(
        button.key == "agree" for button in app.button
    ):  # what is wrong with it is seen once it is read whole
        agree(app)
    assert not app.exception
    assert len(app.error) == 1
    assert cards(app) == before


def test_an_event_log_is_counted(open_page: OpenPage) -> None:
    app = open_page()
    take(app, b"person,item\nann,tea\nann,tea\nbo,tea\nbo,rye\ncy,oat\ncy,tea\n")
    assert "3 items" in text(app)
    expected = Canonical(epsilon=0.2, k=2).distribution(Scores([3, 1, 1], monotonic=True))
    assert cards(app)["TOP"][0] == percent(expected.top)


def test_generated_scores_take_the_generators_parameters(open_page: OpenPage) -> None:
    app = open_page()
    before = app.session_state["dpviz.scenario"]
    control(app, "selectbox", "Scores from").set_value("generated").run()
    control(app, "selectbox", "Shape").set_value("linear").run()
    assert app.session_state["dpviz.scenario"] == before  # nothing is taken away unasked
    control(app, "button", "Show these scores").click().run()
    assert app.session_state["dpviz.scenario"].epsilon == before.epsilon
    assert "Take the last change back: the data." in app.button(key="undo").help
    app.button(key="telling").click().run()
    epsilon, k = GENERATORS["linear"].opens
    assert (app.session_state["dpviz.scenario"].epsilon, app.session_state["dpviz.scenario"].k) == (
        epsilon,
        k,
    )
    assert f"back: ε from 0.2 to {epsilon:.10g}" in app.button(key="undo").help
    app.number_input(key="linear.size").set_value(30).run()
    assert not app.exception
    assert "30 items" in text(app)


def test_the_neighbour_relation_changes_the_effective_sensitivity(open_page: OpenPage) -> None:
    app = open_page()
    control(app, "radio", "Two data sets").set_value(False).run()
    expected = Canonical(epsilon=0.2, k=10).distribution(
        EXAMPLES["help_line"].scores(monotonic=False)
    )
    assert cards(app)["TOP"][0] == percent(expected.top)


def test_a_link_opens_what_it_says(open_page: OpenPage) -> None:
    scenario = Scenario(epsilon=1.5, k=4, page={"measure": "size"}, seed=9)
    app = open_page("explore", **scenario.to_query())
    assert control(app, "number_input", "ε, exactly").value == 1.5
    assert control(app, "number_input", "k, items").value == 4
    assert app.session_state["dpviz.scenario"] == scenario
    assert control(unfold(app, "draws"), "number_input", "Seed").value == 9


@pytest.mark.parametrize(
    "query",
    [
        {"epsilon": "-1"},
        {"k": "x"},
        {"m1": "none"},
        {"data": "example:none"},
        {"v": "99"},
        {"data": "generated:zipf", "data.size": "-4"},
    ],
)
def test_a_bad_link_is_told_and_the_example_shown(
    open_page: OpenPage, query: dict[str, str]
) -> None:
    app = open_page(**query)
    assert "link" in app.info[0].value
    assert cards(app)["TOP"][0] == percent(
        Canonical(epsilon=0.2, k=10).distribution(EXAMPLES["help_line"].scores()).top
    )


def test_a_link_to_uploaded_data_asks_for_the_file(open_page: OpenPage) -> None:
    app = open_page(data="uploaded", epsilon="2.0")
    assert "Links never hold scores" in text(app)
    content = b"item,votes\nash,9\noak,5\nelm,2\n"
    give(app, "asked_file", "trees.csv", content)
    agree(app)
    assert control(app, "number_input", "ε, exactly").value == 2.0
    assert "TOP" in cards(app)


def test_a_scenario_file_brings_everything_back(open_page: OpenPage) -> None:
    app = open_page()
    app.button(key="share").click().run()
    held = Scores([4.0, 3.0, 1.0], labels=["a", "b", "c"], monotonic=True)
    from dpviz.studies.data_spec import DataSpec

    spec = DataSpec(source="uploaded", monotonic=True)
    scenario = Scenario(data=spec, scores=held, epsilon=0.7, k=2)
    give(app, "scenario_file", "s.json", scenario.to_json().encode(), "application/json")
    assert not app.exception
    assert app.session_state["dpviz.scenario"] == scenario
    app.button(key="share").click().run()
    give(app, "scenario_file", "s.json", b"{}", "application/json")
    assert "s.json was not opened" in app.session_state["dpviz.notices"]["scenario file"]
    assert app.session_state["dpviz.scenario"] == scenario


def test_draws_are_those_of_the_sampler_and_repeat(open_page: OpenPage) -> None:
    app = unfold(open_page(), "draws")
    run_when_computed(control(app, "button", "Draw 100").click().run())
    scores = EXAMPLES["help_line"].scores()
    sets = Canonical(epsilon=0.2, k=10).sample(scores, 100, rng=np.random.default_rng(0))
    exactly = int(((scores.rank[sets] < 10).sum(1) == 10).sum())
    assert f"In {exactly} of 100 releases all 10 are right" in text(app)
    run_when_computed(control(app, "button", "Draw 100").click().run())
    assert control(app, "number_input", "Seed").value == 1
    run_when_computed(control(app, "button", "Draw once").click().run())
    assert not app.exception
    assert "1 release" in text(app)


def test_a_class_is_typed_and_looked_at(open_page: OpenPage) -> None:
    app = open_page()
    exact(app, "h").set_value(8).run()
    exact(app, "t").set_value(12).run()
    assert not app.exception
    assert (exact(app, "h").value, exact(app, "t").value) == (8, 12)
    assert "the worst item in it has rank 12" in text(app)
    exact(app, "t").set_value(10).run()
    assert exact(app, "h").value == 9
    assert "The exact top 10" in text(app)


@pytest.mark.parametrize("measure", ["probability", "member", "size", "loss"])
def test_the_heatmap_switches_what_it_shows(open_page: OpenPage, measure: str) -> None:
    app = open_page(**{"page.measure": measure})
    heatmap = next(
        trace for figure in figures(app) for trace in figure["data"] if trace["type"] == "heatmap"
    )
    assert heatmap["colorbar"]["title"]["text"]
    assert not app.exception


def test_labels_are_data_and_never_markup(open_page: OpenPage) -> None:
    app = open_page()
    control(app, "selectbox", "Scores from").set_value("paste").run()
    app.text_area(key="pasted").set_value(
        "<b>bold</b> <a href='https://x.example'>y</a>; 9\n$x$ *k*; 5\n=1+1; 1"
    )
    control(app, "button", "Use these scores").click().run()
    control(unfold(app, "draws", "all_scores"), "button", "Draw once").click().run()
    assert not app.exception
    assert all("<a href" not in body and "<b>bold" not in body for body in bodies(app))
    assert not any("<a href" in chart.proto.spec for chart in app.get("plotly_chart"))


def test_the_presenter_switch_enlarges_the_type(open_page: OpenPage) -> None:
    app = open_page()
    size = figures(app)[0]["layout"]["height"]
    app.button(key="presenter").click().run()
    assert not app.exception
    assert figures(app)[0]["layout"]["height"] > size


def test_a_release_in_full_names_its_items_by_rank_and_what_it_missed(open_page: OpenPage) -> None:
    app = open_page("explore", k="6", **{"page.draws": "1"})
    while not app.dataframe:
        run_when_computed(app)
    scores = EXAMPLES["help_line"].scores()
    ranks = np.sort(
        scores.rank[Canonical(epsilon=0.2, k=6).sample(scores, 1, rng=np.random.default_rng(0))[0]]
    )
    table = app.dataframe[0].value
    assert table["rank"].tolist() == (ranks + 1).tolist()
    assert table["item"].tolist() == [scores.label(int(i)) for i in scores.order[ranks]]
    assert table["top 6"].tolist() == ["yes" if rank < 6 else "" for rank in ranks]
    missed = [rank for rank in range(6) if rank not in ranks]
    names = ", ".join(
        f"{scores.label(int(scores.order[rank]))} (rank {rank + 1})" for rank in missed
    )
    assert app.text[0].value == (f"Missed: {names}." if missed else "Exactly the true top 6.")


def test_every_item_missed_is_named_the_best_one_too(open_page: OpenPage) -> None:
    app = open_page(
        "explore", data="example:class_trip", k="1", epsilon="0.01", **{"page.draws": "1"}
    )
    scores = EXAMPLES["class_trip"].scores()
    mechanism = Canonical(epsilon=0.01, k=1)
    seed = next(
        i
        for i in range(20)
        if scores.rank[mechanism.sample(scores, 1, rng=np.random.default_rng(i))[0, 0]]
    )
    control(app, "number_input", "Seed").set_value(seed).run()
    while not app.text:
        run_when_computed(app)
    assert app.text[0].value == f"Missed: {scores.label(int(scores.order[0]))} (rank 1)."


def test_a_class_from_a_link_that_does_not_exist_here_is_the_nearest_that_does(
    open_page: OpenPage,
) -> None:
    app = open_page("explore", k="5", **{"page.h": "99", "page.t": "100000"})
    assert (exact(app, "h").value, exact(app, "t").value) == (4, 60)
    assert not app.error


def test_of_the_exact_top_another_h_leads_to_the_class_beside_it(open_page: OpenPage) -> None:
    app = open_page("explore", k="5", **{"page.h": "4", "page.t": "5"})
    exact(app, "h").set_value(2).run()
    assert (exact(app, "h").value, exact(app, "t").value) == (2, 6)


def test_page_parameters_of_another_type_count_as_not_given(open_page: OpenPage) -> None:
    app = open_page(
        "explore", **{"page.draws": "many", "page.h": "high", "page.measure": "7", "page.t": "2.5"}
    )
    assert cards(app) == cards(open_page("explore"))
    assert not app.error


def test_what_one_person_can_change_stays_as_it_was_told_when_another_file_comes(
    open_page: OpenPage,
) -> None:
    app = open_page()
    control(app, "selectbox", "Scores from").set_value("paste").run()
    app.text_area(key="pasted").set_value("ash, 9\noak, 5\nelm, 2")
    control(app, "button", "Use these scores").click().run()
    control(app, "number_input", "Sensitivity").set_value(2.0).run()
    control(app, "radio", "Two data sets").set_value(False).run()
    app.text_area(key="pasted").set_value("ash, 8\noak, 7\nelm, 1")
    control(app, "button", "Use these scores").click().run()
    expected = Canonical(epsilon=0.2, k=2).distribution(
        Scores([8, 7, 1], sensitivity=2.0, monotonic=False)
    )
    assert cards(app)["TOP"][0] == percent(expected.top)


def test_the_head_says_what_is_published_who_is_protected_and_how_good_it_will_be(
    open_page: OpenPage,
) -> None:
    app = open_page("explore", data="example:class_trip", k="2", epsilon="1.0")
    scores = EXAMPLES["class_trip"].scores()
    dist = Canonical(epsilon=1.0, k=2).distribution(scores)
    said = " ".join(text(app).split())
    assert "Which 2 of the 6 items score highest?" in said
    score = EXAMPLES["class_trip"].score
    published = (
        f"2 names without scores or order, with some luck ( noise ) in it. A score is {score}."
    )
    assert f"What is published {published} Who is protected One child" in said
    assert (
        f"is right at most {percent_upper_bound(right_guess_bound([Canonical(epsilon=1.0, k=2)]))} times"
        " in 100" in said
    )
    whole = release_frequency_text(float(dist.hits[2]))
    assert (
        f"On average {number_text(round(dist.expected_hits, 2))} of the 2 are right, and both in"
        f" {whole}." in said
    )


@pytest.mark.parametrize(("epsilon", "right"), [("1e-05", 51), ("0.2", 53), ("10000.0", 100)])
def test_what_a_guess_can_be_right_about_is_never_understated(
    open_page: OpenPage, epsilon: str, right: int
) -> None:
    assert f"is right at most {right} times in 100" in text(open_page(epsilon=epsilon))


def test_noisy_counts_are_said_to_be_published(open_page: OpenPage) -> None:
    counted = {"m1": "one_shot;noise=laplace", "contributions": "1", "k": "3"}
    assert "3 names with noisy counts" in text(open_page(**counted))
    assert "3 names without scores or order" in text(open_page(k="3"))


class _OldWord(Selectbox):
    """A menu in a browser that has not yet heard what the page calls its options now."""

    @property
    def _widget_state(self) -> WidgetState:
        return WidgetState(id=self.id, string_value="One-shot")


def test_a_browser_that_has_not_heard_the_new_name_of_a_mechanism_breaks_nothing(
    open_page: OpenPage, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Noisy counts are called so once one person counts in one item; a quick hand still reports the
    old name.
    """
    counted = {"m1": "one_shot;noise=laplace", "k": "3", "contributions": "1"}
    app = open_page("explore", **counted)
    menu = app.selectbox(key="mechanism")
    assert "Noisy counts" in menu.options
    monkeypatch.setattr(menu, "__class__", _OldWord)
    app.number_input(key="k").set_value(2).run()
    assert not app.exception, [told.value for told in app.exception]
    scenario = app.session_state["dpviz.scenario"]
    design = scenario.designs[0]
    assert (design.mechanism, design.parameters["noise"], scenario.k) == ("one_shot", "laplace", 2)


def test_events_that_are_one_and_the_same_share_a_card(open_page: OpenPage) -> None:
    few = open_page("explore", data="example:class_trip", k="2")
    body = next(body for body in bodies(few) if "dp-cards" in body)
    assert body.count("exactly the true top 2") == 1
    shown = cards(few)
    assert shown["TOP"] == shown["GREAT"] != shown["GOOD"]
    one = next(
        body for body in bodies(open_page(data="example:class_trip", k="1")) if "dp-cards" in body
    )
    assert [part.count("dp-card") for part in (one,)] == [
        1 + 3
    ]  # the group; TOP with GREAT and GOOD, right, worst rank
    assert len(set(re.findall("dp-key-[0-9]", one))) == 3


def bars(figure: dict[str, Any]) -> list[str]:
    """The names of its bars."""
    return [trace.get("name", "") for trace in figure["data"] if trace["type"] == "bar"]


def test_the_bars_carry_the_names_and_mark_the_setting_before(open_page: OpenPage) -> None:
    app = open_page("explore", data="example:class_trip", k="2")
    names = EXAMPLES["class_trip"].scores().labels or ()
    assert all(
        name in json.dumps(figures(app)[0]["layout"]["yaxis"]["ticktext"], ensure_ascii=False)
        for name in names
    )
    assert len(bars(figures(app)[0])) == 2
    control(app, "number_input", "ε, exactly").set_value(3.0).run()
    for figure in figures(app)[::2]:
        assert "ε = 0.2" in bars(figure)
    control(app, "selectbox", "Mechanism").set_value("peeling").run()
    assert "Canonical" in bars(figures(app)[0])
    control(app, "number_input", "k, items").set_value(3).run()
    assert len(bars(figures(app)[0])) == 3
    assert len(bars(figures(app)[2])) == 1  # another law altogether
    control(app, "selectbox", "Example").set_value("canteen_ratings").run()
    assert not any(trace.get("mode") == "markers" for trace in figures(app)[0]["data"])


def test_the_ten_releases_are_those_of_the_sampler_told_by_name(open_page: OpenPage) -> None:
    app = open_page("explore", data="example:class_trip", k="2", epsilon="0.2", seed="3")
    scores = EXAMPLES["class_trip"].scores()

    def expected(seed: int) -> list[str]:
        told = []
        for items in Canonical(epsilon=0.2, k=2).sample(
            scores, 10, rng=np.random.default_rng(seed)
        ):
            ranks = sorted(scores.rank[items].tolist())
            came, gone = (
                [scores.label(int(scores.order[r])) for r in of]
                for of in ([r for r in ranks if r >= 2], [r for r in range(2) if r not in ranks])
            )
            says = f"{', '.join(came)} instead of {', '.join(gone)}" if came else "all are right"
            told.append(f"{2 - len(came)} of 2 {says}")
        return told

    def listed() -> list[str]:
        body = next(body for body in bodies(app) if "dp-releases" in body)
        return [
            html.unescape(re.sub(r"<[^>]+>", "", row)) for row in re.findall("<li.*?</li>", body)
        ]

    assert listed() == expected(3)
    assert len(set(listed())) > 2
    control(app, "button", "Ten others").click().run()
    assert listed() == expected(4)


def test_the_goal_says_the_epsilon_it_takes_and_sets_it(open_page: OpenPage) -> None:
    app = open_page()
    scores = EXAMPLES["help_line"].scores()
    control(app, "number_input", "At least").set_value(10).run()
    control(app, "number_input", "in so many %").set_value(50.0).run()
    least = round_up(
        smallest_epsilon(
            Canonical(epsilon=1.0, k=10), scores, probability=0.5, event="hits", at_least=10
        )
    )
    while not any(button.label.startswith("Use ε") for button in app.button):
        run_when_computed(app)
    assert (
        f"All of the top 10 right in 50 % of releases takes ε = {number_text(least)}"
        in " ".join(text(app).replace(chr(0x202F), " ").split())
    )
    control(app, "button", "Use ε").click().run()
    assert app.session_state["dpviz.scenario"].epsilon == least
    assert Canonical(epsilon=least, k=10).distribution(scores).hits_at_least(10) >= 0.5
    assert app.session_state["dpviz.scenario"].page["at_least"] == 10
    assert control(app, "button", "Use ε").disabled


def test_play_shows_other_epsilons_and_leaves_the_one_that_is_set(open_page: OpenPage) -> None:
    app = open_page()
    before = cards(app)
    control(app, "button", "Step through").click().run()
    shown = [float(control(app, "button", "Keep ε").label.removeprefix("Keep ε = "))]
    for _ in range(3):
        control(app, "button", "Next ε").click().run()
        shown.append(float(control(app, "button", "Keep ε").label.removeprefix("Keep ε = ")))
        dist = Canonical(epsilon=shown[-1], k=10).distribution(EXAMPLES["help_line"].scores())
        assert cards(app)["TOP"][0] == percent(dist.top)
        assert (
            control(app, "number_input", "ε, exactly").value == shown[-1]
        )  # the strip agrees with the page
        assert f"At ε = {shown[-1]:.10g} " in " ".join(text(app).split())
        assert "ε = 0.2" in {trace.get("name") for trace in figures(app)[0]["data"]}  # behind, pale
        assert app.session_state["dpviz.scenario"].epsilon == 0.2
    assert shown == sorted(shown)
    assert shown[0] == 0.02
    control(app, "button", "Back to 0.2").click().run()
    assert cards(app) == before
    control(app, "button", "Step through").click().run()
    for _ in range(17):
        control(app, "button", "Next ε").click().run()
    assert cards(app) == before
    control(app, "button", "Step through").click().run()
    control(app, "button", "Keep ε").click().run()
    assert app.session_state["dpviz.scenario"].epsilon == 0.02


def test_a_control_that_is_moved_ends_a_sweep(open_page: OpenPage) -> None:
    app = open_page()
    control(app, "button", "Step through").click().run()
    control(app, "number_input", "k, items").set_value(3).run()
    assert cards(app)["TOP"][0] == percent(
        Canonical(epsilon=0.2, k=3).distribution(EXAMPLES["help_line"].scores()).top
    )
    assert not any(button.label.startswith("Keep") for button in app.button)
