"""Controls that are drawn in one place: a table to edit takes no more rows than it says."""

from pathlib import Path

import pandas as pd
import pytest
import streamlit as st

import dpviz
from dpviz.data.reading import MAX_EDIT_ROWS
from dpviz.web.widgets.show import show_table_editor


@pytest.mark.parametrize("more", [-1, 0, 1, 1_000])
def test_a_table_takes_as_many_rows_as_it_says(more: int, monkeypatch: pytest.MonkeyPatch) -> None:
    edited = pd.DataFrame({"item": range(MAX_EDIT_ROWS + more)})
    said, told, used = list[str](), list[str](), list[int]()
    monkeypatch.setattr(st, "data_editor", lambda frame, **_: edited)
    monkeypatch.setattr(st, "button", lambda *_, **__: True)
    monkeypatch.setattr(st, "caption", said.append)
    monkeypatch.setattr(st, "error", told.append)

    def use(table: pd.DataFrame) -> bool:
        used.append(len(table))
        return False

    show_table_editor(edited.head(3), "some_table", "Change it.", "Use it", use)
    assert said == [f"Change it. There can be up to {MAX_EDIT_ROWS:,} rows."]
    assert used == ([] if more > 0 else [len(edited)])
    assert bool(told) == (more > 0)
    assert all(f"{len(edited):,}" in each.replace("\\", "") for each in told)


@pytest.mark.parametrize(
    ("drawn", "where"),
    [("st.data_editor(", "show.py"), ("st.radio(", "controls.py")],
)
def test_nothing_else_draws_such_a_control(drawn: str, where: str) -> None:
    files = Path(dpviz.__file__).parent.rglob("*.py")
    assert [one.name for one in files if drawn in one.read_text("utf-8")] == [where]
