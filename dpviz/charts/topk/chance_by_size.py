"""The chance that a true count passes a threshold: one curve, with a mark at each item."""

import numpy as np

from dpviz.base import Scores
from dpviz.base.text_format import (
    count_text,
    number_text,
    percent,
    release_frequency_text,
    safe_label,
)
from dpviz.charts.grammar import LIGHT, Chart, Figure, Look, axes, marks
from dpviz.numerics.cutoff.passing_rule import PassingRule

_POINTS = 201
_MOST_MARKS = 400
_SELDOM = 1e-3  # the curve is drawn from where a count passes this seldom, to where it fails so


def chance_by_count_chart(
    rule: PassingRule,
    *,
    scores: Scores | None = None,
    k: int | None = None,
    previous_rule: tuple[str, PassingRule] | None = None,
    look: Look = LIGHT,
) -> Chart:
    """Curve of the chance of each true count under a rule; items of `scores` are marked on it.

    Lists that may hold only the `k` largest of those that pass say so. `previous_rule` is the name
    and the rule of another setting.
    """
    low, high = (
        max(0.0, rule.count_with_chance(_SELDOM)),
        max(1.0, rule.count_with_chance(1 - _SELDOM)),
    )
    if not rule.scale:  # a step, with room beside it
        low, high = 0.0, 2 * high
    low = low if low > 0.5 * high else 0.0
    x = np.linspace(low, high, _POINTS)
    counts = np.empty(0) if scores is None else scores.values[scores.order]
    inside = np.flatnonzero((counts >= low) & (counts <= high))[:_MOST_MARKS]
    chance = rule.chance(x)
    cut = k is not None and scores is not None and scores.d > k
    verb = "passes the threshold" if cut else "is published"
    says = _says(rule, verb, int(np.count_nonzero(counts > high)))
    if cut:
        says += f" The list holds the {k:,} largest of those that pass."
    thin = "" if scores is None else " Each dot is an item of the data."
    ghost = (
        ""
        if previous_rule is None
        else f" The grey line shows the previous setting, {previous_rule[0]}."
    )
    return Chart(
        figure=Figure(
            look,
            ()
            if previous_rule is None
            else marks.curve_mark(
                x, previous_rule[1].chance(x), look.muted, 2 * look.scale, name=previous_rule[0]
            ),
            marks.curve_mark(
                x,
                chance,
                look.accent,
                2.5 * look.scale,
                showlegend=False,
                hover=f"true count %{{x:,.0f}}<br>{verb} in <b>%{{y:.1%}}</b> of releases",
            ),
            ()
            if scores is None
            else marks.dots(
                counts[inside],
                rule.chance(counts[inside]),
                look.ink,
                7 * look.scale,
                name="items of the data",
                showlegend=False,
                hover=[_item_text(scores, rank, rule, verb) for rank in inside.tolist()],
            ),
            marks.vertical_line(rule.threshold, look.ink),
            marks.text_annotation(
                f"threshold {number_text(rule.threshold)}",
                rule.threshold,
                1.0,
                "left bottom" if rule.threshold < 0.5 * (low + high) else "right bottom",
                look.muted,
                yref="paper",
            ),
            height=270,
            margin={
                "t": 2.2 * look.text_size,
                "b": (5.4 if previous_rule is not None else 3.8) * look.text_size,
            },
            x=axes.axis("true count of an item", (low, high), grid=False, tickformat="~s"),
            y=axes.percent_axis("passes" if cut else "published", (0, 1.04)),
            legend=axes.bottom_legend(),
        ),
        shows=f"A curve of how often an item of each true count {verb}.",
        how_to_read=(
            f"The curve shows in how many releases an item of this true count {verb}. The"
            f" dashed line is the threshold.{thin}{ghost}"
        ),
        says_now=says,
        columns={"true count": x, "chance": chance},
    )


def _says(rule: PassingRule, verb: str, larger: int) -> str:
    """How often the counts about the threshold pass it."""
    half, most = (max(0, round(rule.count_with_chance(share))) for share in (0.5, 0.95))
    often = [release_frequency_text(float(rule.chance(count))) for count in (half, most)]
    says = f"An item with a true count of {half:,} {verb} in {often[0]}"
    says += "." if half == most else f", one with {most:,} in {often[1]}."
    if larger:
        have = "has a larger count" if larger == 1 else "have larger counts"
        says += f" {count_text(larger, 'item')} {have} than the curve shows."
    return says


def _item_text(scores: Scores, rank: int, rule: PassingRule, verb: str) -> str:
    item = int(scores.order[rank])
    count = float(scores.values[item])
    return (
        f"<b>{safe_label(scores.label(item))}</b><br>true count {number_text(count)}<br>{verb} in"
        f" <b>{percent(float(rule.chance(count)))}</b> of releases"
    )
