"""What is shown of a step under the hand is what the page says at that ε."""

import html
import re
from collections.abc import Callable

import pytest
from streamlit.testing.v1 import AppTest

from dpviz import Scenario
from dpviz.pages import load_page_view
from dpviz.pages.common import PagePreview, PageSubject, PreviewRequest
from tests.web.screens.waiting import run_when_computed

OpenPage = Callable[..., AppTest]
_PLACE = re.compile(r'<span data-place="([^"]*)" data-at="([^"]*)">(.*?)</span>', re.DOTALL)


def placed(app: AppTest) -> dict[str, tuple[str, str]]:
    """What stands at each place, and the ε that it is of."""
    bodies = "".join(element.proto.body for element in app.get("html"))
    return {name: (at, html.unescape(text)) for name, at, text in _PLACE.findall(bodies)}


def says_the_same(app: AppTest, step: PagePreview, at: float) -> None:
    """Every place of the page is of this ε and says what the step says, and none of the step's is
    missing.
    """
    shown = placed(app)
    said = step.texts | {f"says {name}": chart.says_now for name, chart in step.charts.items()}
    assert shown == {name: (f"{at:g}", text) for name, text in said.items() if name in shown}
    assert {*step.texts} - {*shown} <= {name for name, text in step.texts.items() if not text}
    assert [name for name in shown if name.startswith("says ")]


@pytest.mark.parametrize("view", ["outcome", "percentile", "leaks"])
def test_candidates(open_page: OpenPage, view: str) -> None:
    page = {"pc.view": view, "pc.epsilon1": 0.8, "pc.runs": 20, "pc.people": 50}
    app = open_page("candidates", **{f"page.{name}": f"{value}" for name, value in page.items()})
    run_when_computed(app)
    hand = load_page_view("candidates").preview
    assert hand is not None
    of = PageSubject(Scenario(page=page | {"pc.epsilon1": 0.3}))
    says_the_same(app, hand.build_preview(of, 0.8, PreviewRequest()), 0.8)
    low, high = hand.preview_range(of) or (1, 0)
    assert low < hand.current_value(of) < high
    assert hand.scenario_at_value(of, 0.8).page["pc.epsilon1"] == 0.8
