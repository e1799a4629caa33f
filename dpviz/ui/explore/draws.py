"""Releases drawn from the sampler: a batch of dots beside the exact figures, one release shown in full."""

from functools import partial

import numpy as np
import pandas as pd
import streamlit as st

from dpviz import charts
from dpviz.base.arrays import Floats, Ints
from dpviz.base.progress import Progress
from dpviz.base.scores import Scores
from dpviz.charts.words import number
from dpviz.topk.one_shot import OneShot
from dpviz.ui.explore.parameters import PAGE
from dpviz.ui.shell import state
from dpviz.ui.shell.controls import LARGEST_SEED, number_box, seed_box
from dpviz.ui.shell.page import ILLUSTRATIONS
from dpviz.ui.shell.show import show
from dpviz.ui.work.answer import Answer
from dpviz.ui.work.desk import PATIENCE, desk
from dpviz.ui.work.job import Done, Job
from dpviz.ui.work.pending import filling, part, there

__all__ = ["draws"]

MANY = 100
_SHOWN = "dpviz.explore.release"
_NAMED = 10  # of the noisy counts, in a line


def draws(answer: Answer, look: charts.Look) -> None:
    """Draw once or a hundred times; the same seed gives the same draws."""
    size = PAGE.read()[0].draws
    size = size if size in {1, MANY} else 0
    with st.container(horizontal=True, vertical_alignment="bottom"):
        st.button("Draw once", on_click=_draw, args=(1,), icon=":material/casino:")
        st.button(f"Draw {MANY}", on_click=_draw, args=(MANY,), icon=":material/grain:")
        seed = seed_box("seed", "The same seed gives the same releases again.")
    st.html(ILLUSTRATIONS)
    if size == 0 or answer.all_right is None or answer.expected_hits is None:
        state.write_link()
        return
    drawn = _sample(answer, size, seed)
    with filling(lambda: [drawn], "draws"):
        part("drawn", partial(_shown, answer, drawn, size, look), there(drawn), alone=True)
    state.write_link()


def _shown(answer: Answer, drawn: Job, size: int, look: charts.Look) -> None:
    mean, whole = answer.expected_hits, answer.all_right
    result: tuple[Ints, Floats | None] | None = drawn.results.get("releases")
    if result is None or mean is None or whole is None:
        return
    sets, noisy = result
    k = answer.mechanism.k
    _, best = answer.scores.tied(k)
    hits = (answer.scores.rank[sets] < best).sum(1)
    left, right = st.columns([1.5, 1], gap="large")
    with right:
        shown = _which(size)
        _in_full(sets[shown], answer.scores, k)
        if noisy is not None:
            _noisy_counts(sets[shown], noisy[shown], answer.scores)
    with left:
        chart = charts.draw_dots(
            hits,
            k,
            mean=mean,
            whole=whole.value,
            method=answer.method or "exact",
            chosen=shown if size > 1 else None,
            look=look,
        )
        show(chart, "draws")


def _draw(size: int) -> None:
    """The first press shows the seed's own draws, the next ones those of the seeds after it."""
    scenario = state.scenario()
    again = scenario.page.get("draws") == size
    seed = (scenario.seed + 1) % LARGEST_SEED if again else scenario.seed
    state.change("page", seed=seed, page={**scenario.page, "draws": size})


def _sample(answer: Answer, size: int, seed: int) -> Job:
    """The draws of a seed, item indices of shape (size, k) and the noisy scores where they are released too.

    They are made beside the page and kept for a while.
    """
    mechanism, scores = answer.mechanism, answer.scores

    def releases(progress: Progress, done: Done) -> tuple[Ints, Floats | None]:
        rng = np.random.default_rng(seed)
        if isinstance(mechanism, OneShot) and mechanism.releases_scores(scores.contributions):
            return mechanism.sample_with_scores(scores, size, rng=rng)
        return mechanism.sample(scores, size, rng=rng), None

    (job,) = desk().ask(
        "draws", [(f"{answer.key} draws={size} seed={seed}", lambda: {"releases": releases})], patience=PATIENCE
    )
    return job


def _which(size: int) -> int:
    if size == 1:
        return 0
    chosen = min(int(st.session_state.get(_SHOWN, 1)), size)

    def show_it(release: int) -> None:
        st.session_state[_SHOWN] = release

    number_box("Release shown in full", chosen, show_it, "release_shown", low=1, high=size)
    return chosen - 1


def _in_full(items: Ints, scores: Scores, k: int) -> None:
    """Every item of one release, by rank, and what of the true top was missed."""
    ranks = np.sort(scores.rank[items])
    chosen = scores.order[ranks]
    missed = np.setdiff1d(np.arange(k), ranks)
    table = pd.DataFrame(
        {
            "rank": ranks + 1,
            "item": [scores.label(int(i)) for i in chosen],
            "score": scores.values[chosen],
            f"top {k:,}": np.where(ranks < k, "yes", ""),
        }
    )
    st.dataframe(table, hide_index=True, width="stretch", height=min(36 * (len(table) + 1), 330))
    names = ", ".join(f"{scores.label(int(scores.order[r]))} (rank {r + 1:,})" for r in missed[:5])
    more = f" and {len(missed) - 5:,} more" if len(missed) > 5 else ""
    st.text(f"Missed: {names}{more}." if len(missed) else f"Exactly the true top {k:,}.")


def _noisy_counts(items: Ints, noisy: Floats, scores: Scores) -> None:
    """What one release says of the scores, the largest first."""
    pairs = zip(items[:_NAMED].tolist(), noisy.tolist(), strict=False)
    named = ", ".join(f"{scores.label(i)} {number(round(count, 1))}" for i, count in pairs)
    more = f" and {len(items) - _NAMED:,} more" if len(items) > _NAMED else ""
    st.text(f"Published with their noisy counts: {named}{more}.")
