"""Query by query: the chance of an answer, and how often its lower bound then holds."""

from collections.abc import Mapping
from typing import Any

import numpy as np

from dpviz.base import Bools, Floats, Scores
from dpviz.base.text_format import (
    count_text,
    number_text,
    percent,
    safe_label,
    stated_percent_text,
)
from dpviz.charts.grammar import LIGHT, Chart, Figure, Look, Mark, axes, item_column_builder, marks
from dpviz.charts.grammar.axes import IntegerBins

MOST_BARS = 400
_SELDOM = 1e-3
_FEWEST = 40
_VISIBLE = 0.004  # a dot below this would lie on the axis


def answer_chance_chart(
    scores: Scores,
    threshold: float,
    plain: Floats,
    top: Floats,
    middle: Floats,
    ask_probability: Floats,
    *,
    higher: str = "top branch",
    bar_limit: int = MOST_BARS,
    look: Look = LIGHT,
) -> Chart:
    """Chances of an answer (n,): `plain`, and `top` and `middle` by branch of the adaptive one.

    `higher` names the branches of `top`; `ask_probability` (n,) = P(a query is asked at all). With
    more than `bar_limit` queries neighbours share a bar.
    """
    last = _shown(ask_probability)
    fold = IntegerBins.from_range(1, last, bar_limit)
    adaptive = top + middle
    above = scores.values >= threshold
    each = fold.bin_size
    says = _answers_say(plain, adaptive, above)
    return Chart(
        figure=_answers_figure(scores, threshold, (plain, top, middle), higher, fold, look),
        shows=(
            f"Scores of {scores.d:,} queries in the order asked, and the chance of an answer to"
            f" each. {int(above.sum()):,} are at or above the threshold {number_text(threshold)}."
        ),
        how_to_read=(
            "Queries are asked from left to right. The upper part shows their scores and the"
            " threshold. The lower part shows the chance of an answer. Bars are the adaptive"
            " mechanism by branch, dots the plain one."
            + (f" Each bar is the mean of {each} neighbouring queries." if each > 1 else "")
            + (
                f" The {scores.d - last:,} queries after query {last:,} are not drawn, as the"
                " budget is nearly always used up before them."
                if last < scores.d
                else ""
            )
        ),
        says_now=says,
        columns={
            "query": np.arange(1, scores.d + 1),
            "item": item_column_builder(scores.label, range(scores.d)),
            "score": scores.values,
            "plain": plain,
            "adaptive": adaptive,
            f"adaptive, {higher}": top,
            "adaptive, middle branch": middle,
        },
    )


def _answers_say(plain: Floats, adaptive: Floats, above: Bools) -> str:
    n = int(above.sum())
    if n == 0:
        return "No query lies at or above the threshold, so every answer is a mistake."
    a, b = float(plain[above].mean()), float(adaptive[above].mean())
    return (
        f"{count_text(n, 'query is', 'queries are')} truly at or above the threshold. Their mean"
        f" chance of an answer is {percent(a)} with the plain mechanism and {percent(b)} with the"
        " adaptive one."
    )


def _shown(reached: Floats) -> int:
    seen = np.flatnonzero(reached > _SELDOM)
    last = int(seen[-1]) + 1 if len(seen) else 1
    return (
        len(reached)
        if last > 0.8 * len(reached)
        else min(len(reached), max(_FEWEST, -(-last // 10) * 10))
    )


# Branches of the adaptive mechanism are stacked, so a bar's height is its total chance.
def _answers_figure(
    scores: Scores,
    threshold: float,
    chances: tuple[Floats, Floats, Floats],
    higher: str,
    fold: IntegerBins,
    look: Look,
) -> Figure:
    plain, top, middle = (fold.mean(values) for values in chances)
    height = fold.mean(scores.values)
    single = fold.bin_size == 1
    names = [
        f"<b>{safe_label(scores.label(a - 1))}</b><br>query {a:,}"
        if a == b
        else f"<b>queries {a:,} to {b:,}</b>, means"
        for a, b in marks.zip_plain_values(fold.first, fold.last)
    ]
    hover = [
        f"{name}<br>score {number_text(s)}<br>plain <b>{percent(p)}</b><br>adaptive"
        f" <b>{percent(t + m)}</b><br>{higher} {percent(t)}, middle {percent(m)}"
        for name, s, p, t, m in marks.zip_plain_values(names, height, plain, top, middle)
    ]
    colours = np.where(height >= threshold, look.right, look.muted).tolist()
    few = single and len(names) <= 150
    common: dict[str, Any] = {
        "width": (fold.widths * (0.8 if few else 1.0)).astype(np.float32),
        "hover": hover,
    }
    x, seen, end = (
        fold.centres.astype(np.float32),
        np.flatnonzero(plain >= _VISIBLE),
        float(fold.last[-1]) + 0.5,
    )
    return Figure(
        look,
        marks.vertical_bars(x, height, colours, **common),
        [
            marks.vertical_bars(
                x,
                chance.astype(np.float32),
                colour,
                pattern=marks.hatch_pattern(shape, colour, look, size=5, solidity=0.2),
                name=name,
                yaxis="y2",
                **common,
            )
            for name, chance, colour, shape in (
                ("adaptive, middle branch", middle, look.designs[2], "/" if few else ""),
                (f"adaptive, {higher}", top, look.designs[1], ""),
            )
        ],
        marks.dots(
            x[seen],
            plain[seen].astype(np.float32),
            look.designs[0],
            7 * look.scale,
            "circle",
            (1, look.paper),
            name="plain",
            yaxis="y2",
        ),
        marks.horizontal_line(threshold, look.ink),
        marks.panel_heading(
            f"– – threshold {number_text(threshold)}", 0, look, lift=3
        ),  # above the bars, of which it covers none
        height=375,
        barmode="stack",
        bargap=0,
        margin={"t": 1.9 * look.text_size, "b": 7.4 * look.text_size},
        x=axes.axis(
            "query, in the order asked",
            (0.5 - 0.006 * end, end + 0.006 * end),
            grid=False,
            draggable=True,
            anchor="y2",
            tickformat=",d",
        ),
        y=axes.axis(
            "score",
            axes.span_from_zero(0.06, np.append(height, threshold)),
            domain=[0.54, 1],
            nticks=5,
        ),
        y2=axes.axis("chance", (0, 1.04), domain=[0, 0.45], **axes.HALVES),
        legend=axes.bottom_legend(traceorder="reversed"),
    )


_STYLES = ((0, "circle-open", 12), (1, "diamond", 7), (2, "square", 7))


def threshold_coverage_chart(
    scores: Scores,
    threshold: float,
    confidence: float,
    after_answer: Mapping[str, Any],
    before_answer: Mapping[str, Floats],
    overall: Mapping[str, float],
    *,
    look: Look = LIGHT,
) -> Chart:
    """`after_answer`: branch → P(bound holds | answered by it) of each query (n,), masked where too
    rare.

    `before_answer`: branch → P(no answer by it with a bound that fails), (n,). `overall`: mechanism
    → E[answers whose bound holds] / E[answers].
    """
    masked = {name: int(np.ma.getmaskarray(held).sum()) for name, held in after_answer.items()}
    rare = ", ".join(
        f"{count_text(n, 'query', 'queries')} ({name})" for name, n in masked.items() if n
    )
    says = _coverage_says(confidence, overall)
    return Chart(
        figure=Figure(
            look,
            [
                _branch(name, held, scores.values, *style, look)
                for (name, held), style in zip(after_answer.items(), _STYLES, strict=False)
            ],
            marks.horizontal_line(confidence, look.ink, width=1.2),
            marks.text_annotation(
                f"wanted: {stated_percent_text(confidence)}",
                1,
                confidence,
                "right top",
                look.ink,
                xref="paper",
            ),
            marks.vertical_line(threshold, look.muted, "dot"),
            marks.text_annotation(
                f" threshold {number_text(threshold)}",
                threshold,
                0,
                "left bottom",
                look.muted,
                yref="y domain",
            ),
            height=330,
            margin={"t": 12, "b": 7.2 * look.text_size},
            x=axes.axis("true score of the query"),
            y=axes.percent_axis("bound holds", (0, 1.04), nticks=6),
            legend=axes.bottom_legend(),
        ),
        shows=(
            "How often the lower bound of each query holds, given an answer, by its true score."
        ),
        how_to_read=(
            "Each point is a query, and shows how often its lower bound holds, given an answer."
            " High noise makes answers likelier. So for a query below the threshold an answer is a"
            " sign that the bound is too high."
            + (f" Left out, as they are almost never answered: {rare}." if rare else "")
        ),
        says_now=says,
        columns=(
            {"item": item_column_builder(scores.label, range(scores.d)), "score": scores.values}
            | {f"{name}, before the answer, at least": before_answer[name] for name in after_answer}
            | {
                f"{name}, given an answer": np.ma.filled(held.astype(float), np.nan)
                for name, held in after_answer.items()
            }
        ),
    )


def _branch(
    name: str, held: Any, values: Floats, colour: int, symbol: str, size: int, look: Look
) -> Mark:
    """A dot for each query answered often enough, thinned evenly over the scores."""
    at = np.flatnonzero(~np.ma.getmaskarray(held))
    if len(at):
        at = at[np.argsort(values[at], kind="stable")]
        at = at[np.unique(np.linspace(0, len(at) - 1, min(len(at), 400)).astype(int))]
    return marks.dots(
        values[at].astype(np.float32),
        np.asarray(held[at], np.float32),
        look.designs[colour],
        size * look.scale,
        symbol,
        (2 if size > 7 else 0, None),
        name=name,
        hover="score %{x:,.4~r}<br>given an answer the bound holds in <b>%{y:.1%}</b>",
    )


def _coverage_says(confidence: float, overall: Mapping[str, float]) -> str:
    start = (
        "Before the release, the chance that a query gets an answer with a wrong bound is at most"
        f" {stated_percent_text(1 - confidence)}"
    )
    if not overall:
        return f"{start}. Here there are almost no answers."
    shares = " and ".join(
        f"{percent(share)} of the {name} mechanism's" for name, share in overall.items()
    )
    return f"{start}. Among the answers given, the bound holds for {shares}."
