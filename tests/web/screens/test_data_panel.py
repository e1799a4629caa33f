"""What one person can change: asked of every data source, offered in the command line's words, kept
to in a log.
"""

import csv
import io
import re
from collections.abc import Callable
from html import unescape
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from streamlit.testing.v1 import AppTest

from dpviz import NOISES, TOP_K, Canonical, OneShot, Scores
from dpviz.__main__ import main
from dpviz.base import ADDED, AS_COUNTS, REPLACED
from dpviz.base.parameters import declared_parameters
from dpviz.base.registry import Registry
from dpviz.base.text_format import number_text, percent
from dpviz.data import EXAMPLES, GENERATORS
from dpviz.data.counting import count_people_in_log
from dpviz.data.reading import read_table
from dpviz.data.reading.kept_items import NAMES_LEAK
from dpviz.pages.common import right_on_average_sentence
from dpviz.studies import LawStudy
from dpviz.studies.data_spec import DataSpec
from dpviz.studies.scenario import Scenario
from dpviz.web.widgets.data_panel import SOURCES
from tests.web.screens.shown import bodies, cards, control
from tests.web.screens.shown import words as text
from tests.web.screens.uploads import agree, give, take
from tests.web.screens.waiting import run_when_computed

OpenPage = Callable[..., AppTest]
COUNTS = b"item,votes\nash,90\noak,80\nelm,74\nfir,66\nyew,60\nbox,51\n"
LOG = b"person,item\n" + b"".join(
    f"p{i % 17},{item}\n".encode() for i in range(40) for item in ("tea", "rye", "oat")[: 1 + i % 3]
)
NOISY = {"m1": "one_shot;noise=laplace"}
QUESTION = "Limit items per person?"


def top(app: AppTest) -> str:
    """The headline figure TOP, which may share its card."""
    for _ in range(200):
        if any("dp-cards" in body for body in bodies(app)):
            return next(value for name, value in cards(app).items() if name.startswith("TOP"))
        run_when_computed(app)
    raise AssertionError("no figure")


def spec(app: AppTest) -> DataSpec:
    held: DataSpec = app.session_state["dpviz.scenario"].data
    return held


def drawn(app: AppTest, lines: int) -> list[str]:
    """What stands under the release shown, waited for until there are so many lines."""
    for _ in range(100):
        if len(app.text) >= lines:
            break
        run_when_computed(app)
    return [told.value for told in app.text]


def at_most(app: AppTest, most: int) -> None:
    control(app, "radio", QUESTION).set_value(True).run()
    control(app, "number_input", "At most, items").set_value(most).run()
    assert not app.exception


@pytest.mark.parametrize("way", [name for name in SOURCES if name != "edit"])
def test_every_source_is_asked_in_how_many_items_one_person_counts(
    open_page: OpenPage, way: str
) -> None:
    app = open_page("explore", k="2")
    if way == "upload":
        take(app, LOG)
        take(app, COUNTS)
    elif way == "paste":
        control(app, "selectbox", "Scores from").set_value(way).run()
        app.text_area(key="pasted").set_value("ash, 9\noak, 5\nelm, 2\nfir, 1")
        control(app, "button", "Use these scores").click().run()
    else:
        control(app, "selectbox", "Scores from").set_value(way).run()
    assert [radio.label for radio in app.radio].count(QUESTION) == 1
    assert (control(app, "radio", QUESTION).value, spec(app).contributions) == (False, None)
    at_most(app, 2)
    assert spec(app).contributions == 2
    assert "and counts in at most 2 items." in text(app)
    control(app, "radio", QUESTION).set_value(False).run()
    assert spec(app).contributions is None
    assert "counts in at most" not in text(app)


def test_once_a_number_is_given_it_is_in_the_figures_the_titles_and_the_link(
    open_page: OpenPage,
) -> None:
    app = open_page("explore", **NOISY)
    assert "One-shot · laplace" in text(app)
    before = top(app)
    control(app, "radio", QUESTION).set_value(True).run()
    assert control(app, "number_input", "At most, items").value == EXAMPLES["help_line"].scores().d
    assert top(app) == before
    at_most(app, 1)
    scores = Scores(EXAMPLES["help_line"].scores().values, monotonic=True, contributions=1)
    assert top(app) == percent(OneShot(epsilon=0.2, k=10, noise="laplace").distribution(scores).top)
    assert "Noisy counts · laplace" in text(app)
    menu = control(app, "selectbox", "Mechanism")
    assert menu.options[list(TOP_K).index("one_shot")].startswith("Noisy counts: ")
    link = app.session_state["dpviz.scenario"].to_query()
    again = open_page("explore", **link)
    assert top(again) == top(app)
    assert control(again, "number_input", "At most, items").value == 1


def test_compare_calls_them_noisy_counts_where_they_are(open_page: OpenPage) -> None:
    app = open_page("compare", contributions="2", m1="canonical", m2="one_shot;noise=laplace")
    assert "Noisy counts · laplace" in text(app)
    assert "One-shot · laplace" not in text(app)
    assert any("Noisy counts" in box.proto.popover.label for box in app.get("popover"))


@pytest.mark.parametrize("relation", [REPLACED, ADDED])
def test_page_and_command_say_the_same_of_the_same_file(
    open_page: OpenPage, relation: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    app = open_page("explore", k="3")
    take(app, COUNTS)
    path = tmp_path / "in.csv"
    path.write_bytes(COUNTS)
    argv = ["distribution", "--file", str(path), "-k", "3", "-e", "0.2"]
    capsys.readouterr()
    assert "Are these counts of people?" in text(app)
    app.button(key="counts_Yes" if relation == ADDED else "counts_No").click().run()
    assert "Are these counts of people?" not in text(app)
    if relation == ADDED:
        assert main([*argv, "--monotonic"]) == 0
        out, _ = capsys.readouterr()
    else:
        assert main(argv) == 0
        out, told = capsys.readouterr()
        assert AS_COUNTS in told
        assert app.session_state["dpviz.scenario"].load().change in told
    change = app.session_state["dpviz.scenario"].load().change
    assert change.startswith(relation.capitalize())
    assert change in text(app)
    value = next(
        float(row["value"]) for row in csv.DictReader(io.StringIO(out)) if row["figure"] == "top"
    )
    assert top(app) == percent(value)


def test_ones_own_counts_are_asked_about_with_the_result_of_each_answer(
    open_page: OpenPage,
) -> None:
    app = open_page("explore", k="3")
    take(app, COUNTS)
    assert "Until you answer, “No” is used." in text(app)
    values = [90, 80, 74, 66, 60, 51]
    for counts in (True, False):
        law = LawStudy(
            mechanism=Canonical(epsilon=0.2, k=3), scores=Scores(values, monotonic=counts)
        )
        for _ in range(50):
            if right_on_average_sentence(law) in text(app):
                break
            run_when_computed(app)
        assert right_on_average_sentence(law) in text(app)
    for answered in (False, True):  # what was said is not asked again, nor by whom a link brings
        assert ("monotonic" in app.query_params) is answered
        again = open_page("explore", **app.query_params)
        take(again, COUNTS)
        assert ("Are these counts of people?" not in text(again)) is answered
        app.button(key="counts_No").click().run() if not answered else take(app, COUNTS, "b.csv")
    assert "Are these counts of people?" not in text(app)


def test_one_click_leads_back_to_the_example(open_page: OpenPage) -> None:
    app = open_page("explore")
    before = app.session_state["dpviz.scenario"]
    assert not any(button.key == "back" for button in app.button)
    take(app, COUNTS)
    app.button(key="back").click().run()
    assert app.session_state["dpviz.scenario"] == before


def test_scores_that_cannot_be_counts_are_not_asked_about(open_page: OpenPage) -> None:
    app = open_page("explore", k="2")
    take(app, COUNTS.replace(b"51", b"51.5"))
    assert "Are these counts" not in text(app)


def test_a_log_keeps_to_what_is_said_and_says_what_it_left_out(open_page: OpenPage) -> None:
    app = open_page("explore", k="2")
    take(app, LOG)
    free = count_people_in_log(read_table("in.csv", LOG), "person", "item")
    assert all(note in text(app) for note in free.kept.notes)
    assert NAMES_LEAK in free.kept.notes
    assert "Items per person are not limited" in text(app)
    assert spec(app).items_known is False
    at_most(app, 1)
    kept = count_people_in_log(read_table("in.csv", LOG), "person", "item", contributions=1)
    assert app.session_state["dpviz.scenario"].scores == kept.scores
    assert kept.scores.values.sum() == 17 < free.scores.values.sum()
    assert spec(app).contributions == 1
    assert kept.kept.cut_pairs > 0
    assert all(note in text(app) for note in kept.kept.notes)


def test_a_log_is_counted_on_the_list_of_items_known_beforehand(open_page: OpenPage) -> None:
    app = open_page("explore", k="2")
    take(app, LOG)
    app.text_area(key="items_pasted").set_value("oat\ngin\n\ntea\n")
    control(app, "button", "Use this list").click().run()
    listed = count_people_in_log(
        read_table("in.csv", LOG), "person", "item", items=["oat", "gin", "tea"]
    )
    assert app.session_state["dpviz.scenario"].scores == listed.scores
    assert listed.scores.values[1] == 0
    assert spec(app).items_known is True
    assert NAMES_LEAK not in text(app)
    assert listed.kept.notes[0] in text(app)
    at_most(app, 1)
    assert (spec(app).items_known, spec(app).contributions) == (True, 1)
    app.text_area(key="items_pasted").set_value("oat")
    control(app, "button", "Use this list").click().run()
    assert "at least 2" in app.error[0].value.replace("\\", "")
    assert app.session_state["dpviz.scenario"].scores.d == 3
    give(app, "catalogue", "titles.csv", "Nr;Titel\n1;Äpfel\n2;Öl\n".encode("latin-1"))
    assert "Is it the right file" in app.error[0].value
    give(app, "catalogue", "titles.csv", "Nr;Titel\n1;tea\n2;Öl\n".encode("latin-1"))
    assert set(app.session_state["dpviz.scenario"].scores.labels) == {"tea", "Öl"}


def test_what_was_said_of_a_log_is_asked_of_a_file_and_kept_to_in_the_next_log(
    open_page: OpenPage,
) -> None:
    app = open_page("explore", k="2")
    take(app, LOG)
    at_most(app, 1)
    give(app, "data_file", "in.csv", COUNTS)
    agree(app)
    assert spec(app) == DataSpec(source="uploaded", contributions=1, d=6)
    assert "limit of 1 item" in " ".join(told.value for told in app.error)
    at_most(app, 2)
    take(app, LOG)
    assert spec(app) == DataSpec(
        source="uploaded", monotonic=True, contributions=2, items_known=False
    )
    assert app.session_state["dpviz.scenario"].scores.contributions == 2


def test_a_link_that_asks_for_a_log_says_how_many_items_are_kept_of_each_person(
    open_page: OpenPage,
) -> None:
    app = open_page("explore", data="uploaded", k="2", contributions="1")
    take(app, LOG)
    assert app.session_state["dpviz.scenario"].scores.values.sum() == 17


def test_what_was_said_stays_with_another_file_and_other_columns(open_page: OpenPage) -> None:
    app = open_page("explore", k="2")
    take(app, COUNTS.replace(b"item,votes", b"votes,sales").replace(b"ash", b"7"), "a.csv")
    at_most(app, 2)
    app.button(key="counts_Yes").click().run()
    said = spec(app)
    assert (said.contributions, said.monotonic) == (2, True)
    take(app, COUNTS, "b.csv")
    assert (spec(app), app.session_state["dpviz.scenario"].scores.contributions) == (said, 2)
    app.button(key="read_again").click().run()
    control(app, "selectbox", "Column of the item").set_value("(no names: item 1, item 2, …)").run()
    agree(app)
    assert app.session_state["dpviz.scenario"].scores.labels is None
    assert (spec(app), app.session_state["dpviz.scenario"].scores.contributions) == (said, 2)


def test_a_scenario_file_says_whether_the_items_were_known(open_page: OpenPage) -> None:
    held = Scores([4, 2, 1], monotonic=True, contributions=1, names_known=False)
    data = DataSpec(source="uploaded", monotonic=True, contributions=1, items_known=False)
    app = open_page()
    app.button(key="share").click().run()
    content = Scenario(data=data, scores=held, k=1).to_json().encode()
    give(app, "scenario_file", "s.json", content, "application/json")
    assert held.change in text(app)


def test_the_release_shown_has_its_noisy_counts_where_they_are_published(
    open_page: OpenPage,
) -> None:
    app = open_page("explore", k="3", contributions="2", **NOISY, **{"page.draws": "1"})
    told = drawn(app, 2)
    scores = Scores(EXAMPLES["help_line"].scores().values, monotonic=True, contributions=2)
    labels = EXAMPLES["help_line"].scores()
    mechanism = OneShot(epsilon=0.2, k=3, noise="laplace")
    items, noisy = mechanism.sample_with_scores(scores, 1, rng=np.random.default_rng(0))
    named = [
        f"{labels.label(i)} {number_text(round(n, 1))}"
        for i, n in zip(items[0].tolist(), noisy[0], strict=True)
    ]
    assert told[1:] == [f"Published with their noisy counts: {', '.join(named)}."]


def test_of_people_who_count_in_more_than_k_items_no_noisy_counts_are_shown(
    open_page: OpenPage,
) -> None:
    app = open_page("explore", k="3", contributions="4", **NOISY, **{"page.draws": "1"})
    (told,) = drawn(app, 1)
    assert "Published" not in told


def menu_lines(app: AppTest) -> dict[str, set[str]]:
    """The line that stands under each menu, with the lines that it opens to."""
    found = re.findall(
        r'<details class="dp-menu"><summary>(.*?)</summary><dl>(.*?)</dl>',
        " ".join(element.proto.body for element in app.get("html")),
    )
    return {
        unescape(chosen): set(map(unescape, re.findall("<dd>(.*?)</dd>", rest)))
        for chosen, rest in found
    }


@pytest.mark.parametrize(
    ("query", "chosen"),
    [
        (
            {"m1": "canonical;noise=laplace", "data": "generated:two_clusters"},
            [(NOISES, "laplace"), (GENERATORS, "two_clusters")],
        ),
        (
            {"m1": "joint", "data": "example:class_trip"},
            [(TOP_K, "joint"), (EXAMPLES, "class_trip")],
        ),
    ],
)
def test_menus_say_what_is_chosen_and_open_to_the_others(
    open_page: OpenPage, query: dict[str, str], chosen: list[tuple[Registry[Any], str]]
) -> None:
    lines = menu_lines(open_page("explore", **query))
    for menu, name in chosen:
        assert lines[menu.says(name)] == {
            f"{menu.says(other)} {menu.field_names_text(other)}".strip()
            for other in menu
            if other != name
        }


def test_gamma_says_beside_its_slider_when_to_take_which(open_page: OpenPage) -> None:
    (gamma,) = (declared for declared in declared_parameters(Canonical) if declared.name == "gamma")
    assert gamma.help in text(open_page())


@pytest.mark.parametrize("answer", [True, False])  # of which one is assumed until it is given
@pytest.mark.parametrize("page", ["explore", "decide"])
def test_an_answer_that_was_assumed_is_an_answer_too(
    open_page: OpenPage, page: str, answer: bool
) -> None:
    app = open_page("explore", k="2")
    take(app, COUNTS)
    if page == "decide":
        app.switch_page("pages/decide.py").run()
        app.button(key="decide_protected").click().run()
    asked = control(app, "radio", "How may the people in the data change?")
    assert asked.value is None
    asked.set_value(answer).run()
    assert control(app, "radio", "How may the people in the data change?").value is answer
    assert bool(spec(app).monotonic) is answer
    app.switch_page("pages/explore.py").run()
    assert "Are these counts of people?" not in text(app)
