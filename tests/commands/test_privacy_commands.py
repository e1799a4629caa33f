"""`loss`, `worst` and `price` give what the library gives."""

import csv
import io
import json
from dataclasses import replace
from typing import Any

import numpy as np
import pytest

from dpviz import Canonical, OneShot, compose, privacy_loss, worst_neighbour
from dpviz.__main__ import main
from dpviz.privacy.neighbours import move_scores
from dpviz.studies.data_spec import DataSpec
from dpviz.studies.scenario import Scenario

TRIP = ("--example", "class_trip", "-e", "1", "-k", "2")


@pytest.fixture
def rows(capsys: pytest.CaptureFixture[str]) -> Any:
    def run(*argv: str) -> list[dict[str, str]]:
        assert main(argv) == 0
        return list(csv.DictReader(io.StringIO(capsys.readouterr().out)))

    return run


def scores() -> Any:
    return Scenario(data=DataSpec(name="class_trip")).load()


def column(table: list[dict[str, str]], name: str) -> np.ndarray:
    return np.array([float(row[name]) for row in table])


def test_loss_in_every_form(rows: Any) -> None:
    s = scores()
    other = move_scores(s, np.array([1.0, 0, 0, 1.0, 0, 0]))
    loss = privacy_loss(Canonical(epsilon=1.0, k=2), s, other)
    asked = ("loss", "-m", "canonical", *TRIP, "--up", "Zoo", "Castle")
    (row,) = rows(*asked)
    assert (row["method"], float(row["largest"])) == ("exact", pytest.approx(loss.largest))
    assert float(row["mean_back"]) == pytest.approx(loss.reversed.mean)
    curve = rows(*asked, "--show", "curve")
    at = column(curve, "epsilon")
    assert (at[0], at[-1]) == (0.0, 1.0)
    np.testing.assert_allclose(
        column(curve, "delta_back"), loss.reversed.delta_curve(at), atol=1e-15
    )
    renyi = rows(*asked, "--show", "renyi")
    np.testing.assert_allclose(
        column(renyi, "divergence"), loss.renyi_curve(column(renyi, "order")), atol=1e-15
    )
    values = rows(*asked, "--show", "values")
    np.testing.assert_allclose(
        column([r for r in values if r["world"] == "scores"], "mass"), loss.mass
    )
    items = rows(*asked, "--show", "items")
    np.testing.assert_allclose(column(items, "neighbour"), other.values)
    law = Canonical(epsilon=1.0, k=2).distribution(other)
    np.testing.assert_allclose(column(items, "value_neighbour"), law.inclusion)


def test_worst(rows: Any) -> None:
    _, loss = worst_neighbour(
        OneShot(epsilon=1.0, k=2), replace(scores(), contributions=1), tries=20
    )
    asked = ("worst", "-m", "one_shot", *TRIP, "--tries", "20", "--contributions", "1")
    (row,) = rows(*asked)
    assert float(row["largest"]) == pytest.approx(loss.largest)
    assert len(rows(*asked, "--show", "moved")) == 1
    _, likely = worst_neighbour(OneShot(epsilon=1.0, k=2), scores(), tries=20, at=0.1)
    (row,) = rows("worst", "-m", "one_shot", *TRIP, "--tries", "20", "--at", "0.1")
    assert float(row["largest"]) == pytest.approx(likely.largest)


def test_price(rows: Any, capsys: pytest.CaptureFixture[str]) -> None:
    asked = (
        "price",
        "-m",
        "canonical",
        "-m",
        "peeling:noise=laplace",
        *TRIP,
        "--releases",
        "30",
        "--delta",
        "1e-5",
    )
    first, second = rows(*asked)
    total = compose([Canonical(epsilon=1.0, k=2)] * 30, delta=1e-5)
    assert float(first["rho"]) == 1 / 8
    assert float(first["total_basic"]) == 30.0
    assert (
        float(first["total_pure"]) == float(second["total_pure"]) == total.find_way("pure").epsilon
    )
    assert float(first["total_rho"]) == total.find_way("rho").epsilon
    assert float(first["total_bounded_range"]) == total.find_way("bounded range").epsilon
    assert (second["rho"], second["total_bounded_range"]) == ("", "")
    assert "laplace" in second["reason"]
    assert main([*asked, "--format", "json"]) == 0
    told = json.loads(capsys.readouterr().out)
    assert told["rows"][1]["rho"] is None
    assert "delta" in told["rows"][0]


@pytest.mark.parametrize(
    ("argv", "sentence"),
    [
        (("loss", *TRIP), "--up or --down must be given"),
        (("loss", *TRIP, "--up", "Nowhere"), "--up must be the label of one item"),
        (
            ("loss", *TRIP, "--up", "Zoo", "--down", "Castle"),
            "neighbour must be scores that one person can make",
        ),
        (("worst", *TRIP, "--tries", "0"), "tries must be"),
        (("price", *TRIP, "--releases", "0"), "--releases must be"),
        (("price", *TRIP, "--delta", "2"), "delta must be"),
    ],
)
def test_bad_input_gets_a_sentence(
    argv: tuple[str, ...], sentence: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main([*argv[:1], "-m", "canonical", *argv[1:]]) == 2
    assert sentence in capsys.readouterr().err


def test_a_price_is_that_of_the_neighbours_that_are_named(rows: Any) -> None:
    """With one person replaced by another twice as many noisy counts move, each by half as much."""
    noisy = OneShot(epsilon=0.5, k=3, noise="laplace")
    told = (
        "-m",
        "one_shot:noise=laplace",
        "-k",
        "3",
        "-e",
        "0.5",
        "--contributions",
        "2",
        "--example",
        "class_trip",
    )
    paid = {}
    for relation, monotonic in (("--monotonic", True), ("--replaced", False)):
        (row,) = rows("price", *told, relation, "--releases", "10")
        paid[relation] = float(row["total_own_loss"])
        total = compose([(noisy, 10)], delta=1e-6, contributions=2, monotonic=monotonic)
        assert paid[relation] == total.find_way("own loss").epsilon
    assert paid["--replaced"] < paid["--monotonic"]
