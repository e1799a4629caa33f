"""A preview's step has the library's figures."""

import base64

import numpy as np
import pytest

from dpviz import Canonical, Scenario
from dpviz.base.text_format import percent
from dpviz.pages import load_page_view
from dpviz.pages.common import PageSubject, PreviewRequest
from dpviz.pages.compare.study import STARTING
from dpviz.pages.explore.view import build_slider_preview as explored


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


def test_a_slider_that_ends_elsewhere_than_on_explore_says_why() -> None:
    of = PageSubject(Scenario(epsilon=0.2, k=3, designs=STARTING))
    ends, notes = set(), set()
    for name in ("explore", "neighbours", "compare", "gaps", "margin"):
        preview = load_page_view(name)
        ends.add(preview.preview_range(of))
        notes.add(preview.range_note)
        assert len(ends) == len(notes), name
