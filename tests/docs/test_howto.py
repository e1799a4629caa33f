"""The how-to pages: short programs, run by doctest as they stand, and the same as notebooks."""

import doctest
import re
from pathlib import Path

import pytest

from assets.docs.parts.notebooks import notebook
from tests.site import SOURCES

PAGES = sorted(path for path in (SOURCES / "howto").glob("*.md") if path.stem != "index")
MOST_LINES = 15


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.stem)
def test_programs_are_short_and_are_what_the_notebook_has(page: Path) -> None:
    text = page.read_text(encoding="utf-8")
    blocks = re.findall(r"^```python\n(.*?)^```", text, re.DOTALL | re.MULTILINE)
    programs = [
        "".join(one.source for one in doctest.DocTestParser().get_examples(block))
        for block in blocks
    ]
    assert programs
    assert [program for program in programs if len(program.splitlines()) > MOST_LINES] == []
    cells = notebook(text)["cells"]
    assert [cell["source"] for cell in cells if cell["cell_type"] == "code"] == [
        one.rstrip() for one in programs
    ]
    compile("\n".join(programs), page.name, "exec")
    prose = " ".join(cell["source"] for cell in cells if cell["cell_type"] == "markdown")
    assert prose.startswith(text.splitlines()[0])
    assert ">>>" not in prose
