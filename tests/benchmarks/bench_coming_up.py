"""Seconds until a page's first chart is drawn, and as a multiple of a bare page of Streamlit.

    python -m tests.benchmarks.bench_coming_up [--rounds 3] [--pages NAME ...]

The bare page is a title and one bar chart. Each round starts a server and a browser for each page.
The first visit is cold; three more in the same browser are warm. Run it on a quiet machine.
"""

import argparse
import os
import shutil
import tempfile
import time
from collections.abc import Sequence
from pathlib import Path

import numpy as np
from playwright.sync_api import Playwright, sync_playwright

from tests.benchmarks.crowd import ROOT, served
from tests.browser.conftest import FLAGS

PAGES = ("explore", "compare", "neighbours", "gaps", "margin", "candidates")
WARM = 3  # visits after the first
VIEW = {"width": 1366, "height": 768}
DRAWN = ".js-plotly-plot .main-svg :is(.point, .bars path, .heatmaplayer image, .scatterlayer path)"
BARE = """
import plotly.graph_objects as go
import streamlit as st

st.title("Bare")
st.plotly_chart(go.Figure(go.Bar(x=list(range(30)), y=list(range(30)))))
"""


def visits(playwright: Playwright, app: Path, name: str) -> np.ndarray:
    """Seconds of the cold visit, and the median of the warm ones."""
    chromium = (
        os.environ.get("CHROMIUM") or shutil.which("chromium") or shutil.which("google-chrome")
    )
    command = ("streamlit", "run", app.name, "--server.headless=true")
    with served(1, command=command, root=app.parent) as server:
        time.sleep(3)  # what a server does once it has started is not the visit's
        browser = playwright.chromium.launch(executable_path=chromium, args=FLAGS)
        window, seconds = browser.new_context(viewport=VIEW), []
        for _ in range(1 + WARM):
            page = window.new_page()
            start = time.perf_counter()
            page.goto(f"http://localhost:{server.port}/{name}", wait_until="commit")
            page.wait_for_selector(DRAWN, state="attached")
            seconds.append(time.perf_counter() - start)
            page.wait_for_timeout(2000)  # nothing says that no frame is to come
            page.close()
        browser.close()
    return np.array([seconds[0], np.median(seconds[1:])])


def medians(playwright: Playwright, app: Path, name: str, rounds: int) -> np.ndarray:
    """Medians over the rounds of cold and warm seconds."""
    return np.median([visits(playwright, app, name) for _ in range(rounds)], axis=0)


def main(arguments: Sequence[str] | None = None) -> None:
    """Print a row a page."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--rounds", type=int, default=3)
    parser.add_argument("--pages", nargs="*", choices=PAGES, default=list(PAGES))
    told = parser.parse_args(arguments)
    with tempfile.TemporaryDirectory() as folder, sync_playwright() as playwright:
        (bare := Path(folder) / "bare.py").write_text(BARE, encoding="utf-8")
        least = medians(playwright, bare, "", told.rounds)
        print(f"{'':<12}{'cold':>8}{'ratio':>8}{'warm':>8}{'ratio':>8}")
        print(f"{'bare':<12}{least[0]:>8.2f}{1:>8.2f}{least[1]:>8.2f}{1:>8.2f}", flush=True)
        for name in told.pages:
            cold, warm = medians(playwright, ROOT / "app.py", name, told.rounds)
            ratios = f"{cold / least[0]:>8.2f}{warm:>8.2f}{warm / least[1]:>8.2f}"
            print(f"{name:<12}{cold:>8.2f}{ratios}", flush=True)


if __name__ == "__main__":
    main()
