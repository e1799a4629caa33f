"""Whose data are looked at: a person of a kind, or one whose items are ticked by name.

Invariants: of many items only those that are ticked or found are sent to the browser; nobody is given more items than
one person can count in.
"""

from typing import Any

import streamlit as st

from dpviz.base.scores import Scores
from dpviz.charts.words import count, trimmed
from dpviz.privacy.people import most_items
from dpviz.studies.pages.neighbours import ticked
from dpviz.ui.neighbours.menu import Subject
from dpviz.ui.neighbours.settings import MOST_TICKED, PAGE, WAYS, WHO, read, written
from dpviz.ui.neighbours.study import Study
from dpviz.ui.shell.controls import bound
from dpviz.ui.shell.text import bidi

__all__ = ["counts_in", "who"]

_ALL = 400  # items that a menu holds; of more, the best and those found
_FOUND = 50
_NAMED = 4
_KINDS = (
    "An average person counts in as many items as the scores' total over the people behind them gives, of whom there "
    "are at least as many as the largest score says; a heavy one in up to ten times as many. Which ones: spread in "
    "proportion to the scores. The worst found is searched for: no proof that nobody is worse."
)
_POOLS = "A person changes the law of each run by as much as its price ε1 allows."
_FIND = "neighbours.find"


def who(study: Study) -> None:
    """The kind of person, whether she is in the data, and her items where they are ticked."""
    subject, settings = study.subject, study.settings
    pools = subject.scores is None
    with st.container(horizontal=True, vertical_alignment="bottom", gap="medium"):
        options = ["average", "worst", "ticked"] if pools else list(WHO)
        named = {**WHO, "average": "Helps the best", "ticked": "Tick candidates"} if pools else WHO
        value = settings.who if settings.who in options else "average"
        PAGE.switch("who", "Whose data?", named.__getitem__, value, options=options, help=_POOLS if pools else _KINDS)
        if subject.scores is not None and subject.scores.monotonic and settings.who != "worst":
            PAGE.switch("way", "In the data as they are,", WAYS.__getitem__, settings.way)
    if settings.who == "ticked" and study.pair is not None:
        _tick(subject, study.scores)


def _tick(subject: Subject, of: Any) -> None:
    items, other = ticked(subject.scenario, of, read())
    if isinstance(of, Scores) and not of.monotonic:
        left, right = st.columns(2)
        with left:
            _menu("items", "Her items", of, items)
        with right:
            _menu("other", "Items of the person who replaces her", of, other)
        return
    _menu("items", "Her items" if isinstance(of, Scores) else "Candidates whose runs she makes better", of, items)


def _menu(name: str, label: str, of: Any, chosen: list[int]) -> None:
    size = of.d if isinstance(of, Scores) else of.size
    order = of.order.tolist() if isinstance(of, Scores) else list(range(size))
    if size > _ALL:
        wanted = st.text_input("Find an item by name", key=f"{_FIND}.{name}", placeholder="type a part of its name")
        sought = wanted.casefold().strip()
        found = (i for i in order if sought in of.label(i).casefold())
        order = list(dict.fromkeys([*chosen, *(i for i, _ in zip(found, range(_FOUND), strict=False))]))
    most = min(MOST_TICKED, most_items(of) if isinstance(of, Scores) else size)
    st.multiselect(
        label,
        options=order,
        default=chosen,
        format_func=lambda i: trimmed(of.label(i), 60),
        max_selections=most,
        placeholder="Choose by name; type to search",
        **bound(f"neighbours.{name}", chosen, lambda items: PAGE.change(**{name: written(items)})),
    )
    if isinstance(of, Scores) and of.contributions is not None:
        st.html(f'<p class="dp-note">One person counts in at most {count(most, "item")}.</p>')


def counts_in(study: Study) -> str:
    """HTML: in what she counts, and whoever is in her place."""
    pair = study.pair
    if pair is None:
        return ""
    labels = study.labels if len(pair.moved) <= _ALL else None

    def names(items: list[int]) -> str:
        shown = [bidi(trimmed(labels[i] if labels else study.scores.label(i), 30)) for i in items[:_NAMED]]
        more = len(items) - len(shown)
        return ", ".join(shown) + (f" and {more:,} more" if more else "")

    hers, others = pair.hers.tolist(), pair.others.tolist()
    if study.subject.scores is None:
        return f"She makes the runs of {names(hers)} as much better as ε1 allows." if hers else "She changes nothing."
    told = f"She counts in {count(len(hers), 'item')}" + (f": {names(hers)}." if hers else ".")
    if study.replaced:
        told += f" The one in her place counts in {count(len(others), 'other item')}" + (
            f": {names(others)}." if others else "."
        )
    return told
