"""The table of memory in the docs says what the code allows."""

import re

import pytest

from dpviz.base.resource_budgets import choose_budgets
from dpviz.data.reading.input_rules import MAX_MEMORY
from dpviz.data.reading.limited_reading import ENGINE
from tests.site import SOURCES

ROWS = dict(
    re.findall(
        r"^\| ([^|]+?) \| (.+) \|$", (SOURCES / "serving.md").read_text(encoding="utf-8"), re.M
    )
)


def in_mb(size: int) -> str:
    return f"{size // 1_000_000:,} MB"


@pytest.mark.parametrize(("place", "gigabytes"), [(0, 1), (1, 2), (2, 4), (3, 8)])
def test_each_size_of_machine_has_the_limits_that_the_table_says(
    place: int, gigabytes: int
) -> None:
    own = choose_budgets(gigabytes * 1e9)
    processes = {
        "processes that compute what is large": own.worker,
        "processes that read files": MAX_MEMORY,
        "the same, where they count an event log": own.worker + ENGINE,
    }
    right = {row: f"{own.workers} of {in_mb(memory)}" for row, memory in processes.items()}
    right["the app itself"] = in_mb(own.process)
    right["data of all its sessions"] = in_mb(own.sessions)
    assert {row: ROWS[row].split(" | ")[place] for row in right} == right
