"""Ten releases drawn for the setting of now, told by name: how many are right, and what came instead of what."""

import html

import numpy as np
import streamlit as st

from dpviz.base.arrays import Ints
from dpviz.base.progress import Progress
from dpviz.base.scores import Scores
from dpviz.charts.words import trimmed
from dpviz.ui.shell import state
from dpviz.ui.shell.controls import LARGEST_SEED
from dpviz.ui.shell.text import bidi
from dpviz.ui.work.answer import Answer
from dpviz.ui.work.desk import PATIENCE, desk
from dpviz.ui.work.job import Done, Job

__all__ = ["others", "releases", "ten"]

TEN = 10
_NAMED = 3  # items that came out wrongly, or are missing, by name
_LETTERS = 22


def ten(answer: Answer) -> Job:
    """The draws under way; the same seed gives the same ones at every ε."""
    mechanism, scores, seed = answer.mechanism, answer.scores, state.scenario().seed

    def drawn(progress: Progress, done: Done) -> Ints:
        return mechanism.sample(scores, TEN, rng=np.random.default_rng(seed))

    wanted = f"{answer.key} ten seed={seed}"
    (job,) = desk().ask("ten", [(wanted, lambda: {"releases": drawn})], patience=PATIENCE)
    return job


def releases(answer: Answer, drawn: Job) -> None:
    """The list, one line a release."""
    sets = drawn.results.get("releases")
    rows = "" if sets is None else "".join(_row(each, answer.scores, answer.mechanism.k) for each in sets)
    st.html(
        '<h2 class="dp-side dp-ten">Ten releases, drawn now</h2>'
        f'<ol class="dp-releases" aria-label="Ten releases, drawn">{rows}</ol>'
    )


def others() -> None:
    """Ten others: those of the next seed."""
    st.button("Ten others", on_click=_next, icon=":material/casino:", key="ten_others")


def _next() -> None:
    state.change("page", seed=(state.scenario().seed + 1) % LARGEST_SEED)


def _row(items: Ints, scores: Scores, k: int) -> str:
    """One release; right is what scores at least as high as the last of the true top, as in `hits`."""
    ranks = np.sort(scores.rank[items])
    _, best = scores.tied(k)
    wrong, missing = ranks[ranks >= best], np.setdiff1d(np.arange(best), ranks)
    right = k - len(wrong)
    if right == k:
        says = "it is right" if k == 1 else "all are right"
        return f'<li class="dp-whole"><b>{right:,} of {k:,}</b> <span>{says}</span></li>'
    told = f"{_named(wrong, scores)} instead of {_named(missing[: len(wrong)], scores)}"
    return f'<li title="{html.escape(_text(told))}"><b>{right:,} of {k:,}</b> <span>{told}</span></li>'


def _named(ranks: Ints, scores: Scores) -> str:
    names = [bidi(trimmed(scores.label(int(scores.order[rank])), _LETTERS)) for rank in ranks[:_NAMED]]
    more = [f"{len(ranks) - _NAMED:,} more"] if len(ranks) > _NAMED else []
    return ", ".join([*names, *more])


def _text(told: str) -> str:
    return html.unescape(told.replace("<bdi>", "").replace("</bdi>", ""))
