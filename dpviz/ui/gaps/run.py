"""One run of a sparse vector, replayed: a step through its queries, its gaps and their lower bounds."""

import html

import numpy as np
import streamlit as st

from dpviz import charts
from dpviz.charts.gaps.run_steps import threshold_bounds_chart, threshold_steps_chart
from dpviz.charts.words import as_typed, count, number, percent
from dpviz.gaps.sparse.mechanism import THRESHOLD
from dpviz.gaps.sparse.one_run import ThresholdReplay
from dpviz.ui.gaps.gap_answers import ThresholdAnswer
from dpviz.ui.gaps.settings import Settings, read
from dpviz.ui.gaps.worth_cards import next_seed, put, seed_box
from dpviz.ui.shell import state
from dpviz.ui.shell.controls import on, place
from dpviz.ui.shell.show import show

__all__ = ["run"]

_SHORT = {"sparse_vector": "plain", "adaptive_sparse_vector": "adaptive"}
_STEP = "gaps.step"


@st.fragment
def run(answer: ThresholdAnswer, look: charts.Look) -> None:
    """The whole section; a step through it draws nothing else anew."""
    scenario = state.scenario()
    settings = read(scenario, answer.scores)
    if settings.confidence != answer.settings.confidence:  # other sections show it too
        st.rerun()
    _controls(settings)
    which = _SHORT[settings.design]
    mechanism = answer.mechanisms[which]
    state.write_link()
    if not scenario.page.get("gaps.run", False):
        st.html(
            '<p class="dp-how">Press “Run once” and step through the queries: what was compared, what came out.</p>'
        )
        return
    rng = np.random.default_rng(scenario.seed)
    told = mechanism.replay(answer.scores, rng=rng, confidence=settings.confidence)
    step = _stepper(told)
    left, right = st.columns([2.3, 1], gap="large")
    with left:
        show(threshold_steps_chart(told, answer.scores, step, look=look), "threshold_steps")
    with right:
        st.html(_closely(told, answer, which, step))
    st.html(f'<h3 class="dp-side dp-next">Gaps and lower bounds of the {len(told.release.items):,} answers</h3>')
    if not len(told.release.items):
        st.html('<p class="dp-how">This run gave no answer, so there are no gaps.</p>')
        return
    coverage = answer.coverage(which)
    after = None
    if coverage is not None:
        by = told.branch[told.release.items]
        after = np.ma.filled(coverage.after[by, told.release.items].astype(float), np.nan)
    show(threshold_bounds_chart(told, answer.scores, settings.confidence, after, look=look), "threshold_bounds")


def _controls(settings: Settings) -> None:
    with st.container(horizontal=True, vertical_alignment="bottom"):
        st.segmented_control(
            "Mechanism",
            options=list(THRESHOLD),
            format_func=lambda name: _SHORT.get(name, THRESHOLD.label(name)).capitalize(),
            default=settings.design,
            key=place("gaps_design", settings.design),
            on_change=on("gaps_design", _choose),
            required=True,
        )
        again = bool(state.scenario().page.get("gaps.run", False))
        st.button("Run again" if again else "Run once", icon=":material/play_arrow:", on_click=_run, key="gaps_run")
        seed_box("gaps_run_seed")
        st.number_input(
            "Confidence of bounds, %",
            50.0,
            99.9,
            100 * settings.confidence,
            step=1.0,
            format="%.4g",
            key=place("gaps_confidence", settings.confidence),
            on_change=on("gaps_confidence", lambda value: put("confidence", value / 100)),
            width=190,
        )


def _choose(name: str) -> None:
    put("design", name)


def _run() -> None:
    """The first press shows the seed's own run, the next ones those of the seeds after it."""
    if state.scenario().page.get("gaps.run", False):
        next_seed()
    put("run", True)
    state.change_page(**{_STEP: None})


def _stepper(told: ThresholdReplay) -> int:
    """The query that is looked at: the last one unless chosen."""
    asked = told.release.asked
    chosen = state.scenario().page.get(_STEP, asked)
    step = min(max(chosen, 1), asked) if isinstance(chosen, int) and not isinstance(chosen, bool) else asked
    answered = (np.flatnonzero(told.branch >= 0) + 1).tolist()
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
            st.button(name, icon=icon, on_click=_to, args=(target,), disabled=off, key=f"gaps_step_{name}")
        st.number_input(
            "Query",
            1,
            asked,
            step,
            step=1,
            key=place("gaps_step", step),
            on_change=on("gaps_step", _to),
            width=130,
        )
    return step


def _to(step: int) -> None:
    state.change_page(**{_STEP: step})


def _closely(told: ThresholdReplay, answer: ThresholdAnswer, which: str, step: int) -> str:
    """HTML: everything about one query of the run."""
    i = step - 1
    scores, mechanism, out = answer.scores, answer.mechanisms[which], told.release
    j = int(told.branch[i])
    rows = [("true score", f"{number(float(scores.values[i]))} <small>hidden</small>")]
    for at, name in enumerate(mechanism.branch_names):
        if not np.isnan(told.noisy[at, i]):
            sign = "≥" if j == at else "&lt;"
            called = "noisy" if len(mechanism.branch_names) == 1 else f"noisy, {name}"
            rows.append(
                (called, f"{_four(told.noisy[at, i])} {sign} {_four(told.thresholds[at])} <small>hidden</small>")
            )
    if j < 0:
        rows.append(("answer", "no: nothing is spent"))
    else:
        at = int(np.searchsorted(out.items, i))
        rows += [
            ("answer", f"<b>yes</b>, {mechanism.branch_names[j]} branch" if which == "adaptive" else "<b>yes</b>"),
            ("gap", f"<b>{_four(out.gaps[at])}</b>"),
            ("so at least", f"{_four(out.lower_bounds[at])}"),
            (
                "which is right",
                f"{as_typed(answer.settings.confidence)} or more <small>before the answer is seen</small>",
            ),
            ("", f"{_given(answer, which, j, i)} <small>once it is</small>"),
            ("cost", f"{count(mechanism.branches()[j].cost, 'unit')} of ε {_four(mechanism.unit)}"),
        ]
    used = int(told.units[i])
    rows.append(("units used", f"{used:,} of {mechanism.units:,}"))
    rows.append(("ε so far", f"{_four(mechanism.plan.spent(used))} of {mechanism.epsilon:.10g}"))
    if step == out.asked:
        left = mechanism.units - used
        costliest = max(test.cost for test in mechanism.branches())
        if left >= costliest:
            why = "every query was asked"
        else:
            why = "the budget is used up" if left == 0 else f"{count(left, 'unit')} left cannot pay the next answer"
        rows.append(("then", f"the run ends: {why}"))
    lines = "".join(f'<div class="dp-row"><span>{name}</span><div>{value}</div></div>' for name, value in rows)
    share = 100 * used / mechanism.units
    bar = (
        f'<div role="img" aria-label="{used} of {mechanism.units} units used" style="height: 6px; border-radius: 3px; '
        f'background: var(--dp-line); margin: .5rem 0;"><div style="height: 100%; width: {share:.4g}%; border-radius: '
        '3px; background: var(--dp-accent);"></div></div>'
    )
    name = html.escape(scores.label(i))
    head = f'<h3 class="dp-side">Query {step:,}, closely</h3><p class="dp-set"><b><bdi>{name}</bdi></b></p>'
    return f'<div class="dpg-closely">{head}{lines}{bar}</div>'


def _given(answer: ThresholdAnswer, which: str, j: int, i: int) -> str:
    """How often the bound holds in the runs that answer query i by branch j."""
    coverage = answer.coverage(which)
    if coverage is None:
        return "…"
    after = coverage.after[j, i]
    return "too rare to tell" if np.ma.is_masked(after) else f"<b>{percent(float(after))}</b>"


def _four(value: float) -> str:
    return number(float(f"{float(value):.4g}"))
