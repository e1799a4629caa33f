"""Two decisions side by side: one for privacy, one for accuracy, or any two that were pinned.

Pins live in the session: they hold figures and names of items, never a score. What differs is in bold.
"""

import html
from collections.abc import Callable

import streamlit as st

from dpviz import charts
from dpviz.charts.decision.goal_curves import goal_curves
from dpviz.charts.words import percent
from dpviz.reports.decision import words
from dpviz.studies.decision import Decision
from dpviz.ui.shell.show import heading, show, table

__all__ = ["beside", "pins"]

_PINS = "dpviz.decide.pins"
_NAMES = ("A", "B")
_ROWS: tuple[tuple[str, Callable[[Decision], str]], ...] = (
    ("Goal", words.goal_sentence),
    ("Mechanism", lambda d: d.need.label),
    ("ε of one release", lambda d: words.number(d.epsilon)),
    ("All releases", lambda d: f"{words.releases(d)}: {words.total(d)}"),
    ("The goal is met in", lambda d: percent(d.utility.chance, d.utility.low, d.utility.high)),
    ("Missing on average", lambda d: f"{d.utility.missed:.2g} of {d.question.k:,}"),
    ("A guesser is right about", lambda d: f"at most {words.at_most_of_100(d.total_odds.guess)} of 100"),
    ("Likeliest miss", lambda d: words.miss_sentences(d)[0]),
    ("Unit of privacy", lambda d: d.question.unit),
    ("Neighbouring data", words.neighbours),
    ("Contributions", words.contributions),
    ("Decided on", words.data_name),
)


def pins() -> dict[str, Decision]:
    """The decisions that are pinned, by letter."""
    own: dict[str, Decision] = st.session_state.setdefault(_PINS, {})
    return own


def beside(decision: Decision, *, look: charts.Look) -> None:
    """Pin the decision, and the table of the two that are pinned; with one pin, of it and the one of now."""
    heading("Two scenarios side by side")
    own = pins()
    with st.container(horizontal=True, gap="small"):
        for letter in _NAMES:
            if st.button(f"Pin this as {letter}", key=f"decide_pin_{letter}"):
                own[letter] = decision
                st.rerun()  # the sheet has it too
        if own and st.button("Take the pins away", type="tertiary", key="decide_unpin"):
            own.clear()
            st.rerun()
    if not own:
        st.html(
            '<p class="dp-how">Pin this decision, go back and change what matters, say the goal or the mechanisms: the '
            "two then stand side by side, here and on the sheet.</p>"
        )
        return
    shown = [(letter, own[letter]) for letter in _NAMES if letter in own]
    if len(shown) == 1:
        shown.append(("now", decision))
    heads = ["<th></th>", *(f"<th>{letter}</th>" for letter, _ in shown)]
    rows = []
    for name, told in _ROWS:
        cells = [html.escape(told(each)) for _, each in shown]
        differ = cells[0] != cells[1]
        inside = "".join(f"<td>{f'<strong>{cell}</strong>' if differ else cell}</td>" for cell in cells)
        rows.append(f'<tr><th scope="row">{name}</th>{inside}</tr>')
    table("Two scenarios", heads, rows, "dp-beside")
    needs = [each.need for _, each in shown]
    names = [letter for letter, _ in shown]
    labels = [each.need.label for _, each in shown]
    taken = [(i, each.epsilon, f"ε of {letter}") for i, (letter, each) in enumerate(shown)]
    goal = shown[0][1].question.target.probability
    show(goal_curves(needs, names, labels, taken, goal, "chance of its goal", look=look), "beside_curves")
