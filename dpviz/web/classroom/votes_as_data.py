"""The class as data: its votes are published again after one voter has left."""

import streamlit as st

from dpviz.charts import percent
from dpviz.teaching.classes.vote_releases import (
    ReleasedList,
    release_after_departure,
    release_top_choices,
)
from dpviz.teaching.lessons.lesson_helpers import markdown_table
from dpviz.web import widgets as ui
from dpviz.web.classroom import vote_bars
from dpviz.web.screens.learn.step import lettered_choices
from dpviz.web.server.streamlit_internals import DeltaGenerator

EPSILONS = (0.2, 0.5, 1.0, 2.0, 5.0)
_LEFT, _LISTED = "dpviz.class.left", "dpviz.class.listed"  # the luck of who leaves, and of lists
_LONGEST = 3  # choices on a list


def show_class_data_toggle(votes: tuple[int, ...]) -> bool:
    """Toggle to use the votes as data, where there are at least two."""
    return sum(votes) >= 2 and st.toggle(
        "Your class as data: find the one who left", key="class_data"
    )


def show_one_voter_leaving(votes: tuple[int, ...], choices: tuple[str, ...]) -> None:
    """The vote without one voter, in place of a question's bars."""
    st.markdown("\n\n".join(_one_left(votes, choices, _epsilon())))
    _again("Another leaves", "class_leaves", _LEFT)


def show_private_poll_result(
    votes: tuple[int, ...],
    choices: tuple[str, ...],
    left_column: DeltaGenerator,
    right_column: DeltaGenerator,
) -> None:
    """Most chosen answers of a poll, released privately, and the voter who left."""
    if sum(votes) < 2:
        with left_column:
            ui.html(vote_bars.answer_bars_html(choices, votes, is_vote=True))
        right_column.markdown("At least two votes are needed.")
        return
    named = lettered_choices(map(ui.escape_markdown, choices))
    with right_column:
        with st.container(horizontal=True, vertical_alignment="center", gap="medium"):
            leaves, k = st.toggle("One of you leaves", key="class_data"), _many(len(choices))
        epsilon = _epsilon()
    if leaves:
        says, table = _one_left(votes, named, epsilon, k)
        left_column.markdown(says)
        right_column.markdown(table)
        with left_column:
            _again("Another leaves", "class_leaves", _LEFT)
        return
    with left_column:
        ui.html(vote_bars.answer_bars_html(choices, votes, is_vote=True))
    listed = release_top_choices(votes, epsilon, k, _seed(_LISTED))
    what = "The winner is" if k == 1 else f"All {k} answers with most votes are"
    with right_column:
        st.markdown(
            f"**Published privately:** {_named(listed, named)}. {what} published in"
            f" {percent(listed.all_correct_probability)} of releases."
        )
        _again("Publish again", "class_publish", _LISTED)


def _many(choices: int) -> int:
    longest = range(1, min(_LONGEST, choices - 1) + 1)
    named = ["publish the winner", *(f"the first {k}" for k in longest[1:])]
    chosen = st.segmented_control(
        "Published is",
        options=longest,
        default=1,
        required=True,
        key="class_listed",
        label_visibility="collapsed",
        format_func=lambda k: named[k - 1],
    )
    return int(chosen)


def _epsilon() -> float:
    return float(
        st.select_slider("ε, the privacy budget", options=EPSILONS, value=1.0, key="class_left")
    )


def _one_left(
    votes: tuple[int, ...], choices: tuple[str, ...], epsilon: float, k: int = 0
) -> tuple[str, str]:
    """Text and table of what the counts reveal, exactly and with noise; `k` adds a private list."""
    left = release_after_departure(votes, epsilon, _seed(_LEFT))
    rows = [
        (
            choice,
            left.before[n],
            left.exact[n],
            f"{left.noisy[n]:.1f}",
            percent(left.posterior_belief[n]),
        )
        for n, choice in enumerate(choices)
    ]
    heads = ("Answer", "Ben knew", "Exact", "With noise", "So Ben thinks")
    says = (
        "One of you has left, but nobody says who. Ben knew the counts before. The votes are"
        " published again.\n\nThe exact counts reveal that the person who left had chosen"
        f" {choices[left.choice_revealed_without_noise]}. With noise Ben is"
        f" {percent(left.posterior_belief[left.chose])} sure of it. Before, he was"
        f" {percent(left.prior_belief[left.chose])} sure."
    )
    if k:
        listed = release_top_choices(left.exact.tolist(), epsilon, k, _seed(_LEFT))
        after = percent(listed.posterior_belief(left)[left.chose])
        says += (
            f"\n\nIf only {_named(listed, choices)} is published, privately, he is {after} sure."
        )
    return says, markdown_table(heads, rows)


def _named(listed: ReleasedList, choices: tuple[str, ...]) -> str:
    return ", ".join(choices[one] for one in listed.chosen)


def _seed(kind: str) -> int:
    return int(st.session_state.setdefault(kind, 1))


def _again(says: str, key: str, kind: str) -> None:
    def draw() -> None:
        st.session_state[kind] = st.session_state.get(kind, 1) + 1

    ui.button(says, key, draw, icon="casino")
