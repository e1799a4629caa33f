"""What stands in a page as `<!-- NAME OF WHAT -->` and is put in when it is read: the reference, help texts, words.

Invariant: what is put in comes from the program; a name that is not known fails the build.
"""

import contextlib
import io
import re
import sys
from collections.abc import Callable, Mapping
from unittest import mock

from sphinx.application import Sphinx

from assets.docs.parts.names import reference
from dpviz.__main__ import main
from dpviz.base.glossary import GLOSSARY

__all__ = ["PUT_IN", "help_of", "setup"]


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
    return "\n".join(["```{glossary}", *(f"{term.shown}\n  {term.says}\n" for term in words), "```"])


PUT_IN: Mapping[str, Callable[[str], str]] = {"reference": reference, "help": _help, "glossary": _glossary}


def _put_in(app: Sphinx, page: str, source: list[str]) -> None:
    text = re.sub(r"^<!-- (\w+) ?(.*?) -->$", lambda at: PUT_IN[at[1]](at[2]), source[0], flags=re.MULTILINE)
    source[0] = text.replace("\n\n```\n", "\n```\n")  # the blank line that ends an example for doctest


def setup(app: Sphinx) -> None:
    """Put them in."""
    app.connect("source-read", _put_in)
