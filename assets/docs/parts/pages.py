"""What stands in a page as `<!-- NAME OF WHAT -->` and is put in when it is read: the reference,
help texts, words.

Invariant: what is put in comes from the program; a name that is not known fails the build.
"""

import contextlib
import io
import re
import sys
from collections.abc import Callable, Mapping
from pathlib import Path
from unittest import mock

from sphinx.application import Sphinx

from assets.docs.parts.names import reference
from dpviz.__main__ import main
from dpviz.base.glossary import GLOSSARY
from dpviz.teaching.lessons import LESSONS

__all__ = ["PUT_IN", "help_of", "setup"]

ROOT = Path(__file__).resolve().parents[3]
DOCS = ROOT / "assets" / "docs"
_PAGES = {
    ROOT / "CHANGELOG.md": DOCS / "changelog.md",
    ROOT / ".github" / "CONTRIBUTING.md": DOCS / "contributing.md",
    ROOT / ".github" / "SECURITY.md": DOCS / "security.md",
}


def help_of(command: str) -> str:
    """What `dpviz COMMAND --help` prints, without colours, in lines that a page has room for."""
    printed = io.StringIO()
    with (
        mock.patch.object(sys, "argv", ["dpviz"]),
        mock.patch.dict("os.environ", {"COLUMNS": "88", "NO_COLOR": "1"}),
        contextlib.redirect_stdout(printed),
        contextlib.suppress(SystemExit),
    ):
        main([command, "--help"])
    return printed.getvalue().rstrip()


def _help(command: str) -> str:
    return f"```text\n{help_of(command)}\n```"


def _glossary(_: str) -> str:
    words = sorted(GLOSSARY.values(), key=lambda term: term.word.casefold())
    return "\n".join(
        ["```{glossary}", *(f"{term.word_with_symbol}\n  {term.says}\n" for term in words), "```"]
    )


def _lessons(_: str) -> str:
    rows = (f"| {lesson.title} | {lesson.minutes} |" for lesson in LESSONS.values())
    return "\n".join(["| lesson | minutes |", "|---|--:|", *rows])


def _beside(name: str) -> str:
    """A file of `.github`; what it links to is a page of this site, or only named."""
    file = ROOT / ".github" / name

    def linked(found: re.Match[str]) -> str:
        words, (path, mark, anchor) = found[1], found[2].partition("#")
        target = (file.parent / path).resolve()
        page = _PAGES.get(target, target)
        return (
            f"[{words}]({page.relative_to(DOCS)}{mark}{anchor})"
            if page.is_relative_to(DOCS)
            else words
        )

    return re.sub(r"\[([^\]]+)\]\((?!\w+:)([^)]+)\)", linked, file.read_text(encoding="utf-8"))


PUT_IN: Mapping[str, Callable[[str], str]] = {
    "reference": reference,
    "help": _help,
    "glossary": _glossary,
    "lessons": _lessons,
    "beside": _beside,
}


def _put_in(app: Sphinx, page: str, source: list[str]) -> None:
    text = re.sub(
        r"^<!-- (\w+) ?(.*?) -->$", lambda at: PUT_IN[at[1]](at[2]), source[0], flags=re.MULTILINE
    )
    source[0] = text.replace(
        "\n\n```\n", "\n```\n"
    )  # the blank line that ends an example for doctest


def setup(app: Sphinx) -> None:
    """Put them in."""
    app.connect("source-read", _put_in)
