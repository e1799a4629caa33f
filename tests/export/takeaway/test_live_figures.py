"""A live figure: every stop has the figures of the law at its ε, and it stays small."""

import html
import re
from dataclasses import replace
from pathlib import Path

import pytest

from dpviz import (
    TOP_K,
    Canonical,
    Design,
    LiveFigure,
    OneShot,
    ParameterError,
    Peeling,
    Question,
    Scores,
    ThresholdCounts,
    TopKMechanism,
    compare,
    decide,
)
from dpviz.base.text_format import percent
from dpviz.export.live_figures import LARGEST
from dpviz.pages.common.slider_file import epsilon_grid
from dpviz.studies.data_spec import DataSpec
from tests.export.takeaway.taken import content_of
from tests.places import few_places

VOTES = Scores({"zoo": 9, "lake": 14, "castle": 12, "cave": 2}, monotonic=True)
DATA = DataSpec(source="uploaded", monotonic=True)
QUESTION = Question(k=2, goal="2 of 2 in 0.9", releases=12, data=DATA, designs=(Design(),))
MECHANISMS = [Peeling(epsilon=2.0, k=2), OneShot(epsilon=2.0, k=2, noise="exponential")]


def shown(figure: LiveFigure) -> tuple[list[str], list[list[list[str]]]]:
    """Each stop's ε, and its cells."""
    steps = content_of(figure.html)["steps"]
    return [one["value"] for one in steps], [one["cells"] for one in steps]


def test_every_stop_has_the_chance_of_the_law_at_its_epsilon() -> None:
    with few_places(4):
        stops = epsilon_grid(2.0)
        law = MECHANISMS[0].distribution(VOTES).live()
        both = compare(MECHANISMS, VOTES).live()
    for figure, mechanisms in ((law, MECHANISMS[:1]), (both, MECHANISMS)):
        values, cells = shown(figure)
        assert values == [f"{stop:.6g}" for stop in stops]
        for stop, rows in zip(stops, cells, strict=True):
            laws = [one.replace(epsilon=stop).distribution(VOTES) for one in mechanisms]
            assert [row[0] for row in rows] == [percent(one.top) for one in laws]


COUNTS = replace(VOTES, contributions=2)
EVERY = [
    *(one(epsilon=2.0, k=2) for one in TOP_K.values()),
    ThresholdCounts(epsilon=2.0, k=VOTES.d),  # as many as there are items: no cut-off is drawn
    ThresholdCounts(sigma=2.0, threshold=6, contributions=2),
    OneShot(scale=2.0, noise="laplace", contributions=2, k=2),
]


@pytest.mark.parametrize("mechanism", EVERY, ids=lambda one: one.key)
def test_every_mechanism_is_live_and_a_stated_noise_moves(mechanism: TopKMechanism) -> None:
    law = mechanism.distribution(COUNTS)
    with few_places(2):
        figure = law.live()
    values, _ = shown(figure)
    assert f"{mechanism.setting:.6g}" in values
    assert Design(mechanism=mechanism).build(mechanism.epsilon, law.k) == law.mechanism
    assert ("noise" if mechanism.states_noise else "ε") in figure.title


def test_a_decision_is_live_with_the_scores_it_was_made_on() -> None:
    with few_places(2):
        decision = decide(QUESTION, VOTES)
        values, cells = shown(decision.live(VOTES))
        assert values[2] == f"{decision.epsilon:.6g}"
        for stop, (row,) in zip(epsilon_grid(decision.epsilon), cells, strict=True):
            law = decision.mechanism.replace(epsilon=stop).distribution(VOTES)
            assert row[2] == percent(law.hits_at_least(2))
        for wrong in (None, Scores([30.0, 20.0, 1.0, 0.0])):
            with pytest.raises(ParameterError, match="scores that were given to decide"):
                decision.live(wrong)


def test_the_largest_figure_keeps_below_its_bound_and_says_its_size(tmp_path: Path) -> None:
    scores = Scores([float(i) for i in range(60)], labels=["ü" * 100 + str(i) for i in range(60)])
    six = [Canonical(epsilon=1.0, k=20, gamma=i / 6) for i in range(6)]
    for result in (compare(six, scores), six[3].distribution(scores)):
        figure = result.live()
        assert figure.size <= LARGEST == 60_000
        assert f"{figure.size / 1e3:.0f} kB" in repr(figure)
        figure.save(tmp_path / "figure.html")
        assert (tmp_path / "figure.html").read_text(encoding="utf-8") == figure.html
        for shared in (False, True):
            frame = replace(figure, own_plotly=not shared)._repr_html_()
            inner = html.unescape(re.findall('srcdoc="([^"]*)"', frame)[0])
            assert len(inner.encode()) == figure.size + (0 if shared else figure.plotly_size)


def test_mechanisms_are_compared_at_one_epsilon_and_k() -> None:
    tops = compare(MECHANISMS, VOTES).frame().query("figure == 'top'")["value"]
    expected = [one.distribution(VOTES).top for one in MECHANISMS]
    assert tops.tolist() == pytest.approx(expected, abs=1e-12)
    for other in (Peeling(epsilon=1.0, k=2), Peeling(epsilon=2.0, k=1)):
        with pytest.raises(ParameterError, match="the same for all mechanisms"):
            compare([*MECHANISMS, other], VOTES)
