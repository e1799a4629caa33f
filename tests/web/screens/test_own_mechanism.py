"""A function that draws, in a file named by --with, stands beside the others on Compare and Decide."""

import os
import re
from collections.abc import Callable
from pathlib import Path

import pytest
from streamlit.testing.v1 import AppTest

from dpviz import Design, Question, Scores, decide
from dpviz.base import WITH, Progress, register_environment_module
from dpviz.base.text_format import percent
from dpviz.data import EXAMPLES
from dpviz.pages.decide.sentences.phrases import format_smallest_epsilon
from dpviz.studies import DataSpec
from dpviz.topk import TOP_K, TopKMechanism
from dpviz.topk.law import Draw
from tests.web.screens.shown import errors, run_when_computed, settled, words

OpenPage = Callable[..., AppTest]
OWN = """
import numpy as np
from dpviz import FromSampler

def lowered(scores, size, rng, epsilon, k):
    noise = rng.laplace(0, 2 * k / epsilon, (size, scores.d))
    return np.argsort(-(scores.values + noise), axis=1)[:, :k]

mine = FromSampler(lowered, epsilon=1.0, k=1)
"""


@pytest.fixture
def brought(menu: None, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The menu as it is once the app has started with such a file."""
    path = tmp_path / "own_draws.py"
    path.write_text(OWN, encoding="utf-8")
    monkeypatch.setitem(os.environ, WITH, str(path))
    register_environment_module(TOP_K, TopKMechanism)


def test_it_stands_beside_the_others(brought: None, open_page: OpenPage) -> None:
    link = {"data": "example:class_trip", "epsilon": "2", "k": "2"}
    app = open_page("compare", folded=True, **link, m1="canonical", m2="mine")
    own = TOP_K["mine"](epsilon=2.0, k=2).distribution(EXAMPLES["class_trip"].scores())
    assert own.method == "estimated"
    assert percent(own.top, *own.interval("top")) in words(settled(app))


class Worn(TopKMechanism):
    def sampler(self, scores: Scores, progress: Progress = lambda part: None) -> Draw:
        raise ZeroDivisionError("worn out")


def test_the_page_says_what_it_raised(menu: None, open_page: OpenPage) -> None:
    TOP_K.put("worn", Worn, label="worn")
    app = open_page("explore", data="example:class_trip", k="2", m1="worn")
    run_when_computed(app)
    assert "Worn.sampler raised ZeroDivisionError (worn out)" in errors(app)


def test_it_is_decided_on(brought: None, open_page: OpenPage) -> None:
    chosen = {"page.decide.goal": "2 of 2 in 0.9", "page.decide.screen": "answer"}
    app = open_page("decide", data="example:class_trip", k="2", m1="canonical", m2="mine", **chosen)
    asked = Question(k=2, data=DataSpec(name="class_trip"), goal="2 of 2 in 0.9")
    decision = decide(asked.replace(designs=(Design(), Design(mechanism="mine"))))
    wanted = format_smallest_epsilon(decision.needs[1].smallest)
    table = words(settled(app)).partition("Attacker right")[2]
    assert re.search(rf"2 mine.*{re.escape(wanted)}", table)
