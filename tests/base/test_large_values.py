"""Large values: mapped from a file, spilled into one, packed, and shared with a worker process."""

import pickle
import weakref
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
import pytest
from hypothesis import given
from hypothesis import strategies as st

from dpviz import Scores
from dpviz.base.file_values import SpilledValue, read_memory_map, write_memory_map
from dpviz.base.limited_process import Limits
from dpviz.base.packed_strings import FEW, PackedStrings, pack_if_many
from dpviz.base.progress import ignore_progress
from dpviz.base.step_process import StepProcess
from tests.base.works import About


@pytest.mark.parametrize(
    "value",
    [
        "short",
        np.arange(1000.0),
        {"a": np.arange(7, dtype=np.int8), "b": (np.zeros(0), np.arange(5)[::2])},
        pd.DataFrame({"n": range(3), "name": pd.Series(["é", "ab", ""], dtype="str")}),
    ],
    ids=["text", "array", "several", "frame"],
)
def test_a_mapped_value_equals_the_written_one(tmp_path: Path, value: Any) -> None:
    with (tmp_path / "laid").open("w+b") as file:
        write_memory_map(value, file)
        there = read_memory_map(file)
    if isinstance(value, pd.DataFrame):
        pd.testing.assert_frame_equal(there, value)
        there.iloc[0, 0] = 5  # not read-only, as some code takes nothing else
    else:
        np.testing.assert_equal(there, value)


def test_a_spilled_value_loads_unchanged_here_and_from_a_pickle() -> None:
    held = SpilledValue([1, "two"])
    again = pickle.loads(pickle.dumps(held))
    assert again.load() == held.load() == held.load() == [1, "two"]
    assert again.load() is not again.load(), "nothing of it is kept"


def test_the_file_is_closed_with_the_value() -> None:
    held = SpilledValue(b"x")
    file, there = held._file, weakref.ref(held)
    del held
    assert there() is None
    assert file.closed


ANY = st.lists(st.text(st.characters(), max_size=8), max_size=8).map(
    tuple
)  # lone surrogates among them


@given(ANY, ANY)
def test_packed_strings_equal_a_tuple_of_the_same(
    texts: tuple[str, ...], others: tuple[str, ...]
) -> None:
    held = PackedStrings(texts)
    assert (tuple(held), tuple(held[i] for i in range(len(held))), held[::-2]) == (
        texts,
        texts,
        texts[::-2],
    )
    assert held == texts == pickle.loads(pickle.dumps(held))
    assert (held == others, held == PackedStrings(others)) == (texts == others,) * 2
    assert hash(held) == hash(texts)
    with pytest.raises(IndexError):
        held[len(texts)]


def test_scores_with_packed_names_equal_scores_with_a_tuple() -> None:
    names = [f"name {i}" for i in range(FEW + 1)]
    held = Scores(range(len(names)), labels=pack_if_many(names))
    assert isinstance(held.labels, PackedStrings)
    assert held == Scores(range(len(names)), labels=names)
    assert held.names == tuple(names)
    assert held["name 7"] == 7.0
    assert pack_if_many(names[1:]) == names[1:], "few stay as they are"


MINE = Scores(range(20_000), labels=PackedStrings(f"name {i}" for i in range(20_000)))
WORLDS = (MINE, Scores(range(1, 20_001), labels=MINE.labels))


def test_a_worker_process_returns_the_scores_it_was_given() -> None:
    apart = StepProcess(About(WORLDS), Limits(500_000_000, 60.0))
    assert apart.compute_step("second", ignore_progress, {}) is WORLDS[1]
    assert apart.compute_step("first", ignore_progress, {}) is MINE
    apart.end_process()
