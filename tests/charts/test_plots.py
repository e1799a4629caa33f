"""`plot` and the methods of that name: the app's charts of whatever is a result."""

from base64 import b64decode
from typing import Any

import numpy as np
import plotly.graph_objects as go
import pytest

from dpviz import (
    CandidatePool,
    Canonical,
    Design,
    LargeMargin,
    NoisyTopKWithGap,
    OneShot,
    ParameterError,
    Question,
    RandomStopping,
    Scores,
    Sweep,
    decide,
    figures_by_epsilon,
    plot,
    privacy_loss,
    run_sweep,
)
from dpviz.charts import hit_count_chart
from dpviz.studies import DataSpec

VOTES, MORE = (
    Scores({"lake": lake, "castle": 12, "zoo": 9, "cave": 2}, monotonic=True) for lake in (14, 15)
)
ONE = Canonical(epsilon=1.0, k=2)
LAW, LOSS = ONE.distribution(VOTES), privacy_loss(ONE, VOTES, MORE)
CURVES = figures_by_epsilon(ONE, VOTES, [2.0, 0.5])
DECISION = decide(Question(k=2, data=DataSpec(name="class_trip"), designs=(Design(),)))
SHOWN: list[tuple[Any, list[str]]] = [
    (LAW, ["items", "hits", "classes"]),
    (LOSS, ["loss", "delta", "trade_off"]),
    (CURVES, []),
    (CURVES["top"], []),
    (DECISION, []),
    (LargeMargin(epsilon=1.0, delta=1e-6).distribution(VOTES), []),
    (NoisyTopKWithGap(epsilon=1.0, k=2).distribution(VOTES), []),
    (RandomStopping(stop=0.1).distribution(CandidatePool([[0.9, 0.7], [0.5]])), []),
]


@pytest.mark.parametrize(("result", "shown"), SHOWN)
def test_a_result_has_its_pictures_in_both_looks(result: Any, shown: list[str]) -> None:
    for show in (None, *shown):
        light, dark = result.plot(show), result.plot(show, look="dark")
        assert isinstance(light, go.Figure)
        assert len(light.data) > 0
        assert light.layout.template != dark.layout.template
    assert plot(result) == result.plot()


def test_a_picture_is_the_apps_own() -> None:
    own = hit_count_chart(LAW.hits, at_least=2, bounds=LAW.bounds)
    assert LAW.plot("hits").to_dict() == go.Figure(own.figure.data).to_dict()


def test_delta_is_drawn_from_an_epsilon_of_0_to_the_limit() -> None:
    curve, *_ = LOSS.plot("delta").data
    epsilons = np.frombuffer(b64decode(curve.x["bdata"]), "<f4")
    assert (epsilons[0], epsilons[-1]) == (0.0, ONE.epsilon)


def test_a_table_of_a_sweep_is_drawn_over_what_it_goes_over() -> None:
    designs = [Design(), Design(mechanism="one_shot")]
    sweep = Sweep(scores={"votes": VOTES}, designs=designs, epsilons=[1.0], ks=[1, 2])
    table = run_sweep(sweep)
    drawn = plot(table)
    assert drawn.layout.xaxis.title.text == "k, the length of the list"
    lines = [one for one in drawn.data if one.mode == "lines" and one.xaxis == "x"]
    first = [one for one in lines if len(one.y["bdata"]) > 4]
    expected = [OneShot(epsilon=1.0, k=k).distribution(VOTES).top for k in (1, 2)]
    assert [one.legendgroup for one in first] == ["canonical", "one_shot"]
    told = np.frombuffer(b64decode(first[1].y["bdata"]), "<f4")
    np.testing.assert_allclose(told, expected, rtol=1e-6)
    assert plot(table, "epsilon").layout.xaxis.title.text == "ε, logarithmic"


@pytest.mark.parametrize(
    ("result", "settings", "says"),
    [
        (3, {}, "^result must be a law of items, .* not 3.$"),
        (LAW.table(), {}, "a table that run_sweep gave"),
        (LAW, {"show": "heat"}, "^show must be one of items, hits, classes, not 'heat'.$"),
        (LAW, {"look": "blue"}, "^look must be one of light, dark, not 'blue'.$"),
    ],
)
def test_what_has_no_picture_says_so(result: Any, settings: dict[str, Any], says: str) -> None:
    with pytest.raises(ParameterError, match=says):
        plot(result, **settings)
