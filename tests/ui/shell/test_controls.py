"""The steps of the ε slider, and text shown as it is."""

import numpy as np
import pytest

from dpviz.ui.shell.controls import STEPS
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
