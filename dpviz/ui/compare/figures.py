"""The head of the page, and the headline figures of the designs in one table: a row a design, a column a figure."""

from collections.abc import Sequence

import streamlit as st

from dpviz.base.scores import Scores
from dpviz.charts.words import count, number, of_releases, percent
from dpviz.studies.scenario import Scenario
from dpviz.topk.classes import EVENTS
from dpviz.ui.compare.marks import colour, in_words, named, rules
from dpviz.ui.compare.sides import Side
from dpviz.ui.shell import page
from dpviz.ui.shell.badges import badge
from dpviz.ui.shell.show import WAIT, table
from dpviz.ui.work.answer import Chance

__all__ = ["figures", "shown_events", "title"]


def title(scenario: Scenario, scores: Scores, of: Sequence[Side]) -> None:
    """What is compared, and the one sentence that matters most."""
    st.html(rules())
    page.title(scenario, scores, "Compare", _lead(of), count(len(of), "mechanism"))


def shown_events(of: Sequence[Side]) -> list[str]:
    """The events that say something here: OPTIMAL only where ties make it differ from TOP."""
    answer = of[0].answer
    tied = answer.scores.tied(answer.mechanism.k)[1] > answer.mechanism.k
    return [name for name in EVENTS if name != "optimal" or tied]


def figures(of: Sequence[Side]) -> None:
    """The table."""
    events = shown_events(of)
    k = of[0].answer.mechanism.k
    heads = [f"<th>{EVENTS[name].label}<small>{_meaning(name, of)}</small></th>" for name in events]
    heads += [
        f"<th>Kept<small>of the true top {k:,}, on average</small></th>",
        f"<th>Worst rank<small>on average; {k:,} is ideal</small></th>",
    ]
    rows = [_row(side, events, k) for side in of]
    table("Headline figures", ["<th>Mechanism</th>", *heads], rows, "dp-designs")


def _meaning(name: str, of: Sequence[Side]) -> str:
    k = of[0].answer.mechanism.k
    a, b = of[0].answer.bounds(name)
    if name == "optimal":
        return "as good: ties may fall either way"
    if name == "top":
        return f"exactly the true top {k:,}"
    return f"best {a:,} all in, none below rank {b:,}"


def _row(side: Side, events: Sequence[str], k: int) -> str:
    answer = side.answer
    cells = "".join(f"<td>{_chance(answer.event(name), side)}</td>" for name in events)
    places = 2 if answer.method == "exact" else 1
    kept, worst = answer.share, answer.worst_rank
    shown = WAIT if kept is None else f"{number(round(kept * k, places))} <small>of {k:,}</small>"
    cells += f'<td><div class="dp-cell">{shown}</div></td>'
    shown = WAIT if worst is None else number(round(worst, places if worst < 100 else 1))
    cells += f'<td><div class="dp-cell">{shown}</div></td>'
    return f'<tr><td class="dp-who">{named(side.number, side.label)}{badge(answer)}</td>{cells}</tr>'


def _chance(chance: Chance | None, side: Side) -> str:
    if chance is None:
        return WAIT
    bar = f'<i style="width: {100 * chance.value:.3g}%; background: {colour(side.number)}"></i>'
    estimated = side.answer.method == "estimated"
    interval = f'<small class="dp-range">{percent(chance.low)} to {percent(chance.high)}</small>' if estimated else ""
    return (
        f'<div class="dp-cell">{percent(chance.value, chance.low, chance.high)}</div>'
        f'<div class="dp-bar" aria-hidden="true">{bar}</div>{interval}'
    )


def _lead(of: Sequence[Side]) -> str:
    """What TOP (OPTIMAL where scores tie) says of the best and the worst of them."""
    event = "optimal" if "optimal" in shown_events(of) else "top"
    known = [(side.answer.event(event), side) for side in of]
    if any(chance is None for chance, _ in known):
        return ""
    ranked = sorted(((r.value, side) for r, side in known if r is not None), key=lambda pair: -pair[0])
    (high, best), (low, worst) = ranked[0], ranked[-1]
    k = best.answer.mechanism.k
    what = ("the exact top" if event == "top" else "a top as good as the true") + (f" {k:,}" if k > 1 else " item")
    start = f"{what[0].upper()}{what[1:]} comes out in {of_releases(high)} with {in_words(best.number, best.label)}"
    return start + (
        f", in {of_releases(low)} with {in_words(worst.number, worst.label)}." if worst is not best else "."
    )
