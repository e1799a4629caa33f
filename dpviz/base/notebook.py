"""HTML tables for notebooks, as `_repr_html_` returns them: no script, nothing fetched."""

from collections.abc import Iterable

from dpviz.base.html import join_markup, markup

_LONGEST = 60
_BADGE = "border:1px solid;border-radius:.6em;padding:0 .5em;font-size:85%;font-weight:normal"
_LEFT = "text-align:left"


def notebook_table(title: str, rows: Iterable[tuple[str, object]], badge: str = "") -> str:
    """A title with a badge that names the method, and a row for each pair of label and value."""
    method = markup(' <span style="{}">{}</span>', _BADGE, _text(badge)) if badge else ""
    row = '<tr><th scope="row" style="{left}">{}</th><td style="{left}">{}</td></tr>'
    body = join_markup(markup(row, _text(what), _text(value), left=_LEFT) for what, value in rows)
    whole = '<table><caption style="{};font-weight:bold">{}{}</caption><tbody>{}</tbody></table>'
    return str(markup(whole, _LEFT, _text(title), method, body))


def _text(value: object) -> str:
    text = (
        f"{value:z.6g}"
        if isinstance(value, float)
        else f"{value:,}"
        if type(value) is int
        else str(value)
    )
    return text if len(text) <= _LONGEST else text[: _LONGEST - 1] + "…"
