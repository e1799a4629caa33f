"""What the first visit to a page sends, beside a visit to the same page when everything on it is known already.

    python -m tests.benchmarks.bench_first_visit [--pages NAME ...]

A browser goes from Explore to the page, waits until all of it is painted, goes back, and comes again. Counted are the
frames on the websocket that the server sent, their bytes, and the processor time of the server's process, which on the
first visit holds the computing of the laws as well.
"""

import argparse
import os
import shutil
import tempfile
from dataclasses import dataclass

from playwright.sync_api import Page, WebSocket, expect, sync_playwright

from tests.benchmarks.bench_page_run import WAYS, Server
from tests.browser.conftest import FLAGS
from tests.browser.steps import open_page

PAGES = ("compare", "gaps", "margin", "candidates")
VIEW = {"width": 1400, "height": 1000}
SETTLED = """() => !document.querySelector('.dp-place, .dp-wait, [data-testid=stProgress]')
    && document.querySelector('[data-testid=stApp]').dataset.testScriptState === 'notRunning'
    && document.querySelectorAll('.js-plotly-plot .main-svg').length > 0"""


@dataclass
class Sent:
    """What came over the websocket."""

    frames: int = 0
    size: int = 0

    def listen(self, socket: WebSocket) -> None:
        """Count what this websocket brings."""
        socket.on("framereceived", self._count)

    def _count(self, frame: str | bytes) -> None:
        self.frames += 1
        self.size += len(frame)


def visit(page: Page, server: Server, sent: Sent, name: str) -> tuple[int, int, float]:
    """Go to the page from Explore: frames, bytes and seconds of processor time until all of it is there."""
    page.wait_for_timeout(1000)
    before = sent.frames, sent.size, server.spent
    page.get_by_role("link", name=name.capitalize(), exact=True).click()
    expect(page.locator(".dp-over")).to_have_text(name.capitalize())
    while True:
        page.wait_for_function(SETTLED, timeout=15_000)
        last = sent.frames
        page.wait_for_timeout(1000)
        if sent.frames == last and page.evaluate(SETTLED):
            break
    return sent.frames - before[0], sent.size - before[1], server.spent - before[2]


def main() -> None:
    """Print a row a page."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--pages", nargs="*", choices=PAGES, default=list(PAGES))
    told = parser.parse_args()
    expect.set_options(timeout=15_000)
    chromium = os.environ.get("CHROMIUM") or shutil.which("chromium") or shutil.which("google-chrome")
    print(f"{'':<12}{'first visit':^30}{'warm':^30}{'ratio':^16}")
    print(f"{'':<12}" + f"{'frames':>8}{'bytes':>12}{'seconds':>10}" * 2 + f"{'frames':>8}{'bytes':>8}")
    with tempfile.TemporaryDirectory() as home, sync_playwright() as playwright:
        server = Server(WAYS["this"], home)
        try:
            browser = playwright.chromium.launch(executable_path=chromium, args=FLAGS)
            for name in told.pages:
                page = browser.new_page(base_url=f"http://localhost:{server.port}", viewport=VIEW)
                page.set_default_timeout(15_000)
                sent = Sent()
                page.on("websocket", sent.listen)
                open_page(page, "/explore")
                page.wait_for_function(SETTLED)
                first = visit(page, server, sent, name)
                page.get_by_role("link", name="Explore", exact=True).click()
                page.wait_for_url("**/explore**")
                page.wait_for_function(SETTLED)
                warm = visit(page, server, sent, name)
                cells = "".join(f"{f:>8,}{b:>12,}{s:>10.2f}" for f, b, s in (first, warm))
                print(f"{name:<12}{cells}{first[0] / warm[0]:>8.2f}{first[1] / warm[1]:>8.2f}", flush=True)
                page.close()
            browser.close()
        finally:
            server.run.terminate()
            server.run.wait()


if __name__ == "__main__":
    main()
