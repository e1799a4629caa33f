"""While ε is dragged on Explore: how soon the headline follows, how many pictures a second, and
what the server does.

    python -m tests.benchmarks.bench_drag [--steps 80]

Drives Chromium against a fresh server. Steps are ready once all have come after the pointer is on
the slider. A step's time runs in the page, from the pointer's own time to the frame that shows
another headline; a picture is a frame in which a chart that follows has changed. What the page
sends while the slider is held would be runs on the server.
"""

import argparse
import os
import shutil
import tempfile
import time
from pathlib import Path

import numpy as np
from playwright.sync_api import Page, expect, sync_playwright

from tests.browser.conftest import FLAGS, serve
from tests.browser.every_page import settled
from tests.browser.steps import open_page, take_up

CASES = {
    "20 items": "/explore?data=generated:geometric&data.size=20&data.ratio=0.9&k=5&epsilon=0.05",
    "60 items": "/explore",
    "17,770 items, k = 1,000": "/explore?data=generated:zipf&data.size=17770&k=1000&epsilon=0.2",
}
FIRST = "/explore?k=9"  # what a browser and a server do once is not timed
WATCH = """() => {
    const seen = (window.seen = { waits: [], pictures: 0, moved: 0 });
    let drawn = false, waiting = false;
    addEventListener("pointermove", (event) => { seen.moved = event.timeStamp; }, true);
    const told = () => document.querySelector(".dp-hand .dp-value")?.textContent;
    let before = told();
    new MutationObserver((changes) => {
        const charts = changes.some(({ target }) => target.closest?.(".dp-hand .js-plotly-plot"));
        const now = told(), headline = now !== undefined && now !== before, { moved } = seen;
        before = now;
        drawn ||= charts;
        if (headline) requestAnimationFrame(() => seen.waits.push(performance.now() - moved));
        if (drawn && !waiting) {
            waiting = true;
            requestAnimationFrame(() => { seen.pictures += 1; drawn = waiting = false; });
        }
    }).observe(document.body, { subtree: true, childList: true, characterData: true, attributes: true });
}"""
_THUMB = 18.4  # pixels wide, see static/slider.css


def drag(page: Page, path: str, steps: int) -> str:
    """What is measured on that page, in words."""
    sent: list[object] = []

    def hear(message: object) -> None:
        sent.append(message)

    page.on("websocket", lambda line: line.on("framesent", hear))
    open_page(page, path)
    settled(page)
    slider = page.get_by_role("slider", name="ε, the privacy budget")
    began = time.perf_counter()
    take_up(page)
    ready = time.perf_counter() - began
    box = slider.bounding_box()
    assert box is not None
    y = box["y"] + box["height"] / 2
    last = int(slider.get_attribute("max") or 0)
    stops = [
        *range(last // 4, 3 * last // 4),
        *range(3 * last // 4, last // 4, -1),
    ]  # where something happens, and back

    def to(stop: int) -> None:
        page.mouse.move(box["x"] + _THUMB / 2 + stop / last * (box["width"] - _THUMB), y)

    page.evaluate(WATCH)
    to(stops[-1])
    before = len(sent)
    page.mouse.down()
    to(stops[0])
    expect(page.locator(".dp-hand .js-plotly-plot .main-svg").first).to_be_attached()
    page.evaluate("() => Object.assign(window.seen, { waits: [], pictures: 0 })")
    start = time.perf_counter()
    for step in range(steps):
        to(stops[(step + 1) % len(stops)])
    seconds = time.perf_counter() - start
    runs = len(sent) - before
    seen = page.evaluate("window.seen")
    page.mouse.up()
    half, most = np.percentile(seen["waits"], [50, 95])
    return (
        f"steps ready after {ready:.2f} s; headline {half:.0f} ms, {most:.0f} ms at 95 %"
        f" ({len(seen['waits'])} changes in {steps} steps); {seen['pictures'] / seconds:.0f}"
        f" pictures a second; {runs} messages to the server"
    )


def main() -> None:
    """Measure and print."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--steps", type=int, default=80)
    steps = parser.parse_args().steps
    with (
        tempfile.TemporaryDirectory() as home,
        serve(Path(home)) as address,
        sync_playwright() as playwright,
    ):
        browser = playwright.chromium.launch(
            executable_path=os.environ.get("CHROMIUM") or shutil.which("chromium"), args=FLAGS
        )
        expect.set_options(timeout=60_000)
        for name, path in {"": FIRST, **CASES}.items():
            page = browser.new_page(base_url=address, viewport={"width": 1366, "height": 768})
            page.set_default_timeout(60_000)
            found = drag(page, path, steps)
            if name:
                print(f"{name}: {found}", flush=True)
            page.close()
        browser.close()


if __name__ == "__main__":
    main()
