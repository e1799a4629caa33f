"""The length of a text is looked at before its letters are, so that no text takes long."""

import re
import time
import unicodedata
from collections.abc import Callable
from importlib import import_module
from itertools import product
from pathlib import Path
from pkgutil import walk_packages
from types import SimpleNamespace

import pandas as pd
import pytest

import dpviz
from dpviz.base import ParameterError
from dpviz.data import reading
from dpviz.data.counting import count_in_engine, count_people_in_log, count_proposed_log
from dpviz.data.reading import Table, guessing, kept_items, read_frame, read_pasted_text, read_table
from dpviz.data.reading.guessing import propose_reading
from dpviz.data.reading.guessing.item_lists import read_catalogue
from dpviz.data.reading.guessing.meaning import TableMeaning
from dpviz.data.reading.headings import split_heading
from dpviz.data.reading.input_rules import MAX_LABEL, MAX_NAME
from dpviz.export.release.counts import read_counts
from dpviz.studies import decision
from tests.data.counting.test_counting import write_sqlite
from tests.data.reading.helpers import parquet, refusal

pytestmark = pytest.mark.usefixtures("read_here", "one_duckdb")
Rows = list[tuple[str, str]]
# put in order by swapping neighbours: as the square of their number
MARKS = "a" + "\u0301\u0323" * 60_000
LOG = [("ann", "tea"), ("bo", "rye")]


def lines(rows: Rows, between: str) -> str:
    return "\n".join(map(between.join, [("who", "what"), *rows]))


def written(rows: Rows, kind: str) -> bytes:
    frame = pd.DataFrame(rows, columns=["who", "what"])
    if kind == "parquet":
        return parquet({name: frame[name].tolist() for name in frame.columns})
    if kind == "json":
        return frame.to_json(orient="records").encode()
    return lines(rows, {"csv": ";", "tsv": "\t"}[kind]).encode()


READERS: dict[str, Callable[[Rows], Table]] = {
    **{
        kind: lambda rows, kind=kind: read_table(f"log.{kind}", written(rows, kind))  # type: ignore[misc]
        for kind in ("csv", "tsv", "json", "parquet")
    },
    "pasted": lambda rows: read_pasted_text(lines(rows, ";")),
    "frame": lambda rows: read_frame(pd.DataFrame(rows, columns=["who", "what"])),
    "upload": lambda rows: propose_reading("log.csv", lines(rows, ";").encode()).table,
}


@pytest.fixture
def lengths(monkeypatch: pytest.MonkeyPatch) -> list[int]:
    """How long each text was whose Unicode form was asked for."""
    seen: list[int] = []

    def normalize(form: str, text: str) -> str:
        seen.append(len(text))
        assert len(text) <= MAX_NAME, "the length comes first"
        return unicodedata.normalize(form, text)  # type: ignore[arg-type]

    monkeypatch.setattr(kept_items, "unicodedata", SimpleNamespace(normalize=normalize))
    return seen


@pytest.mark.parametrize("reader", READERS)
def test_who_or_what_is_named_at_length_is_refused_with_the_row(reader: str) -> None:
    table = READERS[reader]([("é", "tea"), (MARKS, "rye")])
    told = f"{table.rows[1]}: the person in column 'who' has 120,001 characters; at most 800"
    assert told in refusal(count_people_in_log, table, "who", "what")
    table = READERS[reader]([*LOG, ("cy", MARKS), ("dé", "tea")])
    told = f"{table.rows[2]}: the label in column 'what' has 120,001 characters; at most 200"
    assert told in refusal(count_people_in_log, table, "who", "what")
    counted = count_people_in_log(table, "who", "what", items=["tea", "rye"], contributions=1)
    assert (counted.scores.values.tolist(), counted.kept.other_rows) == ([2.0, 1.0], 1)


@pytest.mark.parametrize("listed", [f"tea\n{MARKS}\nrye", f"tea\n{MARKS}\nrye".encode()])
def test_a_list_with_one_at_length_is_refused(listed: str | bytes, lengths: list[int]) -> None:
    assert "An item on the list has 120,001 char" in refusal(read_catalogue, "items.txt", listed)


def test_an_offer_and_counts_to_release_are_refused_as_well(lengths: list[int]) -> None:
    given = propose_reading("log.csv", lines([*LOG, *LOG, (MARKS, "tea")], ";").encode())
    assert given.meaning == TableMeaning(log=True, item="what", other="who")
    assert "at most 800" in refusal(count_proposed_log, given, contributions=1)
    with pytest.raises(ParameterError, match="has a name of 120,001 characters; at most 800"):
        read_counts(read_table("counts.csv", f"name,count\ntea,3\n{MARKS},5\n".encode()))


def test_a_database_whose_rows_are_copied_refuses_as_well(
    tmp_path: Path, lengths: list[int]
) -> None:
    pytest.importorskip("ibis")
    url = write_sqlite(tmp_path / "log.db", [*LOG, (MARKS, "tea")])
    told = refusal(count_in_engine, url, "log", "who", "what")
    assert "person in column 'who' has 120,001 characters; at most 800" in told


def test_no_name_that_is_allowed_is_longer_in_another_form() -> None:
    most = max(range(0x110000), key=lambda code: len(unicodedata.normalize("NFD", chr(code))))
    assert len(unicodedata.normalize("NFD", chr(most))) * MAX_LABEL == MAX_NAME
    written = unicodedata.normalize("NFD", chr(most) * MAX_LABEL)
    assert kept_items.normalise_name(written) == chr(most) * MAX_LABEL
    long = pd.DataFrame({"who": ["x" * 10_000] * 2, "what": ["a", "b"]})
    assert count_people_in_log(read_frame(long), "who", "what").scores.d == 2


def test_forms_are_asked_for_in_one_place_alone() -> None:
    files = Path(dpviz.__file__).parent.rglob("*.py")
    asks = [file.name for file in files if "unicodedata" in file.read_text(encoding="utf-8")]
    # what Spark's own machines are lent is theirs to bear
    assert sorted(asks) == ["headings.py", "kept_items.py", "spark.py"]


# Patterns that texts of strangers are held to, and texts in which many a way of matching begins and
# none ends.
STARTS = ("", "a", "1", "a ", "1 ", "a@", "a..", "1,1 ", "9 of 10 in 0.9", "2020-01-01")
PUMPED = (
    *" \t\n10.,:-@=a\u00e9\u0301_/%'",
    *("..1", ".1", ",1", " 1", "1 ", "a-", " - ", "1:", "1:1", "@.", ".a", " ,", "'1", "e1"),
    *("(1", " a", "a b. ", "\u00a01"),
)
ENDS = ("\n!", "!", "y")
# letters: 32 million steps where a way begins at each, some tenths of a second; else a few
# thousandths
LONG = 8_000


def patterns() -> dict[str, re.Pattern[str]]:
    """All of the packages that read what comes in, by where they stand."""
    tops = (guessing, reading, decision)
    listed = [each.name for top in tops for each in walk_packages(top.__path__, f"{top.__name__}.")]
    return {
        f"{name}.{held}": value
        for name in listed
        for held, value in vars(import_module(name)).items()
        if isinstance(value, re.Pattern)
    }


@pytest.mark.parametrize("name", patterns())
def test_a_pattern_takes_time_in_proportion_to_the_text(name: str) -> None:
    pattern = patterns()[name]
    for start, pumped, end in product(STARTS, PUMPED, ENDS):
        text: str | bytes = start + pumped * (LONG // len(pumped)) + end
        if isinstance(pattern.pattern, bytes):
            text = str(text).encode()
        assert least_time(lambda: pattern.fullmatch(text)) < 0.05, (start, pumped, end)  # noqa: B023


def test_words_of_a_heading_take_time_in_proportion_to_it() -> None:
    for pumped in ("a", "A", "Aa", "À", "1", "aA", "_", "\u0301\u0323"):
        assert least_time(lambda: split_heading(pumped * 100_000)) < 1.0, pumped  # noqa: B023


def least_time(work: Callable[[], object]) -> float:
    """Seconds of processor time, the least of some tries where the first took its while."""
    taken: list[float] = []
    while len(taken) < 5 and min(taken, default=1.0) > 0.01:
        begun = time.process_time()
        work()
        taken.append(time.process_time() - begun)
    return min(taken)
