"""Event logs that are tables: distinct people per item, as sets in plain Python count them."""

from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from dpviz import ParameterError
from dpviz.data.counting import (
    MissingCells,
    count,
    count_files,
    count_people_in_log,
    event_log,
    scores_from_log,
)
from dpviz.data.reading import Table, read_frame, read_table
from tests.data.counting.test_counting import alike
from tests.data.counting.test_kept import expected
from tests.data.reading.helpers import parquet, refusal

pytestmark = pytest.mark.usefixtures("one_duckdb")
Cells = list[tuple[Any, Any]]

BLANKS = [*filter(str.isspace, map(chr, range(0x110000)))]
PIECES = [
    *("a", "A", "e\u0301", "\u00e9", "\u0301", "\u1112\u1161", "\ud55c", "\u212b", "\u0130"),
    *("\ufb01", "\u200d", "\u200b", "\ufeff", "\u180e", "\0", "%", "'", '"', "\\", "=1"),
]
TEXTS = st.lists(st.sampled_from([*PIECES, *BLANKS]), max_size=4).map("".join)


def table(rows: Cells) -> Any:
    frame = pd.DataFrame([*rows, ("z", "z")], columns=["who", "what"], dtype=object)
    return Table("the log", frame, range(1, len(frame) + 1))


@settings(max_examples=60, deadline=None)
@given(
    rows=st.lists(st.tuples(TEXTS, TEXTS), max_size=12),
    most=st.sampled_from([None, 1, 2]),
    items=st.sampled_from([None, ["a", "\u00e9 ", "z", "e\u0301", ""]]),
)
@example(rows=[(blank + "a" + blank, "z") for blank in BLANKS], most=None, items=None)
@example(rows=[("a", "a\0\ta")], most=None, items=None)
@example(rows=[("a", blank + "b" + blank) for blank in BLANKS], most=1, items=None)
def test_texts_are_alike_as_by_sets(rows: Cells, most: int | None, items: list[str] | None) -> None:
    rows = [*rows, ("a", "y"), ("z", "z")]
    counts = count_people_in_log(
        table(rows), "who", "what", missing="skip", items=items, contributions=most
    )
    found = dict(zip(counts.scores.labels, counts.scores.values.tolist(), strict=True))
    assert found == expected(rows, items, most)[0]
    assert counts.left_out == sum(not (alike(who) and alike(what)) for who, what in rows)


def test_items_come_as_they_first_occur_or_as_they_are_listed() -> None:
    log = table([("ann", "tea"), ("bo", "rye"), ("cy", "rye"), ("cy", "ale")])
    assert scores_from_log(log, "who", "what").labels == ("tea", "rye", "ale", "z")
    counts = count_people_in_log(log, "who", "what", items=["gin", "rye", "tea"])
    assert counts.scores.labels == ("gin", "rye", "tea")
    assert counts.scores.values.tolist() == [0, 2, 1]
    assert (counts.scores.sensitivity, counts.scores.monotonic) == (1.0, True)


@pytest.mark.parametrize(
    ("cells", "labels"),
    [
        ([1, 1, 2], ("1", "2")),
        ([10.0, 10.0, 11.5], ("10", "11.5")),
        ([-0.0, 0.0, 1.0], ("0", "1")),
        ([True, True, False], ("True", "False")),
        (pd.to_datetime(["2024-01-02", "2024-01-02", "2024-01-03"]), ("2024-01-02", "2024-01-03")),
        (["7", 7, 8], ("7", "8")),
    ],
    ids=["int", "float", "zero", "bool", "date", "mixed"],
)
def test_numbers_and_moments_are_people_and_items(cells: Any, labels: tuple[str, str]) -> None:
    frame = pd.DataFrame({"who": cells, "what": cells})
    counts = count_people_in_log(read_frame(frame), "who", "what")
    assert (counts.scores.labels, counts.scores.values.tolist()) == (labels, [1.0, 1.0])
    if not isinstance(cells[0], str):
        log = read_table("log.parquet", parquet({"who": cells, "what": cells}))
        assert scores_from_log(log, "who", "what").labels == labels


@pytest.mark.parametrize("most", [None, 2])
@pytest.mark.parametrize("items", [None, ["b", "nobody's", "a"]])
def test_a_log_in_stretches_is_what_it_is_at_once(
    items: list[str] | None, most: int | None, monkeypatch: pytest.MonkeyPatch
) -> None:
    rng = np.random.default_rng(3)
    rows = [(f"é{rng.integers(40)}", rng.choice(list("abcdefgh"))) for _ in range(400)]
    at_once = count_people_in_log(table(rows), "who", "what", items=items, contributions=most)
    monkeypatch.setattr(event_log, "_STRETCH", 23)
    again = count_people_in_log(table(rows), "who", "what", items=items, contributions=most)
    assert (again.scores, again.kept, again.rows) == (at_once.scores, at_once.kept, 401)


def test_where_each_row_is_another_person_rows_are_counted() -> None:
    log = read_frame(pd.DataFrame({"what": list("abacabb")}))
    counts = count_people_in_log(log, None, "what", contributions=1)
    assert (counts.scores.labels, counts.scores.values.tolist()) == (("a", "b", "c"), [3, 3, 1])
    assert (counts.kept.cut_pairs, counts.kept.other_rows) == (0, 0)
    listed = count_people_in_log(log, None, "what", items=["c", "d"])
    assert (listed.scores.values.tolist(), listed.kept.other_rows) == ([1.0, 0.0], 6)


def test_missing_cells_are_one_question() -> None:
    log = read_table("log.csv", b"who,what,x\nann,tea,1\n,tea,1\nbo, ,1\n,,1\ncy,rye,1\n")
    with pytest.raises(MissingCells, match="2 of 5 rows have no person, and 2 no item") as asked:
        count_people_in_log(log, "who", "what")
    assert (asked.value.rows, asked.value.people, asked.value.items) == (5, 2, 2)
    counts = count_people_in_log(log, "who", "what", missing="skip")
    assert (counts.scores.values.tolist(), counts.left_out) == ([1.0, 1.0], 3)
    assert "3 of 5 rows are left out" in counts.notes[0]
    with pytest.raises(MissingCells, match=r"^2 of 5 rows have no item. Leave them out"):
        count_people_in_log(log, None, "what")
    with pytest.raises(ParameterError, match="missing must be one of refuse, skip"):
        count_people_in_log(log, "who", "what", missing="guess")


def test_refuses() -> None:
    log = read_table("log.csv", b"who,what\nann,tea\nbo,tea\n")
    told = refusal(scores_from_log, log, "who", "what")
    assert told == "Column 'what' has only one item; a selection needs at least 2."
    with pytest.raises(ParameterError, match="item must be another column than the person's"):
        scores_from_log(log, "who", "who")
    with pytest.raises(ParameterError, match="person must be one of the columns 'who', 'what'"):
        scores_from_log(log, "me", "what")


def test_old_paths_answer_and_warn() -> None:
    with pytest.warns(
        DeprecationWarning, match=r"is called dpviz\.data\.counting\.count_people_in_log now"
    ):
        from dpviz.data.reading import count_log as old
    assert old is count_people_in_log


def test_numbers_of_people_may_need_all_of_64_bits() -> None:
    largest = 2**64 - 1
    frame = pd.DataFrame(
        {"who": np.array([largest, largest - 1, largest], np.uint64), "what": ["tea", "tea", "rye"]}
    )
    assert count(frame, person="who", item="what").scores.values.tolist() == [2.0, 1.0]


@pytest.mark.parametrize("items", [None, ["d", "c", "b", "a"]])
def test_items_of_one_score_stand_in_the_order_of_their_names(
    items: list[str] | None, tmp_path: Path
) -> None:
    path = tmp_path / "log.csv"
    path.write_text("who,what\nann,b\nann,a\nbo,c\nann,c\n", encoding="utf-8")
    table = count_files([str(path)], "who", "what", items=items).table
    assert table["item"].tolist() == ["c", "a", "b", *([] if items is None else ["d"])]


def test_items_may_be_numbers_too_large_for_whole_ones() -> None:
    frame = pd.DataFrame({"who": ["ann", "bo", "ann"], "what": [1e300, 1e300, 2.0]})
    counts = count(frame, person="who", item="what")
    assert counts.table.to_dict("list") == {"item": ["1e+300", "2"], "score": [2, 1]}
