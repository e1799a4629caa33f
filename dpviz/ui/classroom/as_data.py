"""The class as data, on the projector: its votes are published, one leaves, and all look for who it was.

Nobody is named and nobody is taken out of the class: it is a person drawn from the votes, anew with each press.
"""

import streamlit as st

from dpviz.charts import percent
from dpviz.teaching.classes.as_data import one_leaves
from dpviz.ui.shell import plain

EPSILONS = (0.2, 0.5, 1.0, 2.0, 5.0)
_SEED = "dpviz.class.left"


def show(votes: tuple[int, ...], choices: tuple[str, ...]) -> None:
    """Below the votes of a class of two at least, once it is asked for."""
    if sum(votes) < 2:
        return
    if st.toggle("Your class as data: find the one who left", key="class_data"):
        _published(votes, choices)


def _published(votes: tuple[int, ...], choices: tuple[str, ...]) -> None:
    epsilon = st.select_slider("Privacy budget ε of what is published", options=EPSILONS, value=1.0, key="class_left")
    left = one_leaves(votes, float(epsilon), st.session_state.setdefault(_SEED, 1))
    rows = [
        (choice, f"{left.before[n]}", f"{left.exact[n]}", f"{left.noisy[n]:.1f}", percent(float(left.believed[n])))
        for n, choice in enumerate(choices)
    ]
    heads = ("Answer", "Ben knew", "Exact", "With noise", "So Ben thinks of who left")
    head, *lines = ("| " + " | ".join(map(plain, line)) + " |" for line in (heads, *rows))
    found, thought, believed = choices[left.found], left.thought[left.chose], left.believed[left.chose]
    st.markdown(
        "One of you has left, nobody says who. Ben knew how many had chosen what. The counts are published again, "
        "exactly or with noise:\n\n"
        + "\n".join((head, "|:--" + 4 * "|--:" + "|", *lines))
        + f"\n\nThe exact counts give it away: who left had chosen **{plain(found)}**. With noise Ben is "
        f"{percent(float(believed))} sure of it; before he read anything, {percent(float(thought))}."
    )
    st.button("Another leaves", icon=":material/casino:", key="class_leaves", on_click=_again)


def _again() -> None:
    st.session_state[_SEED] = st.session_state.get(_SEED, 1) + 1
