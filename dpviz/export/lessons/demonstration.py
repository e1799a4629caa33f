"""A mechanism at work as HTML, one move after the other; and formulas as MathML.

Invariants: no script, so that a page, a phone, a slide and a file show the same; bars keep one
scale in all moves; words repeat what colour tells; on paper all moves stand below each other.
"""

import json
from functools import cache, lru_cache

import numpy as np

from dpviz.base import Markup, join_markup, markup
from dpviz.export.document import read_template_asset, render_fragment
from dpviz.export.lessons.prose import render_inline
from dpviz.teaching.lesson import (
    SIGNS,
    Demonstration,
    Formula,
    GuessPrompt,
    WalkthroughMove,
    WalkthroughRow,
)


def demonstration_stylesheet() -> str:
    return read_template_asset("at_work.css")


def render_moves(demonstration: Demonstration, seed: int) -> list[Markup]:
    """Every move of the play of this seed, the sentence first."""
    played = demonstration.play(np.random.default_rng(seed)).moves
    low, high = _scale(played)
    return [_move(move, low, high) for move in played]


@lru_cache(maxsize=256)
def render_stepper(demonstration: Demonstration, seed: int, key: str) -> Markup:
    """All moves, one shown at a time; `key` tells its buttons from others on the page."""
    return render_fragment(
        "at_work", title=demonstration.title, moves=render_moves(demonstration, seed), key=key
    )


def render_guess_scale(guess: GuessPrompt, marked_value: int | None = None) -> Markup:
    """The question where one expects the value, and the scale to set a mark on."""
    return render_fragment("guess", asks=render_inline(guess.asks), marked=marked_value)


@cache
def mathml(formula: Formula) -> Markup:
    """The formula as browsers set it; the tests make `formulas.json` from the LaTeX."""
    pieces = json.loads(read_template_asset("formulas.json"))[formula.latex]
    lines = Markup("<wbr>").join(
        markup('<math displaystyle="true">{}</math>', Markup(inner)) for inner in pieces
    )
    return markup('<p class="dp-formula" role="math" aria-label="{}">{}</p>', formula.says, lines)


def _scale(played: tuple[WalkthroughMove, ...]) -> tuple[float, float]:
    rows = [row for move in played for row in move.rows]
    ends = [0.0, *(row.value for row in rows), *(row.value + row.noise for row in rows)]
    ends += [move.line for move in played if move.line is not None]
    return min(ends), max(*ends, min(ends) + 1e-12)


def _move(move: WalkthroughMove, low: float, high: float) -> Markup:
    def at(value: float) -> float:
        return 100 * (value - low) / (high - low)

    line = (
        markup('<s style="left:{:.2f}%"></s>', at(move.line)) if move.line is not None else Markup()
    )
    return markup(
        '<p class="dp-says">{}</p><table class="dp-work-rows"><tbody>{}</tbody></table>',
        render_inline(move.says),
        join_markup(
            _row(row, at(0.0), at(row.value), at(row.value + row.noise), line) for row in move.rows
        ),
    )


def _row(row: WalkthroughRow, zero: float, value: float, noisy: float, line: Markup) -> Markup:
    """The bar to the value, then the noise: lighter where it adds, hollow where it takes off."""
    bars = [_bar("", zero, value)]
    if row.noise:
        bars.append(_bar("dp-more" if row.noise > 0 else "dp-less", value, noisy))
    sign = markup(" <small>{}</small>", SIGNS[row.sign]) if row.sign else Markup()
    return markup(
        '<tr class="dp-row-{}"><th scope="row">{}{}</th><td><i>{}{}</i></td><td>{}</td></tr>',
        row.sign or "is", row.name, sign, join_markup(bars), line, row.shown,
    )  # fmt: skip


def _bar(kind: str, start: float, end: float) -> Markup:
    left, right = sorted((start, end))
    return markup('<u class="{}" style="left:{:.2f}%;width:{:.2f}%"></u>', kind, left, right - left)
