"""What the shell puts on the screen: texts stay texts in cards, tables, titles, folds and badges."""

from collections.abc import Callable
from importlib import import_module

import numpy as np
import pandas as pd
import pytest

from dpviz.base.html import markup
from dpviz.web.widgets import controls, elements, show
from dpviz.web.widgets.live_parts import show_chart_placeholder, show_placeholder
from dpviz.web.widgets.show import (
    Cell,
    badge,
    card,
    cards,
    heading,
    show_table,
)
from tests.hostile import HOSTILE, read, times_told

SHOWN: dict[str, tuple[Callable[[], None], int]] = {
    "heading": (lambda: heading(HOSTILE), 1),
    "side heading": (lambda: controls.show_side_heading(HOSTILE), 1),
    "paragraph": (lambda: elements.show_paragraph(HOSTILE, "says"), 1),
    "bullets": (lambda: elements.show_bullets([HOSTILE, HOSTILE]), 2),
    "head": (lambda: show.show_page_head(HOSTILE, HOSTILE, HOSTILE, HOSTILE), 4),
    "cards": (lambda: cards([card(HOSTILE, HOSTILE, HOSTILE, HOSTILE)], HOSTILE), 5),
    "badge": (lambda: elements.html(badge("at least", HOSTILE)), 1),
    "bidi": (lambda: elements.html(elements.isolate_bidi(HOSTILE)), 1),
    "waiting": (lambda: show_placeholder(HOSTILE), 1),
    "computing": (lambda: show_chart_placeholder(HOSTILE), 1),
    "table": (
        lambda: show_table(
            HOSTILE, ["", (HOSTILE, HOSTILE)], [[HOSTILE, Cell(HOSTILE, HOSTILE)]], HOSTILE
        ),
        8,
    ),
}


@pytest.fixture
def screen(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    bodies: list[str] = []
    monkeypatch.setattr("streamlit.html", bodies.append)
    return bodies


@pytest.mark.parametrize("name", SHOWN)
def test_a_hostile_text_stays_text(name: str, screen: list[str]) -> None:
    put, times = SHOWN[name]
    put()
    (body,) = screen
    assert times_told(body) == times
    assert type(body) is str


def test_markup_is_shown_as_it_is(screen: list[str]) -> None:
    show_table(
        "t",
        [markup("<b>{}</b>", "a"), ("b", "c")],
        [[markup("<i>{}</i>", "<"), Cell("e", heads=True)]],
        "k",
    )
    tags, words = read(screen[0])
    assert words.split() == ["abc", "<e"]
    assert [tag for tag, _ in tags if tag in {"b", "i"}] == ["b", "i"]


def test_cells_but_the_first_repeat_the_title_of_their_column(screen: list[str]) -> None:
    show_table("t", ["who", ("how much", "in all"), ""], [[Cell("a", "dp-who"), 1, "x"]] * 2, "k")
    cells = [held for tag, held in read(screen[0])[0] if tag == "td"]
    assert cells == [{"class": "dp-who"}, {"data-head": "how much"}, {"data-head": ""}] * 2


def test_a_table_whose_rows_lack_a_column_does_not_shift_heads(screen: list[str]) -> None:
    show_table("t", ["a", "b"], [["x"]], "k")
    assert [held for tag, held in read(screen[0])[0] if tag == "td"] == [{}]


@pytest.mark.parametrize(
    ("rows", "told"), [(20, []), (21, ["The first 20 of 21 rows. The file has all rows."])]
)
def test_of_a_table_that_would_weigh_on_the_page_the_first_rows_are_shown(
    rows: int, told: list[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    show = import_module("dpviz.web.widgets.show")  # whose name is also that of a function
    shown: list[int] = []
    said: list[str] = []
    monkeypatch.setattr(show, "_SHOWN", 60)
    monkeypatch.setattr(show.st, "dataframe", lambda table, **_: shown.append(len(table)))
    monkeypatch.setattr(show, "show_paragraph", lambda text, kind: said.append(text))
    show._show_table(pd.DataFrame(np.zeros((rows, 3))))
    assert shown == [20]
    assert said == told
