"""The compare page, run without a browser: its figures, curves and ε table are the library's, for
every design.
"""

import html
import json
import math
import re
import time
from base64 import b64decode
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest
from streamlit.testing.v1 import AppTest

from dpviz import Scores
from dpviz.charts.text_format import number_text, percent, release_frequency_text
from dpviz.data import EXAMPLES
from dpviz.pages.compare.study import RELEASES, STARTING
from dpviz.studies.design import Design
from dpviz.studies.epsilon_table import PROBABILITIES, epsilon_table
from dpviz.studies.scenario import Scenario
from dpviz.topk.mechanism import TOP_K
from dpviz.topk.shortfall_guarantees import guaranteed_top_probability
from tests.web.screens.waiting import run_when_computed

OpenPage = Callable[..., AppTest]
LONGEST = 90.0  # seconds until everything must have come


def bodies(app: AppTest) -> list[str]:
    return [
        element.proto.body
        for element in app.get("html")
        if not element.proto.body.lstrip().startswith("<style")
    ]


def plain(body: str) -> str:
    return html.unescape(re.sub(r"<[^>]+>", "", body))


def text(app: AppTest) -> str:
    return " ".join(plain(body) for body in bodies(app))


def settled(app: AppTest) -> AppTest:
    """Run the page again until every place is filled."""
    end = time.monotonic() + LONGEST
    while any("dp-wait" in body or "dp-place" in body for body in bodies(app)):
        assert time.monotonic() < end, "not everything has come"
        run_when_computed(app)
        assert not app.exception, [told.value for told in app.exception]
    return app


def rows(app: AppTest, name: str) -> list[list[str]]:
    """The cells of the table with this name, a row a design, as texts."""
    body = next(body for body in bodies(app) if f'aria-label="{name}' in body)
    found = re.findall(r"<tr><td.*?</tr>", body)
    return [[plain(cell) for cell in re.findall(r"<td.*?</td>", row)] for row in found]


def values(app: AppTest, name: str) -> list[list[str]]:
    """The large figure in each cell after the first."""
    body = next(body for body in bodies(app) if f'aria-label="{name}' in body)
    return [
        [plain(value) for value in re.findall(r'<div class="dp-cell">(.*?)(?: <small|</div>)', row)]
        for row in re.findall(r"<tr><td.*?</tr>", body)
    ]


def figures(app: AppTest) -> list[dict[str, Any]]:
    return [json.loads(chart.proto.spec) for chart in app.get("plotly_chart")]


def heatmaps(app: AppTest) -> dict[str, Any]:
    return next(figure for figure in figures(app) if "coloraxis" in figure["layout"])


def expected_figures(
    scores: Scores, designs: tuple[Design, ...], epsilon: float, k: int
) -> list[list[str]]:
    out = []
    for design in designs:
        dist = design.build(epsilon, k).distribution(scores)
        events = [percent(getattr(dist, name)) for name in ("top", "great", "good")]
        worst = dist.expected_worst_rank
        out.append(
            [
                *events,
                number_text(round(dist.share * k, 2)),
                number_text(round(worst, 2 if worst < 100 else 1)),
            ]
        )
    return out


def test_three_designs_show_the_librarys_figures(open_page: OpenPage) -> None:
    app = settled(open_page("compare"))
    scores = EXAMPLES["help_line"].scores()
    assert values(app, "Headline figures") == expected_figures(scores, STARTING, 0.2, 10)
    assert [row[0].split("exact")[0] for row in rows(app, "Headline figures")] == [
        "A Canonical",
        "B Peeling",
        "C One-shot · exponential",
    ]
    assert "not private" in text(app)
    assert all(chart.proto.alt for chart in app.get("plotly_chart"))
    heatmaps_share_axes_and_colours(heatmaps(app))
    app.number_input(key="epsilon").set_value(1.5).run()
    assert values(settled(app), "Headline figures") == expected_figures(scores, STARTING, 1.5, 10)


def test_the_epsilon_table_is_that_of_the_library(open_page: OpenPage) -> None:
    scores = Scores([50, 42, 30, 24, 19, 15, 12, 9])
    app = open_page("compare")
    app.selectbox(key="data_from").set_value("paste").run()
    app.text_area(key="pasted").set_value("\n".join(str(value) for value in scores.values))
    next(b for b in app.button if b.label == "Use these scores").click().run()
    next(w for w in app.number_input if w.label == "k, items out").set_value(3).run()
    settled(app)
    for event in ("top", "great"):
        table = epsilon_table(STARTING, scores, 3, events=[event])
        shown = values(app, "Smallest ε")
        for i, design in enumerate(STARTING):
            own = table[table["design"] == design.label].set_index("probability")
            for cell, probability in zip(shown[i], PROBABILITIES, strict=True):
                exact = own.loc[probability, "epsilon"]
                assert exact <= float(cell) <= exact * 1.01  # rounded up to three digits
        next(w for w in app.get("button_group") if w.key.startswith("event")).set_value(
            "great"
        ).run()
        settled(app)


def test_a_goal_that_ties_put_out_of_reach_says_so_and_points_to_optimal(
    open_page: OpenPage,
) -> None:
    app = open_page("compare", data="example:library_loans", k="10", **{"page.event": "top"})
    settled(app)
    assert "OPTIMAL" in text(app)
    assert "out of reach" in text(app)
    app.button(key="to_optimal").click().run()
    settled(app)
    assert "out of reach" not in text(app)
    assert app.session_state["dpviz.scenario"].page["event"] == "optimal"
    scores = EXAMPLES["library_loans"].scores()
    needed = epsilon_table([STARTING[0]], scores, 10, events=["optimal"], probabilities=[0.9])[
        "epsilon"
    ].iloc[0]
    assert needed <= float(values(app, "Smallest ε")[0][1]) <= needed * 1.01


def heatmaps_share_axes_and_colours(drawn: dict[str, Any]) -> None:
    panels = [trace for trace in drawn["data"] if trace["type"] == "heatmap"]
    assert len(panels) == 3
    assert all(trace["coloraxis"] == "coloraxis" for trace in panels)
    assert panels[0]["x"] == panels[1]["x"] == panels[2]["x"]
    assert panels[0]["y"] == panels[1]["y"] == panels[2]["y"]
    ranges = {json.dumps(drawn["layout"][name]["range"]) for name in ("xaxis", "xaxis2", "xaxis3")}
    assert len(ranges) == 1


def test_designs_are_added_duplicated_changed_and_removed(open_page: OpenPage) -> None:
    app = open_page("compare", k="2", data="example:class_trip")
    app.button(key="design_add").click().run()
    assert len(rows(app, "Headline figures")) == 4
    app.button(key="design_0.duplicate").click().run()
    designs = app.session_state["dpviz.scenario"].designs
    assert designs[0] == designs[1]
    assert app.button(key="design_1.duplicate")
    gamma = next(w for w in app.slider if w.key.startswith("design_1.canonical.gamma"))
    gamma.set_value(1.0).run()
    designs = app.session_state["dpviz.scenario"].designs
    assert (designs[0].parameters["gamma"], designs[1].parameters["gamma"]) == (0.5, 1.0)
    app.button(key="design_add").click().run()
    assert len(app.session_state["dpviz.scenario"].designs) == 6
    assert not [b for b in app.button if b.key == "design_add"]
    for left in (5, 4, 3, 2):
        app.button(key="design_0.remove").click().run()
        assert len(rows(app, "Headline figures")) == left
    assert app.button(key="design_0.remove").disabled
    assert not app.exception


def test_the_menu_of_each_design_is_the_registry(open_page: OpenPage) -> None:
    app = open_page("compare", data="example:class_trip", k="2")
    menu = app.selectbox(key="design_1.mechanism")
    assert menu.options == [TOP_K.label(name) for name in TOP_K]
    menu.set_value("joint").run()
    assert rows(app, "Headline figures")[1][0].startswith("B Joint exponential")
    assert not app.exception


def test_a_link_brings_back_designs_event_bounds_and_seed(open_page: OpenPage) -> None:
    designs = (
        Design(mechanism="joint", parameters={"over": "sequences"}),
        Design(parameters={"gamma": 0.25}),
    )
    scenario = Scenario(
        epsilon=1.5, k=2, designs=designs, page={"event": "good", "bounds": True}, seed=9
    )
    query = scenario.to_query() | {"data": "example:class_trip"}
    app = settled(open_page("compare", **query))
    assert app.session_state["dpviz.scenario"].to_query() == query
    assert len(rows(app, "Headline figures")) == 2
    assert app.number_input(key="compare_seed").value == 9
    assert app.toggle(key="bounds").value is True
    assert "Smallest ε for GOOD" in text(app)


def test_one_design_is_joined_by_others_and_too_many_are_told(open_page: OpenPage) -> None:
    app = open_page("compare", m1="joint", data="example:class_trip", k="2")
    names = [row[0].split("exact")[0] for row in rows(app, "Headline figures")]
    assert names == ["A Joint exponential", "B Canonical", "C Peeling"]
    many = {f"m{i}": "canonical" for i in range(1, 9)}
    app = open_page("compare", data="example:class_trip", k="2", **many)
    assert len(rows(app, "Headline figures")) == 6
    assert "8 mechanisms were given" in app.info[0].value


def test_estimated_figures_say_so_with_their_interval(open_page: OpenPage) -> None:
    app = open_page("compare", m1="canonical", m2="peeling;noise=exponential", epsilon="1.0")
    scores = EXAMPLES["help_line"].scores()
    end = time.monotonic() + LONGEST
    while (
        len(rows(app, "Headline figures")[1]) < 2
        or "estimated" not in rows(app, "Headline figures")[1][0]
    ):
        assert time.monotonic() < end
        run_when_computed(app)
    while "dp-wait" in next(body for body in bodies(app) if "Headline figures" in body):
        assert time.monotonic() < end
        run_when_computed(app)
    dist = (
        Design(mechanism="peeling", parameters={"noise": "exponential"})
        .build(1.0, 10)
        .distribution(scores)
    )
    low, high = dist.interval("top")
    assert f"{percent(low)} to {percent(high)}" in rows(app, "Headline figures")[1][1]


def test_replayed_seeds_are_those_of_the_sampler(open_page: OpenPage) -> None:
    app = settled(open_page("compare", seed="5"))
    scores = EXAMPLES["help_line"].scores()
    whole = []
    for design in STARTING:
        mechanism = design.build(0.2, 10)
        sets = [
            mechanism.sample(scores, 1, rng=np.random.default_rng(5 + i))[0]
            for i in range(RELEASES)
        ]
        whole.append(sum(bool((scores.rank[items] < 10).all()) for items in sets))
    names = ["A Canonical", "B Peeling", "C One-shot · exponential"]
    assert ", ".join(f"{name} {n}" for name, n in zip(names, whole, strict=True)) in text(app)
    app.button(key="next_seeds").click().run()
    assert app.session_state["dpviz.scenario"].seed == 5 + RELEASES


def decoded(array: Any) -> np.ndarray:
    if isinstance(array, dict):
        return np.frombuffer(b64decode(array["bdata"]), array["dtype"])
    return np.array(array, float)


def test_the_exact_curve_passes_through_the_laws_and_stays_above_the_bound(
    open_page: OpenPage,
) -> None:
    app = settled(open_page("compare", **{"page.bounds": "true"}))
    lines = {
        trace["name"]: trace
        for figure in figures(app)
        for trace in figure["data"]
        if trace.get("name") and trace.get("mode") == "lines" and trace.get("x") is not None
    }
    bound = lines["A at least, by theorem"]
    x, promised = decoded(bound["x"]).astype(float), decoded(bound["y"]).astype(float)
    scores = EXAMPLES["help_line"].scores()
    mechanism = STARTING[0].build(0.2, 10)
    assert promised.max() > 0.99
    for i in range(0, len(x), 40):
        exact = mechanism.replace(epsilon=float(x[i])).distribution(scores).top
        assert promised[i] <= exact + 1e-6
    assert "theorem" in text(app)


def test_ties_and_k_of_one_and_the_largest_k_are_shown_without_trouble(open_page: OpenPage) -> None:
    for query in ({"k": "1"}, {"k": "5"}):
        app = settled(open_page("compare", data="example:class_trip", **query))
        assert not app.exception
        assert all(math.isfinite(float(cell)) for row in values(app, "Smallest ε") for cell in row)


@pytest.mark.parametrize("event", ["unknown", "optimal"])
def test_an_event_that_is_not_there_falls_back(open_page: OpenPage, event: str) -> None:
    app = open_page("compare", data="example:class_trip", k="2", **{"page.event": event})
    assert "Smallest ε for TOP" in text(settled(app))


def test_the_presenter_switch_enlarges_every_chart(open_page: OpenPage) -> None:
    app = settled(open_page("compare", data="example:class_trip", k="2"))
    before = [figure["layout"]["height"] for figure in figures(app)]
    app.button(key="presenter").click().run()
    after = [figure["layout"]["height"] for figure in figures(settled(app))]
    assert len(before) == len(after)
    assert all(a > b for a, b in zip(after, before, strict=True))


CLASS_TRIP = EXAMPLES["class_trip"].scores()


def test_the_lead_and_the_bars_rank_the_designs(open_page: OpenPage) -> None:
    app = open_page("compare", data="example:class_trip", k="2", epsilon="1.0")
    settled(app)
    chances = [design.build(1.0, 2).distribution(CLASS_TRIP).top for design in STARTING]
    names = [f"{letter} {design.label}" for letter, design in zip("ABC", STARTING, strict=True)]
    best, worst = int(np.argmax(chances)), int(np.argmin(chances))
    assert chances[best] > chances[worst]
    expected = (
        f"The exact top 2 comes out in {release_frequency_text(chances[best])} with {names[best]}, "
        f"in {release_frequency_text(chances[worst])} with {names[worst]}."
    )
    assert expected in text(app)
    table = epsilon_table(STARTING, CLASS_TRIP, 2, events=["top"])
    body = next(body for body in bodies(app) if 'aria-label="Smallest ε' in body)
    widths = [float(width) for width in re.findall(r"width: ([\d.e+-]+)%", body)]
    most = table.groupby("probability")["epsilon"].transform("max")
    assert widths == pytest.approx((100 * table["epsilon"] / most).tolist(), rel=5e-3)
    assert max(widths) == 100, "the longest bar takes the most"


def test_it_is_the_design_whose_button_was_pressed_that_goes(open_page: OpenPage) -> None:
    app = open_page("compare", data="example:class_trip", k="2")
    app.button(key="design_1.remove").click().run()
    assert app.session_state["dpviz.scenario"].designs == (STARTING[0], STARTING[2])
    app.button(key="design_1.duplicate").click().run()
    assert app.session_state["dpviz.scenario"].designs == (STARTING[0], STARTING[2], STARTING[2])


def test_moving_epsilon_leaves_the_curves_that_do_not_depend_on_it(open_page: OpenPage) -> None:
    app = settled(open_page("compare", data="example:class_trip", k="2"))
    desk = app.session_state["dpviz.desk"]
    before = {group: desk.jobs(group) for group in ("curves", "budgets", "laws")}
    app.number_input(key="epsilon").set_value(1.5).run()
    settled(app)
    assert desk.jobs("curves") == before["curves"]
    assert desk.jobs("budgets") == before["budgets"]
    assert not set(desk.jobs("laws")) & set(before["laws"])


def test_each_theorem_is_drawn_for_its_own_mechanism(open_page: OpenPage) -> None:
    app = settled(open_page("compare", data="example:class_trip", k="2", **{"page.bounds": "true"}))
    drawn = {
        trace["name"]: trace
        for figure in figures(app)
        for trace in figure["data"]
        if trace.get("name")
    }
    for letter, design in zip("AB", STARTING[:2], strict=True):
        line = drawn[f"{letter} at least, by theorem"]
        x, y = decoded(line["x"]).astype(float), decoded(line["y"]).astype(float)
        for i in range(0, len(x), 50):
            promised = guaranteed_top_probability(design.build(float(x[i]), 2), CLASS_TRIP.ranked)
            assert y[i] == pytest.approx(promised, abs=1e-4)


def test_what_a_longer_list_costs_is_computed_where_somebody_looks(open_page: OpenPage) -> None:
    app = settled(open_page("compare", folded=True))
    desk = app.session_state["dpviz.desk"]
    assert len(desk.jobs("curves")) == 3
    assert not desk.jobs("by k")
    app.session_state["by_k_fold"] = True
    app.run()
    assert [job.wait(LONGEST) for job in desk.jobs("by k")] == [True] * 3
