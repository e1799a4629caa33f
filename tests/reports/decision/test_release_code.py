"""The code of a release, run as printed: its law is the sheet's, and OpenDP's own claim is no more than the sheet's.

The noise is the system's, so the runs differ; a right script fails one of these tests with a chance below 1e-6.
"""

import ast
import subprocess
import sys
from collections import Counter
from collections.abc import Iterator
from itertools import combinations, islice
from pathlib import Path
from typing import Any

import numpy as np
import pytest
import scipy

from dpviz import Scores
from dpviz.reports.decision.release_code import release_code
from dpviz.studies.data_spec import DataSpec
from dpviz.studies.decision import Decision, Question, decide
from dpviz.studies.design import Design

FEW = 4_000
MANY = pytest.param(20_000, marks=pytest.mark.long)  # finds what is off by half as much
ANEW = 4  # times fewer where a law is computed anew for each release and takes long
LOOKS = [500, 1000, 2000, 5000]  # runs after which a broken twin may have shown itself
REJECTED = 1e-8  # some twenty tests of a right script stay below 1e-6 together
VALUES = [6.0, 5.0, 3.5, 2.0, 1.5]
LABELS = ["Zoo, old", "Été", "Castle", "Farm", "Museum"]


def design(mechanism: str, **parameters: Any) -> Design:
    return Design(mechanism=mechanism, parameters=parameters)


def decided(design: Design, k: int = 2, epsilon: float = 1.2, **person: Any) -> tuple[Decision, Scores]:
    """A decision at an ε at which every list has a fair chance."""
    spec = DataSpec(source="uploaded", **{"monotonic": True, **person})
    declared = {"sensitivity": spec.sensitivity, "monotonic": spec.monotonic, "contributions": spec.contributions}
    scores = Scores(VALUES, labels=LABELS, **declared)
    question = Question(name="Trips", k=k, goal="top in 0.2", data=spec, designs=(design,), epsilon=epsilon)
    return decide(question, scores), scores


def releases(code: str, scores: Scores) -> Iterator[tuple[int, ...]]:
    """What the script's own function releases, as often as it is asked."""
    space: dict[str, Any] = {"__name__": "release"}
    exec(compile(code, "release.py", "exec"), space)
    values = scores.values.tolist()
    while True:
        yield tuple(sorted(each[0] if isinstance(each, tuple) else each for each in space["release"](values)))


def agreements(code: str, decision: Decision, scores: Scores, looks: list[int]) -> Iterator[float]:
    """The p-value of a chi-square test of the script against the law on the sheet, after so many runs each."""
    dist = decision.mechanism.distribution(scores)
    assert dist.method == "exact"
    lists = list(combinations(range(scores.d), decision.question.k))
    chances = np.exp([dist.log_probability(each) for each in lists])
    released, seen = releases(code, scores), Counter[tuple[int, ...]]()
    for runs in looks:
        seen.update(islice(released, runs - seen.total()))
        assert set(seen) <= set(lists)
        observed, expected = np.array([seen[each] for each in lists]), runs * chances
        rare = expected < 20  # together, where the law of the statistic would not be chi-square
        pooled = [np.append(each[~rare], each[rare].sum() + 1e-9) for each in (observed, expected)]
        yield float(scipy.stats.chisquare(pooled[0], pooled[1] * pooled[0].sum() / pooled[1].sum()).pvalue)
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
]
DPVIZ: list[tuple[Design, int, dict[str, Any]]] = [
    (design("canonical", noise="exponential"), 2, {"contributions": 1}),
    (design("joint", over="sets"), 2, {"monotonic": False}),
    (design("one_shot", noise="logistic"), 2, {"contributions": 2}),
]


@pytest.mark.parametrize("runs", [FEW, MANY])
@pytest.mark.parametrize(("design", "k", "person"), OPENDP)
def test_opendps_law_and_its_claim_are_the_sheets(design: Design, k: int, person: dict[str, Any], runs: int) -> None:
    decision, scores = decided(design, k, **person)
    code = release_code(decision)
    assert code.tool == "OpenDP"
    assert all(p > REJECTED for p in agreements(code.text, decision, scores, [runs]))

    space: dict[str, Any] = {"__name__": "release"}
    exec(code.text, space)
    moved = space.get("MOVED", space["SENSITIVITY"])
    claimed = space["mechanism"](space["SCALE"]).map(moved)
    zcdp = decision.mechanism.zcdp
    ours = decision.epsilon if zcdp is None else zcdp
    assert claimed <= ours
    assert claimed == pytest.approx(ours, rel=1e-12)


@pytest.mark.parametrize("runs", [FEW, MANY])
@pytest.mark.parametrize(("design", "k", "person"), DPVIZ)
def test_dpvizs_law_is_the_sheets(design: Design, k: int, person: dict[str, Any], runs: int) -> None:
    decision, scores = decided(design, k, **person)
    code = release_code(decision)
    assert code.tool == "dpviz"
    assert "floating-point" in code.text
    assert "secrets.randbits(256)" in code.text
    runs = runs if design.mechanism == "canonical" else runs // ANEW
    assert all(p > REJECTED for p in agreements(code.text, decision, scores, [runs]))


@pytest.mark.parametrize(
    ("design", "k", "person", "right", "wrong"),
    [
        (*OPENDP[0], "EPSILON = 1.2", "EPSILON = 0.6"),
        (*OPENDP[0], "monotonic=True", "monotonic=False"),
        (*OPENDP[1], "SENSITIVITY = 1.0", "SENSITIVITY = 1.5"),
        (*OPENDP[2], "dp.max_divergence()", "dp.zero_concentrated_divergence()"),
        (*OPENDP[7], "MOVED = 1", "MOVED = 2"),
        (*OPENDP[7], "-noisy[i])", "noisy[i])"),
        (*DPVIZ[0], "epsilon=1.2", "epsilon=0.6"),
        (*DPVIZ[0], "contributions=1", "contributions=None"),
        (*DPVIZ[2], "noise='logistic'", "noise='gumbel'"),
    ],
)
def test_a_broken_twin_is_caught(design: Design, k: int, person: dict[str, Any], right: str, wrong: str) -> None:
    decision, scores = decided(design, k, **person)
    text = release_code(decision).text
    assert right in text
    assert any(p < REJECTED for p in agreements(text.replace(right, wrong), decision, scores, LOOKS))


@pytest.mark.parametrize(("design", "k", "person"), [OPENDP[2], OPENDP[7], DPVIZ[0]])
def test_the_script_runs_as_printed_beside_its_file(
    design: Design, k: int, person: dict[str, Any], tmp_path: Path
) -> None:
    decision, _ = decided(design, k, **{**person, "epsilon": 400.0})
    (tmp_path / "release.py").write_text(release_code(decision).text, encoding="utf-8")
    rows = "item,count\n" + "".join(f'"{name}",{v}\n' for name, v in zip(LABELS, VALUES, strict=True))
    (tmp_path / "counts.csv").write_text(rows, encoding="utf-8")
    ran = subprocess.run(
        [sys.executable, "release.py", "counts.csv"],
        cwd=tmp_path,
        env={"PYTHONPATH": str(Path(__file__).resolve().parents[3]), "PYTHONIOENCODING": "utf-8"},
        capture_output=True,
        check=False,
    )
    assert ran.stderr.decode() == ""
    lines = ran.stdout.decode().splitlines()
    assert [line.rpartition(",")[0] if (k, design.mechanism) == (2, "one_shot") else line for line in lines] == LABELS[
        :k
    ]


def test_words_of_a_person_cannot_end_the_script_they_stand_in() -> None:
    spec = DataSpec(source="uploaded", monotonic=True, unit='"""\nimport os', contributions=3)
    question = Question(name='"""\nraise SystemExit(7) \\', k=2, data=spec, designs=(Design(),))
    text = release_code(decide(question, Scores(VALUES, monotonic=True))).text
    assert [type(node).__name__ for node in ast.parse(text).body][:4] == ["Expr", "Import", "Import", "Import"]
    exec(compile(text, "release.py", "exec"), {"__name__": "release"})


def test_lines_fit_the_sheet() -> None:
    for each, k, person in (*OPENDP, *DPVIZ):
        text = release_code(decided(each, k, **person)[0]).text
        assert max(len(line) for line in text.splitlines()) <= 66


def test_no_score_and_no_seed_in_a_script() -> None:
    secret = [918273.0 + 5 * i for i in range(8)]
    scores = Scores(secret, labels=[f"n{i}" for i in range(8)], monotonic=True)
    for each, k, person in (*OPENDP, *DPVIZ):
        said = {name: value for name, value in person.items() if name != "epsilon"}
        spec = DataSpec(source="uploaded", **{"monotonic": True, **said})
        question = Question(k=k, goal="top in 0.5", data=spec, designs=(each,), epsilon=50.0)
        text = release_code(decide(question, scores)).text
        assert not any(str(int(value)) in text for value in secret)
        assert "n3" not in text
        assert "seed=" not in text
