"""`loss`, `worst` and `price` give what the library gives."""

import json
from dataclasses import replace
from typing import Any

import numpy as np
import pytest

from dpviz import Canonical, OneShot, compose, privacy_loss, worst_neighbour
from dpviz.__main__ import main
from dpviz.data import EXAMPLES
from dpviz.privacy.neighbours import move_scores

TRIP, SCORES = "--example class_trip -e 1 -k 2", EXAMPLES["class_trip"].scores()


def column(table: list[dict[str, str]], name: str) -> np.ndarray:
    return np.array([float(row[name]) for row in table])


@pytest.mark.parametrize(
    ("step", "said"), [([1, 0, 0, 1, 0, 0], "--up Zoo Castle"), ([-1, 0, 0, 0, 0, 0], "--down Zoo")]
)
def test_loss_in_every_form(rows: Any, step: list[float], said: str) -> None:
    other = move_scores(SCORES, np.array(step, float))
    loss = privacy_loss(Canonical(epsilon=1.0, k=2), SCORES, other)
    asked = f"loss -m canonical {TRIP} {said}"
    (row,) = rows(asked)
    assert (row["method"], float(row["largest"])) == ("exact", pytest.approx(loss.largest))
    assert float(row["mean_back"]) == pytest.approx(loss.reversed.mean)
    curve = rows(f"{asked} --show curve")
    at = column(curve, "epsilon")
    assert (at[0], at[-1]) == (0.0, 1.0)
    np.testing.assert_allclose(
        column(curve, "delta_back"), loss.reversed.delta_curve(at), atol=1e-15
    )
    renyi = rows(f"{asked} --show renyi")
    told = loss.renyi_curve(column(renyi, "order"))
    np.testing.assert_allclose(column(renyi, "divergence"), told, atol=1e-15)
    values = [row for row in rows(f"{asked} --show values") if row["world"] == "scores"]
    np.testing.assert_allclose(column(values, "mass"), loss.mass)
    items = rows(f"{asked} --show items")
    np.testing.assert_allclose(column(items, "neighbour"), other.values)
    law = Canonical(epsilon=1.0, k=2).distribution(other)
    np.testing.assert_allclose(column(items, "value_neighbour"), law.inclusion)


def test_worst(rows: Any) -> None:
    m, asked = OneShot(epsilon=1.0, k=2), f"worst -m one_shot {TRIP} --tries 20"
    _, loss = worst_neighbour(m, replace(SCORES, contributions=1), tries=20)
    (row,) = rows(f"{asked} --contributions 1")
    assert float(row["largest"]) == pytest.approx(loss.largest)
    assert len(rows(f"{asked} --contributions 1 --show moved")) == 1
    _, likely = worst_neighbour(m, SCORES, tries=20, at=0.1)
    (row,) = rows(f"{asked} --at 0.1")
    assert float(row["largest"]) == pytest.approx(likely.largest)


def test_price(rows: Any, capsys: pytest.CaptureFixture[str]) -> None:
    asked = f"compose -m canonical -m peeling:noise=laplace {TRIP} --releases 30 --delta 1e-5"
    first, second = rows(asked)
    total = compose([Canonical(epsilon=1.0, k=2)] * 30, delta=1e-5)
    assert (float(first["rho"]), float(first["total_basic"])) == (1 / 8, 30.0)
    for way, told in (
        ("pure", first["total_pure"]),
        ("pure", second["total_pure"]),
        ("rho", first["total_rho"]),
        ("bounded range", first["total_bounded_range"]),
    ):
        assert float(told) == total.find_way(way).epsilon
    assert (second["rho"], second["total_bounded_range"]) == ("", "")
    assert "laplace" in second["reason"]
    assert main([*asked.split(), "--format", "json"]) == 0
    told = json.loads(capsys.readouterr().out)
    assert told["rows"][1]["rho"] is None
    assert "delta" in told["rows"][0]


def test_a_price_is_that_of_the_neighbours_that_are_named(rows: Any) -> None:
    """With one person replaced by another twice as many noisy counts move, each by half as much."""
    noisy = OneShot(epsilon=0.5, k=3, noise="laplace")
    told = "compose -m one_shot:noise=laplace -k 3 -e 0.5 --contributions 2 --example class_trip"
    paid = {}
    for relation, monotonic in (("--monotonic", True), ("--replaced", False)):
        (row,) = rows(f"{told} {relation} --releases 10")
        paid[relation] = float(row["total_own_loss"])
        total = compose([(noisy, 10)], delta=1e-6, contributions=2, monotonic=monotonic)
        assert paid[relation] == total.find_way("own loss").epsilon
    assert paid["--replaced"] < paid["--monotonic"]
