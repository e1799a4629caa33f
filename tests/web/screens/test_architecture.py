"""The page on the architecture is true: the way of one figure, and the tree."""

import re
import sys
import threading
from collections.abc import Callable
from pathlib import Path
from types import FrameType

from streamlit.testing.v1 import AppTest

from tests.web.screens.waiting import run_when_computed

ROOT = Path(__file__).resolve().parents[3]
PAGE = (ROOT / "assets" / "docs" / "architecture.md").read_text(encoding="utf-8")
WAY = re.findall(r"^\| [^|]+ \| `([\w/]+\.py)` \| `([\w.]+)` \|$", PAGE, re.MULTILINE)
"""File and function of each step."""


def calls_of(run: Callable[[], object]) -> list[tuple[str, str]]:
    """File and function of each function of dpviz by its first call, in every thread that begins."""
    found: dict[tuple[str, str], None] = {}
    inside = f"{ROOT / 'dpviz'}/"

    def heard(frame: FrameType, event: str, _: object) -> None:
        if event == "call" and frame.f_code.co_filename.startswith(inside):
            found[frame.f_code.co_filename[len(inside) :], frame.f_code.co_qualname] = None

    before = sys.getprofile()
    threading.setprofile(heard)
    sys.setprofile(heard)
    try:
        run()
    finally:
        sys.setprofile(before)
        threading.setprofile(None)  # type: ignore[arg-type]
    return list(found)


def test_the_way_of_one_figure_is_the_one_it_takes(open_page: Callable[..., AppTest]) -> None:
    app = run_when_computed(open_page("explore", epsilon="0.5", folded=True))
    epsilon = next(box for box in app.number_input if box.label.startswith("ε"))
    calls = calls_of(lambda: run_when_computed(epsilon.set_value(0.8).run()))
    assert len(WAY) >= 10
    assert [step for step in WAY if step not in calls] == []
    places = [calls.index(step) for step in WAY]
    assert places == sorted(places)


def test_every_folder_of_the_tree_is_there_and_none_is_left_out() -> None:
    tree = PAGE.partition("## The way")[0]
    told = set(re.findall(r"`(dpviz/[\w/]+)/`", tree))
    assert [name for name in told if not (ROOT / name).is_dir()] == []
    for folder in ("dpviz", "dpviz/web"):
        there = {f"{folder}/{path.parent.name}" for path in (ROOT / folder).glob("*/__init__.py")}
        assert there - told == set()


def test_the_vocabulary_has_the_words_of_the_code() -> None:
    words = ["law", "study", "view", "screen", "scenario", "preview"]
    assert [word for word in words if f"\n| {word} | " not in PAGE] == []
