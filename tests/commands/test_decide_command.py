"""`decide`: the table and the sheet are the library's, and the options are the question's."""

import csv
import io
import json
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

import pytest

from dpviz import Question, Scenario, Scores, decide, smallest_epsilon
from dpviz.__main__ import main
from dpviz.export.decision import decision_json, decision_sheet
from dpviz.pages.decide import sentences
from dpviz.pages.decide.settings import read_question as read_off
from dpviz.studies.data_spec import DataSpec
from dpviz.studies.decision import ALLOWED
from dpviz.studies.design import Design
from dpviz.studies.link import Link

COUNTS = Scores([90, 140, 120, 20], labels=["a", "b", "c", "d"], monotonic=True)
ARGV = ("decide", "--monotonic", "-k", "2", "--goal", "2 of 2 in 0.9")


@pytest.fixture
def counts(tmp_path: Path) -> Path:
    path = tmp_path / "counts.csv"
    path.write_text("item,count\na,90\nb,140\nc,120\nd,20\n", encoding="utf-8")
    return path


def ran(capsys: pytest.CaptureFixture[str], *argv: object) -> tuple[int, str, str]:
    code = main([str(each) for each in argv])
    return code, *capsys.readouterr()


def test_the_table_has_the_smallest_epsilons_best_first(
    capsys: pytest.CaptureFixture[str], counts: Path
) -> None:
    code, out, err = ran(capsys, *ARGV, "--file", counts)
    rows = list(csv.DictReader(io.StringIO(out)))
    told = {"probability": 0.9, "event": "hits", "at_least": 2}
    expected = {
        d.parameter_text: smallest_epsilon(d.build(1.0, 2), COUNTS, **told) for d in ALLOWED
    }
    assert code == 0
    assert {row["parameters"]: float(row["smallest_epsilon"]) for row in rows} == expected
    totals = [float(row["total"]) for row in rows]
    assert totals == sorted(totals)
    assert {float(row["delta"]) for row in rows} <= {0.0, 1e-6}
    assert [row["taken"] for row in rows] == ["True"] + ["False"] * (len(ALLOWED) - 1)
    assert "Say --decided-on, else the sheet has it as not answered." in err


def question(**changes: Any) -> Question:
    spec = DataSpec(
        source="uploaded", monotonic=True, called="Calls", unit="household", contributions=2
    )
    return Question(
        k=2, goal="2 of 2 in 0.9", data=spec, name="Top", releases=12, period="a year", delta=1e-9
    ).replace(decided_on="public", **changes)


SAID = (
    "--called",
    "Calls",
    "--unit",
    "household",
    "--contributions",
    2,
    "--name",
    "Top",
    "--releases",
    12,
)
SAID += ("--period", "a year", "--delta", "1e-9", "--decided-on", "public")


@pytest.mark.twins(1)
@pytest.mark.parametrize(
    ("more", "changes"),
    [
        ((), {}),
        (
            ("-m", "canonical", "-m", "peeling"),
            {"designs": (Design(), Design(mechanism="peeling"))},
        ),
        (
            ("-m", "canonical:gamma=0.3", "-e", "0.5"),
            {"designs": (Design(parameters={"gamma": 0.3}),), "epsilon": 0.5},
        ),
        (("--taken", "3"), {"taken": 2}),
    ],
)
def test_the_sheet_is_the_librarys(
    capsys: pytest.CaptureFixture[str],
    counts: Path,
    tmp_path: Path,
    more: tuple[str, ...],
    changes: dict[str, Any],
) -> None:
    decision = decide(question(**changes), COUNTS)
    dates = [datetime.now(UTC).date()]
    for name, write in (("sheet.html", decision_sheet), ("sheet.json", decision_json)):
        code, out, err = ran(capsys, *ARGV, "--file", counts, *SAID, *more, "-o", tmp_path / name)
        assert (code, out) == (0, "")
        assert sentences.answer_sentence(decision) in err
        dates.append(dates[0] + timedelta(days=1))  # a test may begin before midnight
        written = (tmp_path / name).read_text(encoding="utf-8")
        assert written in [write(decision, date=date) for date in dates]


def test_two_goals_stand_side_by_side(capsys: pytest.CaptureFixture[str], counts: Path) -> None:
    argv = (*ARGV, "--goal", "1 of 2 in 0.99", "--file", counts, "--decided-on", "past")
    code, out, _ = ran(capsys, *argv, "--format", "json")
    record = json.loads(out)
    assert code == 0
    assert record["decision"]["goal"]["text"] == "2 of 2 in 0.9"
    assert record["beside"]["goal"]["text"] == "1 of 2 in 0.99"
    _, table, _ = ran(capsys, *argv)
    assert {row["goal"] for row in csv.DictReader(io.StringIO(table))} == {
        "2 of 2 in 0.9",
        "1 of 2 in 0.99",
    }


@pytest.mark.long
def test_the_scenario_of_a_sheet_with_its_file_gives_the_sheet_again(
    capsys: pytest.CaptureFixture[str], counts: Path, tmp_path: Path
) -> None:
    _, out, _ = ran(capsys, *ARGV, "--file", counts, *SAID, "--taken", 1, "--format", "json")
    first = json.loads(out)
    path = tmp_path / "scenario.json"
    path.write_text(json.dumps(first["decision"]["scenario"]), encoding="utf-8")
    assert Scenario.from_json(path.read_bytes()).needs_data
    code, out, err = ran(capsys, "decide", "--scenario", path, "--file", counts, "--format", "json")
    assert code == 0
    assert "Noisy counts" in err  # one of its designs
    again = json.loads(out)
    assert again["decision"] == first["decision"]
    _, out, _ = ran(
        capsys, "decide", "--scenario", path, "--file", counts, "--releases", 3, "--format", "json"
    )
    assert json.loads(out)["decision"]["published"]["releases"] == 3


def test_a_digest_is_there_only_where_it_is_asked_for(
    capsys: pytest.CaptureFixture[str], counts: Path
) -> None:
    argv = (*ARGV, "--file", counts, "--format", "json")
    assert json.loads(ran(capsys, *argv)[1])["decision"]["decided_on"]["digest"] is None
    assert (
        json.loads(ran(capsys, *argv, "--digest")[1])["decision"]["decided_on"]["digest"]
        == COUNTS.digest
    )


@pytest.mark.parametrize(
    ("argv", "message"),
    [
        (("--goal", "nine"), 'goal must be written as "9 of 10 in 0.9"'),
        (("--goal", ""), 'goal must be written as "9 of 10 in 0.9"'),
        (("--goal", f"top in {'9' * 400} of 1"), "with a share above 0 and below 1"),
        (("--goal", "5 of 12 in 0.9"), "goal must be about the 10 that are published (k)"),
        (
            ("--goal", "top in .5", "--goal", "top in .6", "--goal", "top in .7"),
            "--goal must be given at most twice",
        ),
        (("--releases", "0"), "releases must be a whole number from 1"),
        (("--taken", "9"), "taken must be"),
        (("--decided-on", "private"), "invalid choice: 'private'"),
        (
            ("-m", "canonical:gamma=0", "--goal", "top in 0.9"),
            "goal must be one that some design allowed reaches",
        ),
        (("-o", "/nowhere/at/all.html"), "--output must be a file in a folder that exists"),
    ],
)
def test_bad_input_gets_one_sentence(
    capsys: pytest.CaptureFixture[str], argv: tuple[str, ...], message: str
) -> None:
    code, out, err = ran(capsys, "decide", *argv)
    assert (code, out) == (2, "")
    assert message in err
    assert err.count("\n") == 1


def test_a_goal_of_a_scenario_follows_another_k_as_on_the_page(
    capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    file = tmp_path / "s.json"
    file.write_text(
        Scenario(k=5, page={"decide.goal": "4 of 5 in 0.9"}, designs=(Design(),)).to_json()
    )
    for more, goal in (((), "4 of 5 in 0.9"), (("-k", 10), "8 of 10 in 0.9")):
        code, out, _ = ran(capsys, "decide", "--scenario", file, *more)
        assert code == 0
        assert {row["goal"] for row in csv.DictReader(io.StringIO(out))} == {goal}
    code, _, err = ran(capsys, "decide", "--scenario", file, "-k", 10, "--goal", "4 of 5 in 0.9")
    assert (code, "goal must be" in err) == (2, True)


@pytest.mark.parametrize(("names", "told"), [("a,c,x,y", False), ("p,q,r,s", True)])
def test_a_past_period_of_other_items_is_told(
    names: str, told: bool, capsys: pytest.CaptureFixture[str], counts: Path, tmp_path: Path
) -> None:
    past = tmp_path / "past.csv"
    rows = (f"{name},{10 * place + 40}" for place, name in enumerate(names.split(",")))
    past.write_text("\n".join(["item,count", *rows]), encoding="utf-8")
    code, _, err = ran(capsys, *ARGV, "--file", counts, "--file", past, "--decided-on", "past")
    assert (code, "Is it the right file?" in err) == (0, told)


@pytest.mark.long
def test_a_log_is_counted_again_for_what_a_cap_would_save(
    capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    path, many = tmp_path / "log.csv", {"a": 340, "b": 260, "c": 90, "d": 20}
    rows = [f"p{who},{item}\n" for item, people in many.items() for who in range(people)]
    path.write_text("".join(["who,what\n", *rows]), encoding="utf-8")
    argv = (
        "decide",
        "--file",
        path,
        "-k",
        2,
        "--goal",
        "2 of 2 in 0.9",
        "--decided-on",
        "past",
        "--format",
        "json",
    )
    code, out, _ = ran(capsys, *argv, "--person-column", "who", "--item-column", "what")
    assert code == 0
    assert [cap["at_most"] for cap in json.loads(out)["decision"]["caps"]] == [1, 2, 3]
    path.write_text(
        "".join(["item,count\n", *(f"{item},{people}\n" for item, people in many.items())]), "utf-8"
    )
    assert json.loads(ran(capsys, *argv, "--monotonic")[1])["decision"]["caps"] is None


def test_the_command_searches_what_the_page_does(
    capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    """Of a link that names none, and of a file that another page saved, where nobody was asked yet."""
    file = tmp_path / "explored.json"
    file.write_text(
        Scenario(k=2, data=DataSpec(name="class_trip"), epsilon=3.0).to_json(), encoding="utf-8"
    )
    link = "http://localhost:8501/decide?k=2&data=example:class_trip&page.decide.goal=2+of+2+in+0.9"
    for given in (file, link):
        code, out, _ = ran(capsys, "decide", "--scenario", given)
        assert code == 0
        expected = read_off(Link.parse(link).read_scenario()).designs
        rows = list(csv.DictReader(io.StringIO(out)))
        assert {(row["mechanism"], row["parameters"]) for row in rows} == {
            (d.mechanism, d.parameter_text) for d in expected
        }
