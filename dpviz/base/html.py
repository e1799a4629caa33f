"""HTML in one place: text is escaped wherever it stands, unless it is markup already.

`markup` fills a short piece, `join_markup` puts pieces together, `render_template` fills a template: a file
that ends in .html in the folder `templates` of a package. All of them give `Markup`, a text that is
known to be HTML; plain text that is put into one is escaped, markup is not. Nothing else in the
house escapes text; `first_code_block` alone takes markup apart again, to read a script back from a page
of ours.
"""

import re
from collections.abc import Iterable
from functools import cache
from html import unescape
from typing import TYPE_CHECKING

from markupsafe import Markup, escape

if TYPE_CHECKING:
    from jinja2 import Environment

__all__ = ["Markup", "escape", "first_code_block", "join_markup", "markup", "render_template"]


def markup(piece: str, /, *texts: object, **named: object) -> Markup:
    """The piece with texts put in where it has braces, as `str.format` does.

    >>> markup("<p>{}</p>", "a < b")
    Markup('<p>a &lt; b</p>')
    >>> markup("<ul>{items}</ul>", items=markup("<li>{}</li>", "a"))
    Markup('<ul><li>a</li></ul>')
    """
    return Markup(piece).format(*texts, **named)


def join_markup(pieces: Iterable[object]) -> Markup:
    """The pieces one after the other; those that are text are escaped.

    >>> join_markup([markup("<b>{}</b>", "a"), "<"])
    Markup('<b>a</b>&lt;')
    """
    return Markup("").join(escape(piece) for piece in pieces)


def render_template(package: str, name: str, /, **values: object) -> Markup:
    """The template `name` of a package, filled. A value that it names and does not get is an error."""
    return Markup(_environment(package).get_template(name).render(values))


def first_code_block(page: str) -> str | None:
    """The text of the first block of code in a page; None where there is none.

    >>> first_code_block("<p>a</p><pre><code>1 &lt; 2</code></pre>"), first_code_block("a")
    ('1 < 2', None)
    """
    block = re.search("<pre><code>(.*?)</code></pre>", page, re.DOTALL)
    return None if block is None else unescape(block[1])


def embedded_scripts(page: str) -> list[str]:
    """The scripts that stand in a page itself, as they are.

    >>> embedded_scripts('<script src="a.js"></script><script type="module">let a = 1;</script>')
    ['let a = 1;']
    """
    return re.findall(r"<script(?![^>]*\ssrc=)[^>]*>(.*?)</script>", page, re.DOTALL)


@cache
def _environment(package: str) -> "Environment":
    from jinja2 import Environment, PackageLoader, StrictUndefined

    return Environment(
        loader=PackageLoader(package),
        autoescape=True,
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
        keep_trailing_newline=True,
    )
