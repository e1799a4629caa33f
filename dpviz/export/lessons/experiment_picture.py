"""An experiment as SVG and as a table: drawn releases as bars, exact chances as marks.

Invariants: no script; bars begin at zero; shapes tell what colours tell; seeds draw as in the app.
"""

from collections.abc import Callable, Sequence

import numpy as np

from dpviz.base import Ints, Markup, join_markup, markup
from dpviz.charts import LIGHT, count_text, percent
from dpviz.charts.look import world_or_design_colour
from dpviz.teaching.lesson import Experiment

_WIDTH, _ROW, _BOTTOM, _LINE = 1000.0, 70.0, 36.0, 34.0
_SIDE = 13.0  # half a mark: one of no chance, or of all, is whole
_MARKS = (  # a diamond for the law; a ring, a square, a triangle for those beside it
    '<path d="M{x:.1f} {above:.1f}l11 11l-11 11l-11 -11z" {style}/>',
    '<circle cx="{x:.1f}" cy="{y:.1f}" r="11" {style}/>',
    '<rect x="{left:.1f}" y="{top:.1f}" width="20" height="20" {style}/>',
    '<path d="M{x:.1f} {above:.1f}l11 20h-22z" {style}/>',
)
_LANE = 24.0  # how far the bars of what else is drawn lie below
_STYLES = (
    'fill="{}"',
    'fill="none" stroke="{}" stroke-width="3.5"',
)  # of the law, and of the others
_MOST_TICKS = 6
_LETTER = 11.5  # the width of a letter of the legend, at most


def experiment_svg(
    experiment: Experiment, setting: float, draw_counts: Ints, *, law_shown: bool = True
) -> Markup:
    """Counts of each outcome, `draw_counts` of shape (drawn, outcomes), and the chances if shown."""
    draw_counts = np.atleast_2d(draw_counts)
    size = int(draw_counts[0].sum())
    laws = [(name, law(setting)) for name, law in experiment.laws.items() if law_shown]
    shares = [float(values.max()) for _, values in laws]
    if size:
        shares.append(float(draw_counts.max()) / size)
    end = min(1.0, 1.1 * max(shares, default=1))
    lanes = {name: _LANE * n for n, name in enumerate(experiment.drawn_law_names)}
    high = _ROW + _LANE * (len(draw_counts) - 1)

    def x(p: float) -> float:
        return min(p / end, 1.0) * (_WIDTH - 2 * _SIDE) + _SIDE

    legend, head = _legend(
        [name for name, _ in laws], experiment.drawn_law_names[: len(draw_counts)], size
    )
    height = head + high * len(experiment.outcomes) + _BOTTOM
    parts, heard = [_axis(end, x, head, height), legend], []
    for row, outcome in enumerate(experiment.outcomes):
        top = head + high * row
        middle = top + 48
        came = [f"{draw_counts[0][row]:,} of {size:,}"] if size else []
        exact = [f"exactly {percent(float(law[row]))}" for _, law in laws[:1]]
        text = " · ".join([*came, *exact])
        heard.append(f"{outcome}: {', '.join([*exact] or came)}")
        parts += [
            _text(_SIDE, top + 24, outcome, "start", "name"),
            _text(_WIDTH - _SIDE, top + 24, text, "end", "value"),
        ]
        for lane, counts in enumerate(draw_counts if size else []):
            y, width = middle + _LANE * lane, x(float(counts[row]) / size) - _SIDE
            bar = '<rect x="{:.1f}" y="{:.1f}" width="{:.1f}" height="{}" fill="{}"/>'
            colour = world_or_design_colour(experiment.drawn_law_names[lane], lane, LIGHT)
            parts.append(
                markup(bar, _SIDE, y - 12, width, 24 if len(draw_counts) == 1 else 19, colour)
            )
            if lane:
                parts.append(_text(_WIDTH - _SIDE, y + 6, f"{counts[row]:,}", "end", "tick"))
        for number, (name, values) in reversed(list(enumerate(laws))):
            parts.append(_mark(number, name, x(float(values[row])), middle + lanes.get(name, 0.0)))
    whole = '<svg class="picture" viewBox="0 0 {:.0f} {:.0f}" role="img" aria-label="{}">{}</svg>'
    return markup(whole, _WIDTH, height, "; ".join(heard), join_markup(parts))


def exact_chances_table(experiment: Experiment) -> Markup:
    """The exact chances at every setting of the control; empty without a control."""
    control = experiment.control
    if control is None:
        return markup("")
    heads = join_markup(
        markup('<th class="number">{}</th>', outcome) for outcome in experiment.outcomes
    )

    def row(setting: float) -> Markup:
        shares = map(percent, experiment.law(setting).tolist())
        cells = join_markup(markup('<td class="number">{}</td>', share) for share in shares)
        return markup("<tr><td>{}</td>{}</tr>", control.value_label(setting), cells)

    whole = "<table><thead><tr><th>{}</th>{}</tr></thead><tbody>{}</tbody></table>"
    return markup(whole, control.label, heads, join_markup(map(row, experiment.settings())))


def _axis(end: float, x: Callable[[float], float], top: float, height: float) -> Markup:
    step = next(step for step in (0.01, 0.02, 0.05, 0.1, 0.2, 0.25) if end / step < _MOST_TICKS)
    parts = []
    for tick in range(int(end / step + 1e-9) + 1):
        at = x(step * tick)
        line = '<line x1="{at:.1f}" x2="{at:.1f}" y1="{:.0f}" y2="{:.0f}" stroke="{}"/>'
        parts.append(markup(line, top, height - _BOTTOM, LIGHT.line, at=at))
        anchor = "start" if tick == 0 else "end" if at > _WIDTH - 40 else "middle"
        parts.append(_text(at, height - 8, f"{100 * step * tick:.0f} %", anchor, "tick"))
    return join_markup(parts)


def _legend(names: list[str], drawn: Sequence[str], size: int) -> tuple[Markup, float]:
    """The legend of bars and marks, and the height where it ends."""
    made = f"{count_text(size, 'release')} drawn"
    bars = [made] if len(drawn) == 1 else [f"{made}, {name}" for name in drawn]
    entries = [
        (_bar_sign, number, drawn[number], words) for number, words in enumerate(bars) if size
    ]
    entries += [(_mark, number, name, f"exact: {name}") for number, name in enumerate(names)]
    parts, x, y = [], 0.0, _LINE / 2
    for sign, number, name, words in entries:
        wide = 56 + _LETTER * len(words)
        if x and x + wide > _WIDTH:
            x, y = 0.0, y + _LINE
        parts += [sign(number, name, x + 18, y), _text(x + 36, y + 7, words, "start", "tick")]
        x += wide
    return join_markup(parts), y + _LINE / 2


def _bar_sign(number: int, name: str, x: float, y: float) -> Markup:
    bar = '<rect x="{:.1f}" y="{:.1f}" width="24" height="18" fill="{}"/>'
    return markup(bar, x - 12, y - 9, world_or_design_colour(name, number, LIGHT))


def _mark(number: int, name: str, x: float, y: float) -> Markup:
    colour = world_or_design_colour(name, number, LIGHT) if number else LIGHT.ink
    style = markup(_STYLES[number > 0], colour)
    return markup(_MARKS[number], x=x, y=y, left=x - 10, top=y - 10, above=y - 11, style=style)


def _text(x: float, y: float, text: str, anchor: str, kind: str) -> Markup:
    return markup(
        '<text class="{}" x="{:.1f}" y="{:.1f}" text-anchor="{}">{}</text>',
        kind,
        x,
        y,
        anchor,
        text,
    )
