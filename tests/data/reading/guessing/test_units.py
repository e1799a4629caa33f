"""Numbers with a unit behind them are read as numbers once somebody says so, and never unasked."""

from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from dpviz.base import pd
from dpviz.data.reading.guessing import Proposal, ReadingChoices, propose_reading
from dpviz.data.reading.guessing.guessed_table import column_with_plain_numbers
from tests.data.reading.helpers import refusal

UNITS = ("kg", "km", "Stück", "loans", "Personen", "h", "pcs.", "раз", "冊", "°C", "m² of wood")


def proposed(content: str, **said: Any) -> Proposal:
    return propose_reading("a.csv", content.encode(), ReadingChoices(**said), is_own_data=True)


def questions(given: Proposal) -> list[str]:
    return [remark.says for remark in given.remarks if remark.asks]


@settings(max_examples=100)
@given(
    st.lists(st.integers(0, 999_999), min_size=2, max_size=9, unique=True),
    st.sampled_from(UNITS),
    st.sampled_from(["", " ", "\u00a0"]),
    st.sampled_from(["tree;loans", "tree;length", "Baum;Menge"]),
)
def test_a_unit_is_asked_for_and_then_its_numbers_are_read(
    numbers: list[int], unit: str, gap: str, heading: str
) -> None:
    rows = "".join(f"tree {chr(65 + i)};{n}{gap}{unit}\n" for i, n in enumerate(numbers))
    content = f"{heading}\n{rows}"
    assert any("has a unit" in says for says in questions(proposed(content)))
    read = proposed(content, units=True)
    assert questions(read) == []
    assert sorted(read.scores().values.tolist()) == sorted(map(float, numbers))


@pytest.mark.parametrize(
    "content",
    [
        "pack,loans\n1 kg,31\n2 kg,28\n5 kg,25\n",  # which are names beside numbers
        "who,what\nann,5 stars\nbo,4 stars\nann,3 stars\n",  # of people
        "tree,n\noak,31 kg\nash,28 km\nelm,25 h\n",  # several units
        "place,street\na,1 Main Street\nb,2 High Street\nc,3 Low Street\n",
    ],
)
def test_other_words_behind_numbers_are_no_units(content: str) -> None:
    assert not any("has a unit" in remark.says for remark in proposed(content).remarks)


def test_amounts_of_several_currencies_are_no_numbers_that_compare() -> None:
    for cells in (["$31", "€28", "£25"], ["31 CHF", "28 EUR"]):
        assert column_with_plain_numbers(pd.Series(cells, dtype=object)) is None
    for cells in (["$31", "$28", "25"], ["31 kr", "28 kr."]):
        assert column_with_plain_numbers(pd.Series(cells, dtype=object)) is not None


@pytest.mark.parametrize(
    "content",
    [
        "tree,date\noak,43831\nash,43466\nelm,43225\n",  # days as a spreadsheet counts them
        "package,version\na,1.2\nb,2.0\nc,3.1\n",
        "step,sequence\na,3\nb,7\nc,1\n",
    ],
)
def test_days_versions_and_places_in_an_order_are_no_scores(content: str) -> None:
    given = proposed(content)
    assert given.meaning.open_choice == "the column of the score"
    assert " Say score=" in refusal(given.require_answers, "python")
