"""What stands beside the code agrees with it: the version everywhere, and a word on each change."""

import re
from pathlib import Path

from dpviz import __version__

ROOT = Path(__file__).resolve().parents[1]


def test_the_citation_names_this_version() -> None:
    text = (ROOT / "CITATION.cff").read_text(encoding="utf-8")
    assert re.findall(r"(?m)^version: (.+)$", text) == [__version__]


def test_the_changelog_has_a_section_for_this_version() -> None:
    sections = re.findall(r"(?m)^## (.+)$", (ROOT / "CHANGELOG.md").read_text(encoding="utf-8"))
    assert sections[0] == "Unreleased"
    assert __version__ in sections
