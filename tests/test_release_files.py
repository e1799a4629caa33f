"""Version, date and links agree with the code, and what a release still lacks is said."""

import re
import shutil
from pathlib import Path

import pytest

from assets.deploy.ready import missing
from assets.deploy.wheel import absolute
from dpviz import __version__

ROOT = Path(__file__).resolve().parents[1]
FILES = ("CITATION.cff", "CHANGELOG.md", "pyproject.toml", "dpviz/__init__.py")
HOME = "https://code.example/ours/dpviz"


@pytest.fixture
def sources(tmp_path: Path) -> Path:
    """The files that a release is judged by, with nothing left to do."""
    for name in FILES:
        (tmp_path / name).parent.mkdir(exist_ok=True)
        shutil.copy(ROOT / name, tmp_path / name)
    _change(tmp_path / "pyproject.toml", r'^repository = ".*"', f'repository = "{HOME}"')
    _change(tmp_path / "CHANGELOG.md", r"^## Unreleased\n(?:(?!## ).*\n)*", "## Unreleased\n\n")
    return tmp_path


def _change(file: Path, pattern: str, to: str) -> None:
    changed, count = re.subn(pattern, to, file.read_text(encoding="utf-8"), flags=re.MULTILINE)
    assert count == 1
    file.write_text(changed, encoding="utf-8")


@pytest.mark.parametrize(
    ("file", "pattern", "to", "said"),
    [
        ("dpviz/__init__.py", r'^__version__ = ".*"', '__version__ = "99.0.0"', "The tag is"),
        ("CITATION.cff", r"^version: .*", "version: 0.0.1", "CITATION.cff says version 0.0.1"),
        ("CITATION.cff", r"^date-released: .*", "date-released: 2020-02-02", "on 2020-02-02"),
        ("CHANGELOG.md", rf"^## {re.escape(__version__)} - .*", f"## {__version__}", "has no part"),
        ("CHANGELOG.md", r"^## Unreleased\n", "## Unreleased\n\n- Some.\n", "under Unreleased"),
        ("pyproject.toml", r'^repository = ".*"', 'repository = ""', "where the project lives"),
    ],
)
def test_what_it_lacks_is_said(sources: Path, file: str, pattern: str, to: str, said: str) -> None:
    assert missing(f"v{__version__}", sources) == []
    _change(sources / file, pattern, to)
    assert any(said in sentence for sentence in missing(f"v{__version__}", sources))


def test_on_an_index_the_readme_leads_to_files_that_are_there() -> None:
    text = (ROOT / "README.md").read_text(encoding="utf-8")
    assert absolute(text, "", "1.2.3") == text
    led = re.findall(r"(!?)\[[^\]]*\]\(([^)]+)\)", absolute(text, HOME, "1.2.3"))
    assert [link for _, link in led if not link.startswith(("https://", "http://", "#"))] == []
    within = {"": f"{HOME}/blob/v1.2.3/", "!": f"{HOME}/raw/v1.2.3/"}
    files = [
        link.removeprefix(within[mark]).partition("#")[0]
        for mark, link in led
        if link.startswith(HOME)
    ]
    assert len(files) > 10
    assert [file for file in files if not (ROOT / file).is_file()] == []
