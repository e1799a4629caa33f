"""From key press to picture: how long Explore and Compare take to be painted after ε moves.

    python -m tests.benchmarks.bench_browser [--presses 20] [--data DATA]

Drives Chromium against a fresh server. Timed in the page itself: from the key press until the
headline has changed, and until the last change inside a chart, after which nothing came for half a
second. DATA is a folder with netflix.csv; without it a made-up long tail of that size stands in.
"""

import argparse
import os
import shutil
import tempfile
from pathlib import Path

import numpy as np
from playwright.sync_api import Page, expect, sync_playwright

from tests.browser.conftest import FLAGS, serve
from tests.browser.steps import agree, open_page, ready, upload

# Notes when anything inside a chart changed last, and when the first headline card changed.
WATCH = """
() => {
    window.seen = {headline: 0, painted: 0, pressed: 0};
    const card = () => document.querySelector('.dp-card .dp-value, .dp-designs .dp-cell')?.textContent;
    let before = card();
    new MutationObserver(changes => {
        const now = performance.now();
        if (card() !== before) { before = card(); window.seen.headline = now; }
        const inside = change => change.target.closest?.('[data-testid=stPlotlyChart]');
        if (changes.some(inside)) window.seen.painted = now;
    }).observe(document.body, {subtree: true, childList: true, characterData: true, attributes: true});
    document.addEventListener('keydown', () => {
        window.seen = {headline: 0, painted: 0, pressed: performance.now()};
    }, true);
}
"""
HEATMAP = "page.measure=probability"  # a link that asks for it unfolds it
SETTLED = "() => window.seen.painted && performance.now() - window.seen.painted > 500"


def painted(page: Page) -> None:
    """Wait until every figure is there."""
    expect(page.locator(".js-plotly-plot .main-svg").first).to_be_attached()
    expect(page.locator(".dp-place, .dp-wait, [data-testid=stProgress]")).to_have_count(0)
    ready(page)


def presses(page: Page, times: int) -> tuple[list[float], list[float]]:
    """Milliseconds to the headline and to the last chart, for each press."""
    page.evaluate(WATCH)
    slider = page.get_by_role("slider", name="ε, the privacy budget")
    slider.focus()
    headline, painted = [], []
    for number in range(times + 2):
        slider.press("ArrowRight" if number % 2 else "ArrowLeft")
        page.wait_for_function(SETTLED, timeout=60_000)
        ready(page)
        seen = page.evaluate("() => window.seen")
        if number >= 2:  # the first two warm everything up
            headline.append(max(0.0, seen["headline"] - seen["pressed"]))
            painted.append(seen["painted"] - seen["pressed"])
    return headline, painted


def report(name: str, headline: list[float], painted: list[float]) -> None:
    """One row."""
    cells = [f"{np.median(v):8.0f} {np.percentile(v, 95):8.0f}" for v in (headline, painted)]
    print(f"{name:<44} {cells[0]}   {cells[1]}", flush=True)


def counts_of_size(data: Path | None) -> np.ndarray:
    """netflix.csv, or a made-up long tail of its size."""
    if data is not None and (data / "netflix.csv").exists():
        return np.loadtxt(data / "netflix.csv")
    print("netflix.csv is not given: a made-up long tail of its size instead")
    return np.round(120_000 * np.arange(1, 17_771) ** -0.75)


def main() -> None:
    """Measure the three sizes of the aims."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--presses", type=int, default=20)
    parser.add_argument("--data", type=Path)
    told = parser.parse_args()
    expect.set_options(timeout=60_000)
    chromium = (
        os.environ.get("CHROMIUM") or shutil.which("chromium") or shutil.which("google-chrome")
    )
    with tempfile.TemporaryDirectory() as folder, sync_playwright() as playwright:
        home = Path(folder)
        file = home / "counts.csv"
        np.savetxt(file, counts_of_size(told.data), fmt="%d", header="count", comments="")
        with serve(home / "server") as address:
            browser = playwright.chromium.launch(executable_path=chromium, args=FLAGS)
            page = browser.new_page(viewport={"width": 1366, "height": 900}, base_url=address)
            print(f"{'milliseconds':<44} {'headline':>17}   {'all painted':>17}")
            print(f"{'':<44} {'median':>8} {'95 %':>8}   {'median':>8} {'95 %':>8}")
            zipf = f"/explore?{HEATMAP}&data=generated:zipf&data.size=4096&sensitivity=100&k=100"
            for name, path in (
                ("60 items, k=10, canonical", f"/explore?epsilon=0.2&{HEATMAP}"),
                ("4,096 items, k=100, canonical", f"{zipf}&epsilon=0.35&m1=canonical"),
                ("4,096 items, k=100, one-shot", f"{zipf}&epsilon=12&m1=one_shot"),
            ):
                open_page(page, path)
                painted(page)
                report(name, *presses(page, told.presses))
            for mechanism, epsilon in (("canonical", 0.4), ("one_shot", 90)):
                open_page(
                    page,
                    f"/explore?data=uploaded&monotonic=true&k=1000&epsilon={epsilon}&m1={mechanism}&{HEATMAP}",
                )
                upload(page, file)
                agree(page)
                painted(page)
                report(
                    f"17,770 items, k=1000, {mechanism.replace('_', '-')}",
                    *presses(page, told.presses),
                )
            three = "m1=canonical&m2=peeling&m3=one_shot%3Bnoise%3Dexponential"
            open_page(page, f"/compare?data=uploaded&monotonic=true&k=1000&epsilon=90&{three}")
            upload(page, file)
            agree(page)
            painted(page)
            report("17,770 items, k=1000, Compare", *presses(page, told.presses))
            browser.close()


if __name__ == "__main__":
    main()
