"""HTML built from escaped text.

Plain text put into a `Markup` is escaped, markup is not. Nothing else in dpviz escapes text.
"""

import re
from collections.abc import Iterable
from functools import cache
from html import unescape
from numbers import Number
from typing import TYPE_CHECKING

from markupsafe import Markup, escape

if TYPE_CHECKING:
    from jinja2 import Environment

__all__ = ["Markup", "escape", "first_code_block", "join_markup", "markup", "render_template"]


def markup(piece: str, /, *texts: object, **named: object) -> Markup:
    """The piece with texts in place of its braces, as `str.format` does."""
    # not `Markup.format`, which reads the piece anew each time and takes twice as long
    safe = {name: _escape_text(text) for name, text in named.items()}
    return Markup(str.format(piece, *map(_escape_text, texts), **safe))


def _escape_text(text: object) -> object:
    return text if isinstance(text, Number) else escape(text)


def join_markup(pieces: Iterable[object]) -> Markup:
    """The pieces one after the other; plain text among them is escaped."""
    return Markup("").join(escape(piece) for piece in pieces)


def render_template(package: str, name: str, /, **values: object) -> Markup:
    """Template `name` of a package, filled; a value that it names and does not get is an error."""
    return Markup(_environment(package).get_template(name).render(values))


def first_code_block(page: str) -> str | None:
    """Text of the first block of code in a page; None where there is none.

    >>> first_code_block("<p>a</p><pre><code>1 &lt; 2</code></pre>"), first_code_block("a")
    ('1 < 2', None)
    """
    block = re.search("<pre><code>(.*?)</code></pre>", page, re.DOTALL)
    return None if block is None else unescape(block[1])


def embedded_scripts(page: str) -> list[str]:
    """Source of each script that stands in the page itself."""
    return re.findall(r"<script(?![^>]*\ssrc=)[^>]*>(.*?)</script>", page, re.DOTALL)


@cache
def _environment(package: str) -> "Environment":
    from jinja2 import Environment, PackageLoader, StrictUndefined

    return Environment(
        loader=PackageLoader(package),
        autoescape=True,
        undefined=StrictUndefined,
        auto_reload=False,  # a template does not change while the app runs
        trim_blocks=True,
        lstrip_blocks=True,
        keep_trailing_newline=True,
    )
