"""Every page at every width: no text lies on another, nothing is cut, no box is too small for its
number.

Below a width where page and sidebar have no room beside each other the sidebar is a drawer.
"""

from collections.abc import Callable

import pytest
from playwright.sync_api import Page, TimeoutError, expect

from tests.browser.every_page import EVERY, settled

WIDTHS = (360, 683, 769, 960, 1180, 1920)
FEW = {"explore as it opens": "/explore", "compare as it opens": "/compare"}
FAULTS = """() => {
  const main = document.querySelector('[data-testid="stMain"]'), range = document.createRange(), seen = [], bad = [];
  const apart = (a, b) => a.left > b.right - 1 || a.right < b.left + 1 || a.top > b.bottom - 1 || a.bottom < b.top + 1;
  const within = (up, test) => up && up !== main && (test(up) || within(up.parentElement, test));
  const unseen = (box) => (up) => {  // behind an edge, for screen readers alone, or over what is scrolled
    const style = getComputedStyle(up);
    return (style.clipPath !== 'none' && !up.closest('.legend')) || /sticky|fixed/.test(style.position)
      || (/hidden|auto|scroll|clip/.test(style.overflowX + style.overflowY) && apart(box, up.getBoundingClientRect()));
  };
  const texts = document.createTreeWalker(main, NodeFilter.SHOW_TEXT);
  while (texts.nextNode()) {
    const node = texts.currentNode, of = node.parentElement, text = node.textContent.trim();
    if (!text || !of.checkVisibility({ opacityProperty: true, visibilityProperty: true })) continue;
    if (of.closest('script, style, .modebar')) continue;
    range.selectNodeContents(node);
    for (const box of range.getClientRects())
      if (box.width > 2 && box.height > 4 && !within(of, unseen(box))) seen.push({ text, of, box });
  }
  seen.sort((a, b) => a.box.top - b.box.top);
  seen.forEach((a, i) => {
    for (const b of seen.slice(i + 1)) {
      if (b.box.top > a.box.bottom) break;
      const wide = Math.min(a.box.right, b.box.right) - Math.max(a.box.left, b.box.left);
      const high = Math.min(a.box.bottom, b.box.bottom) - b.box.top;
      if (wide > 3 && high > 5 && !a.of.contains(b.of) && !b.of.contains(a.of)) bad.push(`${a.text} / ${b.text}`);
    }
  });
  if (main.scrollWidth > main.clientWidth + 1) bad.push(`wider by ${main.scrollWidth - main.clientWidth}`);
  for (const box of main.querySelectorAll('[data-testid="stNumberInputField"]'))
    if (box.checkVisibility() && box.clientWidth - parseFloat(getComputedStyle(box).paddingLeft) < 8 * box.value.length)
      bad.push(`${box.ariaLabel} has no room for ${box.value}`);
  return bad;
}"""
# a moment after the window
FOLLOWED = """() => [...document.querySelectorAll('.stPlotlyChart')].every((chart) => !chart.checkVisibility()
    || Math.abs(chart.querySelector('.main-svg').clientWidth - chart.clientWidth) < 2)"""


@pytest.mark.twins(1)
@pytest.mark.parametrize(
    "name", [*FEW, *(pytest.param(name, marks=pytest.mark.long) for name in EVERY)]
)
def test_no_text_lies_on_another_and_nothing_is_cut(
    visit: Callable[[str], Page], name: str
) -> None:
    page = visit({**EVERY, **FEW}[name])
    settled(page)
    for width in WIDTHS:
        page.set_viewport_size({"width": width, "height": 900})
        page.wait_for_function(FOLLOWED)
        try:
            page.wait_for_function(f"() => !({FAULTS})().length")
        except TimeoutError:
            assert page.evaluate(FAULTS) == [], f"{name} at {width} pixels"


def test_where_there_is_no_room_beside_it_the_sidebar_is_a_drawer(page: Page) -> None:
    page.set_viewport_size({"width": 820, "height": 900})
    page.goto("/explore?epsilon=0.3")
    settled(page)
    sidebar, question = page.get_by_test_id("stSidebar"), page.get_by_role("heading", level=1)
    expect(sidebar).not_to_be_in_viewport()
    left = question.bounding_box()["x"]  # type: ignore[index]
    page.get_by_test_id("stExpandSidebarButton").click()
    expect(sidebar).to_be_in_viewport()
    assert question.bounding_box()["x"] == left, "it does not lie over the page"  # type: ignore[index]
    expect(page.get_by_role("spinbutton", name="ε, exactly")).to_have_value("0.3")
    page.mouse.click(810, 450)
    expect(sidebar).not_to_be_in_viewport()
