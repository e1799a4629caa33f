"""What a session opens on: the page's own example, and what its link says on top of that."""

from types import SimpleNamespace

import pytest

from dpviz.studies.scenario import DataSpec, Scenario
from dpviz.ui.shell import state

FIRST = Scenario(data=DataSpec(name="bought_together"), epsilon=0.5, k=1)


def opened(monkeypatch: pytest.MonkeyPatch, **query: str) -> Scenario:
    """The scenario of a session that begins with this link on a page that opens on `FIRST`."""
    monkeypatch.setattr(state, "st", SimpleNamespace(session_state={}, query_params=query))
    state.open_on(FIRST)
    return state.scenario()


def test_a_link_that_names_no_data_changes_what_the_page_opens_on(monkeypatch: pytest.MonkeyPatch) -> None:
    assert opened(monkeypatch) == FIRST
    assert opened(monkeypatch, epsilon="2.0") == FIRST.replace(epsilon=2.0)


def test_a_link_to_other_data_brings_nothing_of_what_the_page_opens_on(monkeypatch: pytest.MonkeyPatch) -> None:
    expected = Scenario(data=DataSpec(name="help_line"), epsilon=state.FIRST_EPSILON)
    assert opened(monkeypatch, data="example:help_line") == expected
