"""The steps of the ε slider, controls that are replaced rather than written into, and text shown as it is."""

from types import SimpleNamespace
from typing import Any

import numpy as np
import pytest

from dpviz.ui.shell import controls
from dpviz.ui.shell.controls import STEPS, on, place
from dpviz.ui.shell.text import bidi, plain


def test_steps_rise_evenly_in_proportion_from_a_hundredth_to_a_hundred() -> None:
    ratios = np.array(STEPS[1:]) / np.array(STEPS[:-1])
    assert (STEPS[0], STEPS[-1]) == (0.01, 100.0)
    assert ratios.min() > 1.05
    assert ratios.max() < 1.21


@pytest.mark.parametrize("text", ["*a*", "[x](y)", "<b>", "$x$", ":material/home:", "`a`", "# a", "a\\b", "~~a~~"])
def test_plain_escapes_every_sign(text: str) -> None:
    assert plain(text).replace("\\\\", "\0").replace("\\", "").replace("\0", "\\") == text
    assert all(plain(text)[i - 1] == "\\" for i, sign in enumerate(plain(text)) if sign in "*[<$`~#")


def test_bidi_escapes_and_isolates() -> None:
    assert bidi("<i>&") == "<bdi>&lt;i&gt;&amp;</bdi>"


@pytest.fixture
def session(monkeypatch: pytest.MonkeyPatch) -> dict[str, Any]:
    held: dict[str, Any] = {}
    monkeypatch.setattr(controls, "st", SimpleNamespace(session_state=held))
    return held


def test_a_control_keeps_its_key_while_it_shows_the_value_and_is_replaced_when_another_is_to_be_shown(
    session: dict[str, Any],
) -> None:
    first = place("k", 3)
    assert place("k", 3) == first
    second = place("k", 4)
    assert second != first
    assert place("k", 4) == second
    assert place("k", 3) not in {first, second}  # the first one may still report


def test_what_a_control_reports_is_acted_on_once(session: dict[str, Any]) -> None:
    heard: list[int] = []
    key = place("k", 3)
    session[key] = 5
    on("k", heard.append)()
    on("k", heard.append)()  # it shows 5 already
    assert heard == [5]
    assert place("k", 5) == key
    session[key] = 6
    on("k", heard.append)()
    assert heard == [5, 6]
    assert place("k", 5) != key  # what it reported was refused


def test_a_control_that_was_replaced_or_emptied_is_not_acted_on(session: dict[str, Any]) -> None:
    heard: list[int] = []
    key, changed = place("k", 3), on("k", heard.append)
    place("k", 4)
    session[key] = 9
    changed()
    now = place("k", 4)
    session[now] = None
    on("k", heard.append)()
    assert heard == []
    assert place("k", 4) != now
