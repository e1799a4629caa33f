"""Text packed into HTML: compressed, then written in 85 signs, of which the browser makes it again by itself.

Base 85 is a fifteenth smaller than base 64, which is what keeps plotly and a figure below two megabytes.
Invariants: what is written ends no element and opens no tag; the same text is packed the same way each time.
"""

import base64
import gzip
import json
from collections.abc import Mapping
from functools import cache
from typing import Any

from dpviz.base.markup import Markup, markup
from dpviz.charts.chart import plotly_source

_SAFE = str.maketrans("<>&", ",.:")  # Python's 85 signs have these three, which mean something in HTML
_WORTH = 48  # characters from which on a part that comes again is written once


def packed(text: str, name: str) -> Markup:
    """A script element that no browser runs, with the text packed in it; takeaway.js reads it.

    >>> packed("a", "x").startswith('<script type="text/plain" id="x" data-size="21">')
    True
    """
    raw = gzip.compress(text.encode(), 9, mtime=0)
    signs = base64.b85encode(raw, pad=True).decode("ascii").translate(_SAFE)
    return markup('<script type="text/plain" id="{}" data-size="{}">{}</script>', name, len(raw), signs)


@cache
def packed_plotly() -> Markup:
    """plotly.js, 4.8 MB, as 1.8 MB."""
    return packed(plotly_source(), "plotly")


def packed_json(content: Mapping[str, Any], name: str) -> Markup:
    """The content as JSON in which each part that comes several times stands once, in a pool."""
    pool: dict[str, int] = {}
    shared = _shared(content, pool)
    whole = f'{{"pool":[{",".join(pool)}],"content":{json.dumps(shared, separators=(",", ":"), allow_nan=False)}}}'
    return packed(whole, name)


def _shared(value: Any, pool: dict[str, int]) -> Any:
    if isinstance(value, Mapping):
        value = {name: _shared(one, pool) for name, one in value.items()}
    elif isinstance(value, list | tuple):
        value = [_shared(one, pool) for one in value]
    elif not isinstance(value, str):
        return value
    text = json.dumps(value, separators=(",", ":"), allow_nan=False)
    return {"$": pool.setdefault(text, len(pool))} if len(text) >= _WORTH else value
