"""What a session opens on: the page's own example, and what its link says on top of that."""

from types import SimpleNamespace

import pytest

from dpviz.studies.data_spec import DataSpec
from dpviz.studies.scenario import Scenario
from dpviz.web.session import state

FIRST = Scenario(data=DataSpec(name="bought_together"), epsilon=0.5, k=1)


def opened(monkeypatch: pytest.MonkeyPatch, **query: str) -> Scenario:
    """The scenario of a session that begins with this link on a page that opens on `FIRST`."""
    monkeypatch.setattr(state, "st", SimpleNamespace(session_state={}, query_params=query))
    state.open_page_scenario(FIRST)
    return state.scenario()


def test_a_link_that_names_no_data_changes_what_the_page_opens_on(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    assert opened(monkeypatch) == FIRST
    assert opened(monkeypatch, epsilon="2.0") == FIRST.replace(epsilon=2.0)


def test_a_link_to_other_data_brings_nothing_of_what_the_page_opens_on(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    expected = Scenario(data=DataSpec(name="help_line"), epsilon=state.FIRST_EPSILON)
    assert opened(monkeypatch, data="example:help_line") == expected


@pytest.mark.parametrize(
    ("query", "expected", "told"),
    [
        ({"epsilon": "-1", "k": "3"}, FIRST.replace(k=3), "ε (“-1”)"),
        ({"k": "many", "epsilon": "2.0"}, FIRST.replace(epsilon=2.0), "k (“many”)"),
        ({"m1": "no_such", "k": "3"}, FIRST.replace(k=3), "the mechanisms"),
        (
            {"data": "example:no_such", "sensitivity": "5", "epsilon": "2.0"},
            FIRST.replace(epsilon=2.0),
            "the data",
        ),
        ({"data": "generated:two_clusters", "data.front": "900"}, FIRST, "the data"),
        ({"v": "99", "epsilon": "2.0"}, FIRST.replace(epsilon=2.0), "the version it was made with"),
    ],
)
def test_a_part_of_a_link_that_cannot_be_read_is_left_out_and_told_in_words(
    monkeypatch: pytest.MonkeyPatch, query: dict[str, str], expected: Scenario, told: str
) -> None:
    assert opened(monkeypatch, **query) == expected
    assert (
        state.notice_text("page")
        == f"Some parts of this link are not valid and were ignored: {told}."
    )


def test_a_page_keeps_its_own_example_until_data_are_chosen(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    opened(monkeypatch)
    state.change_scenario(k=2)
    state.open_page_scenario(None, "explore")
    assert state.scenario() == Scenario(epsilon=state.FIRST_EPSILON)
    assert (state.previous_scenario(), state.PREVIOUS_PAGE_EPSILON.value) == (
        None,
        FIRST.epsilon,
    )  # which the page says
    state.open_page_scenario(None, "compare")
    assert state.PREVIOUS_PAGE_EPSILON.value is None
    state.open_page_scenario(FIRST, "margin")
    assert state.scenario() == FIRST.replace(k=2)
    state.change_scenario(k=1, epsilon=3.0)
    state.open_page_scenario(None, "explore")
    assert (state.scenario(), state.PREVIOUS_PAGE_EPSILON.value) == (
        Scenario(epsilon=3.0),
        None,
    )  # chosen: it goes along
    state.open_page_scenario(FIRST)
    assert state.scenario() == FIRST.replace(epsilon=3.0)
    state.change_scenario(data=DataSpec(name="class_trip"), k=2)
    state.open_page_scenario(None)
    assert state.scenario() == FIRST.replace(data=DataSpec(name="class_trip"), epsilon=3.0, k=2)
    state.undo()
    state.open_page_scenario(FIRST)
    assert state.scenario() == FIRST.replace(epsilon=3.0)
    assert not state.is_data_chosen()


def test_what_a_page_sets_by_itself_is_nothing_to_take_back(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    opened(monkeypatch)
    state.change_without_undo(k=2)
    state.change_scenario(k=2)
    assert state.previous_scenario() is None
    for epsilon in range(1, 100):
        state.change_scenario(epsilon=float(epsilon))
    before = 0
    while state.previous_scenario() is not None:
        state.undo()
        before += 1
    assert before == 50
    assert state.scenario().epsilon == 49.0


def test_a_change_that_is_not_allowed_leaves_nothing_to_take_back(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    opened(monkeypatch)
    assert not state.change_scenario("k", k=-1)
    assert state.previous_scenario() is None
    assert state.notice_text("k") is not None
