"""Items known beforehand, and at most so many of each person: alike in every engine."""

import hashlib
from collections.abc import Iterable
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from dpviz import ParameterError, Scores
from dpviz.data.counting import (
    Counts,
    count_files,
    count_in_engine,
    count_people_in_log,
    scores_from_log,
)
from dpviz.data.reading import IngestError, distinct_list_items, read_pasted_text, read_table
from dpviz.privacy.neighbours import neighbouring
from tests.data.counting.test_counting import (
    Rows,
    alike,
    events,
    found,
    quiet,
    write_csv,
    write_duckdb,
)

pytest.importorskip("ibis")
pytestmark = [*quiet, pytest.mark.usefixtures("one_duckdb")]

ENGINES = ("files", "database")
LISTED = ["tea", " rye", "Tea", "tea", "", "never asked for"]


def counted(
    engine: str, path: Path, rows: Rows, *, items: Iterable[str] | None = None, most: int | None
) -> Counts:
    if engine == "database":
        url = write_duckdb(path / "log.db", rows)
        return count_in_engine(
            url, "log", "who", "what", missing="skip", items=items, contributions=most
        )
    file = write_csv(path / "log.csv", rows)
    return count_files([str(file)], "who", "what", missing="skip", items=items, contributions=most)


def expected(
    rows: Rows, items: Iterable[str] | None, most: int | None
) -> tuple[dict[str, int], int, int]:
    """(scores, pairs left out, rows left out) by sets: of each person the smallest MD5 are kept."""
    cleaned = [(alike(who), alike(what)) for who, what in rows]
    listed = None if items is None else set(map(alike, items)) - {""}
    whole = [row for row in cleaned if all(row) and (listed is None or row[1] in listed)]
    scores = dict.fromkeys(listed or (), 0)
    dropped = set()
    for who in {who for who, _ in whole}:
        own = {what for other, what in whole if other == who}
        by_hash = sorted(own, key=lambda what: hashlib.md5(f"{who}\n{what}".encode()).hexdigest())
        for what in by_hash[:most]:
            scores[what] = scores.get(what, 0) + 1
        dropped |= {(who, what) for what in by_hash[len(by_hash) if most is None else most :]}
    return scores, len(dropped), sum(row in dropped for row in whole)


@pytest.mark.parametrize("most", [None, 1, 3, 100])
@pytest.mark.parametrize("items", [None, LISTED])
@pytest.mark.parametrize("engine", ENGINES)
def test_every_engine_keeps_what_plain_sets_keep(
    engine: str, items: list[str] | None, most: int | None, tmp_path: Path
) -> None:
    rows = events(missing=0.1)
    counts = counted(engine, tmp_path, rows, items=items, most=most)
    scores, pairs, cut = expected(rows, items, most)
    assert found(counts) == {item: score for item, score in scores.items() if score or items}
    assert (counts.kept.cut_pairs, counts.kept.cut_rows) == (pairs, cut)
    assert counts.kept.items_known == counts.scores.names_known == (items is not None)
    assert counts.scores.contributions == counts.kept.contributions == most
    whole = [(alike(who), alike(what)) for who, what in rows if who and what.strip()]
    listed = [(who, what) for who, what in whole if items is None or what in ("tea", "rye", "Tea")]
    assert counts.kept.other_rows == len(whole) - len(listed)
    assert counts.rows == len(rows)
    assert counts.left_out == len(rows) - len(whole)


@given(
    rows=st.lists(
        st.tuples(st.sampled_from("abc"), st.sampled_from("uvwxyz")), min_size=1, max_size=40
    ),
    most=st.integers(1, 6),
    seed=st.integers(0, 99),
)
def test_removing_a_person_gives_a_neighbour_in_any_order(rows: Rows, most: int, seed: int) -> None:
    def scores(kept: Rows) -> Scores:
        text = "who,what\n" + "".join(f"{who},{what}\n" for who, what in [*kept, ("d", "u")])
        table = read_table("log.csv", text.encode())
        return count_people_in_log(
            table, "who", "what", items=list("uvwxyz"), contributions=most
        ).scores

    shuffled = [rows[i] for i in np.random.default_rng(seed).permutation(len(rows))]
    whole = scores(rows)
    assert scores(shuffled) == whole
    assert whole.contributions == most
    without = [row for row in rows if row[0] != rows[0][0]]
    assert neighbouring(whole, scores(without))


def test_a_name_that_one_person_adds_is_seen_unless_the_items_are_known() -> None:
    text = "p,i\nann,tea\nbo,rye\n"
    log, more = read_pasted_text(text), read_pasted_text(f"{text}cy,my secret\n")
    assert scores_from_log(more, "p", "i").d == scores_from_log(log, "p", "i").d + 1
    assert not scores_from_log(more, "p", "i").names_known
    assert count_people_in_log(more, "p", "i", items=["tea", "rye"]).scores.names_known
    listed = ["tea", "rye", "gin"]
    one, other = (count_people_in_log(each, "p", "i", items=listed).scores for each in (log, more))
    assert one == other


@pytest.mark.parametrize("engine", ENGINES)
def test_what_was_left_out_is_said(engine: str, tmp_path: Path) -> None:
    rows = [("ann", item) for item in ("tea", "tea", "rye", "gin")] + [("bo", "tea")]
    free = counted(engine, tmp_path, rows, most=None)
    names, hint = (note for note in free.notes if "characters" not in note)
    assert "one person can add one. Special mechanisms with a δ cover that" in names
    assert "3" not in hint
    assert "Set a limit from your rules" in hint
    (tmp_path / "log.db").unlink(missing_ok=True)
    bound = counted(engine, tmp_path, rows, items=["tea", "rye", "ale"], most=1)
    others, cut = (note for note in bound.notes if "characters" not in note)
    assert others == "Left out, as their items are not in the catalogue: 1 row."
    rows_left = "1 row" if bound.kept.cut_rows == 1 else "2 rows"
    assert cut.startswith("Counted: at most 1 item per person. Left out: 1 further item")
    assert cut.endswith(f"in {rows_left}.")


@pytest.mark.parametrize(
    ("items", "sentence"),
    [
        (["tea", " tea"], "The list has 1 items; a selection needs at least 2"),
        (["tea", "x" * 201], "An item on the list has 201 characters; at most 200 are allowed"),
        ("abcd", "The list has 4 items; at most 3 are allowed"),
    ],
)
def test_lists_that_cannot_be_used(
    items: Iterable[str], sentence: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("dpviz.data.reading.kept_items.MAX_ITEMS", 3)
    with pytest.raises(IngestError, match=sentence):
        distinct_list_items(items)


@pytest.mark.parametrize("engine", ENGINES)
def test_the_longest_list(engine: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    for module in ("counting.counts", "counting.count_expression", "reading.kept_items"):
        monkeypatch.setattr(f"dpviz.data.{module}.MAX_ITEMS", 3)
    rows = [("ann", item) for item in "abcxyz"] + [("", "a"), ("bo", ""), ("", "z")]
    counts = counted(engine, tmp_path, rows, items=list("abc"), most=None)
    assert found(counts) == {"a": 1, "b": 1, "c": 1}
    assert (counts.kept.other_rows, counts.left_out) == (3, 3)


@pytest.mark.parametrize("engine", ENGINES)
@pytest.mark.parametrize("most", [None, 1])
def test_a_list_of_which_nothing_occurs_is_refused(
    engine: str, most: int | None, tmp_path: Path
) -> None:
    rows = [("ann", "tea"), ("bo", "rye"), ("", "tea")]
    with pytest.raises(IngestError, match=r"No item of the list occurs in .*--items"):
        counted(engine, tmp_path, rows, items=["x", "y"], most=most)


@pytest.mark.parametrize("engine", ENGINES)
@pytest.mark.parametrize("most", [0, 1.5, True])
def test_most_is_a_whole_number(engine: str, most: Any, tmp_path: Path) -> None:
    with pytest.raises(ParameterError, match="contributions must be a whole number of at least 1"):
        counted(engine, tmp_path, events(9), most=most)
