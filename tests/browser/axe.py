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


def violations(page: Page, width: int = 1400, only: Sequence[str] = ()) -> list[tuple[str, str, bool]]:
    """Rule, element and whether it is one of Streamlit's own, for each violation of the whole page; `only` names rules."""
    page.set_viewport_size({"width": width, "height": 9000})  # colours are looked at where they are in sight
    page.wait_for_function("document.getAnimations().every((one) => !(one instanceof CSSTransition))")
    page.evaluate(AXE)
    found: list[dict[str, Any]] = page.evaluate(
        """async ([runOnly, exempt]) => (await axe.run(document, {runOnly})).violations.flatMap((rule) =>
            rule.nodes.map((node) => {
                const element = document.querySelector(node.target.at(-1));
                const own = exempt.some(([name, where]) => name === rule.id && element?.matches(where));
                return {rule: rule.id, html: node.html.slice(0, 200), own};
            }))""",
        [{"type": "rule", "values": only} if only else STANDARDS, sorted(STREAMLITS)],
    )
    return [(one["rule"], one["html"], one["own"]) for one in found]
