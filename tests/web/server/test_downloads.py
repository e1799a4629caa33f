"""A file that waits on disk is fetched once, whole, by who has its address, and lies nowhere
afterwards.
"""

import ast
import gc
from pathlib import Path

import pytest
from starlette.applications import Starlette

from dpviz.base.app_paths import APP_FOLDER
from dpviz.export.release.wheel import APP
from dpviz.web.server import downloads
from dpviz.web.server.downloads import DownloadFile
from tests.web.classroom.phone.asgi import Answer, Phone
from tests.web.own_process import run_apart


@pytest.fixture
def browser() -> Phone:
    return Phone(Starlette(routes=downloads.download_routes()))


def fetch(browser: Phone, address: str) -> Answer:
    return run_apart(browser.get(f"/{address}"))


def test_a_file_is_fetched_whole_and_once(browser: Phone) -> None:
    file = DownloadFile("Été 1.csv", "text/csv")
    Path(file.path).write_text("item,score\noak,3\n", encoding="utf-8")
    address = file.download_url
    heads = run_apart(browser.asks("HEAD", f"/{address}", b"", {}))
    assert (heads.status, heads.headers["content-length"]) == (200, "17")  # it is still there
    told = fetch(browser, address)
    assert (told.status, told.text) == (200, "item,score\noak,3\n")
    assert (
        told.headers["content-disposition"] == "attachment; filename*=utf-8''%C3%89t%C3%A9%201.csv"
    )
    assert told.headers["content-length"] == str(len(told.body))
    assert told.headers["cache-control"] == "no-store"
    assert fetch(browser, address).status == 404
    assert not Path(file.path).exists()


def test_what_nobody_was_given_is_not_there_and_what_nobody_holds_goes(browser: Phone) -> None:
    file = DownloadFile("a.csv", "text/csv")
    path, token = Path(file.path), file.token
    assert path.stat().st_mode & 0o077 == 0
    assert fetch(browser, f"file/{token}").status == 404  # nobody was told the address
    address = file.download_url
    del file
    gc.collect()
    assert not path.exists()
    assert fetch(browser, address).status == 404


def test_the_wheel_that_sheets_name_is_served(browser: Phone) -> None:
    told = fetch(browser, downloads.wheel_url().lstrip("/"))
    assert (told.status, told.body[:2]) == (200, b"PK")  # it is installed where a script is run
    build = (APP_FOLDER / "assets/deploy/wheel.py").read_text(encoding="utf-8")
    named = build.partition("\nAPP = ")[2].partition("\n)\n")[0] + ")"
    assert ast.literal_eval(named) == APP  # as a build takes them
