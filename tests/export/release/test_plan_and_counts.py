"""What a release is made from: a sheet in any of its forms, and a file of counts."""

import random
from datetime import date
from functools import cache
from pathlib import Path
from typing import Any

import pytest

from dpviz import Design, ParameterError, Question, Scores, decide
from dpviz.data.reading import read_table
from dpviz.export.decision import decision_json, decision_sheet, release_code
from dpviz.export.release import (
    NamedCounts,
    Refusal,
    build_release_plan,
    check_names_match_list,
    read_counts,
    read_sheet,
)
from dpviz.studies.data_spec import DataSpec
from dpviz.studies.decision import Decision

DATE = date(2026, 5, 4)
UNREADABLE = "sheet.json is no decision sheet that can be read"


@cache
def decided() -> Decision:
    spec = DataSpec(
        source="uploaded", monotonic=True, contributions=3, unit='a "home" & co', items_known=True
    )
    of: dict[str, Any] = {"name": "<Trips>\\", "goal": "top in 0.9", "designs": (Design(),)}
    question = Question(k=2, data=spec, releases=12, epsilon=0.5, **of)
    return decide(question, Scores([9, 7, 4, 1], monotonic=True, contributions=3))


class TestTheSheet:
    def test_json_script_and_page_hold_the_same_plan(self) -> None:
        plan = build_release_plan(decided())
        forms = (
            decision_json(decided(), date=DATE),
            release_code(decided()).text,
            decision_sheet(decided(), date=DATE),
        )
        plans = [read_sheet("sheet", form.encode()) for form in forms]
        assert plans == [plan] * 3
        assert {each.digest for each in plans} == {plan.digest}
        assert plan.mechanism == decided().mechanism

    def test_of_two_decisions_it_is_the_first(self) -> None:
        other = decide(decided().question.replace(epsilon=0.9), Scores([9, 7, 4, 1]))
        for text in (
            decision_json(decided(), date=DATE, beside=other),
            decision_sheet(decided(), date=DATE, beside=other),
        ):
            assert read_sheet("sheet", text.encode()) == build_release_plan(decided())

    @pytest.mark.parametrize(
        ("content", "message"),
        [
            (b"", f"{UNREADABLE}: dpviz decide -o sheet.json makes one."),
            (b"\xff\xfe\x00", "sheet.json is no decision sheet: "),
            (b"{", UNREADABLE),
            (b"[" * 100_000, UNREADABLE),
            (b"SHEET = open('x')", UNREADABLE),
            (b'{"dpviz": "scenario", "version": 1}', "no decision sheet but another file of dpviz"),
            (b'{"dpviz": "decision", "version": 99, "decision": {}}', "a sheet of a version that"),
            (b'{"dpviz": "decision", "version": 1, "decision": []}', "decision must be an object"),
            (b"{}", UNREADABLE),
            (b'{"published": {}}', "The sheet says no decision.protected."),
            (b'{"published": {}, "publish": false}', "The sheet says not to publish"),
        ],
    )
    def test_what_is_no_sheet(self, content: bytes, message: str) -> None:
        with pytest.raises(Refusal) as caught:
            read_sheet("sheet.json", content)
        assert message in str(caught.value)

    def test_it_runs_nothing(self, tmp_path: Path) -> None:
        code = f"open({str(tmp_path / 'made')!r}, 'w')\nSHEET = {build_release_plan(decided()).script_values!r}"
        read_sheet("release.py", code.encode())
        assert not (tmp_path / "made").exists()


def counted(text: str, name: str = "counts.csv") -> NamedCounts:
    return read_counts(read_table(name, text.encode()))


class TestTheCounts:
    def test_items_come_in_the_order_of_their_names_whatever_the_order_of_the_file(self) -> None:
        rows = ["pear,12", "fig,0", " plum ,7", '"a, b",12']
        found = set()
        for seed in range(6):
            random.Random(seed).shuffle(rows)
            found.add(counted("item,count\n" + "\n".join(rows)))
        (counts,) = found
        assert (counts.names, counts.values) == (("a, b", "fig", "pear", "plum"), (12, 0, 12, 7))
        assert "'item' and 'count'" in counts.notes[0].replace("“", "'").replace("”", "'")

    def test_a_file_without_heads_or_without_names(self) -> None:
        assert counted("fig,3\npear,1").names == ("fig", "pear")
        assert counted("fig,3\npear,1").notes == ()
        counts = counted("5\n7\n6\n")
        assert (counts.names, counts.values) == (("item 1", "item 2", "item 3"), (5, 7, 6))
        assert "items are called by their rows" in counts.notes[0]

    @pytest.mark.parametrize(
        ("text", "message"),
        [
            ("a,1\nb,2.5\n", "Row 2 of 'counts.csv' has '2.5' for a count, which must be a whole"),
            ("a,1\nb,-2\n", "'-2' for a count"),
            ("a,1\nb,\n", "'' for a count"),
            ("a,1\nb,1e3\n", "'1e3' for a count"),
            ("a,1\nb,٣\n", "'٣' for a count"),
            (f"a,1\nb,{2**53 + 1}\n", "for a count"),
            ("a,1\nb,2\nc,many\n", "Row 3 of 'counts.csv' has 'many' for a count"),
            ("a,1\n,2\n", "Row 2 of 'counts.csv' has no name."),
            ("a,1\nb,2\n a ,3\n", "Row 3 of 'counts.csv' has 'a' again: a name stands in one row."),
            ("é,1\ne\u0301,2\n", "again: a name stands in one row."),
            ("a,1,x\nb,2,y\n", "has 3 columns: it must have two, the names and the counts."),
            ("a,1\nb\n", "Row 2 of 'counts.csv' has 1 cell, where the first has 2 cells."),
            ("", "'counts.csv' is empty."),
        ],
    )
    def test_what_cannot_be_released_from(self, text: str, message: str) -> None:
        with pytest.raises(ParameterError) as caught:
            counted(text)
        assert message in str(caught.value).replace("“", "'").replace("”", "'")

    def test_the_names_may_stand_after_the_counts(self) -> None:
        counts = read_counts(read_table("counts.csv", b"loans,title\n31,Blue\n28,Green\n"))
        assert (counts.names, counts.values) == (("Blue", "Green"), (31, 28))

    @pytest.mark.parametrize(
        ("content", "message"),
        [
            (b"tree,n\noak,31\nash,28\nTotal,59\n", "'Total' (row 4) is called a total."),
            (b"tree,n\noak,31\nash,28\nelm,9\nStadt,68\n", "Correct the file"),
            (b"9780000000017\n9780000000024\n9780000000031\n", "No column of 'counts.csv' holds"),
            (b"user,page\n7,1\n7,3\n8,1\n", "again: a name stands in one row"),
            (b"user_id,page_id\n7,1\n9,3\n8,1\n", "holds no counts"),
        ],
    )
    def test_what_a_decision_would_not_count_is_not_released(
        self, content: bytes, message: str
    ) -> None:
        table = read_table("counts.csv", content)
        with pytest.raises(ParameterError) as caught:
            read_counts(table)
        assert message in str(caught.value).replace("“", "'").replace("”", "'")

    def test_a_listed_name_may_be_that_of_a_total(self) -> None:
        table = read_table("counts.csv", b"song,n\nAll,31\nash,28\noak,5\n")
        assert read_counts(table, has_item_list=True).names == ("All", "ash", "oak")

    def test_there_are_more_than_are_published(self) -> None:
        assert counted("a,1\nb,2\nc,3").scores(build_release_plan(decided())).contributions == 3
        with pytest.raises(Refusal, match="has 2 items: there have to be more than the 2 that"):
            counted("a,1\nb,2").scores(build_release_plan(decided()))

    def test_the_names_are_those_of_the_list(self) -> None:
        counts = counted("a,1\nb,2\nc,0")
        check_names_match_list(counts, ("c", "a", "b"), "items.txt")
        with pytest.raises(Refusal, match="which is not on the list"):
            check_names_match_list(counts, ("a", "b"), "items.txt")
        with pytest.raises(Refusal, match="a zero is a count too"):
            check_names_match_list(counts, ("a", "b", "c", "d"), "items.txt")
