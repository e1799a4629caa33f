"""`figure`: the file that a page gives, from options, a scenario file or a link."""

import re
from datetime import UTC, date, datetime
from pathlib import Path

import pytest

from dpviz import Scenario
from dpviz.__main__ import main
from dpviz.export.takeaway import page_takeaway_file
from dpviz.pages import load_page_view
from dpviz.pages.common.page_view import PageSubject
from dpviz.studies.data_spec import DataSpec
from dpviz.studies.link import Link
from tests.export.takeaway.taken import content_of

LINK = "http://localhost:8501/neighbours?"
TRIP = Scenario(
    k=2,
    epsilon=0.5,
    data=DataSpec(name="class_trip"),
    page={"neighbours.who": "heavy"},
    name="A trip",
)
RUNS = "candidate,score\n" + "\n".join(f"{'abc'[i % 3]},{0.5 + 0.01 * i:.2f}" for i in range(40))


@pytest.fixture(autouse=True)
def here(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    Path("trip.json").write_text(TRIP.to_json(), encoding="utf-8")
    Path("runs.csv").write_text(RUNS, encoding="utf-8")


def made(line: str) -> str:
    assert main(["figure", *line.split(), "-o", "figure.html", "--quiet"]) == 0
    return Path("figure.html").read_text(encoding="utf-8")


def stamped(page: str) -> dict[str, str]:
    return dict(re.findall(r"<dt>([^<]*)</dt><dd>([^<]*)</dd>", page.partition("<footer>")[2]))


def expected(scenario: Scenario, day: date, link: str = "") -> str:
    page, of = load_page_view("neighbours"), PageSubject(scenario)
    return page_takeaway_file(page, of, page.provenance(of, date=day, link=link).rows).html


@pytest.mark.long
def test_a_scenario_file_and_its_link_give_the_figure_of_the_page() -> None:
    link = Link.parse(LINK).url_with_scenario(TRIP)
    assert Link.parse(link).read_scenario() == TRIP
    from_file = made("--page neighbours --scenario trip.json")
    from_link = made(f"--scenario {link}")
    day = date.fromisoformat(stamped(from_link)["Date"])
    assert abs(day - datetime.now(UTC).date()).days <= 1
    assert from_file == expected(TRIP, date.fromisoformat(stamped(from_file)["Date"]))
    assert from_link == expected(TRIP, day, link)
    assert "Link" not in stamped(from_file)
    assert stamped(from_link)["Name"] == "A trip"


def test_options_change_it_and_its_link() -> None:
    link = Link.parse(LINK).url_with_scenario(TRIP)
    told = stamped(made(f"--scenario {link} -e 2 --set neighbours.who=average --seed 3"))
    changed = TRIP.replace(epsilon=2.0, seed=3, page={"neighbours.who": "average"})
    assert [told[name] for name in ("Seed", "Whose data")] == ["3", "average"]
    assert Link.parse(told["Link"].replace("&amp;", "&")).read_scenario() == changed


def test_candidates_may_be_a_table_of_runs() -> None:
    page = made("--page candidates --file runs.csv --set pc.epsilon1=0.1")
    told, content = stamped(page), content_of(page)
    assert (told["Candidates"], told["ε1 of one run"]) == ("Your own runs", "0.1")
    assert "γ, the chance to stop" in page
    assert content["steps"][content["start"]]["cells"][0][0] == "0.3"
    assert "the mean and the distribution of their scores" in page
