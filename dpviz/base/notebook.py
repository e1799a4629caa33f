"""Small tables for notebooks: what `_repr_html_` gives.

Invariants: no script and nothing fetched, all text is escaped, long texts are cut; a badge says how figures came about.
"""

import html
from collections.abc import Iterable

__all__ = ["notebook_table"]

_LONGEST = 60
_BADGE = "border:1px solid;border-radius:.6em;padding:0 .5em;font-size:85%;font-weight:normal"
_LEFT = "text-align:left"


def notebook_table(title: str, rows: Iterable[tuple[str, object]], badge: str = "") -> str:
    """A title with its badge, and a row for each pair of what it is and its value.

    >>> notebook_table("<b>", [("ε", 0.5)]).count("&lt;b&gt;")
    1
    """
    told = f' <span style="{_BADGE}">{_text(badge)}</span>' if badge else ""
    body = "".join(
        f'<tr><th scope="row" style="{_LEFT}">{_text(what)}</th><td style="{_LEFT}">{_text(value)}</td></tr>'
        for what, value in rows
    )
    return (
        f'<table><caption style="{_LEFT};font-weight:bold">{_text(title)}{told}</caption><tbody>{body}</tbody></table>'
    )


def _text(value: object) -> str:
    shown = f"{value:z.6g}" if isinstance(value, float) else f"{value:,}" if type(value) is int else str(value)
    return html.escape(shown if len(shown) <= _LONGEST else shown[: _LONGEST - 1] + "…")
