"""What pages put on the screen: headline figures with badges, charts with words and downloads, waiting places."""

import re
import zlib

import streamlit as st

from dpviz import charts
from dpviz.base.inert_csv import export_csv
from dpviz.charts.words import count, number, of_releases, percent
from dpviz.topk.classes import EVENTS
from dpviz.ui.work.answer import Answer, Awaited, Reading, restart

__all__ = ["badge", "card", "headline", "pending", "show", "waiting"]

_BAR = {
    "displaylogo": False,
    "modeBarButtonsToRemove": ["select2d", "lasso2d", "autoScale2d"],
    "scrollZoom": False,
}
_WATCH = 0.35  # seconds between looks at work under way
_MEANINGS = {"optimal": "as good as the true top {k}: ties may fall either way"}


def heading(text: str) -> None:
    """The heading of a section."""
    st.html(f'<h2 class="dp-h2">{text}</h2>')


def badge(answer: Answer, reading: Reading | None) -> str:
    """HTML: whether a figure is exact or estimated, with its error or interval on hover and on focus."""
    if answer.method is None:
        return ""
    if answer.method == "exact":
        tip = f"Computed, not simulated. The error of this figure is at most {number(max(answer.error, 1e-16))}."
    else:
        tip = f"Estimated from {count(answer.draws, 'draw')}."
        if reading is not None:
            tip += f" 95{chr(0x202F)}% interval: {percent(reading.low)} to {percent(reading.high)}."
    return f'<span class="dp-tip" tabindex="0">{answer.method}<span role="tooltip">{tip}</span></span>'


def headline(answer: Answer, *, events: tuple[str, ...]) -> None:
    """The figures of merit, one card each; OPTIMAL only where ties make it differ from TOP."""
    k = answer.mechanism.k
    cards: list[str] = []
    styled = 0
    tied = answer.scores.tied(k)[1] > k
    for name in events:
        bounds = answer.bounds(name)
        if name == "optimal" and not tied:
            continue
        key = ""
        if name != "optimal":
            key, styled = f'<span class="dp-key dp-key-{styled}"></span>', styled + 1
        reading = answer.event(name)
        value = None if reading is None else percent(reading.value, reading.low, reading.high)
        meaning = _meaning(name, bounds, k)
        cards.append(card(key + EVENTS[name].label, value, meaning, badge(answer, reading) if reading else ""))
    share, worst = answer.share, answer.worst_rank
    plain_badge = badge(answer, None)
    places = 2 if answer.method == "exact" else 1
    cards.append(
        card(
            "Kept",
            None if share is None else f'{number(round(share * k, places))} <span class="dp-of">of {k:,}</span>',
            f"of the true top {k:,}, on average",
            plain_badge if share is not None else "",
        )
    )
    cards.append(
        card(
            "Worst rank",
            None if worst is None else number(round(worst, places if worst < 100 else 1)),
            f"on average; {k:,} is ideal",
            plain_badge if worst is not None else "",
        )
    )
    st.html(f'<div class="dp-cards" role="group" aria-label="Headline figures">{"".join(cards)}</div>')


def _meaning(name: str, bounds: tuple[int, int], k: int) -> str:
    a, b = bounds
    if name in _MEANINGS:
        return _MEANINGS[name].format(k=f"{k:,}")
    if b == k:
        return f"exactly the true top {k:,}" if k > 1 else "exactly the true top item"
    return f"the best {a:,} all in, nothing below rank {b:,}" if a > 1 else f"the best one in, nothing below rank {b:,}"


def card(name: str, value: str | None, meaning: str, told: str) -> str:
    """HTML of one headline figure; `told` is its badge. Without a value its place waits."""
    shown = f'<div class="dp-value">{value}</div>' if value is not None else '<div class="dp-wait"></div>'
    return (
        f'<div class="dp-card"><div class="dp-name">{name}{told}</div>{shown}<div class="dp-mean">{meaning}</div></div>'
    )


def sentence(answer: Answer) -> str:
    """What P(TOP) says, as a natural frequency."""
    reading = answer.event("top")
    k = answer.mechanism.k
    what = f"the exact top {k:,}" if k > 1 else "the best item"
    if reading is None:
        return ""
    often = of_releases(reading.value, reading.low, reading.high)
    told = "." if answer.method == "exact" else f", estimated from {count(answer.draws, 'draw')}."
    return f"{what[0].upper()}{what[1:]} comes out in {often}{told}"


def show(chart: charts.Chart, key: str, *, config: dict[str, object] | None = None) -> None:
    """A chart with what it says now above it, how to read it below, its table and its downloads."""
    st.html(f'<p class="dp-says">{chart.says_now}</p>')
    name = "dpviz-" + re.sub(r"[^a-z0-9]+", "-", key.lower())
    bar = {**_BAR, "toImageButtonOptions": {"format": "svg", "filename": name}, **(config or {})}
    st.plotly_chart(charts.Handed(chart), theme=None, key=key, alt=chart.alt, config=bar)
    st.html(f'<p class="dp-how">{chart.how_to_read}</p>')
    box = st.expander("Table and downloads", on_change="rerun", key=f"{key}_table", type="compact")
    if box.open:
        with box:
            st.dataframe(chart.table, hide_index=True, width="stretch", height=260)
            with st.container(horizontal=True):
                st.download_button(
                    "Table as CSV",
                    data=lambda: export_csv(chart.table),
                    file_name=f"{name}.csv",
                    mime="text/csv",
                    icon=":material/table:",
                    key=f"{key}_csv",
                    on_click="ignore",
                )
                st.download_button(
                    "Figure as HTML",
                    data=lambda: chart.html(name),
                    file_name=f"{name}.html",
                    mime="text/html",
                    icon=":material/html:",
                    key=f"{key}_html",
                    on_click="ignore",
                    help="Interactive, with all it needs inside: about 5 MB. For a picture use the chart's camera.",
                )


def waiting(what: str) -> None:
    """A place that is still to be filled."""
    st.html(f'<div class="dp-place" role="status">{what}: not computed yet</div>')


def pending(answer: Awaited) -> bool:
    """Show what became of the work, if it is not simply done; whether something is still to come."""
    job = answer.job
    if job.problem is not None:
        st.error(job.problem)
        return False
    if job.cancelled:
        with st.container(horizontal=True, vertical_alignment="center"):
            st.markdown("Stopped before everything was computed.")
            if st.button("Compute the rest", icon=":material/play_arrow:", key=_button("rest", answer)):
                restart(answer)
                st.rerun()
        return False
    if job.finished:
        return False
    _watch(answer, job.look())
    return True


def _button(name: str, answer: Awaited) -> str:
    """A key of its own for each piece of work: two may be under way on a page."""
    return f"{name}_{zlib.crc32(answer.key.encode('utf-8', 'replace')):08x}"


@st.fragment(run_every=_WATCH)
def _watch(answer: Awaited, seen: int) -> None:
    """Progress of the work under way; when something new has come, the page is run again."""
    job = answer.job
    if job.look() != seen or job.finished:
        st.rerun()
    with st.container(horizontal=True, vertical_alignment="center"):
        st.progress(min(job.fraction, 1.0), text="Computing; figures fill their places as they come.")
        if st.button("Stop", icon=":material/stop:", key=_button("stop", answer)):
            job.cancel()
            st.rerun()
