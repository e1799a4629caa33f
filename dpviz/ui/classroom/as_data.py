"""The class as data, on the projector: its votes are published, one leaves, and all look for who it was.

Nobody is named and nobody is taken out of the class: it is a person drawn from the votes, anew with each press.
"""

import streamlit as st

from dpviz.base import markup
from dpviz.charts import percent
from dpviz.teaching.classes.as_data import one_leaves
from dpviz.ui.shell import html, paragraph

EPSILONS = (0.2, 0.5, 1.0, 2.0, 5.0)
_SEED = "dpviz.class.left"


def fold(votes: tuple[int, ...], choices: tuple[str, ...]) -> None:
    """Folded below the votes of a class of two at least."""
    if sum(votes) < 2:
        return
    box = st.expander("Your class as data: find the one who left", icon=":material/person_search:", key="class_data")
    with box:
        epsilon = st.select_slider("Privacy budget ε of what is published", options=EPSILONS, value=1.0)
        seed = st.session_state.setdefault(_SEED, 1)
        left = one_leaves(votes, float(epsilon), seed)
        paragraph(
            "One of you has left, nobody says who. Ben knew how many had chosen what. The counts are published again: "
            "exactly, or with noise.",
            "how",
        )
        rows = [
            (choice, f"{left.before[n]}", f"{left.exact[n]}", f"{left.noisy[n]:.1f}", percent(float(left.believed[n])))
            for n, choice in enumerate(choices)
        ]
        heads = ("Answer", "Ben knew", "Exact", "With noise", "So Ben thinks of who left")
        lines = [heads, (":--", *["--:"] * 4), *rows]
        st.markdown("\n".join("| " + " | ".join(line) + " |" for line in lines))
        html(
            markup(
                '<p class="dp-says">The exact counts give it away: who left had chosen <b>{}</b>. With noise Ben '
                "thinks so with {}; before he read anything, with {}.</p>",
                choices[left.found],
                percent(float(left.believed[left.chose])),
                percent(float(left.thought[left.chose])),
            )
        )
        st.button("Another leaves", icon=":material/casino:", key="class_leaves", on_click=_again)


def _again() -> None:
    st.session_state[_SEED] = st.session_state.get(_SEED, 1) + 1
