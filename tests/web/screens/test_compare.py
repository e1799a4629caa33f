"""The compare page, run without a browser: its figures and ε table are the library's, for every
design.
"""

import html
import re
from collections.abc import Callable

import numpy as np
import pytest
from streamlit.testing.v1 import AppTest

from dpviz import Scores
from dpviz.base.text_format import number_text, percent, release_frequency_text
from dpviz.data import EXAMPLES
from dpviz.pages.compare.study import RELEASES, STARTING
from dpviz.studies.design import Design
from dpviz.studies.epsilon_table import PROBABILITIES, epsilon_table
from dpviz.topk.mechanism import TOP_K
from tests.web.screens.shown import bodies, figures, press, scenario, settled, text

OpenPage = Callable[..., AppTest]
HELP_LINE = EXAMPLES["help_line"].scores()
CLASS_TRIP = EXAMPLES["class_trip"].scores()
TRIP = {"data": "example:class_trip", "k": "2"}


def rows(app: AppTest, name: str = "Headline figures") -> list[list[str]]:
    """The cells of the table with this name, a row a design, as texts: whose, then figures."""
    body = next(body for body in bodies(app) if f'aria-label="{name}' in body)
    found = [re.findall(r"<td.*?</td>", row) for row in re.findall(r"<tr><td.*?</tr>", body)]
    figure = re.compile(r'<div class="dp-cell">(.*?)(?: <small|</div>)')
    shown = [[row[0], *figure.findall("".join(row[1:]))] for row in found]
    return [[html.unescape(re.sub(r"<[^>]+>", "", cell)) for cell in row] for row in shown]


def names(app: AppTest) -> list[str]:
    return [re.split("exact|estimated", row[0])[0] for row in rows(app)]


def expected(epsilon: float, k: int, scores: Scores = HELP_LINE) -> list[list[str]]:
    out = []
    for design in STARTING:
        law = design.build(epsilon, k).distribution(scores)
        events = [percent(getattr(law, name)) for name in ("top", "great", "good")]
        averages = law.share * k, law.expected_worst_rank
        out.append([*events, *(number_text(round(average, 2)) for average in averages)])
    return out


def test_three_designs_show_the_librarys_figures(open_page: OpenPage) -> None:
    app = settled(open_page("compare"))
    assert [row[1:] for row in rows(app)] == expected(0.2, 10)
    assert names(app) == ["A Canonical", "B Peeling", "C One-shot · exponential"]
    assert "not private" in text(app)
    assert "to_optimal" not in {button.key for button in app.button}  # nothing is not reached
    assert [row[1] for row in rows(app, "Chance and ε")] == [row[0] for row in expected(0.2, 10)]
    needs = [cell for _, _, cell in rows(app, "Chance and ε")]
    assert needs == [row[2] for row in rows(app, "Smallest ε")]  # of the three goals the second
    assert "These 3 are only a beginning" in text(app)
    before = figures(app)
    assert [chart.proto.alt[:4] for chart in app.get("plotly_chart")][:2] == ["Curv", "Heat"]
    desk = app.session_state["dpviz.desk"]
    jobs = {group: desk.jobs(group) for group in ("curves", "budgets", "laws")}
    app.number_input(key="epsilon").set_value(1.5).run()
    assert [row[1:] for row in rows(settled(app))] == expected(1.5, 10)
    for group in ("curves", "budgets"):  # which do not depend on it
        assert desk.jobs(group) == jobs[group]
    assert not set(desk.jobs("laws")) & set(jobs["laws"])
    press(app, "Presenter view")
    heights = [figure["layout"]["height"] for figure in before]
    after = [figure["layout"]["height"] for figure in figures(settled(app))]
    assert all(a > b for a, b in zip(after, heights, strict=True))


def test_the_epsilon_table_is_that_of_the_library(open_page: OpenPage) -> None:
    app = open_page("compare", **TRIP)
    for event in ("top", "great"):
        table = epsilon_table(STARTING, CLASS_TRIP, 2, events=[event])
        shown = rows(settled(app), "Smallest ε")
        for (_, *cells), design in zip(shown, STARTING, strict=True):
            own = table[table["design"] == design.label].set_index("probability")["epsilon"]
            for cell, probability in zip(cells, PROBABILITIES, strict=True):
                assert own[probability] <= float(cell) <= own[probability] * 1.01  # rounded up
        next(w for w in app.get("button_group") if w.key.startswith("event")).set_value(
            "great"
        ).run()


def test_a_goal_that_ties_put_out_of_reach_points_to_optimal(open_page: OpenPage) -> None:
    link = {"data": "example:library_loans", "k": "10", "page.event": "top"}
    app = settled(open_page("compare", **link, m1="canonical", m2="canonical;gamma=0.25"))
    assert "OPTIMAL" in text(app)
    assert "not reached" in text(app)
    app.button(key="to_optimal").click().run()
    assert "not reached" not in text(settled(app))
    assert scenario(app).page["event"] == "optimal"


def test_a_design_with_the_chances_of_another_says_so_and_hides_no_line(
    open_page: OpenPage,
) -> None:
    twins = {"m1": "peeling", "m2": "canonical", "m3": "one_shot"}
    app = settled(open_page("compare", **TRIP, **twins))
    assert "C One-shot gives the same chances as A Peeling." in text(app)
    assert "B Canonical gives" not in text(app)
    (curves,) = (one for one in figures(app) if "ε" in one["layout"]["xaxis"]["title"]["text"])
    lines = [trace["line"]["width"] for trace in curves["data"] if trace.get("mode") == "lines"]
    assert lines[0] > 2 * lines[1] == 2 * lines[2]  # it is seen on both sides of the other


def test_a_mechanism_that_is_offered_gives_other_chances_than_those_there(
    open_page: OpenPage,
) -> None:
    app = open_page("compare", **TRIP)
    press(app, "Add a mechanism")
    assert "only a beginning" not in text(settled(app))
    laws = [design.build(1.0, 2).distribution(CLASS_TRIP) for design in scenario(app).designs]
    assert len({tuple(law.inclusion.round(6)) for law in laws}) == 4


def test_designs_are_added_duplicated_changed_and_removed(open_page: OpenPage) -> None:
    app = open_page("compare", **TRIP)
    app.button(key="design_add").click().run()
    assert len(rows(app)) == 4
    app.button(key="design_0.duplicate").click().run()
    assert scenario(app).designs[0] == scenario(app).designs[1]
    gamma = next(w for w in app.slider if w.key.startswith("design_1.canonical.gamma"))
    gamma.set_value(1.0).run()
    assert [design.parameters["gamma"] for design in scenario(app).designs[:2]] == [0.5, 1.0]
    app.button(key="design_add").click().run()
    designs = scenario(app).designs
    assert len(designs) == 6
    assert not [b for b in app.button if b.key == "design_add"]
    app.button(key="design_1.remove").click().run()  # it is the one whose button was pressed
    assert scenario(app).designs == (designs[0], *designs[2:])
    for left in (4, 3, 2):
        app.button(key="design_0.remove").click().run()
        assert len(rows(app)) == left
    assert app.button(key="design_0.remove").disabled
    assert not app.exception


def test_the_menu_of_each_design_is_the_registry(open_page: OpenPage) -> None:
    app = open_page("compare", **TRIP)
    menu = app.selectbox(key="design_1.mechanism")
    assert menu.options == [TOP_K.searchable_label(name) for name in TOP_K]
    menu.set_value("joint").run()
    assert names(app)[1] == "B Joint exponential"


def test_one_design_is_joined_by_others_and_too_many_are_told(open_page: OpenPage) -> None:
    app = open_page("compare", **TRIP, m1="joint")
    assert names(settled(app)) == ["A Joint exponential", "B Canonical", "C Peeling"]
    app = open_page("compare", **TRIP, **{f"m{i}": "canonical" for i in range(1, 9)})
    assert len(rows(app)) == 6
    assert "8 mechanisms were given" in app.info[0].value


def test_estimated_figures_say_so_with_their_interval(open_page: OpenPage) -> None:
    own = Design(mechanism="peeling", parameters={"noise": "exponential"})
    app = settled(open_page("compare", **TRIP, m1="canonical", m2="peeling;noise=exponential"))
    law = own.build(0.2, 2).distribution(CLASS_TRIP)
    assert "estimated" in rows(app)[1][0]
    assert percent(law.top, *law.interval("top")) == rows(app)[1][1]


def test_the_lead_ranks_the_designs_and_seeds_are_those_of_the_sampler(open_page: OpenPage) -> None:
    app = settled(open_page("compare", **TRIP, epsilon="0.2", seed="5"))
    chances = [design.build(0.2, 2).distribution(CLASS_TRIP).top for design in STARTING]
    best, worst = int(np.argmax(chances)), int(np.argmin(chances))
    assert (
        f"The list is exactly the true top 2 in {release_frequency_text(chances[best])} with"
        f" {names(app)[best]}, and in {release_frequency_text(chances[worst])} with"
        f" {names(app)[worst]}."
    ) in text(app)
    whole = []
    for design in STARTING:
        drawn = [
            design.build(0.2, 2).sample(CLASS_TRIP, 1, rng=np.random.default_rng(5 + i))[0]
            for i in range(RELEASES)
        ]
        whole.append(sum(bool((CLASS_TRIP.rank[items] < 2).all()) for items in drawn))
    told = ", ".join(f"{name} {n}" for name, n in zip(names(app), whole, strict=True))
    assert told in text(app)
    app.button(key="next_seeds").click().run()
    assert scenario(app).seed == 5 + RELEASES


def test_k_of_one_and_the_largest_k_are_shown_without_trouble(open_page: OpenPage) -> None:
    for k in ("1", "5"):
        app = settled(open_page("compare", **TRIP | {"k": k}))
        assert np.isfinite(
            [float(cell) for row in rows(app, "Smallest ε") for cell in row[1:]]
        ).all()


@pytest.mark.parametrize("event", ["unknown", "optimal"])
def test_an_event_that_is_not_there_falls_back(open_page: OpenPage, event: str) -> None:
    app = open_page("compare", **TRIP, **{"page.event": event})
    assert "Smallest ε for TOP" in text(settled(app))


def test_what_a_longer_list_costs_is_computed_where_somebody_looks(open_page: OpenPage) -> None:
    app = settled(open_page("compare", **TRIP, folded=True))
    desk = app.session_state["dpviz.desk"]
    assert len(desk.jobs("curves")) == 3
    assert not desk.jobs("by k")
    app.session_state["by_k_fold"] = True
    app.run()
    assert [job.wait(90.0) for job in desk.jobs("by k")] == [True] * 3
