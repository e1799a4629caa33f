"""Every page with something to see on it, for what must hold of all of them."""

from pathlib import Path

from playwright.sync_api import Page, expect

from tests.browser.steps import open_page, ready

_OWN = {
    "explore": "/explore?epsilon=0.2&k=10&page.draws=100",
}
_MORE = {
    "sparse vector": "/gaps?page.gaps.half=sparse_vector&page.gaps.run=true",
    "a question": "/learn?lesson=permute_and_flip&step=2",
    "for who teaches": "/learn?instructor=45",
    "an experiment": "/learn?lesson=permute_and_flip&step=3&releases=100",
}
_PAGES = sorted(path.stem for path in (Path(__file__).parents[2] / "pages").glob("*.py"))
EVERY = {**{name: _OWN.get(name, f"/{name}") for name in _PAGES}, **_MORE}
"""The address of each page by its name; a page that is new is among them by itself."""


def show_page(page: Page, name: str) -> None:
    """Open it and wait until nothing is computed any more and its charts are drawn."""
    open_page(page, EVERY[name])
    settled(page)


def settled(page: Page) -> None:
    """Wait until nothing is computed any more and the charts are drawn."""
    page.wait_for_function("""() => {
            const late = '[data-testid="stProgress"], [data-testid="stSkeleton"]';
            const busy = document.querySelector(`.dp-wait, .stSpinner, ${late}`)
                || [...document.querySelectorAll('.dp-place')].some((place) => /computed/.test(place.textContent));
            const plots = [...document.querySelectorAll('.stPlotlyChart')];
            const stale = document.querySelector('[data-stale="true"]');
            const moving = document.getAnimations().some((one) => one instanceof CSSTransition
                && one.effect.target.checkVisibility());
            return !busy && !stale && !moving && plots.every((plot) => plot.querySelector('.main-svg'));
        }""")
    ready(page)


def turn_to_theme(page: Page, theme: str) -> None:
    """As where the system changes it; wait until the page has followed."""
    page.emulate_media(color_scheme=theme)  # type: ignore[arg-type]
    page.wait_for_function(
        """(dark) => ['.stApp', '.stPlotlyChart .main-svg:first-of-type'].every((grounds) =>
            [...document.querySelectorAll(grounds)].every((one) =>
                (getComputedStyle(one).backgroundColor.match(/\\d+/g)[0] < 128) === dark))
            && !document.querySelector('[data-stale="true"]')""",
        arg=theme == "dark",
    )


_FOLDED = (
    '.stMainBlockContainer .stExpander details:not([open]) > summary:not(:has-text("able and'
    ' downloads"))'
)


def unfold_all(page: Page) -> None:
    """Open everything that is folded, and what is folded in that, and wait for what it holds."""
    folds = page.locator(_FOLDED)
    for _ in range(20):
        if not folds.count():
            return
        folds.evaluate_all("(all) => all.forEach((one) => one.click())")
        ready(page)
        expect(page.locator(".dp-wait, .dp-place, .stSpinner")).to_have_count(0)
        expect(page.get_by_test_id("stProgress")).to_have_count(0)
        page.wait_for_function(
            """() => [...document.querySelectorAll('.stPlotlyChart')].every((chart) => chart.querySelector('.main-svg'))
                && !document.querySelector('[data-stale="true"]')"""
        )
        ready(page)
    raise AssertionError("a fold does not open")
