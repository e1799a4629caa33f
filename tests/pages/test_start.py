"""Start's figures are the library's at each ε, and its releases follow the exact law."""

import json
import re

import numpy as np
import pytest

from dpviz import Canonical
from dpviz.data import EXAMPLES
from dpviz.export.start_file import render_start_file, scene_markup
from dpviz.pages.start.view import EPSILONS, FIRST_SIGN, RELEASES, SEED, ScenePosition, scene
from dpviz.privacy.composition import right_guess_bound

SCORES = EXAMPLES["help_line"].scores()
SAID = re.compile(
    r"At ε = ([\d.]+) on average ([\d.]+) of 10 listed services are right\. An attacker who guesses"
    r" whether Ana called is right at most (\d+) times in 100 \(pure guessing: 50\)\."
    r"( That protects practically nobody\.)?"
)


def mechanism(place: ScenePosition) -> Canonical:
    return Canonical(epsilon=float(place.value), k=10)


@pytest.mark.parametrize("place", scene().places, ids=lambda place: place.value)
def test_every_figure_is_the_librarys(place: ScenePosition) -> None:
    law = mechanism(place).distribution(SCORES)
    assert place.right == law.expected_hits
    assert np.abs(np.array(place.chances) / 100 - law.inclusion[SCORES.order]).max() <= 0.005
    told = SAID.fullmatch(place.sentence)
    assert told is not None
    epsilon, right, lit, nobody = told.groups()
    assert float(epsilon) == mechanism(place).epsilon
    assert abs(float(right) - law.expected_hits) <= 0.005 + 1e-9
    bound = right_guess_bound([mechanism(place)])
    assert int(lit) == place.right_guesses_per_hundred
    assert (
        -1e-12 <= place.right_guesses_per_hundred - 100 * bound < 1
    )  # to the safe side, and no further
    assert (nobody is not None) == (bound > 0.98)


def test_releases_are_the_samplers_and_follow_the_law() -> None:
    for place in scene().places:
        drawn = mechanism(place).sample(SCORES, RELEASES, rng=np.random.default_rng(SEED))
        assert [*map(sorted, SCORES.rank[drawn].tolist())] == [*map(list, place.releases)]
    for epsilon in (0.02, 0.13, 0.2, 0.5):  # of the law of hits at each of them
        hits = Canonical(epsilon=epsilon, k=10).distribution(SCORES).hits
        mean, square = float(hits @ np.arange(11)), float(hits @ np.arange(11) ** 2)
        releases = scene().places[EPSILONS.index(epsilon)].releases
        seen = float(np.mean([sum(rank < 10 for rank in ranks) for ranks in releases]))
        assert abs(seen - mean) <= 3 * ((square - mean**2) / RELEASES) ** 0.5


def test_the_browser_gets_every_release_and_no_more_than_it_shows() -> None:
    data = json.loads(json.dumps(scene().browser_data()))
    for sent, place in zip(data["places"], scene().places, strict=True):
        told = [tuple(ord(sign) - ord(FIRST_SIGN) for sign in text) for text in sent["releases"]]
        assert tuple(told) == place.releases
    assert len(json.dumps(data)) < 65_000
    assert data["names"] == [SCORES.label(int(item)) for item in SCORES.order]


def test_what_stands_at_rest_needs_no_script() -> None:
    markup, file = str(scene_markup(scene())), render_start_file(scene(), [("Page", "Start <b>")])
    assert scene().start_position.sentence in markup
    assert markup in file
    assert "<dd>Start &lt;b&gt;</dd>" in file
    assert "default-src 'none'" in file
    assert re.findall(r"(?:src|href)=", file) == []
