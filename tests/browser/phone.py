"""A page on a phone, and what may not happen there."""

from playwright.sync_api import Page

WIDTH, HEIGHT = 390, 844
_RUNS_OFF = """(width) => [...document.querySelectorAll('.stMainBlockContainer :is(.dp-table, .dp-cards, .dp-told) *')]
    .filter((e) => !e.closest('.dp-tip') && getComputedStyle(e).position !== 'absolute')
    .filter((e) => e.getBoundingClientRect().width && e.getBoundingClientRect().right > width + 1)
    .map((e) => `${e.tagName} ${e.textContent.slice(0, 40)}`)"""
_SCROLLS = """() => [...document.querySelectorAll('.stButtonGroup, .stButtonGroup *')]
    .filter((e) => e.clientWidth && e.getBoundingClientRect().right > 0)  // not in the drawer while that is shut
    .filter((e) => e.scrollWidth > e.clientWidth + 1)
    .map((e) => e.textContent)"""
_BARS = """() => [...document.querySelectorAll('.modebar')].filter((e) => e.offsetWidth)
    .map(() => 'a chart shows its own bar, over its heading')"""
_FAR = """() => [...document.querySelectorAll('.stMainBlockContainer .stHorizontalBlock')]
    .filter((e) => e.clientWidth && parseFloat(getComputedStyle(e).rowGap) > 16)
    .map((e) => `far apart: ${e.textContent.slice(0, 40)}`)"""
CUT = """() => [...document.querySelectorAll('.js-plotly-plot')].flatMap((plot) => {
    const paper = plot.getBoundingClientRect(), full = plot._fullLayout;
    const inside = (e) => { const b = e.getBoundingClientRect();
        return b.left >= paper.left - 1 && b.right <= paper.right + 1
            && b.top >= paper.top - 1 && b.bottom <= paper.bottom + 1; };
    const words = [...plot.querySelectorAll('.legendtext, .xtitle, .ytitle, .annotation-text, .textpoint text')];
    const cut = words.filter((e) => !inside(e)).map((e) => `cut off: ${e.textContent}`);
    const ticks = [...plot.querySelectorAll('.xtick text')].map((e) => e.getBoundingClientRect());
    const upon = [...plot.querySelectorAll('.xtitle, .annotation-text')].filter((title) => {
        const t = title.getBoundingClientRect();
        return ticks.some((b) => b.bottom > t.top + 2 && b.top < t.bottom && b.right > t.left && b.left < t.right); });
    const panels = Object.keys(full).filter((key) => /^xaxis\\d*$/.test(key)).map((key) => full[key]._length);
    const named = plot.data.filter((one) => one.name && one.showlegend !== false && one.visible !== false).length;
    const told = plot.querySelectorAll('.legendtext').length;
    const small = (plot.layout.meta?.stack ? panels : []).filter((w) => w < 150).map((w) => `a panel of ${w}`);
    return [...cut, ...upon.map((e) => `upon its labels: ${e.textContent}`), ...small,
        ...(full.showlegend && told < named ? [`${told} of ${named} in the legend`] : [])];
})"""


def turn_to_phone(page: Page) -> None:
    """As wide as a phone, with charts laid out for it."""
    page.set_viewport_size({"width": WIDTH, "height": HEIGHT})
    page.wait_for_function(
        """(width) => [...document.querySelectorAll('.js-plotly-plot')].every((plot) => plot._fullLayout.width < width
            && (plot.layout.dpvizWide || !plot.layout.template?.layout))""",
        arg=WIDTH,
    )


def faults(page: Page) -> list[str]:
    """What runs off or is cut off, which control scrolls sideways, which rows stand far apart."""
    return [
        *page.evaluate(_RUNS_OFF, WIDTH),
        *(each for script in (_SCROLLS, CUT, _FAR, _BARS) for each in page.evaluate(script)),
    ]
