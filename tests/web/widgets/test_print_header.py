"""A file is given to whoever still is where it was asked for."""

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
import pytest
import streamlit as st

from dpviz.base import export_csv
from dpviz.base.chunked_text import MANY
from dpviz.web.widgets import print_header
from tests.until import until


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


@pytest.mark.parametrize("cells", [MANY, MANY + 2])
def test_what_is_large_is_given_on_disk(cells: int, monkeypatch: pytest.MonkeyPatch) -> None:
    given: list[dict[str, Any]] = []
    monkeypatch.setattr(
        print_header, "component", lambda name, script, data, key: given.append(data)
    )
    monkeypatch.setattr(
        print_header.st, "fragment", lambda key: lambda part: part
    )  # which is not drawn without a page
    rows = cells // 2
    table = pd.DataFrame(
        {"item": [f"=item, {n}" for n in range(rows)], "chance": np.linspace(0, 1, rows)}
    )
    print_header.set_page_name("explore", "Explore")
    print_header._want("table")

    def drawn() -> list[dict[str, Any]]:
        print_header.show_download_button(
            "Table", print_header.csv_with_provenance(table, "ε = 1"), "a.csv", "table"
        )
        return given

    until(drawn)
    drawn()
    (file,) = given
    held = st.session_state["dpviz.given"] if "at" in file else None
    assert (held is None) is (cells == MANY)
    text = file["text"] if held is None else Path(held.path).read_bytes().decode()
    assert text == export_csv(table.assign(about="ε = 1"))
    assert ("text" in file) is (held is None)
