"""`--names`: where they were not known beforehand."""

import json
from pathlib import Path
from typing import Any

import pytest

from dpviz import Canonical, Scenario, smallest_epsilon
from dpviz.__main__ import main
from dpviz.base import unknown_names_warning
from dpviz.data import EXAMPLES
from dpviz.studies.data_spec import DataSpec
from dpviz.studies.epsilon_table import NAMES_NEEDED
from dpviz.topk.limited_domain import LimitedDomain
from tests.names import names_may_appear

TRIP = "--example class_trip -k 2"
UNKNOWN = f"{TRIP} --names unknown"
RECORD = "--format json"


@pytest.fixture
def run(capsys: pytest.CaptureFixture[str]) -> Any:
    def run(line: str, code: int = 0) -> tuple[str, str]:
        assert main(line.split()) == code
        told = capsys.readouterr()
        return told.out, told.err

    return run


@pytest.mark.parametrize(
    ("line", "marked"),
    [
        ("distribution -k 2", "Canonical"),
        ("compare -m canonical -m peeling -k 2", "Canonical, Peeling"),
        ("sweep -m peeling -j 1 -k 2", "Peeling"),
        ("sample -k 2", "Canonical"),
        ("worst -k 2", "Canonical"),
        ("gaps -k 2", "Noisy top-k with gap"),
        (
            "margin",
            (
                "Large margin, Exponential mechanism, Max of Laplaces, Instability test,"
                " Generalised exponential"
            ),
        ),
    ],
)
def test_every_command_marks_what_needs_names_where_they_were_not_known(
    run: Any, line: str, marked: str
) -> None:
    _, known = run(f"{line} --example class_trip")
    _, unknown = run(f"{line} --example class_trip --names unknown")
    assert "known beforehand" not in known
    assert unknown_names_warning(marked) in unknown


def test_no_epsilon_is_told_of_what_needs_names_and_the_least_is_of_the_others(run: Any) -> None:
    out, err = run(f"smallest-epsilon -m canonical -m peeling -p 0.9 {UNKNOWN} {RECORD}")
    assert [row["epsilon"] for row in json.loads(out)["rows"]] == [None, None]
    assert NAMES_NEEDED in err
    with names_may_appear():
        out, _ = run(f"smallest-epsilon -m canonical -m appear -p 0.9 {UNKNOWN} {RECORD}")
    canonical, appear = json.loads(out)["rows"]
    assert (canonical["multiple"], canonical["reason"]) == (None, NAMES_NEEDED)
    expected = smallest_epsilon(
        Canonical(epsilon=1.0, k=2), EXAMPLES["class_trip"].scores(), probability=0.9
    )
    assert (appear["epsilon"], appear["multiple"]) == (pytest.approx(expected), 1.0)


def test_no_plan_is_decided_on_with_what_needs_names(run: Any) -> None:
    told = f"decide {UNKNOWN}"
    for more in ("", "--epsilon 1"):
        _, err = run(f"{told} -m canonical {more}", code=2)
        assert (
            "mechanism must be one that protects items of the data, such as limited domain" in err
        )
    with names_may_appear():
        out, _ = run(f"{told} -m canonical -m appear {RECORD}")
    assert json.loads(out)["decision"]["mechanism"]["name"] == "appear"
    out, err = run(f"{told} {RECORD}")
    assert json.loads(out)["decision"]["mechanism"]["name"] == "limited_domain"
    assert "Left out, as they need a list of all possible items: Canonical" in err
    assert "A catalogue, which is a list of all possible items" in err


def test_a_delta_of_a_mechanism_goes_from_the_command_line_into_scenarios(run: Any) -> None:
    with names_may_appear():
        out, err = run(f"distribution -m appear --delta 1e-9 {UNKNOWN} {RECORD}")
        saved = json.loads(out)["scenario"]
        scenario = Scenario.from_json(json.dumps(saved))
        assert scenario.designs[0].parameters["delta"] == 1e-9
        assert Scenario.from_query(scenario.to_query()) == scenario
        _, refused = run(f"distribution -m appear --delta 0 {TRIP}", code=2)
    assert unknown_names_warning("appear") not in err
    assert "delta must be a number above 0 and at most 0.5" in refused


def test_names_are_known_as_the_source_has_it_or_as_it_is_said(run: Any, tmp_path: Path) -> None:
    log, items, saved = tmp_path / "log.csv", tmp_path / "items.txt", tmp_path / "s.json"
    log.write_text("who,what\nann,tea\nann,rye\nbo,tea\nbo,gin\n", encoding="utf-8")
    items.write_text("tea\nrye\nale\n", encoding="utf-8")
    counted = f"--file {log} --person-column who --item-column what"
    spec = DataSpec(name="class_trip", items_known=False)
    saved.write_text(Scenario(data=spec, k=2).to_json(), encoding="utf-8")
    for source, known in [
        ("--example class_trip", True),
        ("--generate zipf:size=9 --names unknown", False),
        (counted, False),
        (f"{counted} --items {items}", True),
        (f"--scenario {saved}", False),
        (f"--scenario {saved} --names known", True),
    ]:
        out, err = run(f"distribution {source} -k 1 {RECORD}")
        assert (json.loads(out)["scenario"]["data"].get("items_known") is not False) == known
        assert (unknown_names_warning("Canonical") in err) != known
    for more in ("--names known", f"--items {items} --names unknown"):
        _, err = run(f"distribution {counted} {more} -k 1", code=2)
        assert "--names must be left to --items for an event log" in err


def test_lists_that_may_be_shorter_are_drawn_counted_and_allowed_any_k(run: Any) -> None:
    short = "-m limited_domain --delta 0.1 -e 2 --example class_trip --names unknown"
    scores = EXAMPLES["class_trip"].scores()
    law = LimitedDomain(epsilon=2.0, k=2, delta=0.1).distribution(scores)
    out, _ = run(f"distribution {short} -k 2 --show length {RECORD}")
    told = [row["value"] for row in json.loads(out)["rows"]]
    assert told == pytest.approx(law.length.tolist(), abs=1e-12)
    out, _ = run(f"sample {short} -k 2 -n 200 {RECORD}")
    drawn = json.loads(out)["rows"]
    assert 0 < len(drawn) < 400
    assert {row["label"] for row in drawn} <= set(scores.names)
    assert min(row["item"] for row in drawn) >= 0
    for command in ("distribution", "compare"):
        run(f"{command} {short} -k 50")
    _, err = run(f"distribution {TRIP} -k 50", code=2)
    assert "k must be at most 5" in err


def test_noisy_counts_come_with_the_names_that_passed_the_threshold(run: Any) -> None:
    told = f"sample -m threshold_counts --scores -e 1 {UNKNOWN} -n 50 {RECORD}"
    _, err = run(told, code=2)
    assert "contributions must be a number, as the noise depends on the items that one" in err
    out, _ = run(f"{told} --contributions 1 --delta 0.01")
    rows = json.loads(out)["rows"]
    assert rows
    assert all(row["noisy_score"] > 1 for row in rows)


def test_advice_says_that_good_lists_may_be_short_and_a_price_why_there_is_no_total(
    run: Any,
) -> None:
    said = (
        "GREAT and GOOD also count shorter lists, if they have the best items and none too far"
        " down."
    )
    for figure in ("good", "top"):
        _, err = run(f"smallest-epsilon {UNKNOWN} -m limited_domain -p 0.9 --figure {figure}")
        assert (said in err) == (figure == "good")
    out, _ = run(f"compose -m limited_domain -k 2 --releases 30 --delta 1e-9 {RECORD}")
    (row,) = json.loads(out)["rows"]
    reason = "Their own δ adds up to 3e-05, above 1e-09."
    assert (row["total_basic"], row["reason"]) == (None, reason)
