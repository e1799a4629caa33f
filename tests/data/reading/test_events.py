"""Event logs: distinct people per item."""

from collections import Counter

import numpy as np
import pandas as pd
import pytest
from hypothesis import given
from hypothesis import strategies as st

from dpviz.base.errors import ParameterError
from dpviz.data.reading import coded_cells, count_log, count_people, read_frame, read_table
from tests.data.reading.helpers import parquet, refusal


class TestEventLog:
    def test_counts_distinct_people_against_sets(self):
        rng = np.random.default_rng(5)
        who, what = rng.integers(0, 30, 500), rng.integers(0, 12, 500)
        frame = pd.DataFrame({"who": who.astype(str), "what": [f"item {i}" for i in what]})
        scores = count_people(
            read_table("log.csv", frame.to_csv(index=False).encode()), "who", "what"
        )
        people = {}
        for person, item in zip(frame["who"], frame["what"], strict=True):
            people.setdefault(item, set()).add(person)
        assert dict(zip(scores.labels, scores.values, strict=True)) == {
            i: len(p) for i, p in people.items()
        }
        assert scores.labels == tuple(people)  # in order of first occurrence
        assert (scores.sensitivity, scores.monotonic) == (1.0, True)

    @given(
        st.lists(
            st.tuples(st.sampled_from("pqrs"), st.sampled_from("abcde")), min_size=1, max_size=40
        )
    )
    def test_without_one_person_no_score_moves_by_more_than_one(self, rows):
        rows = [*rows, ("other", "a"), ("other", "b")]
        for gone in "pqrs":
            assert changes(people_per_item, rows, gone) <= {0, 1}

    def test_the_check_above_catches_a_count_of_rows(self):
        rows = [("p", "a"), ("p", "a"), ("other", "a"), ("other", "b")]
        assert changes(rows_per_item, rows, "p") == {0, 2}

    def test_one_person_is_not_two_by_spelling(self):
        log = read_frame(
            pd.DataFrame(
                {"who": ["ann", " ann", "ann ", "e\u0301", "\u00e9", "Ann"], "what": list("ttttty")}
            )
        )
        assert count_people(log, "who", "what").values.tolist() == [2, 1]

    def test_numbers_as_people_and_items(self):
        log = read_table("log.parquet", parquet({"who": [1, 1, 2], "what": [10.0, 10.0, 11.5]}))
        scores = count_people(log, "who", "what")
        assert dict(zip(scores.labels, scores.values, strict=True)) == {"10": 1, "11.5": 1}

    @pytest.mark.parametrize(
        ("column", "row"), [("who", "ann,tea\n,tea\n"), ("what", "ann,tea\nbo, \n")]
    )
    def test_missing_is_refused_with_its_row(self, column, row):
        log = read_table("log.csv", ("who,what\n" + row).encode())
        role = {"who": "person", "what": "item"}[column]
        assert (
            refusal(count_people, log, "who", "what")
            == f"Row 3: the {role} in column '{column}' is missing."
        )

    def test_refuses(self):
        log = read_table("log.csv", ("who,what\nann,tea\nbo," + "x" * 201 + "\n").encode())
        assert refusal(count_people, log, "who", "what").startswith(
            "Row 3: the label in column 'what' has 201"
        )
        log = read_table("log.csv", b"who,what\nann,tea\nbo,tea\n")
        assert refusal(count_people, log, "who", "what") == (
            "Column 'what' has only one item; a selection needs at least 2."
        )
        with pytest.raises(ParameterError, match="item must be another column than the person's"):
            count_people(log, "who", "who")
        with pytest.raises(ParameterError, match="person must be one of the columns 'who', 'what'"):
            count_people(log, "me", "what")


def people_per_item(rows):
    log = read_frame(pd.DataFrame(rows, columns=["who", "what"]))
    scores = count_people(log, "who", "what")
    return dict(zip(scores.labels, scores.values, strict=True))


def rows_per_item(rows):
    """A broken twin: one person may count many times."""
    return Counter(item for _, item in rows)


def changes(count, rows, gone):
    """How much each item's score falls when one person's rows are taken out."""
    whole, rest = count(rows), count([row for row in rows if row[0] != gone])
    return {whole[item] - rest.get(item, 0) for item in whole}


@pytest.mark.parametrize("most", [None, 2])
@pytest.mark.parametrize("listed", [None, ["b", "nobody's", "a"]])
@pytest.mark.parametrize(
    "spell",
    [
        lambda who, row: str(who),
        lambda who, row: float(who) if who or row % 2 else -0.0,
        lambda who, row: f" é{who}" if row % 2 else f"e\u0301{who}",
    ],
)
def test_a_log_looked_at_in_stretches_comes_to_what_it_is_at_once(monkeypatch, spell, listed, most):
    """Parts hold all rows of each person, whatever they are spelled; two numbers that are equal are
    one.
    """
    rng = np.random.default_rng(3)
    who, what = rng.integers(0, 40, 400), rng.choice(list("abcdefgh"), 400)
    log = read_frame(
        pd.DataFrame({"who": [spell(n, row) for row, n in enumerate(who.tolist())], "what": what})
    )
    at_once = count_log(log, "who", "what", items=listed, most=most)
    monkeypatch.setattr(coded_cells, "STRETCH", 23)
    assert len(set(coded_cells.partition_people(log, "who").tolist())) > 9
    assert count_log(log, "who", "what", items=listed, most=most) == at_once
    assert at_once.kept.largest == (8 if listed is None else 2)


def test_where_each_row_is_another_person_rows_are_counted(monkeypatch):
    monkeypatch.setattr(coded_cells, "STRETCH", 3)
    log = read_frame(pd.DataFrame({"what": list("abacabb")}))
    counted = count_log(log, None, "what", most=1)
    assert (counted.scores.labels, counted.scores.values.tolist()) == (
        ("a", "b", "c"),
        [3.0, 3.0, 1.0],
    )
    assert (counted.kept.largest, counted.kept.cut_pairs, counted.kept.other_rows) == (1, 0, 0)
    listed = count_log(log, None, "what", items=["c", "d"])
    assert (listed.scores.values.tolist(), listed.kept.other_rows) == ([1.0, 0.0], 6)


@pytest.mark.parametrize("items", [[f"item {n}" for n in range(9)], [n / 8 for n in range(9)]])
def test_too_many_items_are_told_once_a_stretch_has_them(monkeypatch, items):
    monkeypatch.setattr(coded_cells, "STRETCH", 2)
    monkeypatch.setattr(coded_cells, "MAX_ITEMS", 3)
    log = read_frame(pd.DataFrame({"what": [*items, *items]}))
    assert (
        refusal(count_log, log, None, "what")
        == "There are at least 4 items; at most 3 are allowed."
    )


def test_a_missing_cell_of_a_later_stretch_is_named_by_its_row(monkeypatch):
    monkeypatch.setattr(coded_cells, "STRETCH", 2)
    log = read_table(
        "log.parquet",
        parquet({"who": [1.0, 2.0, 3.0, 4.0, None], "what": ["a", "b", "a", "", "b"]}),
    )
    assert refusal(count_log, log, "who", "what") == "Row 5: the person in column 'who' is missing."
    assert refusal(count_log, log, None, "what") == "Row 4: the item in column 'what' is missing."
