"""HTML tables for notebooks, as `_repr_html_` returns them: no script, nothing fetched."""

from collections.abc import Iterable

from dpviz.base.frames import Frame
from dpviz.base.html import Markup, join_markup, markup
from dpviz.base.text_format import round_up

_LONGEST = 60
_MOST_ROWS = 20
_BADGE = "border:1px solid;border-radius:.6em;padding:0 .5em;font-size:85%;font-weight:normal"
_LEFT = "text-align:left"
_HEAD, _CELL = '<th scope="col" style="{}">{}</th>', '<td style="{}">{}</td>'


def notebook_table(title: str, rows: Iterable[tuple[str, object]], badge: str = "") -> str:
    """A title with a badge that names the method, and a row for each pair of label and value."""
    row = '<tr><th scope="row" style="{left}">{}</th><td style="{left}">{}</td></tr>'
    body = join_markup(markup(row, _text(what), _text(value), left=_LEFT) for what, value in rows)
    return _table(title, body, badge)


def method_and_error_text(method: str, error: float) -> str:
    """Badge of a law: its method, and the bound on its error, rounded up to one digit."""
    return f"{method}, error at most {round_up(error, 1):.1g}"


def notebook_frame(title: str, frame: Frame, badge: str = "") -> str:
    """A title with a badge, the columns, and the first rows."""
    cells = [frame.columns.tolist(), *frame.head(_MOST_ROWS).itertuples(index=False)]
    if (more := len(frame) - _MOST_ROWS) > 0:
        cells.append([f"… {more:,} more rows"])
    body = join_markup(
        markup(
            "<tr>{}</tr>",
            join_markup(markup(_CELL if at else _HEAD, _LEFT, _text(value)) for value in row),
        )
        for at, row in enumerate(cells)
    )
    return _table(title, body, badge)


class TabularResult:
    """Base of results with a `frame`, which a notebook shows below what `repr` says."""

    __slots__ = ()

    def _repr_html_(self) -> str:
        frame: Frame = self.frame()  # type: ignore[attr-defined]
        return notebook_frame(repr(self), frame, getattr(self, "method", ""))


def _table(title: str, body: Markup, badge: str) -> str:
    method = markup(' <span style="{}">{}</span>', _BADGE, _text(badge)) if badge else ""
    whole = '<table><caption style="{};font-weight:bold;white-space:nowrap">{}{}</caption><tbody>{}</tbody></table>'
    return str(markup(whole, _LEFT, _text(title, 2 * _LONGEST), method, body))


def _text(value: object, longest: int = _LONGEST) -> str:
    text = (
        f"{value:z.6g}"
        if isinstance(value, float)
        else f"{value:,}"
        if type(value) is int
        else str(value)
    )
    return text if len(text) <= longest else text[: longest - 1] + "…"
