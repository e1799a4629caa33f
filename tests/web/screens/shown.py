"""What stands on a page that is run without a browser, and how a test waits for it."""

import base64
import html
import json
import re
from collections.abc import Sequence
from typing import Any

import numpy as np
from streamlit.proto.ForwardMsg_pb2 import ForwardMsg
from streamlit.testing.v1 import AppTest

from dpviz import Scenario
from tests.web.screens.waiting import run_when_computed

_PLACE = re.compile(r'<span data-place="[^"]*" data-at="[^"]*">(.*?)</span>', re.DOTALL)
_CARD = re.compile(
    r'<div class="dp-name">(.*?)(?:<span class="dp-tip"[^>]*>(.*?)<.*?)?</div>'
    r'<div class="dp-value">(.*?)</div>',
    re.DOTALL,
)
_LATE = "dp-wait", "dp-place"


def bodies(app: AppTest) -> list[str]:
    """The HTML fragments on the page, without styles and the marks of what follows the hand."""
    shown = (element.proto.body for element in app.get("html"))
    return [_PLACE.sub(r"\1", body) for body in shown if not body.lstrip().startswith("<style")]


def said(sentence: str) -> str:
    """The sentence without the signs that keep names apart."""
    return re.sub(r"[\u2068\u2069]", "", sentence)


def text(app: AppTest) -> str:
    """All that is written in HTML fragments, without the tags."""
    return said(html.unescape(re.sub(r"<[^>]+>", "", " ".join(bodies(app)))))


def words(app: AppTest) -> str:
    """The same, with a space for each tag."""
    return re.sub(
        r"[ \n\u00a0]+", " ", html.unescape(re.sub(r"<[^>]+>", " ", " ".join(bodies(app))))
    )


def heading(app: AppTest) -> str:
    """The page's own title."""
    found = re.search(r'<h1 class="dp-title">(.*?)</h1>', " ".join(bodies(app)))
    assert found
    return html.unescape(re.sub(r"<[^>]+>", "", found[1]))


def _figures(app: AppTest) -> list[tuple[str, str, str]]:
    body = next(body for body in bodies(app) if "dp-cards" in body)
    return [
        (*(html.unescape(re.sub(r"<[^>]+>", "", part)) for part in card),)
        for card in _CARD.findall(body)
    ]


def cards(app: AppTest) -> dict[str, str]:
    """Each headline figure by its name."""
    return {name: value for name, _, value in _figures(app)}


def badges(app: AppTest) -> dict[str, str]:
    """How each headline figure was found."""
    return {name: badge for name, badge, _ in _figures(app)}


def control(app: AppTest, kind: str, label: str) -> Any:
    """The control of this kind with this label, else the first whose label starts so."""
    widgets = list(app.get(kind))
    same = [widget for widget in widgets if widget.label == label]
    return (same or [widget for widget in widgets if widget.label.startswith(label)])[0]


def press(app: AppTest, label: str) -> AppTest:
    """Press the button whose label starts so."""
    control(app, "button", label).click().run()
    assert not app.exception
    return app


def errors(app: AppTest) -> str:
    """What is told to be wrong, without the signs that keep it from being read as markup."""
    return " ".join(error.value for error in app.error).replace("\\", "")


def figures(app: AppTest) -> list[dict[str, Any]]:
    """What each chart draws."""
    return [json.loads(chart.proto.spec) for chart in app.get("plotly_chart")]


def array(told: Any) -> "np.ndarray[Any, np.dtype[np.float64]]":
    """A figure's array, which comes as base64 with its type."""
    if isinstance(told, dict):
        return np.frombuffer(base64.b64decode(told["bdata"]), told["dtype"]).astype(float)
    return np.array(told, float)


def scenario(app: AppTest) -> Scenario:
    """What the session is about."""
    of: Scenario = app.session_state["dpviz.scenario"]
    return of


def settled(app: AppTest) -> AppTest:
    """The page once all that is computed beside it is there."""
    for _ in range(200):
        assert not app.exception, [told.value for told in app.exception]
        late = any(mark in body for body in bodies(app) for mark in _LATE)
        if not late and "Stop" not in [button.label for button in app.button]:
            return app
        run_when_computed(app)
    raise AssertionError("the page never comes to rest")


def stray_fragments(messages: Sequence[ForwardMsg]) -> list[list[int]]:
    """Places of fragments that share their block with something else."""
    owners: dict[tuple[int, ...], str] = {}
    for message in messages:
        if message.HasField("delta"):
            owners[tuple(message.metadata.delta_path)] = message.delta.fragment_id
    return [
        list(place)
        for place, fragment in owners.items()
        if fragment and owners.get(place[:-1]) != fragment
        if any(other != place and other[:-1] == place[:-1] for other in owners)
    ]
