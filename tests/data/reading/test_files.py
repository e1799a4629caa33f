"""The one door for files: kinds, limits, progress, and damage of every kind."""

import bz2
import lzma
import pickle

import pytest
from hypothesis import given
from hypothesis import strategies as st

from dpviz.base.errors import Cancelled, ParameterError
from dpviz.data.reading import (
    KINDS,
    IngestError,
    Table,
    read_pasted_text,
    read_table,
    read_upload,
)
from dpviz.data.reading.guessing.item_lists import read_catalogue
from dpviz.data.score_sources import scores_from
from tests.benchmarks.fuzz_ingest import fuzz, outcome, pasted, samples
from tests.data.reading.helpers import refusal

pytestmark = pytest.mark.usefixtures("one_duckdb")


class TestDoor:
    @pytest.mark.parametrize("name", ["a.csv", "A.CSV", "b.txt", "a.pdf", "a", "", ".csv.exe"])
    def test_any_ending_of_a_text_is_read(self, name):
        assert scores_from(read_table(name, b"1\n2\n")).d == 2

    @pytest.mark.parametrize(
        ("name", "content", "told", "sentence"),
        [
            ("a", b"1\n", {"kind": "pdf"}, "kind must be one of csv, tsv, excel, parquet, json, j"),
            ("a", "1\n2\n", {}, "content must be bytes, not 'str'"),
            (None, b"1\n2\n", {}, "name must be a text"),
        ],
    )
    def test_wrong_types(self, name, content, told, sentence):
        with pytest.raises(ParameterError, match=sentence):
            read_table(name, content, **told)

    def test_too_large(self, monkeypatch):
        monkeypatch.setattr("dpviz.data.reading.input_rules.MAX_BYTES", 1_000_000)
        told = refusal(read_table, "a.csv", b"1\n" * 700_000)
        assert told == "'a.csv' has 1.4 MB; at most 1 are allowed."

    @pytest.mark.parametrize("ending", samples())
    def test_progress_never_goes_back_and_may_cancel(self, ending):
        def stop(fraction):
            raise Cancelled

        seen, sound = [], samples()[ending][0]
        read_table("a" + ending, sound, progress=seen.append)
        assert seen == sorted(seen)
        assert seen[-1] == 1.0
        with pytest.raises(Cancelled):
            read_table("a" + ending, sound, progress=stop)

    def test_error_survives_pickling(self):
        err = pickle.loads(pickle.dumps(IngestError("Row 3: bad.")))
        assert (type(err), str(err)) == (IngestError, "Row 3: bad.")

    def test_a_table_is_not_compared_cell_by_cell(self):
        table = read_table("a.csv", b"1\n2\n")
        assert isinstance(table, Table)
        assert table in [table]
        assert table not in [read_table("a.csv", b"1\n2\n")]


@pytest.mark.parametrize("kind", list(KINDS))
class TestKinds:
    def test_sound_files_are_read(self, kind):
        sound = [ending for ending in KINDS[kind].extensions if ending in samples()]
        assert sound, "fuzz_ingest.py, which damages them, has no sound file of this kind"
        for ending in sound:
            for content in samples()[ending]:
                assert outcome("a" + ending, content) == "scores"
                assert outcome("a", content, kind=kind) == "scores"

    def test_its_endings_are_its_own(self, kind):
        assert KINDS[kind].extensions
        for ending in KINDS[kind].extensions:
            assert ending == "." + ending[1:].lower()
            assert [other for other in KINDS if ending in KINDS[other].extensions] == [kind]

    @given(content=st.binary(max_size=200))
    def test_any_bytes(self, kind, content):
        assert outcome("a", content, kind=kind) in {"scores", "refused"}


class TestDamage:
    @pytest.mark.parametrize("times", [30, pytest.param(1000, marks=pytest.mark.long)])
    def test_damaged_files_give_scores_or_a_sentence(self, times):
        seen = fuzz(times, seed=20)
        assert sum(seen.values()) == 6 * times + times // 10
        for kind in (*samples(), "paste"):  # both ends are reached, or this would test nothing
            few = kind == ".xlsx"
            assert seen[kind, "scores"] >= (1 if few else times // 20)
            assert seen[kind, "refused"] >= (1 if few else times // 4)

    @given(st.text(st.sampled_from("0123456789.,;-+eE\t \n\"'ab|nN"), max_size=60))
    def test_any_paste(self, text):
        assert pasted(text) in {"scores", "refused"}


@pytest.mark.parametrize(
    ("content", "what"),
    [
        (bz2.compress(b"tree,n\noak,31\n"), "packed by bzip2"),
        (lzma.compress(b"tree,n\noak,31\n"), "packed by xz"),
        (b"%PDF-1.7\n1 0 obj\n<< /Type /Catalog >>\n", "a PDF file"),
        (b"\x89PNG\r\n\x1a\n" + bytes(99), "an image"),
        (b"SQLite format 3\0" + bytes(99), "a database"),
    ],
)
def test_what_holds_no_table_is_told_by_its_kind(content: bytes, what: str) -> None:
    for name in ("trees.csv", "trees"):
        told = refusal(read_upload, name, content)
        assert told == f"'{name}' is {what}, which is not read: save its table as CSV or XLSX."
        assert refusal(read_catalogue, name, content) == told


@pytest.mark.parametrize("name", ["trees.html", "trees.csv", "trees.xls", "trees"])
@pytest.mark.parametrize(
    "begin",
    ["<!DOCTYPE html>\n<body>", "<!doctype html>", "<HTML>", "\n<head>", "\ufeff<meta>", ""],
)
def test_a_web_page_is_told_with_what_to_do_with_it(name: str, begin: str) -> None:
    page = f"{begin}<table><tr><td>oak</td><td>31</td></tr></table>"
    for told in (refusal(read_upload, name, page.encode()), refusal(read_pasted_text, page)):
        assert " is a web page: open it in a browser, copy its table and paste" in told
