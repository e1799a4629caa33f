"""The installed app: from an empty folder, with its own settings, on the scenario that was asked
for.
"""

import re
import subprocess
from collections.abc import Callable
from pathlib import Path

import pytest
from playwright.sync_api import Page, expect

import dpviz
from dpviz import Scenario, Scores
from dpviz.studies.data_spec import DataSpec
from dpviz.web.widgets.navigation import UNLISTED
from tests.browser.conftest import running
from tests.browser.stage import box
from tests.browser.steps import UNDER_MORE, ready
from tests.installed import ROOT, Installed, install

PAGES = sorted(path.stem for path in (ROOT / "pages").glob("*.py"))
BESIDE = "CHANGELOG.md README.md LICENSE pyproject.toml requirements.txt app.py assets/explore.png"


@pytest.fixture(scope="module")
def installed(tmp_path_factory: pytest.TempPathFactory) -> Installed:
    return install(tmp_path_factory.mktemp("installed"))


@pytest.fixture
def empty(tmp_path: Path) -> Path:
    """A folder with nothing in it."""
    folder = tmp_path / "empty"
    folder.mkdir()
    return folder


def test_wheel_and_sdist_hold_the_app_file_by_file_and_nothing_else(installed: Installed) -> None:
    assert installed.top == {"dpviz", f"dpviz-{dpviz.__version__}.dist-info"}
    pages = {f"pages/{name}.py" for name in PAGES}
    app = {"app.py", ".streamlit/config.toml", "assets/deploy/nginx.conf", *pages}
    below = installed.packages / "dpviz" / "app"
    assert {n for n in app if (below / n).read_bytes() != (ROOT / n).read_bytes()} == set()
    modules = (path for path in (ROOT / "dpviz").rglob("*") if path.suffix not in {".pyc", ""})
    here = {path.relative_to(ROOT) for path in modules}
    assert {path for path in here if not (installed.packages / path).is_file()} == set()
    docs = {
        path.relative_to(ROOT).as_posix()
        for path in (ROOT / "assets" / "docs").rglob("*.[mpcj][dys]*")
        if "__pycache__" not in path.parts
    }
    assert len(docs) > 40
    assert {*docs, *BESIDE.split(), ".streamlit/config.toml", *pages} - installed.source == set()
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
        "dpviz: Unrecognized arguments: --no-such-option. See dpviz sweep --help.\n"
    )
    assert "usage: python -m dpviz app" in told(installed.python, "-m", "dpviz", "app", "--help")


def test_an_upload_is_read_behind_its_wall(installed: Installed, empty: Path) -> None:
    read = "read_upload('a.csv', b'item,n\\na,3\\n')"
    code = f"from dpviz.data.reading import read_upload; print(*{read}.columns)"
    done = subprocess.run(
        [installed.python, "-c", code], cwd=empty, capture_output=True, text=True, check=False
    )
    assert (done.returncode, done.stdout) == (0, "item n\n"), done.stderr


def test_it_opens_on_the_scenario_in_the_theme_asked_for(
    installed: Installed, empty: Path, tmp_path: Path, new_page: Callable[[str], Page]
) -> None:
    scores = Scores([21, 14, 12, 5], labels=["ash", "beech", "cedar", "dogwood"])
    data = DataSpec(source="uploaded", called="Trees of the park")
    votes = tmp_path / "votes.json"
    votes.write_text(Scenario(data=data, epsilon=0.6, k=2, scores=scores).to_json(), "utf-8")
    command = [str(installed.dpviz), "app", "--no-browser", "--theme", "dark"]
    command += ["--scenario", str(votes)]
    with running(command, "--port", tmp_path / "home", empty) as address:
        page = new_page(address)
        page.goto("/")
        ready(page)
        expect(page.get_by_text("Trees of the park").first).to_be_visible()
        expect(box(page, "ε, exactly")).to_have_value("0.6")
        theme = (ROOT / ".streamlit/config.toml").read_text()
        dark = re.search(r'\[theme\.dark\]\s*backgroundColor = "(#\w+)"', theme)
        assert dark is not None
        shade = "rgb({}, {}, {})".format(*bytes.fromhex(dark[1][1:]))
        for ground in ("[data-testid=stApp]", ".js-plotly-plot .main-svg"):
            expect(page.locator(ground).first).to_have_css("background-color", shade)
        expect(page.get_by_test_id("stTopNavLink")).to_have_count(
            len(PAGES) - len(UNLISTED) - len(UNDER_MORE)
        )
        assert list(empty.iterdir()) == []
