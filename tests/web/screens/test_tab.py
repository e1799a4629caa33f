"""What a tab kept comes back only where the address asks for just these data, and is read as what a
stranger sends.
"""

import json
import re
from collections.abc import Callable, Iterator
from functools import partial

import pytest
from streamlit.testing.v1 import AppTest

from dpviz import Scores
from dpviz.studies import DataSpec, Scenario
from dpviz.web.widgets import tab_storage

KEPT = Scores([9, 5, 2], ["ash", "oak", "elm"])
HELD = json.dumps(
    {
        "from": "trees.csv",
        "scenario": Scenario(data=DataSpec(source="uploaded", d=3), scores=KEPT, k=1).to_json(),
    }
)


def opened(open_page: Callable[..., AppTest], held: str, **query: str) -> AppTest:
    """The page with this link, in a tab that tells that it holds this."""
    app = open_page("explore", data="uploaded", k="2", **query)
    app.session_state["dpviz.work"] = [partial(tab_storage._take, held)]
    app.run()
    assert not app.exception
    return app


def test_what_the_tab_kept_comes_back(open_page: Callable[..., AppTest]) -> None:
    app = opened(open_page, HELD, d="3", epsilon="2.0")
    scenario = app.session_state["dpviz.scenario"]
    assert (scenario.scores, scenario.epsilon, scenario.k) == (KEPT, 2.0, 2)
    assert (
        next(each for each in app.toggle if each.label == "Keep the data after reloading").value
        is True
    )
    assert any("trees.csv" in element.proto.body for element in app.get("html"))


@pytest.mark.parametrize(
    ("held", "query"),
    [
        (HELD, {"d": "4"}),  # the link of somebody else, about other data
        (HELD, {"d": "3", "called": "Votes"}),
        (re.sub("ash", "a" * 300, HELD), {"d": "3"}),
        ("[" * 100_000, {"d": "3"}),
        ('{"from": "x"}', {"d": "3"}),
        ("", {"d": "3"}),
    ],
)
def test_anything_else_that_it_kept_is_left(
    open_page: Callable[..., AppTest], held: str, query: dict[str, str]
) -> None:
    app = opened(open_page, held, **query)
    assert app.session_state["dpviz.scenario"].needs_data
    assert any(
        "Drop the file with these scores" in element.proto.body for element in app.get("html")
    )


def test_of_what_is_too_large_no_more_is_written(monkeypatch: pytest.MonkeyPatch) -> None:
    asked: list[str] = []

    def pieces(of: Scenario) -> Iterator[str]:
        for _ in range(10):
            asked.append("a" * (tab_storage.MOST // 2))
            yield asked[-1]

    monkeypatch.setattr(Scenario, "json_pieces", pieces)
    assert len(tab_storage._begun(Scenario())) > tab_storage.MOST
    assert len(asked) == 3
