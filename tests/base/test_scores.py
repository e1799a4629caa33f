"""Scores: what is normalised, ranked and refused."""

import math
import pickle
import re
from collections import Counter
from dataclasses import replace
from typing import Any

import numpy as np
import pandas as pd
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from dpviz import ParameterError, Scores
from dpviz.base import NAMES_UNKNOWN
from dpviz.data.reading import IngestError, read_table
from dpviz.data.score_sources import scores_from


def test_counts_are_divided_by_half_the_sensitivity() -> None:
    s = Scores([9, 14, 14, 2], labels=["a", "b", "c", "d"], sensitivity=1.0, monotonic=True)
    assert s.ranked.tolist() == [28.0, 28.0, 18.0, 4.0]
    assert s.rank.tolist() == [2, 0, 1, 3]
    assert Scores([9, 14], sensitivity=2.0).ranked.tolist() == [7.0, 4.5]


@given(st.lists(st.integers(-5, 5), min_size=2, max_size=30))
def test_order_is_descending_and_stable(values: list[int]) -> None:
    s = Scores(values)
    pairs = list(zip((-s.values[s.order]).tolist(), s.order.tolist(), strict=True))
    assert pairs == sorted(pairs)
    assert s.order[s.rank].tolist() == list(range(s.d))


def test_digest_follows_the_content_and_nothing_else() -> None:
    base = Scores([1.0, 2.0], labels=["a", "bc"])
    assert base == Scores(np.array([1, 2]), labels=("a", "bc")) == pickle.loads(pickle.dumps(base))
    assert Scores([0.0, 1.0]) == Scores([-0.0, 1.0])
    changes: list[dict[str, Any]] = [
        *({"values": [1.0, 2.5]}, {"labels": ["ab", "c"]}, {"labels": None}),
        *({"sensitivity": 2.0}, {"monotonic": True}, {"contributions": 1}, {"contributions": 2}),
        *({"names_known": False}, {"contributions": 2, "names_known": False}),
        *({"sensitivity": [1, 2]}, {"sensitivity": (1, 2)}, {"sensitivity": [2, 1]}),
    ]
    others = [replace(base, **change) for change in changes]
    assert len({base.digest, *(s.digest for s in others)}) == len({base, *others}) == 13


def test_the_digest_at_the_defaults_never_changes() -> None:
    """Sweeps that were stored before go on from their files."""
    plain = Scores([9, 14, 14, 2], labels=["a", "b", "c", "d"], sensitivity=1.5, monotonic=True)
    assert plain.digest == "da73fb025e2b7ab3a4372caf4a0747d9a6a289223e74b4ee0f7f8b57d88cb7a6"
    few = Scores([9, 14, 14, 2], contributions=3, names_known=True)
    assert few.digest == "4b76444a9251c4b5b80d263504dc0f8da86161d23702b0be4c91384b145a9fef"


@pytest.mark.parametrize(
    ("told", "sentence"),
    [
        ({}, "One person replaced by another changes each score by at most 1, up or down."),
        ({"sensitivity": 2.5, "contributions": 3}, "counts in at most 3 items."),
        ({"monotonic": True}, "added or removed changes each score by at most 1, all in the same"),
        ({"contributions": 1, "names_known": False}, NAMES_UNKNOWN),
    ],
)
def test_what_one_person_can_change_in_a_sentence(told: dict[str, Any], sentence: str) -> None:
    assert sentence in Scores([3, 1], **told).change


@pytest.mark.parametrize(
    ("values", "counts"),
    [([0, 3, 1e15], True), ([0.5, 3], False), ([-1, 3], False), ([-0.0, 1], True)],
)
def test_whole_numbers_from_0_up_may_be_counts(values: list[float], counts: bool) -> None:
    assert Scores(values).may_be_counts is counts


def test_values_are_a_copy() -> None:
    given_values = np.array([1.0, 2.0])
    s = Scores(given_values)
    given_values[0] = 99.0
    assert s.values[0] == 1.0


def test_labels_are_data() -> None:
    odd = ["=HYPERLINK(1)", "<b>x</b>", "שלום", "🍎", "x" * 200]
    s = Scores(range(5), labels=odd)
    assert [s.label(i) for i in range(5)] == odd
    assert len(s.digest) == 64
    assert Scores([1, 2]).label(1) == "item 2"


LETTERS = st.sampled_from("\ud800\udc00\udfffaé🍎=\n ")  # halves of some too


@settings(deadline=None)
@given(st.lists(st.text(LETTERS, max_size=4), min_size=2, max_size=4, unique=True))
def test_any_labels_can_be_written_and_read_back(labels: list[str]) -> None:
    """Half a character, as a broken name of a file may hold, is read as in files: U+FFFD."""
    for s in (Scores(range(len(labels)), labels=labels), Scores(dict.fromkeys(labels, 1.0))):
        assert [s.label(i) for i in range(s.d)] == [
            re.sub("[\ud800-\udfff]", "\ufffd", label) for label in labels
        ]
        assert s.to_json().encode()
        assert (
            Scores.from_frame(s.frame(), score="score", label="item", duplicates="keep").labels
            == s.labels
        )


def test_a_mapping_and_a_series_bring_their_labels() -> None:
    counts = {"ash": 3, "oak": 5.5, "elm": 1}
    series = pd.Series(counts)
    for given_values in (counts, Counter(counts), series, series.astype("Float64")):  # type: ignore[arg-type]
        assert Scores(given_values) == Scores([3, 5.5, 1], labels=["ash", "oak", "elm"])
        assert Scores(given_values, labels=["a", "b", "c"]).labels == ("a", "b", "c")


NO_NUMBER = r"must be a finite number, not"
ABOVE_0, AT_LEAST_1 = "must be a number above 0, not", "must be a whole number of at least 1, not"


@pytest.mark.parametrize(
    ("values", "message"),
    [
        ([1.0, math.nan], rf"values\[1\] {NO_NUMBER} nan"),
        (np.array([1.0, -np.inf]), rf"values\[1\] {NO_NUMBER} -inf"),
        (["1", "x"], rf"values\[0\] {NO_NUMBER} '1'"),
        ([1, True], rf"values\[1\] {NO_NUMBER} True"),
        (np.array([True, False]), rf"values\[0\] {NO_NUMBER}"),
        ([1, None], rf"values\[1\] {NO_NUMBER} None"),
        ([1, 2j], rf"values\[1\] {NO_NUMBER}"),
        ([1, 10**400], rf"values\[1\] {NO_NUMBER}"),
        ({"a": 1, "b": "x"}, rf"values\[1\] {NO_NUMBER} 'x'"),
        (pd.Series([1, None], index=["a", "b"]), rf"values\[1\] {NO_NUMBER} nan"),
        (pd.Series([1, None], dtype="Int64"), rf"values\[1\] {NO_NUMBER}"),
        (pd.Series(["1", "2"]), rf"values\[0\] {NO_NUMBER} '1'"),
        ({"a": 1}, "the number of items must be at least 2, not 1"),
        ([], "the number of items must be at least 2, not 0"),
        ([[1, 2], [3, 4]], r"the shape of values must be \(d,\), one number an item, not \(2, 2\)"),
        ([[1, 2], [3]], "values must be a flat list"),
        ("12", "values must be a list of at least two finite numbers, not '12'"),
        (None, "values must be a list"),
    ],
)
def test_bad_values_get_one_sentence(values: Any, message: str) -> None:
    with pytest.raises(ParameterError, match=message):
        Scores(values)


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ({"values": [1e308, 0], "monotonic": True}, "values must be at most 1e.300 in size"),
        ({"sensitivity": 1e-310}, "values must be at most 1e.300 in size"),
        *(({"sensitivity": bad}, f"{ABOVE_0} {bad}") for bad in (0, -1, math.nan, True)),
        ({"monotonic": 1}, "monotonic must be True or False, not 1"),
        ({"names_known": 1}, "names_known must be True or False, not 1"),
        *(({"contributions": bad}, f"{AT_LEAST_1} {bad}") for bad in (0, 1.0, True)),
        ({"labels": ["a"]}, "the number of labels must be 2, one an item, not 1"),
        ({"labels": ["a", 3]}, r"labels\[1\] must be a text, not 3"),
        ({"labels": "ab"}, "labels must be a list of 2 texts, not 'ab'"),
        ({"labels": 7}, "labels must be a list of 2 texts, not 7"),
    ],
)
def test_bad_input_gets_one_sentence(arguments: dict[str, Any], message: str) -> None:
    with pytest.raises(ParameterError, match=message):
        Scores(**{"values": [1, 2], **arguments})


LAST = 2**53  # the last whole number before those that a float rounds


@pytest.mark.parametrize(
    "values",
    [
        [1, LAST + 1],
        [0.5, LAST + 1],
        (LAST + 1, 2),
        np.array([1, LAST + 1]),
        np.array([LAST + 1, 1], np.uint64),
        np.array([1.5, LAST + 1], object),
        pd.Series([LAST + 1, 1]),
        pd.Series([LAST + 1, 1], dtype="Int64"),
        [np.int64(LAST + 1), 0.5],
    ],
)
def test_a_whole_number_that_would_be_rounded_is_refused(values: Any) -> None:
    with pytest.raises(ParameterError, match=f"a whole number that a float holds.* not {LAST + 1}"):
        Scores(values)


def test_whole_numbers_that_floats_hold_are_kept_and_floats_are_what_they_are() -> None:
    assert Scores([LAST, -(2**60), 10**20]).values.tolist() == [float(LAST), -float(2**60), 1e20]
    assert Scores([float(LAST + 1), 1e300]).values.tolist() == [float(LAST), 1e300]


OWN = Scores({"ash": 9, "elm": 7}, sensitivity=[3.0, 0.5], monotonic=True)
PAIR = Scores({"ash": 9, "elm": 7}, sensitivity=(1.0, 2.0), monotonic=True)


def test_only_a_tuple_is_a_fall_and_a_rise() -> None:
    assert OWN.item_sensitivities.tolist() == [3.0, 0.5]
    assert (PAIR.sensitivity, PAIR.effective_sensitivity, PAIR.same_direction) == (2.0, 1.5, False)
    replaced = replace(PAIR, monotonic=False)
    assert (replaced.sensitivity, replaced.effective_sensitivity) == (3.0, 3.0)
    assert replace(replaced, monotonic=True) == PAIR, "what was said of adding stays"
    assert replace(OWN, sensitivity=2.0) == Scores(
        {"ash": 9, "elm": 7}, sensitivity=2.0, monotonic=True
    )
    for same in ((0.0, 2.0), (2.0, 0.0), [2.0, 2.0]):
        assert replace(PAIR, sensitivity=same) == replace(OWN, sensitivity=2.0)
    assert Scores([1, 2], sensitivity=(0, 3)).sensitivity == 3.0


@pytest.mark.parametrize("given", [(1, 2, 3), [1.0], (0, 0), [1, 0], (-1, 2), [1, "2"], "12"])
def test_other_sensitivities_are_refused_by_name(given: Any) -> None:
    with pytest.raises(ParameterError, match="sensitivity"):
        Scores([1.0, 2.0], sensitivity=given)


@pytest.mark.parametrize("scores", [OWN, PAIR], ids=["items", "pair"])
def test_parts_of_the_sensitivity_go_along_with_tables_and_files(scores: Scores) -> None:
    assert Scores.from_frame(scores.frame(), score="score", label="item") == scores
    assert scores_from(read_table("trees.json", scores.to_json().encode())) == scores
    assert pickle.loads(pickle.dumps(scores)) == scores
    text = {OWN: "at most its own limit, from 0.5 to 3", PAIR: "Adding one person changes each"}
    assert text[scores] in scores.change


def test_a_column_headed_sensitivity_is_each_items_own_and_no_score() -> None:
    def read(text: str) -> Scores:
        return scores_from(read_table("trees.csv", text.encode()), monotonic=True)

    assert read("item,score,Sensitivity\nash,9,3\nelm,7,0.5\n") == OWN
    assert read("item,sensitivity,score\nash,3,9\nelm,0.5,7\n") == OWN
    assert read("item,score,sensitive\nash,9,3\nelm,7,0.5\n").sensitivities is None
    for bad, why in (("x", "the sensitivity 'x' in column"), ("0", "is not above 0")):
        with pytest.raises(IngestError, match=f"Row 3: .*{why}"):
            read(f"item,score,sensitivity\nash,9,3\nelm,7,{bad}\n")
