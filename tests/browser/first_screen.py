"""What stands on a screen at first sight, counted in the browser: words, and things to press, move
or fill in. The menu of pages, which is the same on each, is left out.
"""

from dataclasses import dataclass

from playwright.sync_api import Page, expect

from tests.browser.every_page import settled

_COUNTED = r"""() => {
  const texts = [], controls = [], range = document.createRange();
  const across = (box) => box.width > 1 && box.right > 0 && box.left < innerWidth;
  const inView = (box) => across(box) && box.height > 3 && box.bottom > 0 && box.top < innerHeight;
  const seen = (one) => one.checkVisibility({ opacityProperty: true, visibilityProperty: true });
  const clipped = (one) => getComputedStyle(one).clipPath !== 'none';
  const unread = (one) => !!one && (clipped(one) || unread(one.parentElement ?? one.getRootNode().host));
  const menu = '[data-testid="stHeader"]';
  const unheard = menu + ', script, style, [data-testid="stIconMaterial"], [href^="#"]';
  const pressed = 'button, input, select, textarea, a[href], summary, [role=slider], [role=combobox], [role=radio]';
  const shadows = [...document.querySelectorAll('*')].map((one) => one.shadowRoot).filter(Boolean);
  const roots = [document, ...shadows];
  for (const root of roots) {
    const nodes = document.createTreeWalker(root, NodeFilter.SHOW_TEXT);
    while (nodes.nextNode()) {
      const node = nodes.currentNode, of = node.parentElement, words = node.textContent.match(/\S*\p{L}\S*/gu);
      if (!words || !of || !seen(of) || of.closest(unheard) || unread(of)) continue;
      range.selectNodeContents(node);
      if ([...range.getClientRects()].some(inView)) texts.push(...words);
    }
    for (const one of root.querySelectorAll(pressed))
      if (seen(one) && inView(one.getBoundingClientRect()) && !one.closest('.modebar, ' + menu))
        controls.push((one.ariaLabel || one.innerText || one.tagName).trim());
  }
  return [texts, controls];
}"""
# React shows later what still loads
_ALL_THERE = """() => !document.querySelector('[style*="display: none !important"]')"""


@dataclass(frozen=True)
class FirstScreen:
    """The words on the screen, those in charts among them, and its controls by name."""

    words: list[str]
    controls: list[str]


def first_screen(page: Page) -> FirstScreen:
    """What can be seen now, without scrolling; numbers and icons are no words, nor is what is shown
    on focus alone.
    """
    expect(page.get_by_role("heading", level=1)).to_be_visible()
    page.wait_for_function(_ALL_THERE)
    settled(page)
    return FirstScreen(*page.evaluate(_COUNTED))
