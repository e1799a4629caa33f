"""What holds for every test: hypothesis profiles, and which files are tests."""

import gc
import os
import sys
from collections import Counter
from collections.abc import Iterator
from contextlib import nullcontext
from pathlib import Path
from typing import Any

import pytest
from hypothesis import HealthCheck, settings
from xdist.scheduler import LoadFileScheduling

from tests.once import steps_once
from tests.own_entries import menu_as_it_was

KINDS = ("", "candidate_", "gap_", "noise_", "shorter_", "top_one_")
pytest.register_assert_rewrite("tests.menus", *(f"tests.{kind}contract" for kind in KINDS))

# No deadline anywhere: how long a draw takes says more of the machine than of the code.
settings.register_profile("local", deadline=None, max_examples=15)
settings.register_profile(
    "ci",
    settings.get_profile("local"),
    derandomize=True,
    suppress_health_check=[HealthCheck.too_slow],
)
settings.register_profile("long", deadline=None, max_examples=400)
settings.load_profile("ci" if os.environ.get("CI") else "local")

COMPUTED_ONCE = ("commands", "export", "pages", "studies/decision")


def pytest_configure(config: pytest.Config) -> None:
    """Draw ten times as many examples where property tests are asked for by name."""
    if "hypothesis" in str(config.option.markexpr):
        settings.load_profile("long")


@pytest.hookimpl(tryfirst=True)  # before what is long is left out
def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Mark as long what its twins stand for; begin with what takes longest."""
    seen: Counter[str] = Counter()
    for item in items:
        for mark in item.iter_markers("twins"):
            test, _, case = item.nodeid.partition("[")
            seen[test] += 1
            counted = isinstance(mark.args[0], int)
            if not (seen[test] <= mark.args[0] if counted else case.removesuffix("]") in mark.args):
                item.add_marker("long")
    docs, browser = (Path(__file__).parent / folder for folder in ("docs", "browser"))

    def place(item: pytest.Item) -> int:
        """Browsers read the site that docs makes."""
        return (
            0 if item.path.is_relative_to(docs) else 1 if item.path.is_relative_to(browser) else 2
        )

    items.sort(key=place)


class FilesAndBrowsers(LoadFileScheduling):
    """File by file, but those with a browser are two parts: whoever takes one begins a server and a
    Chromium, which reads the app's scripts.
    """

    def _split_scope(self, nodeid: str) -> str:
        file = super()._split_scope(nodeid)
        folder, _, name = file.rpartition("/")
        first_half = name <= "test_hand.py"
        return f"{folder} {first_half}" if folder == "tests/browser" else file


@pytest.hookimpl(optionalhook=True)
def pytest_xdist_make_scheduler(config: pytest.Config, log: Any) -> FilesAndBrowsers | None:
    """Of workers that get files, no more than two have a browser, but for what is long."""
    by_file = config.option.dist == "loadfile" and config.option.markexpr == "not long"
    return FilesAndBrowsers(config, log) if by_file else None


@pytest.hookimpl(wrapper=True)
def pytest_collection() -> Iterator[None]:
    """Spare the garbage collector what is imported meanwhile, as it stays."""
    gc.disable()
    try:
        return (yield)
    finally:
        gc.freeze()
        gc.enable()


@pytest.fixture(autouse=True)
def this_program_stays_the_main_one() -> Iterator[None]:
    """Undo that a page run here becomes `__main__`, with which worker processes begin."""
    main = sys.modules["__main__"]
    yield
    sys.modules["__main__"] = main


@pytest.fixture(scope="module", autouse=True)
def computed_once(request: pytest.FixtureRequest) -> Iterator[None]:
    """Compute once for a module's tests what pages, commands and sheets show."""
    here = Path(__file__).parent
    with (
        steps_once()
        if any(request.path.is_relative_to(here / f) for f in COMPUTED_ONCE)
        else nullcontext()
    ):
        yield


@pytest.fixture
def menu() -> Iterator[None]:
    """The menu of mechanisms as it was, whatever a test puts on it."""
    with menu_as_it_was():
        yield


def pytest_ignore_collect(collection_path: Path) -> bool | None:
    """Keep --doctest-modules, meant for dpviz, from importing helpers and benchmarks."""
    if collection_path.suffix == ".py" and not collection_path.name.startswith("test_"):
        return True
    return None


@pytest.hookimpl(wrapper=True)
def pytest_collect_file() -> Iterator[list[pytest.Collector]]:
    """Keep --doctest-modules from looking for examples in tests, which have none."""
    found = yield
    return [each for each in found if type(each) is pytest.Module]
