"""`decide`: the table and the sheet are the library's, and the options are the question's."""

import json
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

import pytest

from dpviz import Question, Scenario, Scores, decide, smallest_epsilon
from dpviz.export.decision import decision_json, decision_sheet
from dpviz.pages.decide.sentences import price
from dpviz.pages.decide.settings import read_question as read_off
from dpviz.studies.data_spec import DataSpec
from dpviz.studies.decision import ALLOWED
from dpviz.studies.design import Design
from dpviz.studies.link import Link

COUNTS = Scores([90, 140, 120, 20], labels=["a", "b", "c", "d"], monotonic=True)
LINE = 'decide --monotonic -k 2 --goal "2 of 2 in 0.9" --file counts.csv'


@pytest.fixture(autouse=True)
def here(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    Path("counts.csv").write_text("item,count\na,90\nb,140\nc,120\nd,20\n", encoding="utf-8")


def test_the_table_has_the_smallest_epsilons_best_first(run: Any) -> None:
    ran = run(LINE)
    told = {"probability": 0.9, "figure": "hits", "at_least": 2}
    expected = {
        d.parameter_text: smallest_epsilon(d.build(1.0, 2), COUNTS, **told) for d in ALLOWED
    }
    assert ran.code == 0
    assert {row["parameters"]: float(row["smallest_epsilon"]) for row in ran.rows} == expected
    totals = [float(row["total"]) for row in ran.rows]
    assert totals == sorted(totals)
    assert {float(row["delta"]) for row in ran.rows} <= {0.0, 1e-6}
    assert [row["taken"] for row in ran.rows] == ["True"] + ["False"] * (len(ALLOWED) - 1)
    assert "State with --decided-on where these scores are from" in ran.err


def question(**changes: Any) -> Question:
    person = {"unit": "household", "contributions": 2, "monotonic": True}
    spec = DataSpec(source="uploaded", called="Calls", **person)  # type: ignore[arg-type]
    said = {"name": "Top", "releases": 12, "period": "a year", "decided_on": "public"}
    return Question(k=2, goal="2 of 2 in 0.9", data=spec, delta=1e-9, **said, **changes)  # type: ignore[arg-type]


SAID = (
    "--called Calls --unit household --contributions 2 --name Top --releases 12"
    ' --period "a year" --delta 1e-9 --decided-on public'
)


@pytest.mark.twins(1)
@pytest.mark.parametrize(
    ("more", "changes"),
    [
        (
            "-m canonical:gamma=0.3 -m peeling -e 0.5 --taken 2",
            {
                "designs": (Design(parameters={"gamma": 0.3}), Design(mechanism="peeling")),
                "epsilon": 0.5,
                "taken": 1,
            },
        ),
        ("", {}),
    ],
)
def test_the_sheet_is_the_librarys(run: Any, more: str, changes: dict[str, Any]) -> None:
    decision = decide(question(**changes), COUNTS)
    dates = [datetime.now(UTC).date()]
    for name, write in (("sheet.html", decision_sheet), ("sheet.json", decision_json)):
        code, out, err = run(f"{LINE} {SAID} {more} -o {name}")
        assert (code, out) == (0, "")
        assert price.answer_sentence(decision) in err
        dates.append(dates[0] + timedelta(days=1))  # a test may begin before midnight
        written = Path(name).read_text(encoding="utf-8")
        assert written in [write(decision, date=date) for date in dates]


def test_two_goals_stand_side_by_side(run: Any) -> None:
    line = f'{LINE} -m canonical --goal "1 of 2 in 0.99" --decided-on past'
    goals = ["2 of 2 in 0.9", "1 of 2 in 0.99"]
    record = run(f"{line} --format json").json
    assert [record[part]["goal"]["text"] for part in ("decision", "beside")] == goals
    assert {row["goal"] for row in run(line).rows} == set(goals)


@pytest.mark.long
def test_the_scenario_of_a_sheet_with_its_file_gives_the_sheet_again(run: Any) -> None:
    first = run(f"{LINE} {SAID} --taken 1 --format json").json
    scenario = json.dumps(first["decision"]["scenario"])
    Path("scenario.json").write_text(scenario, encoding="utf-8")
    assert Scenario.from_json(scenario).needs_data
    line = "decide --scenario scenario.json --file counts.csv --format json"
    ran = run(line)
    assert "the noisy counts of the items in the list" in ran.err  # one of its designs
    assert ran.json["decision"] == first["decision"]
    assert run(f"{line} --releases 3").json["decision"]["published"]["releases"] == 3


def test_a_goal_of_a_scenario_follows_another_k_as_on_the_page(run: Any) -> None:
    said = Scenario(k=5, page={"decide.goal": "4 of 5 in 0.9"}, designs=(Design(),))
    Path("s.json").write_text(said.to_json(), encoding="utf-8")
    for more, goal in (("", "4 of 5 in 0.9"), ("-k 10", "8 of 10 in 0.9")):
        assert {row["goal"] for row in run(f"decide --scenario s.json {more}").rows} == {goal}
    code, _, err = run('decide --scenario s.json -k 10 --goal "4 of 5 in 0.9"')
    assert (code, "goal must be" in err) == (2, True)


@pytest.mark.parametrize(("names", "told"), [("a,c,x,y", False), ("p,q,r,s", True)])
def test_a_past_period_of_other_items_is_told(run: Any, names: str, told: bool) -> None:
    rows = (f"{name},{10 * place + 40}" for place, name in enumerate(names.split(",")))
    Path("past.csv").write_text("\n".join(["item,count", *rows]), encoding="utf-8")
    done = run(f"{LINE} -m canonical --file past.csv --decided-on past")
    assert (done.code, "Is it the right file?" in done.err) == (0, told)


def test_the_command_searches_what_the_page_does(run: Any) -> None:
    """Of a link that names none, and of a file that another page saved, where nobody was asked yet."""
    said = Scenario(k=2, data=DataSpec(name="class_trip"), epsilon=3.0)
    Path("explored.json").write_text(said.to_json(), encoding="utf-8")
    link = "http://localhost:8501/decide?k=2&data=example:class_trip&page.decide.goal=2+of+2+in+0.9"
    expected = read_off(Link.parse(link).read_scenario()).designs
    for given in ("explored.json", link):
        rows = run(f"decide --scenario {given}").rows
        found = {(row["mechanism"], row["parameters"]) for row in rows}
        assert found == {(d.mechanism, d.parameter_text) for d in expected}
