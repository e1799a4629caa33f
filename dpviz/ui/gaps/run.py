"""One run of a sparse vector, replayed: a step through its queries, its gaps and their lower bounds."""

import html

import numpy as np
import streamlit as st

from dpviz import charts
from dpviz.charts.gaps.run_steps import threshold_bounds_chart, threshold_steps_chart
from dpviz.charts.words import as_typed, count, number, percent, trimmed
from dpviz.gaps.sparse.mechanism import THRESHOLD
from dpviz.gaps.sparse.one_run import ThresholdReplay
from dpviz.ui.gaps.gap_answers import ThresholdAnswer
from dpviz.ui.gaps.settings import PAGE, Settings, read
from dpviz.ui.gaps.worth_cards import SAME_RUN, next_seed
from dpviz.ui.shell import state
from dpviz.ui.shell.controls import number_box, seed_box
from dpviz.ui.shell.show import folded, show
from dpviz.ui.shell.text import four

__all__ = ["run"]

_SHORT = {"sparse_vector": "plain", "adaptive_sparse_vector": "adaptive"}


def run(answer: ThresholdAnswer, look: charts.Look) -> None:
    """The whole section; a step through it draws nothing else anew."""
    settings = read(answer.scores)
    if settings.confidence != answer.settings.confidence:  # other sections show it too
        st.rerun()
    _controls(settings)
    which = _SHORT[settings.design]
    mechanism = answer.mechanisms[which]
    state.write_link()
    if not settings.run:
        st.html(
            '<p class="dp-how">Press “Release once” and step through the queries: what was compared, what came out.</p>'
        )
        return
    rng = np.random.default_rng(state.scenario().seed)
    replayed = mechanism.replay(answer.scores, rng=rng, confidence=settings.confidence)
    step = _stepper(replayed, settings.step)
    left, right = st.columns([2.3, 1], gap="large")
    with left:
        show(threshold_steps_chart(replayed, answer.scores, step, look=look), "threshold_steps")
    with right:
        st.html(_closely(replayed, answer, which, step))
    line = f"Gaps and lower bounds of the {len(replayed.release.items):,} answers: what is published, beside the truth"
    folded(line, "bounds", lambda: _bounds(replayed, answer, settings, look))


def _bounds(replayed: ThresholdReplay, answer: ThresholdAnswer, settings: Settings, look: charts.Look) -> None:
    which = _SHORT[settings.design]
    if not len(replayed.release.items):
        st.html('<p class="dp-how">This release gave no answer, so there are no gaps.</p>')
        return
    coverage = answer.coverage(which)
    after = None
    if coverage is not None:
        items = replayed.release.items
        after = np.ma.filled(coverage.after[replayed.branch[items], items].astype(float), np.nan)
    show(threshold_bounds_chart(replayed, answer.scores, settings.confidence, after, look=look), "threshold_bounds")


def _controls(settings: Settings) -> None:
    with st.container(horizontal=True, vertical_alignment="bottom"):
        PAGE.switch("design", "Mechanism", _called, settings.design)
        name = "Release again" if settings.run else "Release once"
        st.button(name, icon=":material/play_arrow:", on_click=_run, args=(settings.run,), key="gaps_run")
        seed_box("gaps_run_seed", SAME_RUN)
        PAGE.percent_box("confidence", settings.confidence, "Confidence of bounds, %", (50.0, 99.9), width=190)


def _called(name: str) -> str:
    return _SHORT.get(name, THRESHOLD.label(name)).capitalize()


def _run(again: bool) -> None:
    """The first press shows the seed's own run, the next ones those of the seeds after it."""
    if again:
        next_seed()
    PAGE.change(run=True, step=None)


def _stepper(replayed: ThresholdReplay, wanted: int | None) -> int:
    """The query that is looked at: the last one unless chosen."""
    asked = replayed.release.asked
    step = asked if wanted is None else min(max(wanted, 1), asked)
    answered = (np.flatnonzero(replayed.branch >= 0) + 1).tolist()
    later = next((at for at in answered if at > step), None)
    with st.container(horizontal=True, vertical_alignment="bottom"):
        for name, icon, target in (
            ("First", ":material/first_page:", 1),
            ("Back", ":material/chevron_left:", step - 1),
            ("Next", ":material/chevron_right:", step + 1),
            ("Next answer", ":material/skip_next:", later),
            ("Last", ":material/last_page:", asked),
        ):
            off = target is None or not 1 <= target <= asked or target == step
            st.button(
                name, icon=icon, on_click=PAGE.change, kwargs={"step": target}, disabled=off, key=f"gaps_step_{name}"
            )
        number_box(
            "Query", step, lambda query: PAGE.change(step=query), "gaps.step", low=1, high=asked, width=130,
            why=f", as this release asked {count(asked, 'query', 'queries')}",
        )  # fmt: skip
    return step


def _closely(replayed: ThresholdReplay, answer: ThresholdAnswer, which: str, step: int) -> str:
    """HTML: everything about one query of the run."""
    i = step - 1
    scores, mechanism, out = answer.scores, answer.mechanisms[which], replayed.release
    j = int(replayed.branch[i])
    rows = [("true score", f"{number(float(scores.values[i]))} <small>hidden</small>")]
    for at, name in enumerate(mechanism.branch_names):
        if not np.isnan(replayed.noisy[at, i]):
            sign = "≥" if j == at else "&lt;"
            called = "noisy" if len(mechanism.branch_names) == 1 else f"noisy, {name}"
            rows.append(
                (called, f"{four(replayed.noisy[at, i])} {sign} {four(replayed.thresholds[at])} <small>hidden</small>")
            )
    if j < 0:
        rows.append(("answer", "no: nothing is spent"))
    else:
        at = int(np.searchsorted(out.items, i))
        rows += [
            ("answer", f"<b>yes</b>, {mechanism.branch_names[j]} branch" if which == "adaptive" else "<b>yes</b>"),
            ("gap", f"<b>{four(out.gaps[at])}</b>"),
            ("so at least", f"{four(out.lower_bounds[at])}"),
            (
                "which is right",
                f"{as_typed(answer.settings.confidence)} or more <small>before the answer is seen</small>",
            ),
            ("", f"{_given(answer, which, j, i)} <small>once it is</small>"),
            ("cost", f"{count(mechanism.branches()[j].cost, 'unit')} of ε {four(mechanism.unit)}"),
        ]
    used = int(replayed.units[i])
    rows.append(("units used", f"{used:,} of {mechanism.units:,}"))
    rows.append(("ε so far", f"{four(mechanism.plan.spent(used))} of {mechanism.epsilon:.10g}"))
    if step == out.asked:
        left = mechanism.units - used
        costliest = max(test.cost for test in mechanism.branches())
        if left >= costliest:
            why = "every query was asked"
        else:
            why = "the budget is used up" if left == 0 else f"{count(left, 'unit')} left cannot pay the next answer"
        rows.append(("then", f"the release ends: {why}"))
    lines = "".join(f'<div class="dp-row"><span>{name}</span><div>{value}</div></div>' for name, value in rows)
    share = 100 * used / mechanism.units
    bar = (
        f'<div role="img" aria-label="{used} of {mechanism.units} units used" style="height: 6px; border-radius: 3px; '
        f'background: var(--dp-line); margin: .5rem 0;"><div style="height: 100%; width: {share:.4g}%; border-radius: '
        '3px; background: var(--dp-accent);"></div></div>'
    )
    name = f'<span title="{html.escape(scores.label(i))}">{html.escape(trimmed(scores.label(i)))}</span>'
    head = f'<h3 class="dp-side">Query {step:,}, closely</h3><p class="dp-set"><b><bdi>{name}</bdi></b></p>'
    return f'<div class="dp-closely">{head}{lines}{bar}</div>'


def _given(answer: ThresholdAnswer, which: str, j: int, i: int) -> str:
    """How often the bound holds in the runs that answer query i by branch j."""
    coverage = answer.coverage(which)
    if coverage is None:
        return "…"
    after = coverage.after[j, i]
    return "too rare to tell" if np.ma.is_masked(after) else f"<b>{percent(float(after))}</b>"
