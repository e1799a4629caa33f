"""A file is given to whoever still is where it was asked for."""

from collections.abc import Iterator

import pytest
import streamlit as st

from dpviz.web.widgets import print_header


@pytest.fixture(autouse=True)
def session() -> Iterator[None]:
    yield
    st.session_state.clear()


def test_who_has_left_a_page_is_not_given_its_file_later(monkeypatch: pytest.MonkeyPatch) -> None:
    given: list[str] = []
    monkeypatch.setattr(
        print_header, "component", lambda name, script, data, key: given.append(data["name"])
    )

    def press() -> None:
        print_header._want("table")

    def draw(page: str) -> None:
        print_header.set_page_name(page, page.title())
        if page == "compare":
            print_header.show_download_button("Table", lambda: "a,1", "a.csv", "table")

    draw("compare")
    press()
    draw("explore")
    draw("compare")
    assert given == []
    press()
    draw("compare")
    draw("compare")
    assert given == ["a.csv"]
