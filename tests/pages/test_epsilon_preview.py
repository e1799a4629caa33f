"""A preview's step has the library's figures."""

import base64

import numpy as np
import pytest

from dpviz import Canonical, Scenario, Scores
from dpviz.base.text_format import percent
from dpviz.pages import load_page_view
from dpviz.pages.common import PageSubject, PreviewRequest
from dpviz.pages.compare.study import STARTING
from dpviz.pages.explore.view import build_slider_preview as explored
from dpviz.pages.gaps.view import build_slider_preview as gaps
from dpviz.studies import DataSpec


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


def test_how_high_a_step_of_gaps_stands_depends_on_differences_of_scores_alone() -> None:
    counts = np.array([90.0, 70.0, 40.0, 10.0, 0.0])
    of = Scenario(epsilon=0.2, k=2, data=DataSpec(source="uploaded", sensitivity=1.0))
    heights = []
    for above in (0.0, 1000.0):
        subject = PageSubject(of, Scores(counts + above))
        heights.append(gaps(subject, 1.0, PreviewRequest()).browser_data["height"])
    assert 0 < heights[0] < 1
    assert heights[1] == pytest.approx(heights[0], abs=1e-6)


def test_a_slider_that_ends_elsewhere_than_on_explore_says_why() -> None:
    of = PageSubject(Scenario(epsilon=0.2, k=3, designs=STARTING))
    ends, notes = set(), set()
    for name in ("explore", "neighbours", "compare", "gaps", "margin"):
        preview = load_page_view(name)
        ends.add(preview.preview_range(of))
        notes.add(preview.range_note)
        assert len(ends) == len(notes), name
