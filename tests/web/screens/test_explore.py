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
from streamlit.testing.v1 import AppTest

from dpviz import TOP_K, Canonical, Scores, smallest_epsilon
from dpviz.base.parameters import declared_parameters
from dpviz.base.text_format import (
    number_text,
    percent,
    percent_upper_bound,
    release_frequency_text,
    round_up,
)
from dpviz.data import EXAMPLES
from dpviz.privacy.composition import right_guess_bound
from dpviz.studies.data_spec import DataSpec
from dpviz.studies.epsilon_range import find_epsilon_halfway_from_chance
from dpviz.studies.scenario import Scenario
from dpviz.studies.stated_rule import STATED_PARAMETERS
from dpviz.web.widgets.data_panel import SOURCES
from tests.menus import Contract
from tests.web.screens import shown
from tests.web.screens.shown import bodies, control, figures, press, settled
from tests.web.screens.shown import words as text
from tests.web.screens.uploads import agree, give
from tests.web.screens.waiting import run_when_computed

OpenPage = Callable[..., AppTest]
HELP_LINE = EXAMPLES["help_line"].scores()
TRIP = {"data": "example:class_trip", "k": "2"}


def cards(app: AppTest) -> dict[str, tuple[str, str]]:
    """Each headline figure by its name, with its badge; a card may be of several events."""
    badges = shown.badges(app)
    return {
        name: (value, badges[names])
        for names, value in shown.cards(app).items()
        for name in names.split(", ")
    }


def top(epsilon: float, k: int = 10, scores: Scores = HELP_LINE) -> str:
    return percent(Canonical(epsilon=epsilon, k=k).distribution(scores).top)


def unfold(app: AppTest, *names: str) -> AppTest:
    """Open what is folded away under these names."""
    for name in names:
        app.session_state[f"{name}_fold"] = True
    return app.run()


def test_untouched_it_shows_the_librarys_figures_each_marked_exact(open_page: OpenPage) -> None:
    app = open_page()
    dist = Canonical(epsilon=0.2, k=10).distribution(HELP_LINE)
    assert cards(app) == {
        "TOP": (percent(dist.top), "exact"),
        "GREAT": (percent(dist.great), "exact"),
        "GOOD": (percent(dist.good), "exact"),
        "drop rate": (percent(1 - dist.share), "exact"),
        "spurious rate": (percent(1 - dist.share), "exact"),
        "Worst rank": (number_text(round(dist.expected_worst_rank, 2)), "exact"),
    }
    assert len(figures(app)) == 3
    assert len(figures(unfold(app, "all_scores"))) == 4
    assert "not private" in text(app)


def on_slider(app: AppTest) -> float:
    """The value of the slider on the stage."""
    sliders = (one.proto for one in app.get("bidi_component"))
    (slider,) = (one for one in sliders if one.component_name == "dpviz_slider")
    value: float = json.loads(slider.json)["value"]
    return value


def test_epsilon_by_slider_and_by_box_are_one_and_k_changes_the_figures(
    open_page: OpenPage,
) -> None:
    app = open_page()
    for epsilon in (1.0, 5000.0):  # which goes beyond where something happens
        control(app, "number_input", "ε, exactly").set_value(epsilon).run()
        assert on_slider(app) == epsilon
        assert cards(app)["TOP"][0] == top(epsilon)
    assert "ε = 5000" in text(app)
    control(app, "number_input", "ε, exactly").set_value(0.2).run()
    control(app, "number_input", "k, list").set_value(1).run()
    assert cards(app)["TOP"][0] == top(0.2, 1)
    assert "change: k from 10 to 1." in app.button(key="undo").help


@pytest.mark.parametrize("name", list(TOP_K))
def test_every_mechanism_shows_its_parameters_and_figures(open_page: OpenPage, name: str) -> None:
    app = settled(open_page(m1=name, epsilon="3.0", contributions="2"))
    assert control(app, "selectbox", "Mechanism").options == [
        TOP_K.searchable_label(one) for one in TOP_K
    ]
    elsewhere = {"epsilon", "k", *STATED_PARAMETERS}
    own = {p.label for p in declared_parameters(TOP_K[name]) if p.name not in elsewhere}
    own = own - {"δ"} | ({"δ, exactly"} if "δ" in own else set())
    kinds = ("selectbox", "slider", "number_input", "checkbox")
    assert own <= {widget.label for kind in kinds for widget in app.get(kind)}
    law = TOP_K[name](epsilon=3.0, k=10).distribution(replace(HELP_LINE, contributions=2))
    assert cards(app)["TOP"][0] == percent(law.top)


def test_an_estimate_says_so_everywhere(open_page: OpenPage) -> None:
    asked = {"page.h": "2", "page.t": "40", "page.draws": "100"}
    app = open_page("explore", m1="peeling;noise=laplace", epsilon="3.0", **asked)
    while len(figures(app)) < 4 or len(cards(app)) < 5:
        run_when_computed(app)
    assert {badge for _, badge in cards(app).values()} == {"estimated"}
    assert "The estimated chance of that is" in text(app)
    assert "estimated from 10,000 simulated releases" in text(app)
    assert "in no simulated release" in text(app)


def test_where_scores_tie_it_is_said_what_top_is_then(open_page: OpenPage) -> None:
    plain, app = open_page(), open_page(data="example:library_loans")
    assert ("OPTIMAL" in cards(plain), "OPTIMAL" in cards(app)) == (False, True)
    k = app.session_state["dpviz.scenario"].k
    a, b = EXAMPLES["library_loans"].scores().tie_counts(k)
    tie = f"of {number_text(math.comb(b - a, k - a))} equally good lists, the first in the data"
    assert f"exactly the true top {k:,}; {tie}" in text(app)
    assert "equally good lists" not in text(plain)


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
        "k was lowered from 10 to 3\\, as k must be below the number of items\\, 4\\."
    ]
    app.text_area(key="pasted").set_value("ash, 9\noak, NaN\nelm, 2")
    control(app, "button", "Use these scores").click().run()
    assert not app.exception
    assert "1 of 3 cells in column 'column 2' is not a number: 'NaN' of 'oak' (line 2)." in text(
        app
    )
    assert control(app, "button", "Use these data").disabled
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
    assert "ash has 9" in text(app)
    control(app, "selectbox", "Column of the score").set_value("sales").run()
    assert cards(app) == before
    agree(app)
    expected = Canonical(epsilon=0.2, k=2).distribution(Scores([1, 7, 8]))
    assert cards(app)["TOP"][0] == percent(expected.top)
    assert "Read as scores: names by item , scores by sales ." in text(app)


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
    assert control(app, "button", "Use this file").disabled
    assert "choose the column of the item" in text(app)
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
    assert "answer the question above" in text(app)
    assert control(app, "button", "Use this file").disabled
    control(app, "button", "Leave it out").click().run()
    assert "'Grand Total' (row 5) is called a total: left out." in text(app)
    agree(app)
    held = app.session_state["dpviz.scenario"].scores
    assert held == Scores([31, 28, 25], ["oak", "ash", "elm"])


def test_a_log_with_several_items_in_a_cell_is_parted_by_one_press(open_page: OpenPage) -> None:
    app = open_page()
    control(app, "selectbox", "Scores from").set_value("upload").run()
    give(app, "data_file", "poll.csv", b"id,uses\n1,tea;rye;gin\n2,rye;ale\n3,tea;rye\n")
    control(app, "button", "Separate them and count people").click().run()
    assert control(app, "radio", "It is").value is True
    agree(app)
    held = app.session_state["dpviz.scenario"].scores
    assert dict(zip(held.names, held.values, strict=True)) == {
        "tea": 2,
        "rye": 3,
        "gin": 1,
        "ale": 1,
    }


@pytest.mark.parametrize(
    "content",
    [
        b"",
        b"item,votes\nash,9\n",
        b"item,votes\nash,9\noak,many\n",
        b"\xff\xfe\x00\x01",
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


def test_generated_scores_take_the_generators_parameters(open_page: OpenPage) -> None:
    app = open_page()
    before = app.session_state["dpviz.scenario"]
    control(app, "selectbox", "Scores from").set_value("generated").run()
    app.number_input(key="zipf.size").set_value(40).run()
    app.number_input(key="zipf.total").set_value(9000).run()
    control(app, "selectbox", "Shape").set_value("linear").run()
    assert app.session_state["dpviz.scenario"] == before  # nothing is taken away unasked
    control(app, "button", "Show these scores").click().run()
    assert app.session_state["dpviz.scenario"].epsilon == before.epsilon
    assert "Undoes the last change: the data." in app.button(key="undo").help
    app.button(key="telling").click().run()
    assert "40 items" in text(app)  # as was said before the shape
    now = app.session_state["dpviz.scenario"]
    epsilon = find_epsilon_halfway_from_chance(now.mechanisms[0], now.load())
    assert now.epsilon == epsilon
    assert f"change: ε from 0.2 to {epsilon:.10g}" in app.button(key="undo").help
    app.number_input(key="linear.size").set_value(30).run()
    assert not app.exception
    assert "30 items" in text(app)


def test_the_neighbour_relation_changes_the_effective_sensitivity(open_page: OpenPage) -> None:
    app = open_page()
    control(app, "radio", "How may the people").set_value(False).run()
    assert cards(app)["TOP"][0] == top(0.2, 10, EXAMPLES["help_line"].scores(monotonic=False))


def test_a_bad_link_is_told_and_what_of_it_is_none_counts_as_not_given(open_page: OpenPage) -> None:
    app = open_page(epsilon="-1")
    assert "link" in app.info[0].value
    assert cards(app)["TOP"][0] == top(0.2)
    odd = {"page.draws": "many", "page.h": "high", "page.measure": "7", "page.t": "2.5"}
    app = open_page("explore", **odd)
    assert cards(app)["TOP"][0] == top(0.2)
    assert not app.error


def test_a_link_to_uploaded_data_asks_for_the_file(open_page: OpenPage) -> None:
    app = open_page(data="uploaded", epsilon="2.0")
    assert "A link never holds the data" in text(app)
    content = b"item,votes\nash,9\noak,5\nelm,2\n"
    give(app, "asked_file", "trees.csv", content)
    agree(app)
    assert control(app, "number_input", "ε, exactly").value == 2.0
    assert "TOP" in cards(app)


def test_a_file_brings_all_back_and_a_copy_holds_no_score(open_page: OpenPage) -> None:
    app = open_page()
    app.button(key="share").click().run()
    held = Scores([4.0, 3.0, 1.0], labels=["ash", "box", "elm"], monotonic=True)
    data = DataSpec(source="uploaded", monotonic=True)
    scenario = Scenario(data=data, scores=held, epsilon=0.7, k=2)
    give(app, "scenario_file", "s.json", scenario.to_json().encode(), "application/json")
    assert app.session_state["dpviz.scenario"] == scenario
    for key, holds in (("scenario_file_full", True), ("scenario_copy", False)):
        app.button(key="share").click().run()
        app.button(key=key).click().run()
        app.button(key="share").click().run()  # as a whole run has closed it
        files = [json.loads(one.proto.json) for one in app.get("bidi_component") if one.proto.json]
        # the first stays as well, as no browser says that it has it
        *_, text = (file["text"] for file in files if file.get("mime") == "application/json")
        assert ("ash" in text, "scores" in text) == (holds, holds)
    give(app, "scenario_file", "s.json", b"{}", "application/json")
    assert "s.json was not opened" in app.session_state["dpviz.notices"]["scenario file"]
    assert app.session_state["dpviz.scenario"] == scenario


def test_draws_are_those_of_the_sampler_and_repeat(open_page: OpenPage) -> None:
    app = run_when_computed(press(unfold(open_page(), "draws"), "Draw 100"))
    sets = Canonical(epsilon=0.2, k=10).sample(HELP_LINE, 100, rng=np.random.default_rng(0))
    exactly = int(((HELP_LINE.rank[sets] < 10).sum(1) == 10).sum())
    assert f"In {exactly} of 100 releases all 10 are right" in text(app)
    run_when_computed(press(app, "Draw 100"))
    assert control(app, "number_input", "Seed").value == 1
    run_when_computed(press(app, "Draw once"))
    assert "1 release" in text(app)


def test_a_class_is_typed_and_one_that_is_not_there_is_the_nearest(open_page: OpenPage) -> None:
    def at() -> tuple[int, int]:
        return (*(control(app, "number_input", name).value for name in "ht"),)  # type: ignore[return-value]

    app = unfold(open_page("explore", k="5", **{"page.h": "99", "page.t": "100000"}), "one_cell")
    assert at() == (4, 60)
    app = unfold(open_page("explore", k="5", **{"page.h": "4", "page.t": "5"}), "one_cell")
    assert "The exact top 5" in text(app)
    control(app, "number_input", "h").set_value(2).run()
    assert at() == (2, 6)
    control(app, "number_input", "t").set_value(12).run()
    assert at() == (2, 12)
    assert "the lowest item in the list has rank 12" in text(app)
    control(app, "number_input", "t").set_value(5).run()
    assert at() == (5, 5)
    assert not app.error


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


def test_a_release_in_full_names_its_items_by_rank_and_what_it_missed(open_page: OpenPage) -> None:
    app = open_page("explore", k="6", **{"page.draws": "1"})
    while not app.dataframe:
        run_when_computed(app)
    drawn = Canonical(epsilon=0.2, k=6).sample(HELP_LINE, 1, rng=np.random.default_rng(0))[0]
    ranks = np.sort(HELP_LINE.rank[drawn])
    table = app.dataframe[0].value
    assert table["rank"].tolist() == (ranks + 1).tolist()
    assert table["item"].tolist() == [HELP_LINE.label(int(i)) for i in HELP_LINE.order[ranks]]
    assert table["top 6"].tolist() == ["yes" if rank < 6 else "" for rank in ranks]
    missed = [rank for rank in range(6) if rank not in ranks]
    labels = (f"{HELP_LINE.label(int(HELP_LINE.order[r]))} (rank {r + 1})" for r in missed)
    assert app.text[0].value == (
        f"Missed: {', '.join(labels)}." if missed else "Exactly the true top 6."
    )


def test_the_head_says_what_is_published_and_who_is_protected(open_page: OpenPage) -> None:
    app = open_page("explore", **TRIP, epsilon="1.0")
    example = EXAMPLES["class_trip"]
    dist = Canonical(epsilon=1.0, k=2).distribution(example.scores())
    guess = right_guess_bound([Canonical(epsilon=1.0, k=2)])
    right, whole = number_text(round(dist.expected_hits, 2)), float(dist.hits[2])
    for said in (
        "Which 2 of the 6 items score highest?",
        "What is published 2 items without scores or order, randomised by noise .",
        f"A score is {example.score}. Who is protected One child",
        f"is right at most {percent_upper_bound(guess)} times in 100",
        f"On average {right} of the 2 items are right. Both are right in {release_frequency_text(whole)}.",
    ):
        assert said in text(app)
    counted = {"m1": "one_shot;noise=laplace", "contributions": "1", "k": "3"}
    assert "3 items with noisy counts" in text(open_page(**counted))


def test_events_that_are_one_and_the_same_share_a_card(open_page: OpenPage) -> None:
    few = open_page("explore", **TRIP)
    assert sum(body.count("exactly the true top 2") for body in bodies(few)) == 1
    assert cards(few)["TOP"] == cards(few)["GREAT"] != cards(few)["GOOD"]
    assert len(shown.cards(open_page(data="example:class_trip", k="1"))) == 3


def bars(figure: dict[str, Any]) -> list[str]:
    """The names of its bars."""
    return [trace.get("name", "") for trace in figure["data"] if trace["type"] == "bar"]


def test_the_bars_carry_the_names_and_mark_the_setting_before(open_page: OpenPage) -> None:
    app = open_page("explore", **TRIP)
    ticks = " ".join(figures(app)[0]["layout"]["yaxis"]["ticktext"])
    assert all(name in ticks for name in EXAMPLES["class_trip"].scores().labels or ())
    assert len(bars(figures(app)[0])) == 2
    control(app, "number_input", "ε, exactly").set_value(3.0).run()
    for figure in figures(app)[:2]:
        assert "ε = 0.2" in {trace.get("name") for trace in figure["data"]}
    control(app, "selectbox", "Mechanism").set_value("peeling").run()
    assert "Canonical" in bars(figures(app)[0])
    control(app, "number_input", "k, list").set_value(3).run()
    assert [len(bars(figures(app)[n])) for n in (0, 1)] == [3, 1]  # another law altogether
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
    control(app, "button", "Draw ten others").click().run()
    assert listed() == expected(4)


def test_the_goal_says_the_epsilon_it_takes_and_sets_it(open_page: OpenPage) -> None:
    app = open_page()
    control(app, "number_input", "Right items").set_value(10).run()
    control(app, "number_input", "in % of").set_value(50.0).run()
    canonical, goal = Canonical(epsilon=1.0, k=10), {"probability": 0.5, "figure": "hits"}
    least = round_up(smallest_epsilon(canonical, HELP_LINE, at_least=10, **goal))  # type: ignore[arg-type]
    while not any(button.label.startswith("Use ε") for button in app.button):
        run_when_computed(app)
    told = f"All of the top 10 right in 50 % of releases: this needs ε = {number_text(least)}"
    assert told in text(app).replace(chr(0x202F), " ")
    press(app, "Use ε")
    assert app.session_state["dpviz.scenario"].epsilon == least
    assert canonical.replace(epsilon=least).distribution(HELP_LINE).hits_at_least(10) >= 0.5
    assert app.session_state["dpviz.scenario"].page["at_least"] == 10
    assert control(app, "button", "Use ε").disabled


def test_play_shows_other_epsilons_and_leaves_the_one_that_is_set(
    open_page: OpenPage, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("dpviz.web.screens.explore.controls._STEPS", 4)

    def passing() -> float:
        return float(control(app, "button", "Keep ε").label.removeprefix("Keep ε = "))

    app = open_page()
    before = cards(app)
    press(app, "Step through")
    seen = [passing()]
    for _ in range(2):
        press(app, "Next ε")
        seen.append(passing())
        assert cards(app)["TOP"][0] == top(seen[-1])
        assert control(app, "number_input", "ε, exactly").value == seen[-1]
        assert f"At ε = {seen[-1]:.10g} " in text(app)
        assert "ε = 0.2" in {trace.get("name") for trace in figures(app)[0]["data"]}  # behind
        assert app.session_state["dpviz.scenario"].epsilon == 0.2
    assert seen == sorted(seen)
    assert seen[0] == 0.02
    assert cards(press(app, "Back to ε = 0.2")) == before
    press(app, "Step through")
    for _ in range(4):
        press(app, "Next ε")
    assert cards(app) == before  # it has ended
    press(press(app, "Step through"), "Keep ε")
    assert app.session_state["dpviz.scenario"].epsilon == 0.02
    press(app, "Step through")
    control(app, "number_input", "k, list").set_value(3).run()  # which ends it
    assert cards(app)["TOP"][0] == top(0.02, 3)
    assert not any(button.label.startswith("Keep") for button in app.button)
