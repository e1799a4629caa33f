"""A mapped value equals the written one, and its arrays stay in the file."""

from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
import pytest

from dpviz.base.memory_map import read_memory_map, write_memory_map


@pytest.mark.parametrize(
    "value",
    [
        "short",
        np.arange(1000.0),
        {"a": np.arange(7, dtype=np.int8), "b": (np.zeros(0), np.arange(5)[::2])},
        pd.DataFrame(
            {"n": range(300), "name": pd.Series([f"é{n}" for n in range(300)], dtype="str")}
        ),
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
