"""A file is given to whoever still is where it was asked for."""

from collections.abc import Iterator

import pytest
import streamlit as st

from dpviz.ui.shell import paper


@pytest.fixture(autouse=True)
def session() -> Iterator[None]:
    yield
    st.session_state.clear()


def test_who_has_left_a_page_is_not_given_its_file_later(monkeypatch: pytest.MonkeyPatch) -> None:
    given: list[str] = []
    monkeypatch.setattr(paper, "component", lambda name, script, data, key: given.append(data["name"]))

    def press() -> None:
        paper._WANTED.value.add("table")

    def draw(page: str) -> None:
        paper.begin(page, page.title())
        if page == "compare":
            paper.download("Table", lambda: "a,1", "a.csv", "table")

    draw("compare")
    press()
    draw("explore")
    draw("compare")
    assert given == []
    press()
    draw("compare")
    draw("compare")
    assert given == ["a.csv"]
