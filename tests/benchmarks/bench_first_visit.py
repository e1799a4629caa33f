"""What the first visit to a page sends, beside one when everything on it is known already.

    python -m tests.benchmarks.bench_first_visit [--pages NAME ...]

A browser goes from Explore to the page, waits until all of it is painted, goes back, and comes
again. Counted are the frames on the websocket that the server sent, their bytes, and the processor
time of the server's process, which on the first visit holds the computing of the laws as well.

Streamlit's browser keeps large messages, and is sent a reference to one that it has. So the warm
visit's bytes are told twice: as they were sent, and with what it had kept from the first visit,
which is all that there is to be painted. The ratio is to the latter: it says how much of the page
was sent more than once before it stood.
"""

import argparse
import os
import shutil
from dataclasses import dataclass, field

import numpy as np
from playwright.sync_api import Page, WebSocket, expect, sync_playwright
from streamlit.proto.ForwardMsg_pb2 import ForwardMsg

from tests.benchmarks.crowd import Server, served
from tests.browser.conftest import FLAGS
from tests.browser.steps import go_to, open_page

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
    kept: int = 0  # what references stood for
    known: dict[str, int] = field(default_factory=dict)  # sizes of what was sent in full, by hash

    def listen(self, socket: WebSocket) -> None:
        """Count what this websocket brings."""
        socket.on("framereceived", self._count)

    def _count(self, frame: str | bytes) -> None:
        self.frames += 1
        self.size += len(frame)
        told = ForwardMsg.FromString(frame)  # type: ignore[arg-type]
        if told.WhichOneof("type") == "ref_hash":
            self.kept += self.known.get(told.ref_hash, 0)
        elif told.metadata.cacheable:
            self.known[told.hash] = len(frame)


def visit(page: Page, server: Server, sent: Sent, name: str) -> np.ndarray:
    """Frames, their bytes, bytes that the browser had kept, and processor seconds of a visit."""

    def now() -> np.ndarray:
        return np.array([sent.frames, sent.size, sent.kept, server.spent])

    page.wait_for_function(SETTLED)
    before = now()
    go_to(page, name.capitalize())
    while True:
        page.wait_for_function(SETTLED)
        last = sent.frames
        page.wait_for_timeout(1000)  # nothing says that no frame is to come
        if sent.frames == last and page.evaluate(SETTLED):
            return now() - before


def main() -> None:
    """Print a row a page."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--pages", nargs="*", choices=PAGES, default=list(PAGES))
    told = parser.parse_args()
    expect.set_options(timeout=60_000)
    chromium = (
        os.environ.get("CHROMIUM") or shutil.which("chromium") or shutil.which("google-chrome")
    )
    print(f"{'':<12}{'first visit':^30}{'warm':^40}{'ratio':^16}")
    heads = (
        f"{'frames':>8}{'bytes':>12}{'seconds':>10}",
        f"{'frames':>8}{'bytes':>10}{'with kept':>12}{'seconds':>10}",
    )
    print(f"{'':<12}{''.join(heads)}{'frames':>8}{'bytes':>8}")
    with served(1) as server, sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=chromium, args=FLAGS)
        for name in told.pages:
            page = browser.new_page(base_url=f"http://localhost:{server.port}", viewport=VIEW)
            page.set_default_timeout(60_000)
            sent = Sent()
            page.on("websocket", sent.listen)
            open_page(page, "/explore")
            page.wait_for_function(SETTLED)
            sent.known.clear()  # what is kept from Explore is kept at both visits
            first = visit(page, server, sent, name)
            go_to(page, "Explore")
            warm = visit(page, server, sent, name)
            (frames, size, _, seconds), (again, small, kept, less) = first, warm
            cells = f"{frames:>8,.0f}{size:>12,.0f}{seconds:>10.2f}"
            cells += f"{again:>8,.0f}{small:>10,.0f}{small + kept:>12,.0f}{less:>10.2f}"
            ratios = f"{frames / again:>8.2f}{size / (small + kept):>8.2f}"
            print(f"{name:<12}{cells}{ratios}", flush=True)
            page.close()
        browser.close()


if __name__ == "__main__":
    main()
