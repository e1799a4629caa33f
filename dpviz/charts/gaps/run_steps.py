"""One run of a sparse vector: noisy values against the noisy threshold, query by query; and its bounds.

Invariants: what a release publishes (answers, gaps, bounds) is told apart from what it hides (true scores,
noise); at most 60 queries are drawn at once, the last ones up to the step that is looked at.
"""

import numpy as np
import pandas as pd

from dpviz.base.arrays import Floats, Ints
from dpviz.base.scores import Scores
from dpviz.charts.chart import Chart
from dpviz.charts.figure import Figure
from dpviz.charts.look import LIGHT, Look
from dpviz.charts.words import as_typed, count, isolated, label, number, trimmed
from dpviz.gaps.sparse.one_run import ThresholdReplay

__all__ = ["threshold_bounds_chart", "threshold_steps_chart"]

_WINDOW = 60
_NAMED = 25
_BOUNDS = 60  # answers whose bounds are drawn
_BRANCH = {"answer": (3, "circle"), "top": (0, "diamond"), "middle": (1, "square")}


def threshold_steps_chart(run: ThresholdReplay, scores: Scores, step: int, *, look: Look = LIGHT) -> Chart:
    """The run up to query `step` (1-based)."""
    first = max(0, step - _WINDOW)
    at = np.arange(first, step)
    names = run.plan.names
    decided = np.where(run.branch[at] >= 0, run.branch[at], len(names) - 1)  # the last test refuses
    noisy = run.noisy[decided, at]
    figure = Figure()
    _thresholds(figure, run, first, look)
    hidden = run.branch[at] < 0
    _values(figure, at[hidden], noisy[hidden], scores, ("no answer", look.muted, "circle-open"), look)
    for j, name in enumerate(names):
        here = run.branch[at] == j
        colour, symbol = _BRANCH[name]
        said = "answered" if len(names) == 1 else f"answered, {name} branch"
        _gaps(figure, at[here] + 1, noisy[here], float(run.thresholds[-1]), look.categories[colour], look)
        _values(figure, at[here], noisy[here], scores, (said, look.categories[colour], symbol), look)
    figure.add_scatter(
        x=at + 1,
        y=scores.values[at],
        mode="markers",
        name="true score",
        marker={"symbol": "line-ew-open", "size": 11 * look.scale, "color": look.ink, "line": {"width": 2}},
        hovertemplate="true score %{y:.4~g}<extra></extra>",
    )
    figure.add_upright(x=step, line={"color": look.line, "width": 14 * look.scale}, layer="below")
    shown = np.concatenate([noisy, scores.values[at], run.thresholds, [run.plan.threshold]])
    low, high = float(shown.min()), float(shown.max())
    pad = 0.07 * ((high - low) or 1.0)
    last = min(run.release.asked, max(first + min(_WINDOW, run.release.asked), step))
    figure.update_layout(
        template=look.template,
        height=round(370 * look.scale),
        margin={"t": 12, "b": 4 * look.size, "r": 8},
        xaxis={
            "title": {"text": "query, in the order asked"},
            "range": [first + 0.3, last + 0.7],
            "tickformat": ",d",
            "showgrid": False,
            "fixedrange": True,
            **({"dtick": 1} if last - first <= 20 else {}),
        },
        yaxis={"title": {"text": "score"}, "range": [low - pad, high + pad], "nticks": 7, "fixedrange": True},
        legend={"orientation": "h", "x": 0, "y": -0.2, "yanchor": "top", "traceorder": "normal"},
    )
    says = _step_words(run, scores, step)
    return Chart(
        figure=figure,
        alt=f"Noisy values of queries {first + 1:,} to {step:,} against the noisy threshold. {says}",
        how_to_read=(
            "Coloured marks are noisy values that reached the noisy threshold; the line under each is its gap, the one "
            "thing published of it besides the answer. Short dashes are the true scores. Each release has new noise."
            + (f" Queries {first + 1:,} to {step:,} are drawn." if first else "")
        ),
        says_now=says,
        make_table=lambda: _step_table(run, scores),
    )


def _step_words(run: ThresholdReplay, scores: Scores, step: int) -> str:
    i = step - 1
    name = isolated(trimmed(scores.label(i)))
    answers = int((run.branch[:step] >= 0).sum())
    j = int(run.branch[i])
    noisy = number(_short(float(run.noisy[j, i])))  # of the last test where there is no answer
    needed = number(_short(float(run.thresholds[j])))
    if j < 0:
        what = f"its noisy value {noisy} stays below {needed}: no answer, at no cost"
    else:
        gap = number(_short(float(run.noisy[j, i] - run.thresholds[-1])))
        by = "" if len(run.thresholds) == 1 else f", by the {run.plan.names[j]} branch"
        what = f"its noisy value {noisy} reaches {needed}: answered{by}, with gap {gap}"
    return f"Query {step:,}, {name}: {what}. {count(answers, 'answer')} so far."


def _short(value: float) -> float:
    return float(f"{value:.3g}")


def _thresholds(figure: Figure, run: ThresholdReplay, first: int, look: Look) -> None:
    lines = [(run.plan.threshold, "threshold (public)", look.muted, "dot")]
    lines += [(float(run.thresholds[-1]), "noisy threshold", look.ink, "solid")]
    if len(run.thresholds) > 1:
        lines += [(float(run.thresholds[0]), "noisy threshold + σ", look.categories[0], "dash")]
    for value, name, colour, dash in lines:
        figure.add_scatter(
            x=[first + 0.3, first + max(_WINDOW, run.release.asked) + 1],
            y=[value, value],
            mode="lines",
            name=name,
            line={"color": colour, "dash": dash, "width": 1.5 * look.scale},
            hovertemplate=f"{name} {number(value)}<extra></extra>",
        )


def _values(
    figure: Figure,
    at: Ints,
    noisy: Floats,
    scores: Scores,
    style: tuple[str, str, str],
    look: Look,
) -> None:
    if not len(at):
        return
    name, colour, symbol = style
    figure.add_scatter(
        x=at + 1,
        y=noisy,
        mode="markers",
        name=name,
        marker={"color": colour, "symbol": symbol, "size": 9 * look.scale},
        customdata=[f"query {i + 1:,}: <b>{label(scores.label(i), 100)}</b>" for i in at.tolist()],
        hovertemplate="%{customdata}<br>noisy value <b>%{y:.4~g}</b><extra></extra>",
    )


def _gaps(figure: Figure, x: Floats, noisy: Floats, start: float, colour: str, look: Look) -> None:
    """From the noisy threshold up to each noisy value that was answered."""
    if not len(x):
        return
    figure.add_scatter(
        x=np.column_stack([x, x, np.full(len(x), np.nan)]).ravel(),
        y=np.column_stack([np.full(len(x), start), noisy, np.full(len(x), np.nan)]).ravel(),
        mode="lines",
        line={"color": colour, "width": 2 * look.scale},
        showlegend=False,
        hoverinfo="skip",
    )


def _step_table(run: ThresholdReplay, scores: Scores) -> pd.DataFrame:
    asked = run.release.asked
    table = pd.DataFrame(
        {
            "query": np.arange(1, asked + 1),
            "item": [scores.label(i) for i in range(asked)],
            "true score (hidden)": scores.values[:asked],
        }
    )
    for j, name in enumerate(run.plan.names):
        table[f"noisy value, {name} (hidden)"] = run.noisy[j]
    published = run.release.table()
    for name in ("answer", "branch", "gap", "spent"):
        table[name] = published[name].to_numpy()
    table["units used"] = run.units
    return table


def threshold_bounds_chart(
    run: ThresholdReplay, scores: Scores, confidence: float, after: Floats | None, *, look: Look = LIGHT
) -> Chart:
    """What the gaps of the run say of the true scores; `after` = P(bound holds | answered so) of each answer."""
    out = run.release
    n = min(len(out.items), _BOUNDS)
    items = out.items[:n]
    estimate = run.plan.threshold + out.gaps[:n]
    bound, true = out.lower_bounds[:n], scores.values[items]
    place = np.arange(1, n + 1)
    figure = Figure()
    figure.add_scatter(
        x=np.column_stack([bound, estimate, np.full(n, np.nan)]).ravel(),
        y=np.column_stack([place, place, np.full(n, np.nan)]).ravel(),
        mode="lines",
        line={"color": look.categories[3], "width": 2.4 * look.scale},
        showlegend=False,
        hoverinfo="skip",
    )
    for x, name, symbol, colour in (
        (bound, f"lower bound ({as_typed(confidence)})", "line-ns-open", look.categories[3]),
        (estimate, "threshold + gap", "circle", look.categories[3]),
        (true, "true score (not published)", "diamond-open", look.categories[0]),
    ):
        figure.add_scatter(
            x=x,
            y=place,
            mode="markers",
            name=name,
            marker={"symbol": symbol, "size": 10 * look.scale, "color": colour, "line": {"width": 2, "color": colour}},
            customdata=[label(scores.label(int(i)), 100) for i in items],
            hovertemplate=f"<b>%{{customdata}}</b><br>{name} %{{x:.4~g}}<extra></extra>",
        )
    named = n <= _NAMED
    ticks = [scores.label(int(i)) for i in items]
    wide = max((min(len(t), 26) for t in ticks), default=0) if named else 0
    figure.add_upright(x=run.plan.threshold, line={"color": look.muted, "width": 1, "dash": "dot"})
    figure.update_layout(
        template=look.template,
        height=round((120 + 26 * n if named else 470) * look.scale),
        margin={"l": (wide * 0.56 + 1.6) * look.size if named else 4.6 * look.size, "t": 10, "b": 4 * look.size},
        xaxis={
            "title": {"text": "score"},
            "fixedrange": True,
            "nticks": 8,
            "range": _padded(run, bound, estimate, true),
        },
        yaxis={
            "range": [n + 0.7, 0.3],
            "showgrid": False,
            "fixedrange": True,
            **(
                {"tickvals": place.tolist(), "ticktext": [label(t, 26) for t in ticks]}
                if named
                else {"title": {"text": "answer"}}
            ),
        },
        legend={"orientation": "h", "x": 0, "y": -0.2, "yanchor": "top", "traceorder": "normal"},
    )
    holds = int((out.lower_bounds <= scores.values[out.items]).sum())
    total = len(out.items)
    verb = "lies" if holds == 1 else "lie"
    says = f"{holds:,} of {count(total, 'bound')} of this release {verb} at or below the true score."
    return Chart(
        figure=figure,
        alt=f"Lower bounds, estimates and true scores of {count(total, 'answer')}. {says}",
        how_to_read=(
            "The dot is the threshold plus the gap, the line goes down to the lower bound. A bound holds where the "
            "diamond, the true score, is not to the left of the line's end."
            + (f" The first {_BOUNDS} answers are drawn." if total > _BOUNDS else "")
        ),
        says_now=says,
        make_table=lambda: _bounds_table(run, scores, confidence, after),
    )


def _padded(run: ThresholdReplay, *values: Floats) -> list[float]:
    """All of it, and the threshold, with some room."""
    shown = np.append(np.concatenate(values), run.plan.threshold)
    low, high = float(shown.min()), float(shown.max())
    room = 0.05 * ((high - low) or 1.0)
    return [low - room, high + room]


def _bounds_table(run: ThresholdReplay, scores: Scores, confidence: float, after: Floats | None) -> pd.DataFrame:
    out = run.release
    table = pd.DataFrame(
        {
            "query": out.items + 1,
            "item": [scores.label(int(i)) for i in out.items],
            "branch": list(out.branches),
            "gap": out.gaps,
            "threshold + gap": run.plan.threshold + out.gaps,
            "lower bound": out.lower_bounds,
            "true score (hidden)": scores.values[out.items],
            "holds": np.where(out.lower_bounds <= scores.values[out.items], "yes", "no"),
            "chance before the answer, at least": confidence,
        }
    )
    if after is not None:
        table["chance given the answer"] = after
    return table
