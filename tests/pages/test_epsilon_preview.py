"""A preview's step has the library's figures."""

import base64

import numpy as np
import pytest

from dpviz import Canonical, Scenario
from dpviz.charts.text_format import percent
from dpviz.pages.common import PageSubject, PreviewRequest
from dpviz.pages.explore.view import build_preview as explored


def test_a_step_of_explore_has_the_figures_of_the_library() -> None:
    of = PageSubject(Scenario(epsilon=0.2))
    step = explored(of, 0.5, PreviewRequest()).browser_data
    law = Canonical(epsilon=0.5, k=10).distribution(of.loaded_scores)
    assert step["said"]["top"] == percent(law.top)
    assert step["said"]["right"] == f"{10 * law.share:.2f}"
    assert step["said"]["lead"] == step["says"]
    assert step["height"] == pytest.approx(law.share, abs=1e-4)
    drawn = step["charts"]["scores"]["data"][1]["x"]
    chances = np.frombuffer(base64.b64decode(drawn["bdata"]), drawn["dtype"])
    assert chances[:18] == pytest.approx(law.inclusion[of.loaded_scores.order][:18], rel=1e-3)
