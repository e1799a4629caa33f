"""One sparse vector run: noisy values against the noisy threshold, query by query; and its bounds."""

from collections.abc import Iterator

import numpy as np

from dpviz.base import Floats, Ints, Scores
from dpviz.base.text_format import (
    count_text,
    isolate_direction,
    number_text,
    safe_label,
    shorten_text,
    stated_percent_text,
)
from dpviz.charts.grammar import LIGHT, Chart, Figure, Look, Mark, axes, item_column_builder, marks
from dpviz.gaps import ThresholdReplay

_WINDOW = 60
_NAMED = 25
_BOUNDS = 60  # answers whose bounds are drawn
_BRANCH = {
    "answer": (0, "circle"),
    "top": (1, "diamond"),
    "middle": (2, "square"),
    "second": (3, "cross"),
    "third": (4, "x"),
}


def threshold_run_chart(
    run: ThresholdReplay, scores: Scores, step: int, *, look: Look = LIGHT
) -> Chart:
    """Run up to query `step` (1-based)."""
    first = max(0, step - _WINDOW)
    at = np.arange(first, step)
    # the last test refuses
    decided = np.where(run.branch[at] >= 0, run.branch[at], len(run.plan.names) - 1)
    noisy = run.noisy[decided, at]
    low, high = axes.padded_span(
        0.07, noisy, scores.values[at], run.thresholds, [run.plan.threshold]
    )
    asked, published = run.release.asked, run.release.table()
    last = min(asked, max(first + min(_WINDOW, asked), step))
    says = _step_words(run, scores, step)
    return Chart(
        figure=Figure(
            look,
            _thresholds(run, first, look),
            _values(run, at, noisy, scores, look),
            marks.dots(
                at + 1,
                scores.values[at],
                look.ink,
                11 * look.scale,
                "line-ew-open",
                (2, None),
                name="true score",
                hover="true score %{y:,.4~r}",
            ),
            marks.vertical_line(step, look.line, None, width=14 * look.scale, layer="below"),
            height=400,
            margin={"t": 12, "b": 11 * look.text_size, "r": 8},
            x=axes.axis(
                "query, in the order asked",
                (first + 0.3, last + 0.7),
                grid=False,
                tickformat=",d",
                dtick=1 if last - first <= 20 else None,
            ),
            y=axes.axis("score", (low, high), nticks=7),
            legend=axes.bottom_legend(traceorder="normal"),
        ),
        shows=(f"Noisy values of queries {first + 1:,} to {step:,} against the noisy threshold."),
        how_to_read=(
            "Coloured marks are noisy values that reached the noisy threshold. The line under each"
            " is its gap, which is published with the answer. Short dashes are the true scores."
            " Each release has new noise."
            + (f" Queries {first + 1:,} to {step:,} are drawn." if first else "")
        ),
        says_now=says,
        columns={
            "query": np.arange(1, asked + 1),
            "item": item_column_builder(scores.label, range(asked)),
            "true score (hidden)": scores.values[:asked],
            **{
                f"noisy value, {name} (hidden)": run.noisy[j]
                for j, name in enumerate(run.plan.names)
            },
            **{name: published[name].to_numpy() for name in ("answer", "branch", "gap", "spent")},
            "units used": run.units,
        },
    )


def _step_words(run: ThresholdReplay, scores: Scores, step: int) -> str:
    i = step - 1
    name = isolate_direction(shorten_text(scores.label(i)))
    answers = int((run.branch[:step] >= 0).sum())
    j = int(run.branch[i])
    noisy = number_text(float(run.noisy[j, i]), 3)  # of the last test where there is no answer
    needed = number_text(float(run.thresholds[j]), 3)
    if j < 0:
        what = f"its noisy value {noisy} is below {needed}, so there is no answer and no cost"
    else:
        gap = number_text(float(run.noisy[j, i] - run.thresholds[-1]), 3)
        by = "" if len(run.thresholds) == 1 else f" by the {run.plan.names[j]} branch"
        what = f"its noisy value {noisy} reaches {needed}, so it is answered{by} with gap {gap}"
    return f"Query {step:,}, {name}: {what}. {count_text(answers, 'answer')} so far."


def _thresholds(run: ThresholdReplay, first: int, look: Look) -> list[Mark]:
    lines = [
        (run.plan.threshold, "threshold (public)", look.muted, "dot"),
        (float(run.thresholds[-1]), "noisy threshold", look.ink, "solid"),
        (float(run.thresholds[0]), "noisy threshold + σ", look.designs[1], "dash"),
    ]
    ends = [first + 0.3, first + max(_WINDOW, run.release.asked) + 1]
    return [
        marks.curve_mark(
            ends,
            [value] * 2,
            colour,
            1.5 * look.scale,
            dash,
            name=name,
            hover=f"{name} {number_text(value)}",
        )
        for value, name, colour, dash in lines[: 1 + len(run.thresholds)]
    ]


def _values(
    run: ThresholdReplay, at: Ints, noisy: Floats, scores: Scores, look: Look
) -> Iterator[Mark]:
    """Noisy values by answer; those that were answered have their gaps above the threshold."""
    names = run.plan.names
    for j, name in enumerate(("none", *names), start=-1):
        here = np.maximum(run.branch[at], -1) == j
        asked, values = at[here], noisy[here]
        if not len(asked):
            continue
        if j < 0:
            said, colour, symbol = "no answer", look.muted, "circle-open"
        else:
            said = "answered" if len(names) == 1 else f"answered, {name} branch"
            colour, symbol = look.designs[_BRANCH[name][0]], _BRANCH[name][1]
            threshold = np.full(len(asked), float(run.thresholds[-1]))
            yield marks.segments(
                (asked + 1, asked + 1), (threshold, values), colour, 2 * look.scale
            )
        yield marks.dots(
            asked + 1,
            values,
            colour,
            9 * look.scale,
            symbol,
            name=said,
            customdata=[
                f"query {i + 1:,}: <b>{safe_label(scores.label(i), 100)}</b>"
                for i in asked.tolist()
            ],
            hover="%{customdata}<br>noisy value <b>%{y:,.4~r}</b>",
        )


def threshold_bounds_chart(
    run: ThresholdReplay,
    scores: Scores,
    confidence: float,
    chance_given_answer: Floats | None,
    *,
    look: Look = LIGHT,
) -> Chart:
    """Lower bounds on the true scores; `chance_given_answer` = P(bound holds | answered so) of each
    answer.
    """
    out = run.release
    n = min(len(out.items), _BOUNDS)
    items = out.items[:n]
    estimate = run.plan.threshold + out.gaps[:n]
    bound, true = out.lower_bounds[:n], scores.values[items]
    place = np.arange(1, n + 1)
    named = n <= _NAMED
    ticks = [scores.label(int(i)) for i in items]
    wide = max((min(len(t), 26) for t in ticks), default=0) if named else 0
    styles = (
        (
            bound,
            f"lower bound ({stated_percent_text(confidence)})",
            "line-ns-open",
            look.accent,
        ),
        (estimate, "threshold + gap", "circle", look.accent),
        (true, "true score (not published)", "diamond-open", look.ink),
    )
    holds = int((out.lower_bounds <= scores.values[out.items]).sum())
    total = len(out.items)
    verb = "lies" if holds == 1 else "lie"
    says = (
        f"{holds:,} of {count_text(total, 'bound')} of this release {verb} at or below the"
        " true score."
    )
    return Chart(
        figure=Figure(
            look,
            marks.segments((bound, estimate), (place, place), look.accent, 2.4 * look.scale),
            [
                marks.dots(
                    x,
                    place,
                    colour,
                    10 * look.scale,
                    symbol,
                    (2, colour),
                    name=name,
                    customdata=[safe_label(item, 100) for item in ticks],
                    hover=f"<b>%{{customdata}}</b><br>{name} %{{x:,.4~r}}",
                )
                for x, name, symbol, colour in styles
            ],
            marks.vertical_line(run.plan.threshold, look.muted, "dot"),
            height=150 + 26 * n if named else 500,
            margin={
                "l": (wide * 0.56 + 1.6) * look.text_size if named else 4.6 * look.text_size,
                "t": 10,
                "b": 6.4 * look.text_size,
            },
            x=axes.axis(
                "score",
                axes.padded_span(0.05, bound, estimate, true, [run.plan.threshold]),
                nticks=8,
            ),
            y=axes.axis(
                None if named else "answer",
                (n + 0.7, 0.3),
                grid=False,
                tickvals=place.tolist() if named else None,
                ticktext=[safe_label(t, 26) for t in ticks] if named else None,
            ),
            legend=axes.bottom_legend(traceorder="normal"),
        ),
        shows=f"Lower bounds, estimates and true scores of {count_text(total, 'answer')}.",
        how_to_read=(
            "The dot is the threshold plus the gap. The line goes down to the lower bound. A bound"
            " holds if the true score, the diamond, is not left of the line's end."
            + (f" The first {_BOUNDS} answers are drawn." if total > _BOUNDS else "")
        ),
        says_now=says,
        columns={
            "query": out.items + 1,
            "item": item_column_builder(scores.label, out.items),
            "branch": list(out.branches),
            "gap": out.gaps,
            "threshold + gap": run.plan.threshold + out.gaps,
            "lower bound": out.lower_bounds,
            "true score (hidden)": scores.values[out.items],
            "holds": np.where(out.lower_bounds <= scores.values[out.items], "yes", "no"),
            "chance before the answer, at least": confidence,
            **(
                {}
                if chance_given_answer is None
                else {"chance given the answer": chance_given_answer}
            ),
        },
    )
