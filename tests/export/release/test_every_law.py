"""A tool draws the law of the sheet: every mechanism, noise, length and limit on a person."""

from collections.abc import Mapping
from itertools import combinations, product
from pathlib import Path

import numpy as np
import pytest

from dpviz import NOISES, TOP_K, Canonical, OneShot, Peeling, Scores
from dpviz.base import Floats
from dpviz.export.release.release_tools import Kind, select_tool
from dpviz.topk import TopKMechanism

DRAWN: Mapping[Kind, TopKMechanism] = {
    "exact": Canonical(epsilon=1.0, k=1),
    "zero_concentrated": OneShot(epsilon=1.0, k=1, noise="gumbel"),
    "max": Peeling(epsilon=1.0, k=1, noise="exponential"),
    "counts": OneShot(epsilon=1.0, k=1, noise="laplace"),
    "noise": OneShot(epsilon=1.0, k=1, noise="laplace"),
}
"""The mechanism that each tool draws where only a noise can be chosen."""


def chances(mechanism: TopKMechanism, scores: Scores) -> Floats:
    law = mechanism.distribution(scores)
    lists = combinations(range(scores.d), mechanism.k)
    return np.exp([law.log_probability(each) for each in lists])


@pytest.mark.parametrize("most", [None, 1, 2])
@pytest.mark.parametrize("k", [1, 2, 3])
@pytest.mark.parametrize(
    ("name", "noise"),
    [
        (name, noise)
        for name, noise in product(TOP_K, NOISES)
        if name in {"canonical", "one_shot", "peeling"}
    ],
)
def test_the_tool_of_a_mechanism_draws_its_law(
    name: str, noise: str, k: int, most: int | None
) -> None:
    scores = Scores([6.0, 5.0, 4.0, 3.0, 2.0], monotonic=True, contributions=most)
    mechanism = TOP_K[name](epsilon=1.2, k=k, noise=noise)
    kind = select_tool(mechanism, most).kind
    if kind != "floating":  # which samples the mechanism itself
        drawn = DRAWN[kind].replace(epsilon=1.2, k=k)
        np.testing.assert_allclose(chances(drawn, scores), chances(mechanism, scores), atol=1e-6)


def test_the_page_names_the_noises_that_opendp_draws_peeling_with() -> None:
    page = Path(__file__).resolve().parents[3] / "assets" / "docs" / "commands" / "release.md"
    made = {noise: select_tool(Peeling(epsilon=1.0, k=2, noise=noise), None) for noise in NOISES}
    drawn = [noise for noise, tool in made.items() if tool.name == "OpenDP"]
    assert f"peeling with {' or '.join(drawn)} noise" in page.read_text(encoding="utf-8")
