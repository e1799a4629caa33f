"""A page whose session was ended to make room stays on screen, and then says what it needs."""

import sys
from pathlib import Path

from playwright.sync_api import expect

from dpviz.base import APP_FOLDER
from tests.browser.conftest import running
from tests.browser.steps import agree, open_page, upload
from tests.browser.windows import NewPage, left_alone

SHORT = f"""
import pathlib, runpy, sys
from dpviz.web.server import session_memory
session_memory._IDLE, session_memory._WORTH, session_memory._LOOK = 0.0, 1, 0.1
session_memory.is_memory_over_budget = pathlib.Path("short").exists
sys.argv = ["streamlit", "run", {str(APP_FOLDER / "app.py")!r}, "--server.headless=true", *sys.argv[1:]]
runpy.run_module("streamlit", run_name="__main__", alter_sys=True)
"""


def test_who_comes_back_to_a_session_that_made_room_is_asked_for_the_file_and_a_server_gone_is_told(
    new_page: NewPage, tmp_path: Path
) -> None:
    file = tmp_path / "votes.csv"
    file.write_text("item,score\n" + "".join(f"name{n},{n}\n" for n in range(500)), "utf-8")
    command, short = [sys.executable, "-c", SHORT], tmp_path / "short"
    with running(command, "--server.port", tmp_path, tmp_path, PYTHONPATH=str(APP_FOLDER)) as at:
        page = new_page(at)
        open_page(page, "/explore?v=1&data=uploaded&epsilon=1.5&k=3")
        upload(page, file)
        agree(page)
        expect(page.get_by_role("heading", name="Which 3 of the 500 items")).to_be_visible()
        with page.expect_websocket():  # the browser connects again by itself
            short.touch()
        short.unlink()
        expect(page.get_by_role("heading", name="Which 3 of the 500 items")).to_be_visible()
        page.get_by_label("k, list length").fill("5")
        page.get_by_label("k, list length").press("Enter")
        expect(page.get_by_text("Your file is no longer on the server")).to_be_visible()
        expect(page.get_by_text("ε = 1.5", exact=False).first).to_be_visible()
        left_alone(page)
    told = page.get_by_role("dialog", name="Connection error").locator("[data-dpviz-unanswered]")
    expect(told.get_by_text("Streamlit").first).to_be_hidden()
    said = (
        "(one) => getComputedStyle(one, '::before').content.includes('connection to dpviz is lost')"
    )
    page.wait_for_function(said, arg=told.element_handle())
