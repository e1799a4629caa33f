"""What axe-core finds on a page."""

from collections.abc import Sequence
from pathlib import Path
from typing import Any

import axe_playwright_python
from playwright.sync_api import Page

AXE = (Path(axe_playwright_python.__file__).parent / "axe.min.js").read_text(encoding="utf-8")
STANDARDS = ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa", "best-practice"]
COLOURS = ["color-contrast", "link-in-text-block"]  # the rules that a theme can break
STREAMLITS = {
    # its drop zone says role=presentation and has a name; the button inside it is what one uses
    ("presentation-role-conflict", '[data-testid="stFileUploaderDropzone"]'),
}


def violations(
    page: Page, width: int = 1366, only: Sequence[str] = ()
) -> list[tuple[str, str, bool]]:
    """Rule, element and whether it is one of Streamlit's own, for each violation (of the rules
    named) of the page.
    """
    page.set_viewport_size(
        {"width": width, "height": 9000}
    )  # colours are looked at where they are in sight
    # in a closed fold Chromium keeps a transition that has ended: only those in sight are waited
    # for
    page.wait_for_function(
        """document.getAnimations().every((one) => !(one instanceof CSSTransition
            && one.effect.target.checkVisibility()))"""
    )
    if not page.evaluate("'axe' in window"):
        page.evaluate(AXE)
    found: list[dict[str, Any]] = page.evaluate(
        """async ([runOnly, exempt]) => (await axe.run(document, {
            runOnly, resultTypes: ['violations'] })).violations.flatMap((rule) => rule.nodes.map((node) => {
                const element = document.querySelector(node.target.at(-1));
                const own = exempt.some(([name, where]) => name === rule.id && element?.matches(where));
                return {rule: rule.id, html: node.html.slice(0, 200), own};
            }))""",
        [{"type": "rule", "values": only} if only else STANDARDS, sorted(STREAMLITS)],
    )
    return [(one["rule"], one["html"], one["own"]) for one in found]


_CONTRAST = """(selector) => {
    const linear = (v) => v <= 0.04045 ? v / 12.92 : ((v + 0.055) / 1.055) ** 2.4;
    const light = (colour) => colour.reduce((sum, v, i) => sum + linear(v / 255) * [0.2126, 0.7152, 0.0722][i], 0);
    const canvas = new OffscreenCanvas(1, 1).getContext('2d', {willReadFrequently: true});
    const over = (colour, below) => {
        canvas.fillStyle = `rgb(${below})`; canvas.fillRect(0, 0, 1, 1);
        canvas.fillStyle = colour; canvas.fillRect(0, 0, 1, 1);
        return [...canvas.getImageData(0, 0, 1, 1).data].slice(0, 3);
    };
    const seen = (one) => one.textContent.trim() && one.checkVisibility({visibilityProperty: true});
    return [...document.querySelectorAll(selector)].filter(seen).map((one) => {
        const behind = [], box = one.getBoundingClientRect(), y = box.top + box.height / 2;
        for (let up = one; up; up = up.parentElement) {
            const around = up.getBoundingClientRect();
            if (around.top <= y && y <= around.bottom) behind.unshift(getComputedStyle(up).backgroundColor);
        }
        const ground = behind.reduce((below, colour) => over(colour, below), [255, 255, 255]);
        const [a, b] = [light(over(getComputedStyle(one).color, ground)), light(ground)];
        return (Math.max(a, b) + 0.05) / (Math.min(a, b) + 0.05);
    });
}"""
_CHOSEN = ('[data-testid="stSliderThumbValue"] p', '.stButtonGroup button[data-selected="true"] p')


def contrasts(page: Page) -> list[float]:
    """Of slider values and chosen segments, whose ground axe cannot see through."""
    return [ratio for selector in _CHOSEN for ratio in page.evaluate(_CONTRAST, selector)]
