"""Colours: in order of lightness, the same ends in both themes as the app's own background."""

import tomllib
from pathlib import Path

import numpy as np
import pytest

from dpviz.charts.look import DARK, LIGHT, LOOKS, Look

CONFIG = Path(__file__).resolve().parents[2] / ".streamlit" / "config.toml"


def lightness(colour: str) -> float:
    channels = np.array([int(colour[i : i + 2], 16) for i in (1, 3, 5)]) / 255
    linear = np.where(channels <= 0.04045, channels / 12.92, ((channels + 0.055) / 1.055) ** 2.4)
    return float(linear @ [0.2126, 0.7152, 0.0722])


def contrast(a: str, b: str) -> float:
    high, low = sorted((lightness(a), lightness(b)), reverse=True)
    return (high + 0.05) / (low + 0.05)


@pytest.mark.parametrize("look", LOOKS.values(), ids=list(LOOKS))
class TestLook:
    def test_sequential_colours_run_away_from_the_paper_in_lightness(self, look: Look) -> None:
        steps = np.diff([lightness(colour) for colour in look.sequential])
        assert (steps < 0).all() if look is LIGHT else (steps > 0).all()

    def test_text_and_lines_can_be_read(self, look: Look) -> None:
        assert contrast(look.ink, look.paper) > 12
        assert contrast(look.muted, look.paper) > 4.5
        assert contrast(look.press, "#ffffff") > 4.5

    def test_the_paper_is_that_of_the_app(self, look: Look) -> None:
        theme = tomllib.loads(CONFIG.read_text(encoding="utf-8"))["theme"][look.name]
        assert theme["backgroundColor"] == look.paper
        assert theme["textColor"] == look.ink


def test_a_presenters_text_is_larger() -> None:
    assert DARK.with_text_scale(1.5).text_size == 1.5 * DARK.text_size
