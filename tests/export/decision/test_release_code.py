"""The code of a release: its law is the sheet's, and OpenDP's own claim is no more than the
sheet's.

What a script draws with is what the command `release` makes of the plan in it. The noise is the
system's, so the runs differ; a right script fails one of these tests with a chance below 1e-6.
"""

import ast
import re
import runpy
import subprocess
import sys
from collections import Counter
from collections.abc import Iterator
from datetime import date
from itertools import combinations, islice
from pathlib import Path
from typing import Any

import numpy as np
import pytest
import scipy

from dpviz import Scores
from dpviz.__main__ import main
from dpviz.export.decision import decision_sheet
from dpviz.export.decision.release_code import release_code
from dpviz.export.release import (
    WHEEL_NAME,
    build_release_plan,
    build_wheel,
    read_sheet,
    select_tool,
)
from dpviz.export.release.release_tools import opendp_measurement_and_distance
from dpviz.studies.data_spec import DataSpec
from dpviz.studies.decision import Decision, Question, decide
from dpviz.studies.design import Design

FEW = 4_000
MANY = pytest.param(20_000, marks=pytest.mark.long)  # finds what is off by half as much
ANEW = 4  # times fewer where a law is computed anew for each release and takes long
LOOKS = [500, 1000, 2000, 5000]  # runs after which a broken twin may have shown itself
REJECTED = 1e-8  # some twenty tests of a right script stay below 1e-6 together
MADE: dict[str, tuple[Decision, Scores]] = {}
VALUES = [6, 5, 4, 3, 2]
LABELS = ["Castle", "Farm", "Museum", "Zoo, old", "Été"]


def design(mechanism: str, **parameters: Any) -> Design:
    return Design(mechanism=mechanism, parameters=parameters)


def decided(
    design: Design, k: int = 2, epsilon: float = 1.2, **person: Any
) -> tuple[Decision, Scores]:
    asked = repr((design, k, epsilon, person))
    if asked not in MADE:
        said: dict[str, Any] = {"items_known": True, "monotonic": True, **person}
        spec = DataSpec(source="uploaded", **said)
        scores = Scores(VALUES, labels=LABELS, **spec.scores_arguments)
        of: dict[str, Any] = {"name": "Trips", "goal": "top in 0.2", "most_epsilon": 1e4}
        question = Question(k=k, data=spec, designs=(design,), epsilon=epsilon, **of)
        MADE[asked] = decide(question, scores), scores
    return MADE[asked]


def releases(code: str) -> Iterator[tuple[int, ...]]:
    """What the plan in the script releases, as often as it is asked."""
    unmarked = re.sub(r"\n    'digest': .*", "", code)  # with it no twin would be read
    plan = read_sheet("release.py", unmarked.encode())
    person = {name: getattr(plan, name) for name in ("sensitivity", "monotonic", "contributions")}
    tool = select_tool(plan.mechanism, plan.contributions)
    draw = tool.prepare_draw(plan.mechanism, Scores(VALUES, **person))
    while True:
        yield tuple(sorted(item for item, _ in draw()))


def agreements(code: str, decision: Decision, scores: Scores, looks: list[int]) -> Iterator[float]:
    """p-values of chi-square tests of the script against the sheet's law, after so many runs."""
    dist = decision.mechanism.distribution(scores)
    assert dist.method == "exact"
    lists = list(combinations(range(scores.d), decision.question.k))
    chances = np.exp([dist.log_probability(each) for each in lists])
    released, seen = releases(code), Counter[tuple[int, ...]]()
    for runs in looks:
        seen.update(islice(released, runs - seen.total()))
        assert set(seen) <= set(lists)
        observed, expected = np.array([seen[each] for each in lists]), runs * chances
        rare = expected < 20  # together, where the law of the statistic would not be chi-square
        pooled = [np.append(each[~rare], each[rare].sum() + 1e-9) for each in (observed, expected)]
        law = pooled[1] * pooled[0].sum() / pooled[1].sum()
        yield float(scipy.stats.chisquare(pooled[0], law).pvalue)
    assert rare.mean() <= 0.5


OPENDP: list[tuple[Design, int, dict[str, Any]]] = [
    (design("peeling", noise="gumbel"), 2, {}),
    (design("peeling", noise="gumbel"), 2, {"monotonic": False}),
    (design("peeling", noise="exponential"), 2, {}),
    (design("peeling", noise="exponential"), 2, {"monotonic": False, "sensitivity": 0.5}),
    (design("one_shot", noise="gumbel"), 3, {"contributions": 2}),
    (design("one_shot", noise="exponential"), 1, {}),
    (design("peeling", noise="gumbel"), 1, {"sensitivity": 2.0}),
    (design("one_shot", noise="laplace"), 2, {"contributions": 1, "epsilon": 0.5}),
    (design("one_shot", noise="laplace"), 3, {"contributions": 2, "monotonic": False}),
    (design("gaussian_counts", delta=1e-3), 2, {"contributions": 1}),
    (design("gaussian_counts", delta=1e-3), 2, {"contributions": 3, "monotonic": False}),
]
UNCLAIMED: list[tuple[Design, int, dict[str, Any]]] = [
    (design("one_shot", noise="laplace"), 2, {}),
    (design("one_shot", noise="laplace"), 2, {"contributions": 3, "monotonic": False}),
]
EXACT: list[tuple[Design, int, dict[str, Any]]] = [
    (design("canonical"), 2, {}),
    (design("canonical", gamma=0.25), 2, {"contributions": 1, "sensitivity": 0.5}),
]
FLOATING: list[tuple[Design, int, dict[str, Any]]] = [
    (design("canonical", noise="exponential"), 2, {"contributions": 1}),
    (design("joint", over="sets"), 2, {"monotonic": False}),
    (design("one_shot", noise="logistic"), 2, {"contributions": 2}),
]


@pytest.mark.twins(3)
@pytest.mark.parametrize("runs", [FEW, MANY])
@pytest.mark.parametrize(("design", "k", "person"), [*OPENDP, *UNCLAIMED])
def test_opendps_law_and_its_claim_are_the_sheets(
    design: Design, k: int, person: dict[str, Any], runs: int
) -> None:
    decision, scores = decided(design, k, **person)
    code = release_code(decision)
    assert code.tool == "OpenDP"
    assert all(p > REJECTED for p in agreements(code.text, decision, scores, [runs]))

    plan = build_release_plan(decision)
    measurement, moved = opendp_measurement_and_distance(
        select_tool(plan.mechanism, plan.contributions).kind, plan.mechanism, scores
    )
    zcdp = decision.mechanism.zcdp
    ours = decision.epsilon if zcdp is None else zcdp
    if (design, k, person) in UNCLAIMED:  # its map is of all noisy scores, and names come out
        assert "OpenDP has no such mechanism" in code.note
        return
    assert measurement.map(moved) <= ours
    assert measurement.map(moved) == pytest.approx(ours, rel=1e-12)


@pytest.mark.twins(2)
@pytest.mark.parametrize("runs", [FEW, MANY])
@pytest.mark.parametrize(("design", "k", "person"), [*EXACT, *FLOATING])
def test_dpvizs_law_is_the_sheets(
    design: Design, k: int, person: dict[str, Any], runs: int
) -> None:
    decision, scores = decided(design, k, **person)
    code = release_code(decision)
    assert code.tool == "dpviz"
    assert "opendp==" not in code.text
    assert ("whole numbers alone" in code.note) == ((design, k, person) in EXACT)
    assert ("floating-point" in code.note) == ((design, k, person) in FLOATING)
    runs = runs if design.mechanism == "canonical" else runs // ANEW
    assert all(p > REJECTED for p in agreements(code.text, decision, scores, [runs]))


@pytest.mark.parametrize(
    ("design", "k", "person", "right", "wrong"),
    [
        (*OPENDP[0], "'epsilon': 1.2", "'epsilon': 0.6"),
        (*OPENDP[0], "'monotonic': True", "'monotonic': False"),
        (*OPENDP[1], "'sensitivity': 1.0", "'sensitivity': 1.5"),
        (*OPENDP[2], "'noise': 'exponential'", "'noise': 'gumbel'"),
        (*OPENDP[7], "'contributions': 1", "'contributions': 2"),
        (*EXACT[0], "'epsilon': 1.2", "'epsilon': 0.6"),
        (*EXACT[1], "'gamma': 0.25", "'gamma': 0.75"),
        (*FLOATING[0], "'contributions': 1", "'contributions': None"),
        (*FLOATING[2], "'noise': 'logistic'", "'noise': 'gumbel'"),
    ],
)
def test_a_broken_twin_is_caught(
    design: Design, k: int, person: dict[str, Any], right: str, wrong: str
) -> None:
    decision, scores = decided(design, k, **person)
    text = release_code(decision).text
    assert right in text
    tests = agreements(text.replace(right, wrong), decision, scores, LOOKS)
    assert any(p < REJECTED for p in tests)


UNKNOWN: list[tuple[Design, int, dict[str, Any]]] = [
    (design("threshold_counts"), 2, {"items_known": False, "contributions": 2}),
    (design("threshold_counts", noise="gaussian"), 2, {"items_known": False, "contributions": 2}),
    (design("limited_domain", candidates=4), 2, {"items_known": False}),
]


def steps_to_release(folder: Path, design: Design, k: int, person: dict[str, Any]) -> list[str]:
    """The steps in the script, beside it a log and a catalogue; ε is so large that all is sure."""
    text = release_code(decided(design, k, **{**person, "epsilon": 400.0})[0]).text
    people = [f"p{n},{name}" for name, v in zip(LABELS, VALUES, strict=True) for n in range(20 * v)]
    log = [line.replace("Zoo, old", '"Zoo, old"') for line in people]
    (folder / "release.py").write_text(text, encoding="utf-8")
    (folder / "log.csv").write_text("\n".join(["PERSON,ITEM", *log]), encoding="utf-8")
    (folder / "items.txt").write_text("\n".join(LABELS), encoding="utf-8")
    return re.findall(r"(?m)^    (?:pip|dpviz|python) (.*)$", text)


@pytest.mark.twins(3)
@pytest.mark.parametrize(
    ("design", "k", "person"),
    [
        UNKNOWN[1],
        OPENDP[-2],
        EXACT[0],
        OPENDP[0],
        OPENDP[2],
        OPENDP[7],
        UNCLAIMED[0],
        FLOATING[0],
        UNKNOWN[0],
        UNKNOWN[2],
    ],
    ids=lambda value: value.label if isinstance(value, Design) else "",
)
def test_the_steps_on_the_sheet_run_as_written_and_once(
    design: Design,
    k: int,
    person: dict[str, Any],
    tmp_path: Path,
    capsys: pytest.CaptureFixture[str],
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    install, count, release = steps_to_release(tmp_path, design, k, person)
    assert install.split()[:2] == ["install", WHEEL_NAME]
    assert set(install.split()[2:]) <= {"opendp==0.16.0"}
    assert ("--contributions" in count) == ("contributions" in person)
    monkeypatch.chdir(tmp_path)
    assert main(count.split()) == 0
    monkeypatch.setattr(sys, "argv", release.split())
    for again in (False, True):
        capsys.readouterr()
        with pytest.raises(SystemExit) as ended:
            runpy.run_path("release.py", run_name="__main__")
        out, err = capsys.readouterr()
        assert ended.value.code == (2 if again else 0), err
        assert len(out.splitlines()) == (0 if again else 3)
        if person.get("contributions") is None and not again:  # a limit keeps some items of each
            assert out == '"item"\n"Castle"\n"Farm"\n'
        told = (
            ["have been made: 1 of 1"] if again else ["begins a new record", "1 of 1 is recorded"]
        )
        assert all(each in err for each in told)


def test_the_steps_run_with_the_wheel_that_the_app_offers_and_nothing_else(tmp_path: Path) -> None:
    (tmp_path / WHEEL_NAME).write_bytes(build_wheel())
    options = ["-q", "--no-deps", "--no-index", "--no-compile"]  # most of it is not imported
    packages = tmp_path / "packages"
    pip = [sys.executable, "-m", "pip", "install", *options, "--target", packages]
    subprocess.run([*pip, tmp_path / WHEEL_NAME], check=True)
    assert (packages / "dpviz" / "app" / "app.py").is_file()
    _, count, release = steps_to_release(tmp_path, *OPENDP[-2])
    for words in (["-m", "dpviz", *count.split()], release.split()):
        told = [sys.executable, *words]
        where: dict[str, Any] = {"cwd": tmp_path, "env": {"PYTHONPATH": str(packages)}}
        ran = subprocess.run(told, capture_output=True, encoding="utf-8", check=False, **where)
        assert ran.returncode == 0, ran.stderr
    assert len(ran.stdout.splitlines()) == 3
    assert "Release 1 of 1 is recorded" in ran.stderr


def test_words_of_a_person_cannot_end_the_script_they_stand_in() -> None:
    spec = DataSpec(source="uploaded", monotonic=True, unit='"""\nimport os', contributions=3)
    question = Question(
        name='"""\nraise SystemExit(7) \\', k=2, data=spec, designs=(Design(),), most_epsilon=1e4
    )
    decision = decide(question, Scores(VALUES, monotonic=True))
    text = release_code(decision).text
    parts = [type(node).__name__ for node in ast.parse(text).body]
    assert parts == ["Expr", "Import", "ImportFrom", "Assign", "If"]
    assert read_sheet("release.py", text.encode()) == build_release_plan(decision)


def test_where_the_answer_is_not_to_publish_there_is_no_script() -> None:
    asked = Question(k=2, goal="top in 0.2", designs=(Design(),), epsilon=5.0, most_right=60)
    decision = decide(asked)
    assert decision.do_not_publish
    assert release_code(decision).text == ""
    sheet = decision_sheet(decision, date=date(2030, 1, 1))
    assert "There is no script: the answer is not to publish." in sheet
    assert "import dpviz" not in sheet
