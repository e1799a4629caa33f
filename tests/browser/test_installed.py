"""The installed app: from an empty folder, with its own settings, on the scenario that was asked
for.
"""

import re
import subprocess
from collections.abc import Callable
from pathlib import Path

import pytest
from playwright.sync_api import Locator, Page, expect

import dpviz
from dpviz import Scenario, Scores
from dpviz.studies.data_spec import DataSpec
from dpviz.web.widgets.page_start import UNLISTED
from tests.browser.conftest import running
from tests.browser.steps import UNDER_MORE, go_to, ready
from tests.installed import ROOT, Installed, install

PAGES = sorted(path.stem for path in (ROOT / "pages").glob("*.py"))
COUNTS = Scores([21, 14, 12, 5], labels=["ash", "beech", "cedar", "dogwood"])
BESIDE = {
    "CHANGELOG.md",
    "assets/explore.png",
    "requirements.txt",
    "pyproject.toml",
    "README.md",
    "LICENSE",
    "app.py",
    ".streamlit/config.toml",
}


@pytest.fixture(scope="module")
def installed(tmp_path_factory: pytest.TempPathFactory) -> Installed:
    return install(tmp_path_factory.mktemp("installed"))


@pytest.fixture
def empty(tmp_path: Path) -> Path:
    """A folder with nothing in it."""
    folder = tmp_path / "empty"
    folder.mkdir()
    return folder


@pytest.fixture
def votes(tmp_path: Path) -> Path:
    file = tmp_path / "votes.json"
    data = DataSpec(source="uploaded", called="Trees of the park")
    file.write_text(
        Scenario(data=data, epsilon=0.6, k=2, scores=COUNTS).to_json(), encoding="utf-8"
    )
    return file


def _epsilon(page: Page) -> Locator:
    return page.locator(".st-key-stage").get_by_role("spinbutton").first


def test_nothing_but_the_package_stands_at_the_top(installed: Installed) -> None:
    assert installed.top == {"dpviz", f"dpviz-{dpviz.__version__}.dist-info"}


def test_the_app_lies_below_the_package_file_by_file(installed: Installed) -> None:
    below = installed.packages / "dpviz" / "app"
    here = [
        "app.py",
        ".streamlit/config.toml",
        "assets/deploy/nginx.conf",
        *(f"pages/{name}.py" for name in PAGES),
    ]
    assert [
        name for name in here if (below / name).read_bytes() != (ROOT / name).read_bytes()
    ] == []
    modules = {
        path.relative_to(ROOT)
        for path in (ROOT / "dpviz").rglob("*")
        if path.suffix not in {".pyc", ""}
    }
    assert [path for path in modules if not (installed.packages / path).is_file()] == []


def test_the_sdist_holds_what_a_wheel_is_built_from_and_the_docs(installed: Installed) -> None:
    docs = {
        path.relative_to(ROOT).as_posix()
        for path in (ROOT / "assets" / "docs").rglob("*.[mpcj][dys]*")
        if "__pycache__" not in path.parts
    }
    assert len(docs) > 40
    wanted = docs | BESIDE | {f"pages/{name}.py" for name in PAGES}
    assert wanted - installed.source == set()
    assert [*(installed.packages / "dpviz").rglob("*.md")] == []


def test_it_calls_itself_by_its_name(installed: Installed, empty: Path) -> None:
    def told(*argv: str | Path) -> str:
        done = subprocess.run(argv, cwd=empty, capture_output=True, text=True, check=False)
        return done.stdout + done.stderr

    assert told(installed.dpviz, "--version") == f"dpviz {dpviz.__version__}\n"
    helped = told(installed.dpviz, "app", "--help")
    assert "usage: dpviz app" in helped
    assert "  dpviz app --port 8600" in helped
    assert "python -m" not in helped
    assert told(installed.dpviz, "sweep", "--no-such-option") == (
        "dpviz: Unrecognized arguments: --no-such-option; see dpviz --help.\n"
    )
    assert "usage: python -m dpviz app" in told(installed.python, "-m", "dpviz", "app", "--help")


def test_an_upload_is_read_behind_its_wall(installed: Installed, empty: Path) -> None:
    code = (
        "from dpviz.data.reading import read_upload; print(*read_upload('a.csv',"
        " b'item,n\\na,3\\n').columns)"
    )
    done = subprocess.run(
        [installed.python, "-c", code], cwd=empty, capture_output=True, text=True, check=False
    )
    assert (done.returncode, done.stdout) == (0, "item n\n"), done.stderr


def test_it_opens_on_the_scenario_in_the_theme_asked_for_and_a_link_goes_before_it(
    installed: Installed, empty: Path, votes: Path, tmp_path: Path, new_page: Callable[[str], Page]
) -> None:
    command = [
        str(installed.dpviz),
        "app",
        "--no-browser",
        "--theme",
        "dark",
        "--scenario",
        str(votes),
    ]
    with running(command, "--port", tmp_path / "home", empty) as address:
        page = new_page(address)
        page.goto("/")
        ready(page)
        expect(page.get_by_text("Trees of the park").first).to_be_visible()
        expect(_epsilon(page)).to_have_value("0.6")
        dark = re.search(
            r'\[theme\.dark\]\s*backgroundColor = "(#\w+)"',
            (ROOT / ".streamlit/config.toml").read_text(),
        )
        assert dark is not None
        shade = "rgb({}, {}, {})".format(*bytes.fromhex(dark[1][1:]))
        expect(page.locator("[data-testid=stApp]")).to_have_css("background-color", shade)
        expect(page.locator(".js-plotly-plot .main-svg").first).to_have_css(
            "background-color", shade
        )
        expect(page.get_by_test_id("stTopNavLink")).to_have_count(
            len(PAGES) - len(UNLISTED) - len(UNDER_MORE)
        )
        go_to(page, "Learn")
        expect(page.get_by_role("heading").first).to_be_visible()
        assert list(empty.iterdir()) == []
        page.goto("/explore?v=1&data=example:class_trip&epsilon=0.9&k=2")
        ready(page)
        expect(_epsilon(page)).to_have_value("0.9")
        expect(page.get_by_text("Trees of the park")).to_have_count(0)
