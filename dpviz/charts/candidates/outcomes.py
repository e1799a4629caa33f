"""Outcomes of a choice among candidates: the candidate, its score, and the number of runs."""

import numpy as np

from dpviz.base import Floats
from dpviz.base.text_format import (
    count_text,
    isolate_direction,
    number_text,
    percent,
    release_frequency_text,
    safe_label,
    shorten_text,
    stated_percent_text,
)
from dpviz.candidates import SelectionLaw
from dpviz.candidates.run_counts import RunCountLaw
from dpviz.candidates.utility import RuleUtility, ScoreBins
from dpviz.charts.grammar import LIGHT, Chart, Figure, Look, axes, marks

MOST_BARS = 24
_NOTHING = "nothing is published"
_NAIVE = "best of one run each"
_BEYOND = "\u00a0\u00a0"  # half a diamond and a little, on any screen
_SHOWN = 0.995  # of their mass


def chosen_candidate_chart(
    law: SelectionLaw, means: Floats, naive: Floats, *, look: Look = LIGHT
) -> Chart:
    """Bars of `law.candidate` by the mean scores `means` (K,); `naive` is for comparison."""
    size = law.pool.size
    names = [law.pool.label(k) for k in range(size)]
    kept = np.sort(np.argsort(-law.candidate, kind="stable")[:MOST_BARS])
    kept = kept[np.argsort(-means[kept], kind="stable")]
    left = size - len(kept)
    drawn = [
        (
            safe_label(names[k], 34),
            law.candidate[k],
            naive[k],
            f"<b>{safe_label(names[k], 100)}</b><br>mean score {number_text(means[k])}",
        )
        for k in kept.tolist()
    ]
    if left:
        others = np.setdiff1d(np.arange(size), kept)
        drawn.append(
            (
                count_text(left, "other"),
                law.candidate[others].sum(),
                naive[others].sum(),
                "<b>all the others together</b>",
            )
        )
    can_be_nothing = law.bottom > 1e-12
    if can_be_nothing:
        drawn.append((f"<i>{_NOTHING}</i>", law.bottom, 0.0, f"<b>{_NOTHING}</b>"))
    best = int(np.argmax(law.candidate))
    ends = f", and {_NOTHING} in {release_frequency_text(law.bottom)}" if can_be_nothing else ""
    name, often = (
        isolate_direction(shorten_text(names[best])),
        release_frequency_text(float(law.candidate[best])),
    )
    says = f"The likeliest candidate is {name}, published in {often}{ends}."
    return Chart(
        figure=_chosen_figure(drawn, can_be_nothing, look),
        shows=f"Horizontal bars of the chance that each of {size:,} candidates is published.",
        how_to_read=(
            "Each bar is a candidate, with the best runs on top. Its length is the chance that one"
            " of its runs is published. A diamond is that chance if every candidate is run once and"
            " the best run is published."
            + (f" The {count_text(left, 'least likely candidate')} share one bar." if left else "")
        ),
        says_now=says,
        columns={
            "candidate": [*names, "⊥ (nothing)"],
            "mean score": [*means, np.nan],
            "chance": [*law.candidate, law.bottom],
            _NAIVE: [*naive, 0.0],
        },
    )


def _chosen_figure(drawn: list[tuple[str, float, float, str]], nothing: bool, look: Look) -> Figure:
    names, chance, naive, more_words = zip(*drawn, strict=True)
    places = list(range(len(drawn)))
    candidates = len(drawn) - nothing
    widest = max(*chance, *naive, 0.02)
    ends, beside = np.array(chance), np.array(naive)
    # as wide as figures are on a phone: those that the diamond would cover begin behind it
    met = (beside > ends - 0.03 * widest) & (beside < ends + 0.22 * widest)
    return Figure(
        look,
        marks.horizontal_bars(
            np.array(chance),
            places,
            [look.accent] * candidates + [look.muted] * nothing,
            pattern={"shape": [""] * candidates + ["/"] * nothing},
            name="chance to be published",
            hover=[
                f"{more}<br>{percent(p)} of releases"
                for p, more in zip(chance, more_words, strict=True)
            ],
        ),
        marks.dots(
            np.array(naive[:candidates]),
            places[:candidates],
            look.ink,
            9 * look.scale,
            "diamond",
            (1.5, look.paper),
            name=_NAIVE,
            customdata=[percent(p) for p in naive[:candidates]],
            hover=f"{_NAIVE}: %{{customdata}}",
        ),
        marks.point_texts(
            np.where(met, np.maximum(beside, ends) + 0.012 * widest, ends) + 0.004 * widest,
            places,
            [f"{_BEYOND if hit else ''}{percent(p)}" for p, hit in zip(chance, met, strict=True)],
            {"color": look.muted},
        ),
        height=27 * len(drawn) + 100,
        bargap=0.32,
        x=axes.axis(
            "chance to be published", (0, widest * 1.14), draggable=True, tickformat=".0%", nticks=6
        ),
        y=axes.row_axis(names, look),
        margin={
            "l": 17.5 * look.text_size,
            "t": 8,
            "b": 7.2 * look.text_size,
            "r": 12,
        },
        legend=axes.bottom_legend(),
    )


# Columns are bins of one width that hold whole levels.
def output_score_chart(
    bins: ScoreBins,
    worth: RuleUtility,
    one_run: float,
    quantile: float,
    share: float,
    *,
    look: Look = LIGHT,
) -> Chart:
    """Columns of `bins.out`, outline of `bins.run`; the best `share` begin at `quantile`."""
    says = (
        "Nothing is ever published."
        if worth.score is None
        else (
            f"The published run scores {number_text(worth.score)} on average, a single run"
            f" {number_text(one_run)}. It is among the best {stated_percent_text(share)} of all"
            f" runs in {release_frequency_text(worth.within)}."
        )
    )
    out, run = bins.below
    left = f" {percent(run)} of single runs lie left of the chart" if run > 0 else ""
    if left:
        left += f", and {percent(out)} of published runs." if out > 0 else "."
    return Chart(
        figure=_score_figure(bins, quantile, share, look),
        shows="Columns of the score of the published run, with an outline for a single run.",
        how_to_read=(
            "Columns further right than the dotted outline show what choosing gains. The best"
            f" {stated_percent_text(share)} of all candidates' runs lie to the right of the dashed"
            " line."
            + ("" if bins.single else " Neighbouring scores share columns of equal width.")
            + left
        ),
        says_now=says,
        columns={
            "score from": bins.edges[:-1],
            "score to": bins.edges[1:],
            "published": bins.out,
            "one run": bins.run,
        },
    )


def _score_figure(bins: ScoreBins, quantile: float, share: float, look: Look) -> Figure:
    edges, ends = bins.edges, (float(bins.edges[0]), float(bins.edges[-1]))
    middle, width = (edges[1:] + edges[:-1]) / 2, float(edges[1] - edges[0])
    start = quantile - width / 2 if bins.single else quantile
    far = start > sum(ends) / 2
    return Figure(
        look,
        marks.vertical_bars(
            middle,
            bins.out,
            look.accent,
            width=width * 0.9,
            name="published run",
            customdata=[
                f"score {number_text(a)}"
                if bins.single
                else f"scores {number_text(a)} to {number_text(b)}"
                for a, b in zip(middle if bins.single else edges[:-1], edges[1:], strict=True)
            ],
            hover="%{customdata}<br>published in <b>%{y:.2%}</b>",
        ),
        marks.curve_mark(
            np.repeat(edges, 2)[1:-1],
            np.repeat(bins.run, 2),
            look.ink,
            1.8 * look.scale,
            "dot",
            name="one run of a random candidate",
        ),
        marks.vertical_line(start, look.ink, xref=None, yref="paper"),
        marks.text_annotation(
            f"the best {stated_percent_text(share)} of runs →",
            start,
            1,
            f"bottom {'right' if far else 'left'}",
            look.muted,
            yref="paper",
            xshift=4 if far else -4,
        ),
        height=340,
        bargap=0,
        x=axes.axis("score", ends, grid=False, draggable=True),
        y=axes.percent_axis(),
        legend=axes.horizontal_legend(
            1.03, "bottom", x=0 if far else 1, xanchor="left" if far else "right"
        ),
        margin={"t": 2.8 * look.text_size, "r": 12},
    )


# This number is never published.
def run_count_chart(runs: RunCountLaw, *, look: Look = LIGHT) -> Chart:
    """Bars of P(number of runs), up to 99.5 % of the mass."""
    last = max(1, runs.quantile(_SHOWN))
    first = 0 if float(runs.pmf(np.array(0))) > 0 else 1
    per_bar = -(-(last - first + 1) // 100)
    low = np.arange(first, last + 1, per_bar)
    high = low + per_bar - 1
    mass = runs.sf(low - 1) - runs.sf(high)
    beyond = float(runs.sf(np.array(int(high[-1]))))
    mean = number_text(round(runs.mean, 2))
    says = (
        f"On average {mean} runs are made. Half of the releases need at most"
        f" {count_text(runs.quantile(0.5), 'run')}, and 19 of 20 at most {runs.quantile(0.95):,}."
    )
    folded = f" Each bar adds up {per_bar:,} numbers." if per_bar > 1 else ""
    left = f" Beyond the right edge lies {percent(beyond)}." if beyond > 1e-12 else ""
    return Chart(
        figure=Figure(
            look,
            marks.vertical_bars(
                (low + high) / 2,
                mass,
                look.accent,
                width=per_bar * 0.9,
                showlegend=None,
                customdata=[
                    count_text(a, "run") if a == b else f"{a:,} to {b:,} runs"
                    for a, b in marks.zip_plain_values(low, high)
                ],
                hover="%{customdata}: <b>%{y:.2%}</b>",
            ),
            marks.vertical_line(runs.mean, look.ink, xref=None, yref="paper"),
            marks.text_annotation(
                f"mean {mean}", runs.mean, 1, "top left", look.muted, yref="paper", xshift=6
            ),
            height=280,
            bargap=0,
            x=axes.axis(
                "runs made",
                (first - 0.6, float(high[-1]) + 0.6),
                grid=False,
                draggable=True,
                tickformat=",d",
            ),
            y=axes.percent_axis(tickformat=".2~%"),
            margin={"t": 10, "r": 12},
        ),
        shows="Bars of the number of runs made.",
        how_to_read=(
            "Each bar is the chance of a number of runs. That number must stay secret, so only the"
            f" chosen run is published.{folded}{left}"
        ),
        says_now=says,
        columns={"runs from": low, "runs to": high, "chance": mass},
    )
